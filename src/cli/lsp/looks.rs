//! Programs as they were looked at. What was found is kept as long as all is the same that it depends on: the text, the
//! files that were read for it, and the projects around it. So what is asked between two keys is there already, and a
//! key in one file costs nothing for files that do not read it.

use super::answers::{Files, LIBRARY};
use super::documents::Document;
use crate::driver::interpret;
use crate::driver::session::{Options, Session};
use crate::languages::frontend::Workspace;
use cleave_diag::{FileId, Sink, SourceMap};
use cleave_strict::ide::{LazyPlaces, Places, Query};
use std::cell::{LazyCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

/// So many programs are kept besides those that are open.
const KEPT: usize = 200;

/// The file that makes a project of a folder.
const PROJECT: &str = "sconfig.json";

/// A program that was looked at.
pub struct Looked {
    pub file: FileId,
    pub sources: SourceMap,
    pub sink: Sink,
    /// Put together when it is first asked for.
    pub places: LazyPlaces,
}

impl Looked {
    /// Puts together what editors may ask for, so that the program, which is larger, need not be kept.
    pub fn put_together(&self) {
        LazyCell::force(&self.places);
    }
}

/// Which text of a file was read.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// What the editor has.
    Open(u64),
    /// What was saved then; nothing if there was no file.
    Saved(Option<SystemTime>),
}

struct Kept {
    reads: Vec<(PathBuf, State)>,
    looked: Rc<Looked>,
}

/// Programs by the paths of their main modules.
#[derive(Default)]
pub struct Looks(RefCell<BTreeMap<PathBuf, Kept>>);

/// When a file was changed; nothing if there is none.
pub fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

impl Files {
    fn state(&self, path: &Path) -> State {
        match self.open.iter().find(|open| open.path == path) {
            Some(open) => State::Open(open.stamp),
            None => State::Saved(changed(path)),
        }
    }

    /// Looks at the program whose main module is a file.
    pub fn looked(&self, document: &Document) -> Option<Rc<Looked>> {
        Files::language(document)?;
        let path = &document.path;
        // Where other names lead depends on nothing that is known here.
        let is_kept = path.is_absolute() || path.starts_with(LIBRARY);
        if is_kept && let Some(looked) = self.known(document) {
            return Some(looked);
        }
        let reads = RefCell::new(Vec::new());
        let folders = path.ancestors().skip(1).filter(|folder| folder.is_absolute());
        let note = |path: PathBuf| {
            let state = self.state(&path);
            reads.borrow_mut().push((path, state));
        };
        folders.map(|folder| folder.join(PROJECT)).for_each(note);
        let read = |path: &Path| {
            note(path.to_path_buf());
            self.read(path)
        };
        let looked = Rc::new(self.ask(document, document.text.clone(), None, &read)?);
        let mut looks = self.looks.0.borrow_mut();
        if looks.len() >= KEPT + self.open.len() {
            looks.retain(|path, _| self.open.iter().any(|open| open.path == *path));
        }
        if is_kept {
            looks.insert(path.clone(), Kept { reads: reads.into_inner(), looked: looked.clone() });
        }
        Some(looked)
    }

    /// What was found before, if it would be found again.
    fn known(&self, document: &Document) -> Option<Rc<Looked>> {
        let looks = self.looks.0.borrow();
        let Kept { reads, looked } = looks.get(&document.path)?;
        let is_same = looked.sources.file(looked.file).bytes == document.text.as_bytes()
            && reads.iter().all(|(path, state)| self.state(path) == *state);
        if !is_same {
            return None;
        }
        for (path, state) in reads {
            if let State::Saved(time) = state {
                self.notice(path, *time);
            }
        }
        Some(looked.clone())
    }

    /// Looks at a program whose main module has another text than the document: only around a place, at which `typed`
    /// stands perhaps.
    pub fn look_near(
        &self,
        document: &Document,
        text: String,
        typed: Option<&'static str>,
        near: usize,
    ) -> Option<Looked> {
        self.ask(document, text, Some((typed, near)), &|path| self.read(path))
    }

    fn ask(
        &self,
        document: &Document,
        text: String,
        place: Option<(Option<&'static str>, usize)>,
        read: &dyn Fn(&Path) -> std::io::Result<Vec<u8>>,
    ) -> Option<Looked> {
        let language = Files::language(document)?;
        let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
        let file = sources.add(document.path.display().to_string(), text.into_bytes());
        let typed = place.and_then(|place| place.0);
        let question = Query { file, typed, near: place.map(|place| place.1 as u32) };
        let main = (file, document.path.as_path());
        let places = language.look(&Workspace { read }, main, &mut sources, &mut sink, question)?;
        Some(Looked { file, sources, sink, places })
    }

    /// What is wrong with a file, and what else is known of it.
    pub fn checked(&self, document: &Document) -> Rc<Looked> {
        if let Some(looked) = self.looked(document) {
            return looked;
        }
        let mut session = Session::new(Options::default());
        let file = session.sources.add(document.path.display().to_string(), document.text.clone().into_bytes());
        // What is wrong is in the sink.
        match document.language {
            "ir" => _ = interpret::ir_of(&mut session, file, &document.path),
            "abc" => _ = cleave_clean::parse(file, "", document.text.as_bytes(), &mut session.sink),
            _ => {}
        }
        let places = LazyPlaces::new(Box::new(Places::default));
        Rc::new(Looked { file, sources: session.sources, sink: session.sink, places })
    }
}
