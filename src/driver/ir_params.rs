//! Types of parameters in texts of IR that may be declared wrong: those of blocks, and those in the head of a function
//! whose first block has others.

use cleave_diag::{FileId, Sink, Span};
use cleave_ir::Type;
use cleave_strict::blame::Declared;

const TYPES: [Type; 4] = [Type::I32, Type::I64, Type::F64, Type::Ref];

/// A line of the text and where it begins.
type Line<'t> = (usize, &'t str);

/// The declarations with other types, and the texts with these; `most` at most: each has the whole text.
pub fn candidates(file: FileId, content: &str, now: &Sink, most: usize) -> Vec<(Declared, String)> {
    if most == 0 {
        return Vec::new();
    }
    let places = now.diagnostics().iter().filter_map(|one| Some(one.primary.as_ref()?.span.start as usize));
    let blamed: Vec<&str> = places.filter_map(|start| content.get(start..)?.lines().next()).collect();
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '~';
    let names = |line: &str, name: &str| line.split(|c| !is_name(c)).any(|word| word == name);
    // The parameter itself, or the block that has it, is named where there are messages.
    let is_blamed = |name: &str, block: &str| {
        blamed.iter().filter(|line| names(line, name) || names(line, block)).take(2).count() == 2
    };
    let mut found = Vec::new();
    let mut add = |what: String, place: Span, wanted: String| {
        let own = &content[place.start as usize..place.end as usize];
        let text = format!("{}{wanted}{}", &content[..place.start as usize], &content[place.end as usize..]);
        found.push((Declared::with_type(what, place, own.to_string(), wanted), text));
        found.len() < most
    };
    let mut head: Option<Line> = None;
    let mut start = 0;
    for line in content.split_inclusive('\n') {
        let here = (start, line);
        start += line.len();
        let text = line.trim_start();
        if text.starts_with("func ") {
            head = Some(here);
            continue;
        }
        let is_block = text.starts_with("block") && text.trim_end().ends_with(':');
        if let (true, Some(head)) = (is_block, head.take()) {
            if let Some((what, place, wanted)) = of_head(file, head, here)
                && !add(what, place, wanted)
            {
                return found;
            }
            continue;
        }
        let block = text.split(['(', ':']).next().unwrap_or_default();
        for (name, place, has) in if is_block { params(file, here) } else { Vec::new() } {
            for ty in TYPES.into_iter().filter(|&ty| Some(ty) != Type::from_name(has) && is_blamed(name, block)) {
                if !add(format!("`{name}`"), place, ty.name().to_string()) {
                    return found;
                }
            }
        }
    }
    found
}

/// The parameters in a line: their names, and the types with their places.
fn params<'t>(file: FileId, (start, line): Line<'t>) -> Vec<(&'t str, Span, &'t str)> {
    let Some((open, close)) = line.find('(').zip(line.find(')')).filter(|(open, close)| open < close) else {
        return Vec::new();
    };
    let mut at = start + open + 1;
    let parts = line[open + 1..close].split(',').map(|part| {
        let begin = at;
        at += part.len() + 1;
        let (name, ty) = part.split_once(':')?;
        let from = begin + name.len() + 1 + (ty.len() - ty.trim_start().len());
        let ty = ty.trim();
        Type::from_name(ty)?;
        Some((name.trim(), Span::new(file, from as u32, (from + ty.len()) as u32), ty))
    });
    parts.flatten().collect()
}

/// The head of a function of which the first block says one parameter otherwise: what it is, where its type is
/// written, and what the block says.
fn of_head(file: FileId, head: Line, block: Line) -> Option<(String, Span, String)> {
    let (declared, given) = (params(file, head), params(file, block));
    let mut other = declared.iter().zip(&given).filter(|(declared, given)| declared.2 != given.2);
    let (Some((declared, given)), None) = (other.next(), other.next()) else { return None };
    let function = head.1.split('@').nth(1)?.split('(').next()?.trim();
    Some((format!("`{}` of `@{function}`", declared.0), declared.1, given.2.to_string()))
}
