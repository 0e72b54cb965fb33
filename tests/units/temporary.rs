//! Files beside others.

use cleave::driver::temporary::*;
use std::fs;
use std::io::ErrorKind;

#[test]
fn names_differ_and_nothing_is_reused() {
    let folder = folder().expect("a folder for the test");
    let target = folder.join("x");
    let (_, one) = file_beside(&target).expect("a file");
    let (_, two) = file_beside(&target).expect("another file");
    let (_, long) = file_beside(&folder.join("l".repeat(NAME_MAX))).expect("a file for a long name");
    let names = [&one, &two, &long].map(|path| path.file_name().map(|name| name.len()));
    fs::remove_dir_all(&folder).expect("it can be removed");
    assert_ne!(one, two);
    assert_eq!(names[0], names[1]);
    assert!(names[2] < Some(NAME_MAX));
    let taken = make(|_| folder.clone(), |_| Err::<(), _>(ErrorKind::AlreadyExists.into()));
    assert_eq!(taken.expect_err("all names are taken").kind(), ErrorKind::AlreadyExists);
}
