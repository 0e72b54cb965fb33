//! The definition of all flags.

use clap::CommandFactory;
use cleave::cli::args::*;

#[test]
fn definitions_are_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn sizes() {
    let cases = [("1", Some(1)), ("64k", Some(65536)), ("2M", Some(2 << 20)), ("1g", Some(1 << 30))];
    for (text, expected) in cases.into_iter().chain(["", "k", "-1", "1.5m", "0", "99999999999g"].map(|t| (t, None))) {
        assert_eq!(parse_size(text).ok(), expected, "{text}");
    }
}
