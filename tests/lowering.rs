//! From high IR to low IR without a session of the compiler, for tests that begin with IR and end in a back end.

use cleave::driver::pipeline;
use cleave::driver::session::Target;
use cleave_ir::Module;
use cleave_ir::image::{Image, ImageOptions};
use cleave_passes::roots::{self, Step, Strategy};
use cleave_passes::{expand, leaf, lower, merge};

/// Places the roots of high IR: the passes that the driver runs for a target that needs no others.
pub fn root(module: &mut Module, options: roots::Options) {
    if options.steps.has(Step::Leaf) {
        leaf::run(module);
    }
    if options.strategy == Strategy::Late && options.steps.has(Step::Merge) {
        merge::run(module);
    }
    expand::run(module);
    roots::run(module, options);
}

/// Lowers rooted IR for the static data of a target, which it gives.
pub fn lower(module: &mut Module, target: Target, options: ImageOptions) -> Image {
    let image = pipeline::build_image(module, target, options);
    lower::run(module, &image);
    image
}
