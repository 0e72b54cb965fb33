//! Labels of Clean.

use cleave::languages::clean::names::*;

#[test]
fn labels() {
    assert_eq!(split_label("life.d12"), Some(("life", "life.", "12")));
    assert_eq!(split_label("Data.Map.d7"), Some(("Data.Map", "Data.Map.", "7")));
    assert_eq!(split_label("life.e_life_dstep"), Some(("life", "e_life_", "step")));
    assert_eq!(split_label("Data.Map.e_Data.Map_dput;3"), Some(("Data.Map", "e_Data.Map_", "put;3")));
    assert_eq!(split_label("life.rR"), None);
    assert_eq!(from_label("e_life_sstep").as_deref(), Some("step [module: life]"));
    assert_eq!(from_label("__life_Start").as_deref(), Some("Start [module: life]"));
    assert_eq!(from_label("stackless.save.lr.r"), None);
    assert_eq!(from_label("stackless.s12").as_deref(), Some("s12 [module: stackless]"));
    assert_eq!(from_label("life.s12").as_deref(), Some("s12 [module: life]"));
}
