//! Which files leave the cache.

use cleave::driver::cache::*;
use std::fs::{self, OpenOptions};
use std::time::{Duration, SystemTime};

#[test]
fn the_oldest_files_go_first() {
    let folder = std::env::temp_dir().join(format!("cleave-cache-test-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder of our own");
    fs::write(folder.join("mine.txt"), "not of the cache").expect("a file of our own");
    let ages = [("b", 300), ("a", 200), ("c", 100)];
    for (name, age) in ages {
        let path = folder.join(format!("{name}.{ENDING}"));
        fs::write(&path, [0; 100]).expect("a file of our own");
        let file = OpenOptions::new().append(true).open(&path).expect("it is there");
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("our own file");
    }
    touch(&folder.join(format!("b.{ENDING}")));
    evict(&folder, 250);
    assert_eq!(size(&folder), (2, 200));
    assert!(!folder.join(format!("a.{ENDING}")).exists());
    assert_eq!(clear(&folder).expect("our own files"), 2);
    assert!(folder.join("mine.txt").exists());
    fs::remove_dir_all(&folder).expect("a folder of our own");
}
