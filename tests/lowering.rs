//! From high IR to low IR without a session of the compiler, for tests that begin with IR and end in a back end.

use cleave::driver::pipeline;
use cleave::driver::session::Target;
use cleave_ir::Module;
use cleave_ir::data_section::{DataSectionOptions, StaticDataSection};
use cleave_passes::context::Context;
use cleave_passes::{manager, memory, roots, table};

/// Places the roots of high IR: the passes that the driver runs for a target that needs no others.
pub fn root(module: &mut Module, options: roots::Options) {
    let lay_out = |_: &Module| unreachable!("the data section comes later");
    run(module, memory::of(module.heap).rooting(), &mut Context { roots: options, ..Context::new(&lay_out) });
}

/// Lowers rooted IR for the static data of a target, which it gives.
pub fn lower(module: &mut Module, target: Target, options: DataSectionOptions) -> StaticDataSection {
    let lay_out = |module: &Module| pipeline::build_data_section(module, target, options);
    lower_in(module, Context::new(&lay_out))
}

/// The same for WebAssembly, with deep recursion. The interpreter does not take those under stress: it would collect
/// where a function has a pointer for the sake of deep recursion alone.
pub fn lower_with_stackless(module: &mut Module, options: DataSectionOptions) -> StaticDataSection {
    let lay_out = |module: &Module| pipeline::build_data_section(module, Target::Wasm, options);
    lower_in(module, Context { deep_recursion: true, ..Context::new(&lay_out) })
}

fn lower_in(module: &mut Module, mut context: Context) -> StaticDataSection {
    run(module, table::LOWERING, &mut context);
    context.data_section.expect("made by the pass of that name")
}

/// What a target makes of low IR.
pub fn emit<T: cleave_ir::Target>(
    module: Module,
    data_section: StaticDataSection,
    target: &T,
) -> Result<T::Artifact, T::Error> {
    target.emit(cleave_ir::Lowered::new(module, data_section, target))
}

fn run(module: &mut Module, names: &[&str], context: &mut Context) {
    let passes = table::list(names.iter().copied()).expect("names of the table");
    manager::run(module, &passes, context, &mut ());
}
