//! What the outline of a file says.

use cleave::cli::lsp::structure::*;

#[test]
fn parameters_of_types() {
    let shown = |text: &str| parameters(text).into_iter().map(|range| text[range].to_string()).collect::<Vec<_>>();
    assert_eq!(shown("(Int, List): Int f"), ["Int", "List"]);
    assert_eq!(shown("f: ((int) -> Map<int, int>, bool) -> int"), ["(int) -> Map<int, int>", "bool"]);
    assert_eq!(shown("Int: Int f"), [""; 0]);
    assert_eq!(shown("f: ()"), [""; 0]);
}
