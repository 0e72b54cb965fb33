//! Mistakes in texts of any language: words that are lost, doubled, moved or put in, wrong bytes, pieces of other
//! texts, ends that are missing.

use crate::random_goopea::Random;

/// Changes a text somewhere; `words` are those of its language, `others` texts in it.
pub fn change(text: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], random: &mut Random) {
    if text.is_empty() {
        text.extend(b"main");
    }
    let bounds: Vec<usize> = (0..text.len())
        .filter(|&at| at == 0 || text[at].is_ascii_alphanumeric() != text[at - 1].is_ascii_alphanumeric())
        .chain([text.len()])
        .collect();
    let word = |random: &mut Random| {
        let number = random.below(bounds.len() - 1);
        bounds[number]..bounds[number + 1]
    };
    let place = word(random);
    match random.below(7) {
        0 => drop(text.drain(place)),
        1 => {
            let other = text[word(random)].to_vec();
            text.splice(place, other);
        }
        2 => drop(text.splice(place, words[random.below(words.len())].bytes())),
        3 => drop(text.splice(place.start..place.start, words[random.below(words.len())].bytes())),
        4 => text[place.start] = random.below(256) as u8,
        5 => {
            let other = &others[random.below(others.len())];
            let from = random.below(other.len());
            let to = (from + random.below(200)).min(other.len());
            text.splice(place.start..place.start, other[from..to].iter().copied());
        }
        _ => text.truncate(place.start),
    }
}
