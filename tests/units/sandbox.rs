//! Folders that a program is granted.

use cleave::cli::sandbox::*;

#[test]
fn folders_have_names() {
    let list = |sandbox, folders: &[&str]| {
        let folders = folders.iter().map(|text| text.to_string()).collect();
        FolderArgs { sandbox, folders, variables: Vec::new() }.list()
    };
    assert_eq!(list(false, &[]), None);
    assert_eq!(list(true, &[]), Some(Vec::new()));
    let expected = [("out", "/tmp"), (".", ".")].map(|(host, guest)| (host.into(), guest.to_string()));
    assert_eq!(list(false, &["out::/tmp", "."]), Some(expected.into()));
}
