//! Libraries of modules that are not there.

use cleave::languages::clean::missing::*;

#[test]
fn libraries_by_name() {
    let cases = [
        ("StdList", Some("StdEnv")),
        ("_SystemArray", Some("StdEnv")),
        ("StdDynamic", Some("Dynamics")),
        ("StdLib", Some("StdLib")),
        ("Data.Map", Some("Platform")),
        ("Text", Some("Platform")),
        ("Textual", None),
        ("GenEq", Some("Generics")),
        ("main", None),
    ];
    for (module, expected) in cases {
        assert_eq!(library(module), expected, "{module}");
    }
}
