//! Files of compiled functions, also damaged ones.

use cleave_native::Line;
use cleave_native::cache::*;

fn stored() -> Stored {
    let (relocations, maps) = (vec![(1, 2, -4)], vec![(5, 16, vec![8, 0])]);
    let lines = vec![(2, Some(Line { file: 3, line: u32::MAX })), (4, None)];
    Stored { align: 64, phase: 8, code: vec![1, 2, 3, 4, 5], relocations, frame: vec![(4, 16)], maps, lines }
}

#[test]
fn packs_round_trip() {
    let (one, other) = (stored().write(), Stored::default().write());
    let cache_file = CacheFile::write([(Key([2, 1]), &one[..]), (Key([1, 7]), &other[..])].into_iter(), "one");
    let read = CacheFile::read(cache_file.clone(), "one");
    assert_eq!(read.get(Key([2, 1])), Some(stored()));
    assert_eq!(read.get(Key([1, 7])), Some(Stored::default()));
    assert_eq!(read.get(Key([1, 1])), None);
    assert_eq!(CacheFile::read(cache_file, "another").get(Key([2, 1])), None);
}

#[test]
fn damaged_packs_are_empty() {
    let one = stored().write();
    let cache_file = CacheFile::write([(Key([2, 1]), &one[..])].into_iter(), "one");
    for at in 0..cache_file.len() {
        let mut damaged = cache_file.clone();
        damaged[at] ^= 0x10;
        assert_eq!(CacheFile::read(damaged, "one").get(Key([2, 1])), None, "byte {at}");
        assert_eq!(CacheFile::read(cache_file[..at].to_vec(), "one").get(Key([2, 1])), None, "{at} bytes");
    }
}
