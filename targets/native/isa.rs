//! The settings of Cranelift. They name a processor, not the one at hand: same input, same bytes.

use crate::{Effort, Options};
use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};

/// Extensions of x86-64-v2: every processor since 2009.
const EXTENSIONS: &[&str] = &["has_sse3", "has_ssse3", "has_cmpxchg16b", "has_sse41", "has_sse42", "has_popcnt"];

pub fn isa(options: &Options, effort: Effort) -> OwnedTargetIsa {
    let mut flags = settings::builder();
    let known = "a setting of Cranelift";
    for (name, value) in [
        ("opt_level", if effort == Effort::Most { "speed" } else { "none" }),
        ("regalloc_algorithm", if effort == Effort::Least { "single_pass" } else { "backtracking" }),
        ("enable_verifier", if options.verify { "true" } else { "false" }),
        // The heap pointer.
        ("enable_pinned_reg", "true"),
        // No code outside ours may steer our branches: there is no secret to protect within one program.
        ("enable_heap_access_spectre_mitigation", "false"),
        ("enable_table_access_spectre_mitigation", "false"),
        // Frames larger than the guard area must not step over it.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("probestack_size_log2", "16"),
        // Tail calls need them; profilers and debuggers are glad of them.
        ("preserve_frame_pointers", "true"),
        ("unwind_info", "true"),
        ("is_pic", "false"),
        // Results beyond the registers go through memory.
        ("enable_multi_ret_implicit_sret", "true"),
    ] {
        flags.set(name, value).expect(known);
    }
    let mut builder = isa::lookup_by_name("x86_64-unknown-linux-gnu").expect("Cranelift is built for x86-64");
    for extension in EXTENSIONS {
        builder.enable(extension).expect(known);
    }
    builder.finish(settings::Flags::new(flags)).expect("consistent settings")
}
