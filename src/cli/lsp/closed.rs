//! What is wrong with files of a project that nobody has opened: they are looked at one by one while the editor is
//! silent, so that no question waits for more than one of them. A project is a folder with `sconfig.json`; elsewhere
//! there may be any number of files that belong to nothing.

use super::answers::Files;
use super::documents::Document;
use super::navigate::project_around;
use crate::driver::json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The file of a project, and the ending of its modules.
const PROJECT: (&str, &str) = ("sconfig.json", "sam");

#[derive(Default)]
pub struct Closed {
    /// What the editor shows of files that are not open, unless it is nothing.
    shown: BTreeMap<String, Value>,
    /// Those that are still to be looked at.
    waiting: Vec<Document>,
    is_stale: bool,
}

impl Closed {
    /// Something has changed: all of them are to be looked at again.
    pub fn restart(&mut self) {
        self.waiting.clear();
        self.is_stale = true;
    }

    /// Some of them wait.
    pub fn is_busy(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Looks at the next one, or for those that there are. Gives the addresses of files with what is wrong, where that
    /// has changed.
    pub fn advance(&mut self, files: &Files) -> Vec<(String, Value)> {
        let nothing = || Value::List(Vec::new());
        if std::mem::take(&mut self.is_stale) {
            self.waiting = files.closed();
            let there: BTreeSet<&str> = self.waiting.iter().map(|document| &document.uri[..]).collect();
            let is_gone = |uri: &String| !there.contains(&uri[..]);
            let gone: Vec<String> = self.shown.keys().filter(|uri| is_gone(uri)).cloned().collect();
            gone.iter().for_each(|uri| _ = self.shown.remove(uri));
            // What was opened is told of as such.
            let is_open = |uri: &String| files.open.iter().any(|open| open.uri == *uri);
            return gone.into_iter().filter(|uri| !is_open(uri)).map(|uri| (uri, nothing())).collect();
        }
        let Some(document) = self.waiting.pop() else { return Vec::new() };
        let found = catch_unwind(AssertUnwindSafe(|| {
            // It counts as seen, so that changes of it are noticed.
            _ = files.read(&document.path);
            files.diagnostics(&document)
        }));
        let found = found.unwrap_or_else(|_| nothing());
        let before = match found.as_list() {
            [] => self.shown.remove(&document.uri),
            _ => self.shown.insert(document.uri.clone(), found.clone()),
        };
        if before.unwrap_or_else(nothing) == found { Vec::new() } else { vec![(document.uri, found)] }
    }
}

impl Files {
    /// The modules of the project that are not open: of the folder that the editor has opened, or else of the one
    /// around an open file.
    fn closed(&self) -> Vec<Document> {
        let (mark, ending) = PROJECT;
        let one = self.open.iter().find(|open| open.language == ending && open.path.is_absolute());
        let around = if self.root.is_some() { None } else { one };
        let folder = self.root.clone().or_else(|| around?.path.parent().map(project_around));
        if !folder.is_some_and(|folder| folder.join(mark).is_file()) {
            return Vec::new();
        }
        let mut found = self.project(ending, around);
        found.retain(|document| self.open.iter().all(|open| open.path != document.path));
        // They are taken from the end.
        found.reverse();
        found
    }
}
