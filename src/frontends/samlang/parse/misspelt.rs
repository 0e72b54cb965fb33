//! Words of the language with letters that are missing, exchanged or too many, where what stands around them says which
//! word is meant and no program could have a name.

use super::{Parsed, Parser, Skip};
use crate::lex::TokenKind;
use cleave_diag::{Diagnostic, code};

impl Parser<'_> {
    /// The word of these that the name at hand nearly is: it has the same letters, or begins with the same one.
    fn nearly(&self, words: &[&'static str]) -> Option<&'static str> {
        let TokenKind::Lower(name) = self.word() else { return None };
        let text = self.names.bytes(name);
        let letters = |text: &[u8]| {
            let mut letters = text.to_vec();
            letters.sort_unstable();
            letters
        };
        words.iter().copied().find(|word| {
            let is_near = cleave_diag::nearest(text, [word.as_bytes()]).is_some();
            is_near && (text.first() == word.as_bytes().first() || letters(text) == letters(word.as_bytes()))
        })
    }

    /// What stands behind the word at hand, up to the end of its line.
    fn rest_of_line(&self) -> impl Iterator<Item = TokenKind> + '_ {
        let start = self.span().end as usize;
        let line = self.bytes[start..].iter().position(|&byte| byte == b'\n');
        let end = line.map_or(self.bytes.len(), |line| start + line);
        let rest = self.tokens[self.at + 1..].iter().take_while(move |token| (token.span.start as usize) < end);
        rest.map(|token| token.kind)
    }

    fn is_no(&mut self, meant: &str) -> Skip {
        let (place, text) = (self.span(), self.text_at(self.span()).into_owned());
        self.sink.report_in(place.file, || {
            let diagnostic = Diagnostic::error(code::SYNTAX, format!("there is no `{text}`")).at(place, "");
            let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
            diagnostic.fix(format!("write `{meant}`"), vec![(place, meant.to_string())])
        });
        Skip
    }

    /// An `else` behind the first branch of an `if`. It is read after its message.
    pub(super) fn misspelt_else(&mut self) -> bool {
        let is_it = self.nearly(&["else"]).is_some()
            && matches!(self.rest_of_line().next(), Some(TokenKind::OpenBrace | TokenKind::If));
        if is_it {
            let Skip = self.is_no("else");
            self.advance();
        }
        is_it
    }

    /// `let` before a name, or `match` before a value: elsewhere no name stands directly before another one.
    pub(super) fn misspelt_word(&mut self) -> Parsed<()> {
        use TokenKind::{Colon, Equals, Lower, OpenBrace, This, Upper};
        if !matches!(self.ahead(1), Lower(_) | Upper(_) | This) {
            return Ok(());
        }
        let Some(meant) = self.nearly(&["let", "match"]) else { return Ok(()) };
        let rest: Vec<TokenKind> = self.rest_of_line().collect();
        let is_it = match (meant, &rest[..]) {
            ("let", [Lower(_), Equals | Colon, ..]) => true,
            ("match", [Lower(_) | Upper(_) | This, rest @ ..]) => rest.contains(&OpenBrace),
            _ => false,
        };
        if is_it { Err(self.is_no(meant)) } else { Ok(()) }
    }

    /// What to say of a word with which a class or an import was to begin.
    pub(super) fn misspelt_head(&self) -> Option<String> {
        let meant = self.nearly(&["class", "interface", "private", "import"])?;
        let is_it = matches!(
            (meant, self.ahead(1)),
            ("import", TokenKind::OpenBrace)
                | ("class" | "interface", TokenKind::Upper(_))
                | ("private", TokenKind::Class | TokenKind::Interface)
        );
        is_it.then(|| format!("did you mean `{meant}`?"))
    }

    /// The same of a word before `function` or `method`.
    pub(super) fn misspelt_private(&self) -> bool {
        self.nearly(&["private"]).is_some() && matches!(self.ahead(1), TokenKind::Function | TokenKind::Method)
    }
}
