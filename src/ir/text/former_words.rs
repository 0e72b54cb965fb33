//! Words of the text form that had other names in earlier versions: files of users may still have them.

/// The version of the text form, which its first line names. A text without that line is of the first version: words
/// that have changed since are read, too.
pub const VERSION: u32 = 1;

/// Former words with those of today.
const FORMER_WORDS: &[(&str, &str)] = &[
    ("appliable", "callable"),
    ("build_cell", "build_dummy"),
    ("call_instance", "call_method"),
    ("collects", "may_gc"),
    ("counted", "rc"),
    ("cycle", "blackhole"),
    ("discard", "free_token"),
    ("drop", "unpack_release"),
    ("entry", "thunk_info"),
    ("foreign", "ffi"),
    ("instance", "method"),
    ("leaf", "gc_leaf"),
    ("number", "tag"),
    ("observes", "observes_identity"),
    ("refs", "ptrs"),
    ("renew", "reset_or_alloc"),
    ("row", "node_info"),
    ("set_row", "set_node_info"),
    ("solid", "contiguous"),
    ("tail_call_instance", "tail_call_method"),
    ("takes", "consumes"),
    ("words", "nptrs"),
];

/// Is a word of a text this one of today?
pub(super) fn is_word(found: &str, word: &str) -> bool {
    found == word || FORMER_WORDS.iter().any(|&(former, now)| now == word && former == found)
}

/// The former words for a word of today.
pub(super) fn former_words(word: &str) -> impl Iterator<Item = &'static str> {
    FORMER_WORDS.iter().filter(move |&&(_, now)| now == word).map(|&(former, _)| former)
}

/// The word that stands for this one today.
pub(super) fn current_word(word: &str) -> &str {
    // They are sorted.
    FORMER_WORDS.binary_search_by_key(&word, |(former, _)| former).map_or(word, |at| FORMER_WORDS[at].1)
}
