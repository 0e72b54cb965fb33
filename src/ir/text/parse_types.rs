//! Types of the results of a function. They are derived as soon as the operands' types are known, which may be only at
//! the end: blocks can be written in any order. And what words may mean that are no operands.

use super::cursor::Parser;
use super::cursor::{Parse, perhaps};
use super::lex::{TokenKind, VALUE_SIGIL, shortened};
use super::lines::FuncLines;
use super::parse_func::{FuncParser, KnownValue};
use crate::arrays::ArrayKind;
use crate::call_target::CallTarget;
use crate::entity::Value;
use crate::func::Func;
use crate::opcode::{Flags, Opcode, ResultRule};
use crate::types::Type;
use crate::verify::type_list;
use cranelift_entity::{EntityRef, PrimaryMap};

impl FuncParser<'_, '_> {
    /// What a word may mean where a value or a block should be.
    pub(super) fn unknown_operand<T>(&self, word: &str) -> Parse<T> {
        if Type::from_name(word).is_some() || matches!(word, "i1" | "i8" | "i16" | "ptr" | "double" | "float") {
            return self.p.error(format!("expected a value, found `{word}`: operands stand without their types"));
        }
        if let Some(message) = self.p.is_wordy_value(word) {
            return self.p.unknown_at(self.p.position(), message);
        }
        if word == "void" {
            return self.p.error("expected a value or a block, found `void`: leave it out");
        }
        if word == "label" {
            return self.p.error("expected a value or a block, found `label`: a block is written `block1` alone");
        }
        if let Some(function) = self.p.names_function(word) {
            return self.p.error(format!("expected a value, found `{}`{function}", shortened(word)));
        }
        if let Some((first, second)) = word.strip_prefix('v').and_then(|rest| rest.split_once('v'))
            && Parser::numbered(word, "v").is_none()
            && [first, second].iter().all(|digits| digits.parse::<u32>().is_ok())
        {
            return self.p.error(format!("expected a value, found `{word}`: did you mean `v{first}, v{second}`?"));
        }
        let digits = word.trim_start_matches(|c: char| !c.is_ascii_digit());
        let digits = if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits } else { "" };
        let others = [format!("block{digits}"), format!("v{digits}")];
        let meant = perhaps("", word, others.iter().filter(|_| !digits.is_empty()).map(String::as_bytes));
        let meant = if meant.is_empty() { ": values are written `v0`, blocks `block0`" } else { &meant };
        self.p.error(format!("expected a value or a block, found `{}`{meant}", shortened(word)))
    }

    /// The kind of the elements of an array, before the operands.
    pub(super) fn kind_of_elements(&mut self, op: Opcode) -> Parse<ArrayKind> {
        let position = self.p.position();
        let words: Vec<&str> = ArrayKind::ALL.iter().map(|kind| kind.word()).collect();
        // A value is no misspelt kind.
        if self.p.is_name_of_value() {
            let (name, found, words) = (op.name(), self.p.peek().describe(), words.join(", "));
            let message = format!(
                "`{name}` takes the kind of the elements before its operands, as `{name} i64 …`: before {found} stands \
                 one of {words}"
            );
            return self.p.error_at(position, message);
        }
        let word = self.p.ident("a kind of elements")?;
        if let Some(kind) = ArrayKind::from_word(word) {
            return Ok(kind);
        }
        // Elements without a sign have names only where they are smaller than what they are read as.
        let signed = word.strip_prefix('u').map(|bits| format!("i{bits}"));
        let signed = signed.filter(|signed| words.contains(&&signed[..]));
        let meant = match signed {
            Some(signed) => format!(": did you mean `{signed}`?"),
            None => perhaps("", word, words.iter().map(|word| word.as_bytes())),
        };
        let words = format!(": it stands before the operands, and is one of {}", words.join(", "));
        let meant = if meant.is_empty() { words } else { meant };
        self.p.error_at(position, format!("`{}` is no kind of elements{meant}", shortened(word)))
    }

    /// The immediate of `fconst`.
    pub(super) fn real(&mut self) -> Parse<u64> {
        let position = self.p.position();
        let text = self.p.number_text()?;
        let bits = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse::<f64>().ok().map(f64::to_bits),
        };
        bits.map_or_else(|| self.p.error_at(position, format!("`{}` is not a real", shortened(text))), Ok)
    }

    /// A number stands where a value should be.
    pub(super) fn number_as_operand<T>(&self, text: &str) -> Parse<T> {
        let text = shortened(text);
        let maker = if text.contains('.') { "fconst" } else { "iconst.i64" };
        self.p.error(format!("expected a value, found `{text}`: `v9 = {maker} {text}` makes one"))
    }

    /// The types of the values in the rest of the line, if they are known.
    pub(super) fn types_ahead(&self) -> Vec<Option<Type>> {
        let rest = self.p.tokens[self.p.position()..].iter().map(|token| &token.kind);
        let line = rest.take_while(|&kind| !matches!(kind, TokenKind::Newline | TokenKind::End));
        let number = |kind: &TokenKind| match kind {
            TokenKind::Ident(word) => Parser::numbered(word, "v"),
            TokenKind::Name(VALUE_SIGIL, name) => Some(self.names.get(&**name).copied().unwrap_or(u32::MAX)),
            _ => None,
        };
        // The arguments of blocks are none of the instruction.
        let mut depth = 0;
        let mut found = Vec::new();
        for kind in line {
            match kind {
                TokenKind::Punct('(') => depth += 1,
                TokenKind::Punct(')') => depth -= 1,
                kind if depth == 0 => found.extend(number(kind)),
                _ => {}
            }
        }
        let ty = |number: u32| self.values.get(number as usize).copied().flatten().and_then(|known| known.ty);
        found.into_iter().map(ty).collect()
    }

    pub(super) fn result_types(
        &mut self,
        op: Opcode,
        imm: u64,
        args: &[Value],
        results: &[(Value, Option<Type>)],
    ) -> Parse<()> {
        let rule = op.info().result;
        if matches!(rule, ResultRule::SameAsFirst | ResultRule::SameAsSecond) && args.is_empty() && !results.is_empty()
        {
            let (name, count) = (op.name(), op.info().operands().count());
            let s = if count == 1 { "" } else { "s" };
            return self.p.error(format!("`{name}` has no operand here: it takes {count} value{s}"));
        }
        if rule == ResultRule::None && results.first().is_some_and(|result| result.1.is_none()) {
            let position = self.known(results[0].0).position;
            let end = if op.any(Flags::TERMINATOR) { ": it ends the block" } else { "" };
            return self.p.error_at(position, format!("`{}` has no result{end}", op.name()));
        }
        let called = || CallTarget::of(op.mere_call(), imm).and_then(|target| self.results_of(target));
        let given = match rule {
            ResultRule::Callee => called().map(<[Type]>::to_vec),
            ResultRule::Outcome => Some(ResultRule::OUTCOME.to_vec()),
            // Behind its results comes the exception.
            ResultRule::Handled => called().map(|types| [types, &[Type::Ref]].concat()),
            _ => None,
        };
        if let Some(types) = given.filter(|types| (1..types.len()).contains(&results.len())) {
            let (gives, position) = (type_list(&types), self.known(results[0].0).position);
            self.short_call.get_or_insert((position, gives));
        }
        for (i, &(value, written)) in results.iter().enumerate() {
            let derived = match rule {
                ResultRule::One(ty) if i == 0 => Some(ty),
                ResultRule::SameAsFirst | ResultRule::SameAsSecond if i == 0 && written.is_none() => {
                    let which = usize::from(rule == ResultRule::SameAsSecond);
                    if let Some(&operand) = args.get(which) {
                        self.pending.push((value, operand));
                        self.resolve_last();
                        continue;
                    }
                    None
                }
                ResultRule::Outcome => ResultRule::OUTCOME.get(i).copied(),
                ResultRule::Element if i == 0 => Some(ArrayKind::unpack(imm).ty()),
                ResultRule::Callee | ResultRule::Handled => {
                    let target = CallTarget::of(op.mere_call(), imm);
                    let types = target.and_then(|target| self.results_of(target)).unwrap_or(&[Type::Ref]);
                    let is_exception = rule == ResultRule::Handled && i == types.len();
                    types.get(i).copied().or(is_exception.then_some(Type::Ref))
                }
                _ => None,
            };
            match written.or(derived) {
                Some(ty) => self.known(value).ty = Some(ty),
                // What is called may have a wrong signature.
                None if !self.p.errors.is_empty() || self.calls_unknown(op, imm) => self.is_unsure = true,
                None if matches!(rule, ResultRule::Callee | ResultRule::Handled) => {
                    let position = self.known(value).position;
                    let shown = self.shown(value);
                    let message =
                        format!("what is called here has no result for {shown}: its signature says which there are");
                    return self.p.error_at(position, message);
                }
                None => return self.underivable(value),
            }
        }
        Ok(())
    }

    /// The head of the function that is called cannot be read.
    fn calls_unknown(&self, op: Opcode, imm: u64) -> bool {
        match CallTarget::of(op.mere_call(), imm) {
            Some(CallTarget::Func(id)) => self.p.unknown_heads.contains(&id),
            _ => false,
        }
    }

    /// What a call gives, if that is declared.
    fn results_of(&self, target: CallTarget) -> Option<&[Type]> {
        match target {
            CallTarget::Func(callee) => Some(&self.p.func_signatures[callee].results),
            CallTarget::Extern(id, _) => Some(&self.p.externs[id].results),
            CallTarget::Table(table) | CallTarget::Method(table) => Some(&self.p.table_signatures[table].results),
            CallTarget::Closure | CallTarget::Thunk | CallTarget::Entry => None,
        }
    }

    /// An instruction has a result, as far as is known.
    pub(super) fn gives_result(&self, op: Opcode, imm: u64) -> bool {
        match op.info().result {
            ResultRule::Callee => {
                let target = CallTarget::of(op.mere_call(), imm).filter(|_| !op.is_terminator());
                target.and_then(|target| self.results_of(target)).is_some_and(|types| !types.is_empty())
            }
            rule => rule != ResultRule::None && !op.is_terminator(),
        }
    }

    /// What to say of a value that nothing defines.
    fn undefined_value_hint(&self, name: &str) -> String {
        let Some(bare) = name.strip_prefix(VALUE_SIGIL) else {
            return format!(": an instruction defines it, `{name} = …`, or the head of a block");
        };
        if self.p.is_full() {
            return String::new();
        }
        let is_defined = |number: u32| self.values.get(number as usize).copied().flatten().is_some_and(|it| it.defined);
        let others = self.lines.names.iter().filter(|named| is_defined(named.0.as_u32()));
        perhaps(&VALUE_SIGIL.to_string(), bare, others.map(|named| named.1.as_bytes()))
    }

    fn underivable<T>(&self, value: Value) -> Parse<T> {
        let position = self.values[value.index()].map_or(0, |k| k.position);
        let shown = self.shown(value);
        let message = format!("the type of {shown} does not follow from the instruction; write `{shown}: type = …`");
        self.p.error_at(position, message)
    }

    /// Gives the last pending result its type if the operand's is known by now.
    fn resolve_last(&mut self) {
        if let Some(&(value, operand)) = self.pending.last()
            && let Some(ty) = self.known(operand).ty
        {
            self.known(value).ty = Some(ty);
            self.pending.pop();
        }
    }

    /// The usual cause of values that nothing defines: the parameters stand in the header of the function alone.
    fn entry_without_parameters(&mut self) {
        let Some(entry) = self.func.entry else { return };
        let params = &self.func.signature.params;
        let is_missing = |n: usize| self.values.get(n).copied().flatten().is_some_and(|known| !known.defined);
        let Some((position, true)) = self.blocks[entry.index()] else { return };
        if !self.func.blocks[entry].params.is_empty() || !(0..params.len()).any(is_missing) || self.has_unread {
            return;
        }
        let list: Vec<String> = params.iter().enumerate().map(|(n, ty)| format!("v{n}: {ty}")).collect();
        let message = format!("the first block has the parameters of the function: `{entry}({}):`", list.join(", "));
        if let Err(error) = self.p.error_at::<()>(position, message) {
            self.p.report(error);
            self.has_unread = true;
        }
    }

    /// The first block has some parameters of the function, and what has no definition may be the others.
    fn entry_lacks_parameters(&mut self) {
        let Some(entry) = self.func.entry else { return };
        let Some((position, true)) = self.blocks[entry.index()] else { return };
        let own: Vec<Type> = self.func.params(entry).iter().filter_map(|&param| self.known_type(param)).collect();
        let wanted = self.func.signature.params.clone();
        let missing: Vec<Value> = (0..self.values.len())
            .filter(|&n| self.values[n].is_some_and(|known| !known.defined))
            .map(Value::new)
            .collect();
        if self.has_unread || own.is_empty() || own.len() >= wanted.len() || missing.is_empty() {
            return;
        }
        let (own_list, list) = (type_list(&own), type_list(&wanted));
        let is_explained = missing.len() <= wanted.len() - own.len();
        let names: Vec<String> = missing.iter().map(|&value| self.shown(value)).collect();
        let what = if is_explained { names.join(", ") } else { "some".into() };
        let message = format!("{entry} lacks {what} of the parameters of the function: {own_list}, not {list}");
        if let Err(error) = self.p.error_at::<()>(position, message) {
            self.p.report(error);
            self.has_unread |= is_explained;
        }
    }

    fn known_type(&self, value: Value) -> Option<Type> {
        self.values[value.index()].and_then(|known| known.ty)
    }

    pub(super) fn finish(mut self) -> Parse<(Func, FuncLines)> {
        // Operands may be written after their uses; each round resolves at least one result or is the last.
        while !self.pending.is_empty() {
            let before = self.pending.len();
            let pending = std::mem::take(&mut self.pending);
            for (value, operand) in pending {
                match self.known(operand).ty {
                    Some(ty) => self.known(value).ty = Some(ty),
                    None => self.pending.push((value, operand)),
                }
            }
            if self.pending.len() == before {
                break;
            }
        }
        self.entry_without_parameters();
        self.entry_lacks_parameters();
        for (n, mention) in self.blocks.iter().enumerate() {
            if !self.has_unread
                && let Some((position, false)) = *mention
                && let Err(error) = self.p.error_at::<()>(position, format!("block{n} is not defined"))
            {
                self.p.report(error);
            }
        }
        // A value that nothing defines is perhaps what is missing there.
        let is_missing = |known: &Option<KnownValue>| known.is_some_and(|known| !known.defined);
        if let Some((position, gives)) = self.short_call.take()
            && !self.has_unread
            && self.values.iter().any(is_missing)
        {
            self.has_unread = true;
            let message = format!("what is called here gives {gives}: a value for each stands before the `=`");
            if let Err(error) = self.p.error_at::<()>(position, message) {
                self.p.report(error);
            }
        }
        self.unnamed_results();
        for (n, known) in self.values.iter().enumerate() {
            if !self.has_unread
                && let Some(KnownValue { defined: false, position, .. }) = *known
                && let name = self.shown(Value::new(n))
                && let hint = self.undefined_value_hint(&name)
                && let Err(error) = self.p.error_at::<()>(position, format!("{name} is not defined{hint}"))
            {
                self.p.report(error);
            }
        }
        // A type may be unknown because of any other mistake.
        let is_whole = self.p.mistakes == self.before && !self.is_unsure;
        let mut types: PrimaryMap<Value, Type> = PrimaryMap::with_capacity(self.values.len());
        for (n, known) in self.values.iter().enumerate() {
            let ty = known.and_then(|known| known.ty);
            if is_whole
                && known.is_some()
                && ty.is_none()
                && let Err(error) = self.underivable::<()>(Value::new(n))
            {
                self.p.report(error);
            }
            types.push(ty.unwrap_or(Type::I32));
        }
        self.func.values = types;
        Ok((self.func, self.lines))
    }
}
