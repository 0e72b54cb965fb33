//! What belongs together, as the syntax tree says: brackets with what is in them, branches, and bodies.

use super::scan::TokenWithTrivia;
use crate::lex::TokenKind;
use crate::syntax::{Body, Expr, ExprId, Module, Operator, Statement};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BracketKind {
    /// The members of a class.
    Class,
    /// The statements of a block or the cases of a match.
    Lines,
    /// Things with commas between them.
    List,
}

/// A pair of brackets, by the numbers of their words.
#[derive(Clone, Copy, Debug)]
pub struct Bracket {
    pub kind: BracketKind,
    pub end: usize,
    /// What is inside stands on lines of its own.
    pub is_broken: bool,
}

/// An `if` with all its branches.
#[derive(Clone, Debug)]
pub struct Branches {
    pub last: usize,
    pub elses: Vec<usize>,
    /// The brackets of branches that are blocks, where no `then` stands.
    pub blocks: Vec<usize>,
    /// Each `else` begins a line, or each block is broken.
    pub is_broken: bool,
}

/// All groups of a file, by the numbers of the words that they begin with.
pub struct Groups {
    pub brackets: Vec<Option<Bracket>>,
    pub branches: Vec<Option<Branches>>,
    /// Of what stands behind `=` or the arrow of a case: the word after it.
    pub bodies: Vec<Option<usize>>,
    /// The words that begin a class, a member, a statement or a case.
    pub begins_item: Vec<bool>,
    /// The words that begin a part of a list.
    pub begins_part: Vec<bool>,
    /// The brackets that close statements, cases or members.
    pub ends_lines: Vec<bool>,
    /// The words `<` and `>` that are operators.
    pub compares: Vec<bool>,
    /// The colons after heads of classes.
    heads: Vec<bool>,
    /// The words before which lines end for certain.
    pub forced: Vec<bool>,
    /// Brackets that are open before each word.
    pub depth: Vec<usize>,
    /// Width of all words before each, on one line.
    pub width: Vec<usize>,
    /// The module is in today's language: all its line ends stay, and blocks without anything are wider.
    pub is_today: bool,
    /// Opening braces of blocks without anything.
    empty: Vec<bool>,
}

impl Groups {
    pub fn find(pieces: &[TokenWithTrivia], module: &Module) -> Groups {
        let count = pieces.len();
        let mut groups = Groups {
            brackets: vec![None; count],
            branches: vec![None; count],
            bodies: vec![None; count],
            begins_item: vec![false; count],
            begins_part: vec![false; count],
            ends_lines: vec![false; count],
            compares: vec![false; count],
            heads: vec![false; count],
            forced: vec![false; count],
            depth: vec![0; count],
            width: vec![0; count + 1],
            is_today: module.is_today(),
            empty: vec![false; count],
        };
        let finder = Finder { pieces };
        for import in &module.imports {
            let at = finder.back(import.span.start, |word| word != TokenKind::Import);
            groups.begins_item[at.saturating_sub(1)] = true;
        }
        for class in &module.classes {
            groups.begins_item[finder.at(class.span.start)] = true;
            for member in &class.members {
                groups.begins_item[finder.at(member.span.start)] = true;
                if let Some(body) = &member.body {
                    groups.body(&finder, body);
                    if let Some(root) = body.root {
                        groups.bodies[finder.begin(body, root)] = Some(finder.at(member.span.end));
                    }
                }
            }
        }
        groups.lists(pieces, module, &finder);
        groups.ends(pieces);
        for at in 0..count {
            let gap = if at > 0 { groups.gap(pieces, at) } else { 0 };
            let comments = pieces[at].comments.iter().map(|comment| comment.text.chars().count() + 1).sum::<usize>();
            groups.width[at + 1] = groups.width[at] + gap + comments + pieces[at].text.chars().count();
        }
        groups.force(pieces);
        groups
    }

    /// What the expressions of a body say.
    fn body(&mut self, finder: &Finder, body: &Body) {
        for (expr, span) in &body.exprs {
            match expr {
                Expr::Block { statements, value } => {
                    let open = finder.at(span.start);
                    let end = finder.at(span.end) - 1;
                    // What only the end of a line keeps apart stays on lines.
                    let is_line = |begin: usize| {
                        let before = begin - 1;
                        before > open
                            && finder.pieces[begin].begins_line
                            && finder.pieces[before].kind != TokenKind::Semicolon
                    };
                    let mut is_broken = value.is_some_and(|value| is_line(finder.begin(body, value)));
                    for statement in statements {
                        let begin = match *statement {
                            Statement::Expr(value) => finder.begin(body, value),
                            Statement::Val { pattern, value, .. } => {
                                let value = finder.begin(body, value);
                                self.bodies[value] = Some(0);
                                let start = body.pattern_span(pattern).start;
                                finder.back(start, |word| !matches!(word, TokenKind::Val | TokenKind::Let)) - 1
                            }
                        };
                        self.begins_item[begin] = true;
                        is_broken |= is_line(begin);
                    }
                    self.empty[open] = self.is_today && open + 1 == end;
                    self.brackets[open] = Some(Bracket { kind: BracketKind::Lines, end, is_broken });
                    if let Some(value) = *value {
                        self.begins_item[finder.begin(body, value)] = true;
                    }
                }
                Expr::Match { cases, .. } => {
                    let end = finder.at(span.end) - 1;
                    let mut first = end;
                    for case in cases.iter().rev() {
                        let start = body.pattern_span(case.pattern).start;
                        first = finder.back(start, |word| matches!(word, TokenKind::Open | TokenKind::Bar));
                        self.begins_item[first] = true;
                        self.bodies[finder.begin(body, case.body)] = Some(0);
                    }
                    self.brackets[first - 1] = Some(Bracket { kind: BracketKind::Lines, end, is_broken: false });
                }
                Expr::If { branches, otherwise } => {
                    let mut found =
                        Branches { last: finder.at(span.end) - 1, elses: vec![], blocks: vec![], is_broken: false };
                    let has_then = |id: ExprId| finder.word_before(finder.begin(body, id)) == TokenKind::Then;
                    let are_blocks = branches.iter().all(|&(_, branch)| !has_then(branch));
                    let bodies = branches.iter().map(|branch| branch.1).chain(*otherwise);
                    for (index, branch) in bodies.enumerate() {
                        if are_blocks {
                            found.blocks.push(finder.begin(body, branch));
                        }
                        if index + 1 < branches.len() + usize::from(otherwise.is_some()) {
                            let behind = finder.at(body.span(branch).end);
                            found.elses.push(finder.forward(behind, |word| word == TokenKind::Close));
                        }
                    }
                    self.branches[finder.at(span.start)] = Some(found);
                }
                Expr::Binary(Operator::Less | Operator::Greater, left, right) => {
                    let to = finder.at(body.span(*right).start);
                    let mut at = finder.at(body.span(*left).end);
                    while at < to {
                        self.compares[at] = matches!(finder.pieces[at].kind, TokenKind::Less | TokenKind::Greater);
                        at += 1;
                    }
                }
                _ => {}
            }
        }
    }

    /// The brackets of lists and classes; what stands after their commas.
    fn lists(&mut self, pieces: &[TokenWithTrivia], module: &Module, finder: &Finder) {
        let ends = module.classes.iter().map(|class| finder.at(class.span.end) - 1);
        let class_ends: Vec<usize> = ends.collect();
        let mut open: Vec<usize> = Vec::new();
        for at in 0..pieces.len() {
            self.depth[at] = open.len();
            match pieces[at].kind {
                TokenKind::Open | TokenKind::OpenBrace | TokenKind::OpenBracket => open.push(at),
                TokenKind::Less if !self.compares[at] => open.push(at),
                TokenKind::Greater if !self.compares[at] => {
                    let start = open.pop().filter(|&start| self.is_today && pieces[start + 1].begins_line);
                    if let Some(start) = start.filter(|&start| pieces[start].kind == TokenKind::Less) {
                        self.brackets[start] = Some(Bracket { kind: BracketKind::List, end: at, is_broken: false });
                        self.begins_part[start + 1] = true;
                    }
                }
                TokenKind::Colon if open.is_empty() => self.heads[at] = true,
                TokenKind::Close | TokenKind::CloseBrace | TokenKind::CloseBracket => {
                    let Some(start) = open.pop() else { continue };
                    let is_class = open.is_empty() && class_ends.binary_search(&at).is_ok();
                    let kind = if is_class { BracketKind::Class } else { BracketKind::List };
                    self.brackets[start].get_or_insert(Bracket { kind, end: at, is_broken: false });
                    if self.brackets[start].is_some_and(|it| it.kind == BracketKind::List) && start + 1 < at {
                        self.begins_part[start + 1] = true;
                    }
                }
                TokenKind::Comma => {
                    let is_types = |open: usize| pieces[open].kind == TokenKind::Less;
                    let is_broken = |open: usize| self.is_today && pieces[open + 1].begins_line;
                    let is_list = |open: usize| self.brackets[open].is_none() && (!is_types(open) || is_broken(open));
                    if open.last().is_some_and(|&open| is_list(open)) {
                        let is_end = matches!(
                            pieces[at + 1].kind,
                            TokenKind::Close | TokenKind::CloseBrace | TokenKind::CloseBracket
                        );
                        self.begins_part[at + 1] = !is_end;
                    }
                }
                _ => {}
            }
        }
    }

    /// Bodies end where the next statement or case begins, or where their bracket closes.
    fn ends(&mut self, pieces: &[TokenWithTrivia]) {
        // The first word of the next item, or the closing bracket, for each bracket that is open.
        let mut next: Vec<usize> = vec![pieces.len() - 1];
        let mut is_end = vec![false; pieces.len()];
        for bracket in self.brackets.iter().flatten() {
            is_end[bracket.end] = true;
            self.ends_lines[bracket.end] = bracket.kind != BracketKind::List;
        }
        for at in (0..pieces.len()).rev() {
            if is_end[at] {
                next.push(at);
            }
            if self.brackets[at].is_some() {
                next.pop();
            }
            if self.bodies[at] == Some(0) {
                self.bodies[at] = next.last().copied();
            }
            if let Some(last) = next.last_mut().filter(|_| self.begins_item[at]) {
                *last = at;
            }
        }
    }

    /// Where lines end for certain, and what is broken because of that.
    fn force(&mut self, pieces: &[TokenWithTrivia]) {
        for at in 1..pieces.len() {
            let piece = &pieces[at];
            let has_comment = piece.comments.iter().any(|comment| comment.place != super::scan::CommentPlace::Before);
            let is_kept = self.is_today && piece.kind != TokenKind::End || self.keeps_break(pieces, at);
            self.forced[at] = has_comment || piece.begins_line && is_kept;
        }
        for branches in self.branches.iter().flatten().filter(|branches| branches.blocks.is_empty()) {
            for &at in &branches.elses {
                self.forced[at] |= pieces[at].begins_line;
            }
        }
        for at in 0..pieces.len() {
            let Some(bracket) = self.brackets[at] else { continue };
            let is_class = bracket.kind == BracketKind::Class && at + 1 < bracket.end;
            self.forced[at + 1] |= is_class || at + 1 < bracket.end && pieces[at + 1].begins_line;
        }
        let mut before = vec![0_u32; pieces.len() + 1];
        for at in 0..pieces.len() {
            before[at + 1] = before[at] + u32::from(self.forced[at]);
        }
        let inside = |start: usize, last: usize| before[last + 1] > before[start + 1];
        for at in 0..pieces.len() {
            if let Some(branches) = &mut self.branches[at]
                && inside(at, branches.last)
            {
                branches.is_broken = true;
                for &block in &branches.blocks {
                    if let Some(bracket) = &mut self.brackets[block] {
                        bracket.is_broken = self.is_today || block + 1 < bracket.end;
                    }
                }
            }
        }
        for at in 0..pieces.len() {
            if let Some(bracket) = &mut self.brackets[at] {
                bracket.is_broken |= match bracket.kind {
                    BracketKind::List => self.forced[at + 1] && at + 1 < bracket.end,
                    BracketKind::Lines if self.is_today && at + 1 == bracket.end => self.forced[bracket.end],
                    BracketKind::Class | BracketKind::Lines => inside(at, bracket.end),
                };
            }
        }
    }

    /// A word that begins a line in the source still does so.
    fn keeps_break(&self, pieces: &[TokenWithTrivia], at: usize) -> bool {
        let (before, word) = (pieces[at - 1].kind, pieces[at].kind);
        let is_body = matches!(before, TokenKind::Equals | TokenKind::Arrow | TokenKind::Then | TokenKind::Else);
        let is_plain =
            !matches!(word, TokenKind::OpenBrace | TokenKind::If) || before != TokenKind::Else && word == TokenKind::If;
        is_body && is_plain || self.is_link(pieces, at) || self.is_binary(pieces, at)
    }

    /// The dot of a further call of a chain.
    pub fn is_link(&self, pieces: &[TokenWithTrivia], at: usize) -> bool {
        let before = matches!(
            pieces[at - 1].kind,
            TokenKind::Close | TokenKind::CloseBrace | TokenKind::Lower(_) | TokenKind::Greater
        );
        pieces[at].kind == TokenKind::Dot
            && before
            && matches!(pieces[at + 1].kind, TokenKind::Lower(_) | TokenKind::Then)
    }

    /// A `<` or `>` around types.
    fn is_bracket(&self, pieces: &[TokenWithTrivia], at: usize) -> bool {
        matches!(pieces[at].kind, TokenKind::Less | TokenKind::Greater) && !self.compares[at]
    }

    /// Whether an operand may end with a word.
    fn ends_operand(&self, pieces: &[TokenWithTrivia], at: usize) -> bool {
        use TokenKind::*;
        match pieces[at].kind {
            Then => at > 0 && matches!(pieces[at - 1].kind, Dot | Function | Method),
            Lower(_) | Upper(_) | Int(_) | Text(_) | True | False | This => true,
            Close | CloseBrace | CloseBracket => true,
            Greater => self.is_bracket(pieces, at),
            _ => false,
        }
    }

    /// Whether a word is an operator that has an operand before it.
    pub fn is_binary(&self, pieces: &[TokenWithTrivia], at: usize) -> bool {
        use TokenKind::*;
        let is_operator = match pieces[at].kind {
            Concat | Or | And | Plus | Minus | Times | Divide | Modulo => true,
            LessEqual | GreaterEqual | EqualTo | Unequal => true,
            Less | Greater => self.compares[at],
            _ => false,
        };
        is_operator && at > 0 && self.ends_operand(pieces, at - 1)
    }

    /// Spaces before a word.
    pub fn gap(&self, pieces: &[TokenWithTrivia], at: usize) -> usize {
        usize::from(self.has_space(pieces, at)) + usize::from(self.empty[at - 1])
    }

    /// Whether a space stands before a word.
    pub fn has_space(&self, pieces: &[TokenWithTrivia], at: usize) -> bool {
        use TokenKind::*;
        let (before, word) = (pieces[at - 1].kind, pieces[at].kind);
        let opens = self.is_bracket(pieces, at - 1) && before == Less;
        match (before, word) {
            (_, Colon) if self.heads[at] => true,
            (Open | OpenBracket | Dot | Not, _) | (_, Comma | Semicolon | Colon | Close | CloseBracket | Dot) => false,
            (OpenBrace, CloseBrace) => self.empty[at - 1],
            (Minus, _) if !self.is_binary(pieces, at - 1) => false,
            _ if opens => false,
            (_, Greater) if self.is_bracket(pieces, at) => false,
            (Less, _) if self.is_today && self.is_bracket(pieces, at - 1) => false,
            (Function | Method, Less) => true,
            (_, Less) if self.is_bracket(pieces, at) => false,
            (Greater, Open) if self.is_bracket(pieces, at - 1) => false,
            (Greater, _) => true,
            (_, Open) => !self.ends_operand(pieces, at - 1),
            _ => true,
        }
    }

    /// Width of the words from `from` up to, without, `to` on one line.
    pub fn between(&self, from: usize, to: usize) -> usize {
        self.width[to] - self.width[from]
    }
}

/// Finds words by places of the tree.
struct Finder<'f> {
    pieces: &'f [TokenWithTrivia],
}

impl Finder<'_> {
    /// The first word that begins at a place or after it.
    fn at(&self, place: u32) -> usize {
        self.pieces.partition_point(|piece| piece.start < place)
    }

    fn word_before(&self, at: usize) -> TokenKind {
        self.pieces[at - 1].kind
    }

    /// Goes back from a place over words.
    fn back(&self, place: u32, is_part: impl Fn(TokenKind) -> bool) -> usize {
        let mut at = self.at(place);
        while at > 0 && is_part(self.pieces[at - 1].kind) {
            at -= 1;
        }
        at
    }

    fn forward(&self, mut at: usize, is_part: impl Fn(TokenKind) -> bool) -> usize {
        while is_part(self.pieces[at].kind) {
            at += 1;
        }
        at
    }

    /// Where an expression begins, with the parentheses around it.
    fn begin(&self, body: &Body, id: ExprId) -> usize {
        self.back(body.span(id).start, |word| word == TokenKind::Open)
    }
}
