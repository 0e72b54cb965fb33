//! Usual mistakes that are recognised, so that the message says what was meant: a negative argument without
//! parentheses, a case of a wrong type, a name that is bound twice at once, a tuple where there is none.

use crate::collect_items::{Known, bound_twice, count};
use crate::given::{Given, fits};
use crate::lex::Name;
use crate::syntax::{Binder, Id, List, Pattern, Syntax};
use crate::typeck::{Checked, Checker, Task};
use cleave_diag::{Diagnostic, Span, code, nearest};
use cleave_ir::EntityRef;
use cleave_strict::core_ir::{FunctionId, Operator, Type};

impl Checker<'_> {
    /// A constructor that takes one field stands before a minus sign: what was meant is a negative field.
    pub fn subtracts_from_constructor(&self, operator: Operator, left: Id) -> Option<Name> {
        let (Operator::Subtract, Syntax::Construct(name, args)) = (operator, self.tree.syntax(left)) else {
            return None;
        };
        let info = self.all.constructor(name).filter(|info| info.fields.len() == 1 && !info.is_twice);
        info.filter(|_| args.length == 0).map(|_| name)
    }

    /// A function before a sign: what was meant is a call. The same of a constructor.
    pub fn subtraction(&mut self, operator: Operator, left: Id, right: Id) {
        let constructor = self.subtracts_from_constructor(operator, left);
        let name = match (operator, self.tree.syntax(left)) {
            _ if let Some(name) = constructor => name,
            (Operator::Subtract | Operator::Add, Syntax::Variable(name)) => {
                let takes = |id: FunctionId| !self.all.functions[id.index()].params.is_empty();
                if self.bindings[name.0 as usize].is_some() || !self.all.function(name).is_some_and(takes) {
                    return;
                }
                name
            }
            _ => return,
        };
        let (what, code) = match constructor {
            Some(_) => ("constructor", code::ARGUMENT_COUNT),
            None => ("function", code::UNKNOWN_VARIABLE),
        };
        let span = self.tree.span(left);
        let argument = match self.tree.syntax(right) {
            Syntax::Int(number) => number.to_string(),
            Syntax::Variable(name) => self.all.names.text(name).to_string(),
            _ => "…".into(),
        };
        let is_simple = matches!(self.tree.syntax(right), Syntax::Int(_) | Syntax::Variable(_));
        let (name_end, right) = (self.tree.span(left), self.tree.span(right));
        self.said = Some(left);
        self.report(span, |all| {
            let (text, sign) = (all.names.text(name), operator.sign());
            let message = format!("`{text}` is a {what}, and what stands behind it is an operator");
            let help = format!("a negative argument stands in parentheses: `{text}({sign}{argument})`");
            let diagnostic = Diagnostic::error(code, message).at(span, "").help(help);
            if !is_simple {
                return diagnostic;
            }
            let open = (Span { start: name_end.end, end: right.start, ..right }, format!("({sign}"));
            let close = (Span { start: right.end, ..right }, ")".to_string());
            diagnostic.fix("put the argument into parentheses", vec![open, close])
        });
    }

    /// Says which cases do not give what the types of the function say, if the match is its value.
    pub fn wrong_cases(&mut self, id: Id, cases: List, bodies: &[Checked]) -> bool {
        let Some((body, wanted, name)) = self.whole.clone() else { return false };
        let mut values = vec![body];
        // Whether another value of the function is what its type says.
        let (mut is_value, mut is_kept) = (false, false);
        while let Some(value) = values.pop() {
            match self.tree.syntax(value) {
                _ if value == id => is_value = true,
                Syntax::Let { body, .. } => values.push(body),
                Syntax::Match { cases, .. } => {
                    values.extend(self.tree.cases[cases.range()].iter().map(|case| case.body));
                }
                Syntax::Construct(constructor, _) => {
                    let own = self.all.constructor(constructor).map(|info| Given::One(Type::Data(info.ty)));
                    is_kept |= own.is_some_and(|own| fits(&wanted, &own));
                }
                Syntax::Int(_) => is_kept |= matches!(wanted, Given::One(Type::Int)),
                _ => {}
            }
        }
        let wrong: Vec<(Span, String)> = self.tree.cases[cases.range()]
            .iter()
            .zip(bodies)
            .filter(|(_, body)| !fits(&wanted, &body.given))
            .map(|(case, body)| (self.tree.span(case.body), self.show(&body.given)))
            .collect();
        if !is_value || wrong.is_empty() {
            return false;
        }
        // The others only call the function itself: its type is what is wrong, and nothing follows for who calls it.
        let is_call = |body: Id| matches!(self.tree.syntax(body), Syntax::Call(called, _) if called == name);
        let right = self.tree.cases[cases.range()].iter().zip(bodies).filter(|(_, body)| fits(&wanted, &body.given));
        let is_declared_wrong = !is_kept && right.into_iter().all(|(case, _)| is_call(case.body));
        self.wrong[0].extend(self.all.function(name).filter(|_| is_declared_wrong));
        let first = bodies.iter().find(|body| !fits(&wanted, &body.given)).map(|body| &body.given);
        let maker = first.and_then(|found| self.maker(&wanted, found));
        let (span, wanted) = (self.tree.span(id), self.show(&wanted));
        self.report(span, |all| {
            let message = format!("`{}` gives {wanted}, but one of its cases does not", all.names.text(name));
            let diagnostic = Diagnostic::error(code::BRANCH_TYPES, message).at(span, "");
            let diagnostic = maker.into_iter().fold(diagnostic, Diagnostic::help);
            wrong.into_iter().fold(diagnostic, |it, (place, found)| it.and(place, format!("this is {found}")))
        });
        true
    }

    /// How a value of a type becomes one of another, if that has a constructor for it.
    pub fn maker(&self, wanted: &Given, found: &Given) -> Option<String> {
        let (Given::One(Type::Data(wanted)), Given::One(found)) = (wanted, found) else { return None };
        let constructors = &self.all.types[wanted.index()].constructors;
        let takes = |name: &&Name| self.all.constructor(**name).is_some_and(|info| info.fields[..] == [Some(*found)]);
        let mut makers = constructors.iter().filter(takes);
        let (Some(&maker), None) = (makers.next(), makers.next()) else { return None };
        let (maker, wanted) = (self.all.names.text(maker), &self.all.types[wanted.index()].name);
        Some(format!("`{maker}(…)` makes a `{wanted}` of it"))
    }

    /// The type that is wanted where the expression at hand stands, if what stands around it says so.
    fn wanted(&self, mut id: Id) -> Known {
        for task in self.tasks.iter().rev() {
            match *task {
                Task::Visit(_) | Task::Case(_) | Task::CaseEnd(_) => {}
                Task::MatchEnd(around) | Task::Unbind(around, ..) => id = around,
                Task::Bind(_) | Task::Match(_) => return None,
                Task::Operate(around) => {
                    let place = |args: List| self.tree.list(args).iter().position(|&arg| arg == id);
                    return match self.tree.syntax(around) {
                        Syntax::Binary(..) => Some(Type::Int),
                        Syntax::Call(name, args) => {
                            *self.all.functions[self.all.function(name)?.index()].params.get(place(args)?)?
                        }
                        Syntax::Construct(name, args) => *self.all.constructor(name)?.fields.get(place(args)?)?,
                        _ => None,
                    };
                }
            }
        }
        match &self.whole {
            Some((_, Given::One(wanted), _)) => Some(*wanted),
            _ => None,
        }
    }

    /// A case for all values, which is not the last, has the name of a constructor in small letters: that is meant.
    pub fn is_small_constructor(&mut self, id: Id, ty: Known) -> bool {
        let (Some(Type::Data(ty)), Syntax::Match { cases, .. }) = (ty, self.tree.syntax(id)) else { return false };
        let names = self.all.names;
        let meant = |small: Name| {
            let is_same = |name: &&Name| names.text(**name).eq_ignore_ascii_case(names.text(small));
            self.all.types[ty.index()].constructors.iter().find(is_same).map(|&name| names.text(name).to_string())
        };
        let small = self.tree.cases[cases.range()].iter().filter_map(|case| match case.pattern {
            Pattern::Variable(name) => Some((name, case.span, meant(name)?)),
            _ => None,
        });
        let small: Vec<(Name, Span, String)> = small.collect();
        let Some((first, _, constructor)) = small.first() else { return false };
        let text = names.text(*first);
        let message = format!("`{text}` is a variable, which takes all values; the constructor is `{constructor}`");
        self.report(self.tree.span(id), |_| {
            let diagnostic = Diagnostic::error(code::CASE_AFTER_DEFAULT, message).at(self.tree.span(id), "");
            let help = "constructors begin with a capital letter";
            let mark =
                |it: Diagnostic, (_, place, name): &(Name, Span, String)| it.and(*place, format!("`{name}` is meant"));
            let edits = small.iter().map(|(_, place, name)| (*place, name.clone())).collect();
            small.iter().fold(diagnostic, mark).help(help).fix("write the constructors", edits)
        });
        true
    }

    /// What a call of a function gives. Nobody knows it of one whose body gives something else than its type says.
    pub fn result_of(&self, id: FunctionId) -> Given {
        match self.wrong[1].contains(&id) || self.all.functions[id.index()].is_twice {
            true => Given::Unknown,
            false => Given::of(&self.all.functions[id.index()].results),
        }
    }

    /// A variable stands before this as if it were a function.
    pub fn calls_variable(&self, id: Id) -> bool {
        match self.tree.syntax(id) {
            Syntax::Call(name, _) => self.all.function(name).is_none() && self.bindings[name.0 as usize].is_some(),
            _ => false,
        }
    }

    /// A function stands behind its argument, which is a variable: says so, of the whole.
    pub fn before_function(&mut self, id: Id, function: Name) -> bool {
        let Some(Task::Operate(call)) = self.tasks.last() else { return false };
        let call = *call;
        let Syntax::Call(variable, args) = self.tree.syntax(call) else { return false };
        let takes_one = |id: FunctionId| self.all.functions[id.index()].params.len() == 1;
        let is_it = self.tree.list(args) == [id]
            && self.calls_variable(call)
            && self.all.function(function).is_some_and(takes_one);
        if !is_it {
            return false;
        }
        let (span, place) = (self.tree.span(call), self.tree.span(id));
        self.said = Some(call);
        self.report(span, |all| {
            let (variable, function) = (all.names.text(variable), all.names.text(function));
            let message = format!("the function `{function}` stands behind its argument `{variable}`");
            let diagnostic = Diagnostic::error(code::UNKNOWN_FUNCTION, message).at(place, "");
            let call = format!("{function} {variable}");
            let name = Span { end: span.start + variable.len() as u32, ..span };
            let edits = vec![(name, function.to_string()), (place, variable.to_string())];
            diagnostic.help(format!("it stands before it: `{call}`")).fix(format!("write `{call}`"), edits)
        });
        true
    }

    /// What takes no arguments stands before the next argument of a call, whose comma is missing: the call.
    pub fn lacks_comma(&self, id: Id) -> bool {
        let Some(Task::Operate(around)) = self.tasks.last() else { return false };
        let (args, wanted) = match self.tree.syntax(*around) {
            Syntax::Call(name, args) => {
                let id = self.all.function(name);
                (args, id.map(|id| self.all.functions[id.index()].params.len()))
            }
            Syntax::Construct(name, args) => (args, self.all.constructor(name).map(|info| info.fields.len())),
            _ => return false,
        };
        wanted == Some(args.length as usize + 1) && self.tree.list(args).contains(&id)
    }

    /// The same of an argument that has been looked at.
    pub fn lacked_comma(&self, id: Id) -> bool {
        match self.tree.syntax(id) {
            Syntax::Call(name, args) => {
                args.length > 0
                    && self.all.function(name).is_some_and(|id| self.all.functions[id.index()].params.is_empty())
            }
            Syntax::Construct(name, args) => {
                args.length > 0 && self.all.constructor(name).is_some_and(|info| info.fields.is_empty())
            }
            _ => false,
        }
    }

    /// The length of the name with which a call begins.
    pub fn name_length(&self, id: Id) -> u32 {
        match self.tree.syntax(id) {
            Syntax::Call(name, _) | Syntax::Construct(name, _) => self.all.names.text(name).len() as u32,
            _ => 0,
        }
    }

    /// Says so if a name is bound twice at once.
    pub fn distinct(&mut self, binders: &[Binder]) {
        for (number, &(name, span)) in binders.iter().flatten().enumerate() {
            if binders.iter().flatten().take(number).any(|(before, _)| *before == name) {
                self.report(span, |all| bound_twice("variable", all.names.text(name), span));
                // Another name was meant for one of them.
                self.lacks_names = true;
            }
        }
    }

    pub fn unexpected_tuple(&mut self, span: Span, message: &str) {
        self.report(span, |_| {
            let help = "`let (a, b) = … in …` takes a tuple apart";
            Diagnostic::error(code::UNEXPECTED_TUPLE, message).at(span, "this is a tuple").help(help)
        });
    }

    /// A name that is no variable.
    pub fn unknown_variable(&mut self, id: Id, name: Name, function: Option<FunctionId>, locals: &[Name]) {
        let (span, wanted) = (self.tree.span(id), self.wanted(id));
        let owner = self.whole.as_ref().map(|whole| self.tree.span(whole.0));
        // A name that is bound again is perhaps meant to be this one.
        let hidden = self.shadowed.iter().rev().find(|shadowed| shadowed.1.is_some());
        let hidden = hidden.and_then(|&(name, _)| Some((self.places[self.bindings[name.0 as usize]?.index()], name)));
        self.report(span, |all| {
            let text = all.names.text(name);
            let diagnostic = Diagnostic::error(code::UNKNOWN_VARIABLE, format!("there is no variable `{text}`"));
            let function_at = owner.map_or(0, |span| span.start);
            let diagnostic = diagnostic.at(span, "").mistake(format!("variable {text} of {function_at}"));
            if let Some(function) = function {
                let params = all.functions[function.index()].params.len();
                let needs = count(params, "argument");
                let help = format!("`{text}` is a function, and functions are no values: it needs {needs}");
                return diagnostic.help(help);
            }
            let mut constructors = all.types.iter().flat_map(|ty| &ty.constructors);
            let same = constructors.find(|&&name| all.names.text(name).eq_ignore_ascii_case(text));
            if let Some(&constructor) = same {
                let (name, found) = (all.names.text(constructor), all.constructor(constructor));
                match (wanted, found.map(|info| Type::Data(info.ty))) {
                    // Only where nothing else could be meant.
                    (Some(wanted), Some(found)) if wanted == found => {
                        return all.suggest(diagnostic, text, std::iter::once(name.as_bytes()));
                    }
                    _ if matches!(text, "true" | "false") => {
                        return all.suggest(diagnostic, text, std::iter::once(name.as_bytes()));
                    }
                    (None, _) => return diagnostic.help(format!("did you mean the constructor `{name}`?")),
                    _ => {}
                }
            }
            let known = || locals.iter().map(|&name| all.names.text(name).as_bytes());
            match hidden {
                Some((place, hides)) if nearest(text.as_bytes(), known()).is_none() => {
                    let hides = all.names.text(hides);
                    let diagnostic = diagnostic.and(place, format!("a second `{hides}`, which hides the first one"));
                    diagnostic.help(format!("is `{text}` meant there?"))
                }
                _ => all.suggest(diagnostic, text, known()),
            }
        });
    }

    /// `max a b`, where `a b` was read as a call: how it is written, if the function takes two arguments.
    fn loose_call(&self, id: Id) -> Option<String> {
        let Some(Task::Operate(around)) = self.tasks.last() else { return None };
        let (Syntax::Call(name, outer), Syntax::Call(first, inner)) = (self.tree.syntax(*around), self.tree.syntax(id))
        else {
            return None;
        };
        let &[second] = self.tree.list(inner) else { return None };
        let takes = self.all.functions[self.all.function(name)?.index()].params.len();
        if self.tree.list(outer) != [id] || takes != 2 {
            return None;
        }
        let text = |name: Name| self.all.names.text(name);
        let second = self.sources.text(self.tree.argument(second));
        (!second.contains('\n')).then(|| format!("{}({}, {second})", text(name), text(first)))
    }

    /// A call of something that is no function.
    pub fn unknown_function(&mut self, id: Id, name: Name) {
        let span = self.tree.span(id);
        let is_twice = match self.tree.syntax(id) {
            Syntax::Call(_, args) => match *self.tree.list(args) {
                [arg] => matches!(self.tree.syntax(arg), Syntax::Variable(other) if other == name),
                _ => false,
            },
            _ => false,
        };
        let variable = self.bindings[name.0 as usize];
        let is_variable = variable.is_some();
        let call = self.loose_call(id);
        // Of a variable whose value is wrong nobody knows what it is.
        let is_wrong = variable.is_some_and(|var| self.types[var.index()].is_none());
        let is_lost = self.all.is_unread_function(name) || self.all.renamed.contains(&name);
        if is_wrong || is_lost && !is_variable {
            return;
        }
        self.report(span, |all| {
            let text = all.names.text(name);
            let message = format!("there is no function `{text}`");
            let diagnostic = Diagnostic::error(code::UNKNOWN_FUNCTION, message).at(span, "");
            let diagnostic = diagnostic.mistake(format!("function {text}"));
            if is_variable {
                if is_twice {
                    let second = Span { start: span.start + text.len() as u32, ..span };
                    let diagnostic = diagnostic.help(format!("`{text}` stands here twice: leave one out"));
                    return diagnostic.fix("leave it out", vec![(second, String::new())]);
                }
                if let Some(call) = call {
                    return diagnostic.help(format!("several arguments stand in parentheses: `{call}`"));
                }
                let help = format!(
                    "`{text}` is a variable, and no variable is a function: an operator is missing behind it, or several \
                     arguments stand in parentheses: `f(a, b)`"
                );
                return diagnostic.help(help);
            }
            if text == "return" {
                return diagnostic.help("there is no `return`: the body of a function is its value");
            }
            if text == "not" {
                return diagnostic.help("`match x { True: False, False: True }` is the other truth value");
            }
            if matches!(text, "print" | "println" | "printf" | "puts" | "putStrLn" | "show" | "display" | "echo") {
                return diagnostic.help("nothing is printed but the value of `main`, which a program ends with");
            }
            let mut constructors = all.types.iter().flat_map(|ty| &ty.constructors).map(|&name| all.names.text(name));
            match constructors.find(|name| name.eq_ignore_ascii_case(text)) {
                Some(same) => all.suggest(diagnostic, text, std::iter::once(same.as_bytes())),
                None => all.suggest(diagnostic, text, all.functions_anywhere()),
            }
        });
    }
}
