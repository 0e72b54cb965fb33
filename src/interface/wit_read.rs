//! Reads worlds in WIT, to compare them (`wit_check`): functions with their types, definitions put in where their names
//! stood. What a program cannot have anyway, as flags and streams, is kept as a name, which equals nothing else.

use std::cell::Cell;
use std::collections::BTreeMap;

/// A type, without the names of its definitions: they say nothing to others.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum WitType {
    /// A primitive type, a resource, or something that no program has; with its word: `s32`, `borrow`.
    Name(String, Vec<WitType>),
    Record(Vec<(String, WitType)>),
    Variant(Vec<(String, Option<WitType>)>),
    Enum(Vec<String>),
}

/// A function of a world, with the place of its name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct WitFunction {
    pub(crate) at: usize,
    pub(crate) is_async: bool,
    pub(crate) params: Vec<(String, WitType)>,
    pub(crate) result: Option<WitType>,
}

/// What a world exports and imports. Functions of interfaces have the name of that before theirs: `api.parse`.
#[derive(Default, Debug)]
pub(crate) struct World {
    pub(crate) exports: BTreeMap<String, WitFunction>,
    pub(crate) imports: BTreeMap<String, WitFunction>,
}

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct WitError {
    /// The byte.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

/// Types and blocks inside each other.
const MOST_DEPTH: usize = 100;
/// Types of a world, each counted wherever it is used.
const MOST_PARTS: usize = 1_000_000;

/// A type as it is written: its definitions are looked for when all are known.
#[derive(Clone, Debug)]
struct Written {
    at: usize,
    name: String,
    args: Vec<Written>,
}

#[derive(Clone, Debug)]
enum Definition {
    Alias(Written),
    Record(Vec<(String, Written)>),
    Variant(Vec<(String, Option<Written>)>),
    Enum(Vec<String>),
    Resource,
    /// From another interface.
    Use(String, String),
}

#[derive(Clone, Debug)]
struct Func {
    at: usize,
    name: String,
    is_async: bool,
    params: Vec<(String, Written)>,
    result: Option<Written>,
}

/// An interface, or what a world has besides.
#[derive(Default, Debug)]
struct Scope {
    types: BTreeMap<String, Definition>,
    functions: Vec<Func>,
}

#[derive(Default, Debug)]
struct Block {
    /// Exported, imported.
    functions: [Vec<Func>; 2],
    /// Names of interfaces, with their places.
    interfaces: [Vec<(usize, String)>; 2],
    own: Scope,
}

/// The world with this name, or the only one of a text.
pub(crate) fn world(text: &str, wanted: Option<&str>) -> Result<World, WitError> {
    let mut parser = Parser { text, at: 0, interfaces: BTreeMap::new(), worlds: Vec::new(), parts: Cell::new(0) };
    parser.file()?;
    let names: Vec<&str> = parser.worlds.iter().map(|(name, _)| &**name).collect();
    let found = match wanted {
        Some(wanted) => parser.worlds.iter().find(|(name, _)| name == wanted),
        None if names.len() > 1 => None,
        None => parser.worlds.first(),
    };
    let Some((_, block)) = found else {
        let message = match (wanted, &names[..]) {
            (_, []) => "there is no world".to_string(),
            (Some(wanted), all) => format!("there is no world `{wanted}`: there are {}", all.join(", ")),
            (None, all) => format!("there are several worlds: {}", all.join(", ")),
        };
        return Err(WitError { at: 0, message });
    };
    let mut world = World::default();
    for (way, out) in [&mut world.exports, &mut world.imports].into_iter().enumerate() {
        for func in &block.functions[way] {
            out.insert(func.name.clone(), parser.resolved(&block.own, func)?);
        }
        for (at, name) in &block.interfaces[way] {
            let Some(scope) = parser.interfaces.get(name) else {
                return Err(WitError { at: *at, message: format!("there is no interface `{name}` in this file") });
            };
            for func in &scope.functions {
                out.insert(format!("{name}.{}", func.name), parser.resolved(scope, func)?);
            }
        }
    }
    Ok(world)
}

pub(crate) struct Parser<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    interfaces: BTreeMap<String, Scope>,
    worlds: Vec<(String, Block)>,
    /// Types with their definitions put in, so far.
    parts: Cell<usize>,
}

pub(crate) type Read<T> = Result<T, WitError>;

impl<'t> Parser<'t> {
    // -- items ----------------------------------------------------------------------------------------------------

    fn file(&mut self) -> Read<()> {
        loop {
            self.attributes()?;
            match self.peek() {
                "" => return Ok(()),
                "package" => {
                    self.take();
                    self.path()?;
                    self.expect(";")?;
                }
                "interface" => {
                    self.take();
                    let name = self.name()?;
                    let scope = self.scope()?;
                    self.interfaces.insert(name, scope);
                }
                "world" => {
                    self.take();
                    let name = self.name()?;
                    let block = self.world()?;
                    self.worlds.push((name, block));
                }
                "use" => {
                    self.take();
                    self.path()?;
                    if self.takes("as") {
                        self.name()?;
                    }
                    self.expect(";")?;
                }
                _ => return self.wrong("`interface` or `world`"),
            }
        }
    }

    fn scope(&mut self) -> Read<Scope> {
        let mut scope = Scope::default();
        self.expect("{")?;
        loop {
            self.attributes()?;
            if self.takes("}") {
                return Ok(scope);
            }
            if !self.definition(&mut scope)? {
                let func = self.named_function("")?;
                scope.functions.push(func);
            }
        }
    }

    fn world(&mut self) -> Read<Block> {
        let mut block = Block::default();
        self.expect("{")?;
        loop {
            self.attributes()?;
            match self.peek() {
                "}" => {
                    self.take();
                    return Ok(block);
                }
                "include" => {
                    let message = "`include` is not known here: write what the other world has".into();
                    return Err(WitError { at: self.at, message });
                }
                word @ ("export" | "import") => {
                    self.take();
                    self.outside(&mut block, usize::from(word == "import"))?;
                }
                _ => {
                    if !self.definition(&mut block.own)? {
                        return self.wrong("an export, an import or a type");
                    }
                }
            }
        }
    }

    /// What a world exports or imports: a function, an interface by its name, or one that stands here.
    fn outside(&mut self, block: &mut Block, way: usize) -> Read<()> {
        self.skip();
        let at = self.at;
        let name = self.name()?;
        if self.takes(":") {
            match self.peek() {
                "interface" => {
                    self.take();
                    let scope = self.scope()?;
                    self.interfaces.insert(name.clone(), scope);
                    block.interfaces[way].push((at, name));
                    return Ok(());
                }
                "func" | "async" => {
                    let func = self.function(at, name)?;
                    block.functions[way].push(func);
                    return Ok(());
                }
                _ => {}
            }
        }
        self.at = at;
        let name = self.path()?;
        self.expect(";")?;
        block.interfaces[way].push((at, name));
        Ok(())
    }

    /// The definition of a type; nothing if there is none.
    fn definition(&mut self, scope: &mut Scope) -> Read<bool> {
        let keyword = self.peek();
        if !matches!(keyword, "use" | "type" | "record" | "variant" | "enum" | "flags" | "resource") {
            return Ok(false);
        }
        self.take();
        if keyword == "use" {
            let from = self.path()?;
            self.expect(".")?;
            for (name, known) in self.list("{", "}", |this| {
                let known = this.name()?;
                Ok((if this.takes("as") { this.name()? } else { known.clone() }, known))
            })? {
                scope.types.insert(name, Definition::Use(from.clone(), known));
            }
            self.expect(";")?;
            return Ok(true);
        }
        let name = self.name()?;
        let definition = match keyword {
            "type" => {
                self.expect("=")?;
                let ty = self.ty(0)?;
                self.expect(";")?;
                Definition::Alias(ty)
            }
            "record" => Definition::Record(self.list("{", "}", |this| this.field())?),
            "variant" => Definition::Variant(self.list("{", "}", |this| {
                let name = this.name()?;
                let payload = if this.takes("(") { Some(this.ty(0)?) } else { None };
                if payload.is_some() {
                    this.expect(")")?;
                }
                Ok((name, payload))
            })?),
            "resource" => {
                if !self.takes(";") {
                    self.expect("{")?;
                    self.methods(&name, scope)?;
                }
                Definition::Resource
            }
            _ => {
                let names = self.list("{", "}", Parser::name)?;
                // A program has no flags: they equal nothing.
                if keyword == "enum" { Definition::Enum(names) } else { Definition::Resource }
            }
        };
        scope.types.insert(name, definition);
        Ok(true)
    }

    fn methods(&mut self, resource: &str, scope: &mut Scope) -> Read<()> {
        loop {
            self.attributes()?;
            self.skip();
            let at = self.at;
            if self.takes("}") {
                return Ok(());
            }
            if self.takes("constructor") {
                let params = self.list("(", ")", |this| this.field())?;
                let name = format!("{resource}.constructor");
                scope.functions.push(Func { at, name, is_async: false, params, result: None });
                self.expect(";")?;
            } else {
                let func = self.named_function(&format!("{resource}."))?;
                scope.functions.push(func);
            }
        }
    }

    fn named_function(&mut self, before: &str) -> Read<Func> {
        self.skip();
        let at = self.at;
        let name = self.name()?;
        self.expect(":")?;
        self.takes("static");
        self.function(at, format!("{before}{name}"))
    }

    fn function(&mut self, at: usize, name: String) -> Read<Func> {
        let is_async = self.takes("async");
        self.expect("func")?;
        let params = self.list("(", ")", |this| this.field())?;
        let result = if self.takes("->") { Some(self.ty(0)?) } else { None };
        self.expect(";")?;
        Ok(Func { at, name, is_async, params, result })
    }

    fn field(&mut self) -> Read<(String, Written)> {
        self.attributes()?;
        let name = self.name()?;
        self.expect(":")?;
        Ok((name, self.ty(0)?))
    }

    fn list<T>(&mut self, open: &str, close: &str, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut all = Vec::new();
        self.expect(open)?;
        while !self.takes(close) {
            all.push(item(self)?);
            if !self.takes(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(all)
    }

    fn ty(&mut self, depth: usize) -> Read<Written> {
        self.skip();
        let at = self.at;
        if depth > MOST_DEPTH {
            return Err(WitError { at, message: "there are too many types inside of each other".into() });
        }
        let name = if self.takes("_") { "_".into() } else { self.name()? };
        let args = if self.peek() == "<" { self.list("<", ">", |this| this.ty(depth + 1))? } else { Vec::new() };
        Ok(Written { at, name, args })
    }

    // -- definitions put in -----------------------------------------------------------------------------------------

    fn resolved(&self, scope: &Scope, func: &Func) -> Read<WitFunction> {
        let params = func.params.iter().map(|(name, ty)| Ok((name.clone(), self.resolve(scope, ty, 0)?)));
        Ok(WitFunction {
            at: func.at,
            is_async: func.is_async,
            params: params.collect::<Read<_>>()?,
            result: func.result.as_ref().map(|ty| self.resolve(scope, ty, 0)).transpose()?,
        })
    }

    fn resolve(&self, scope: &Scope, ty: &Written, depth: usize) -> Read<WitType> {
        let parts = self.parts.get() + 1;
        self.parts.set(parts);
        if parts > MOST_PARTS {
            return Err(WitError { at: ty.at, message: "types are too large, written out".into() });
        }
        let inner = |ty: &Written| self.resolve(scope, ty, depth + 1);
        let Some(definition) = scope.types.get(&ty.name).filter(|_| ty.args.is_empty()) else {
            let is_known =
                PRIMITIVES.contains(&&*ty.name) || !ty.args.is_empty() || ty.name == "_" || ty.name == "result";
            if !is_known {
                return Err(WitError { at: ty.at, message: format!("there is no type `{}`", ty.name) });
            }
            let args = ty.args.iter().map(inner).collect::<Read<Vec<_>>>()?;
            return Ok(WitType::Name(ty.name.clone(), args));
        };
        if depth > MOST_DEPTH {
            return Err(WitError { at: ty.at, message: format!("the type `{}` contains itself", ty.name) });
        }
        Ok(match definition {
            Definition::Alias(ty) => inner(ty)?,
            Definition::Record(fields) => {
                let fields = fields.iter().map(|(name, ty)| Ok((name.clone(), inner(ty)?)));
                WitType::Record(fields.collect::<Read<_>>()?)
            }
            Definition::Variant(cases) => {
                let cases = cases.iter().map(|(name, ty)| Ok((name.clone(), ty.as_ref().map(inner).transpose()?)));
                WitType::Variant(cases.collect::<Read<_>>()?)
            }
            Definition::Enum(names) => WitType::Enum(names.clone()),
            Definition::Resource => WitType::Name(ty.name.clone(), Vec::new()),
            Definition::Use(from, known) => match self.interfaces.get(from) {
                Some(other) => {
                    let there = Written { at: ty.at, name: known.clone(), args: Vec::new() };
                    self.resolve(other, &there, depth + 1)?
                }
                None => {
                    return Err(WitError {
                        at: ty.at,
                        message: format!("there is no interface `{from}` in this file"),
                    });
                }
            },
        })
    }
}

const PRIMITIVES: &[&str] =
    &["bool", "char", "f32", "f64", "s16", "s32", "s64", "s8", "string", "u16", "u32", "u64", "u8", "error-context"];
