//! Text to trees: a tree is a word, or a list of trees in parentheses. `;` begins a comment.

use std::fmt;

pub enum Tree<'t> {
    Word(&'t str),
    List(Vec<Tree<'t>>),
}

pub type Result<T> = std::result::Result<T, String>;

/// The trees of a text.
pub fn read(source: &str) -> Result<Vec<Tree<'_>>> {
    // The lists that are open, innermost last. The first one is the text.
    let mut open = vec![Vec::new()];
    let mut rest = source.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '(' | ')' => Some(1),
            ';' => rest.find('\n'),
            _ => rest.find(|c: char| c.is_whitespace() || "();".contains(c)),
        };
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind.trim_start();
        match first {
            ';' => {}
            '(' => open.push(Vec::new()),
            _ => {
                let tree = if first == ')' { Tree::List(open.pop().unwrap_or_default()) } else { Tree::Word(word) };
                open.last_mut().ok_or("a `)` is too many")?.push(tree);
            }
        }
    }
    let text = open.pop().unwrap_or_default();
    if open.is_empty() { Ok(text) } else { Err("a `)` is missing".into()) }
}

impl<'t> Tree<'t> {
    /// The trees of a list; none of a word.
    pub fn parts(&self) -> &[Tree<'t>] {
        match self {
            Tree::Word(_) => &[],
            Tree::List(list) => list,
        }
    }
}

impl fmt::Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Word(word) => f.write_str(word),
            Tree::List(list) => write!(f, "({})", list.iter().map(Tree::to_string).collect::<Vec<_>>().join(" ")),
        }
    }
}
