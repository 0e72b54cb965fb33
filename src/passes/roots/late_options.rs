//! The steps of the strategy `late`, each of which can be left out alone (`--no-root-STEP`).

macro_rules! late_options {
    ($($variant:ident $name:literal $description:literal;)*) => {
        /// A step of `late`.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum LateOption { $( #[doc = $description] $variant, )* }

        /// All steps with their names and descriptions.
        pub const LATE_OPTIONS: &[(LateOption, &str, &str)] = &[$( (LateOption::$variant, $name, $description), )*];
    };
}

late_options! {
    GcLeaf "gc-leaf" "calls of functions that never collect are no safepoints";
    Static "static" "references of static nodes need no slot";
    Once "once" "a slot stays valid until its value changes";
    Hoist "hoist" "spills move up to where they are executed less often";
    Sink "sink" "spills and restores for rare safepoints stay on the rare path";
    Lazy "lazy" "values are restored where they are used";
    Colour "colour" "values that are not live at the same time share slots";
    Order "order" "values that cross many safepoints get the low slots";
    ForwardReturnedArgs "forward-returned-args" "a result that is an argument of the call takes its place";
}

/// The steps that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LateOptions {
    without: u16,
}

impl LateOptions {
    /// The same without one step more.
    #[must_use]
    pub fn without(self, step: LateOption) -> LateOptions {
        LateOptions { without: self.without | 1 << step as u8 }
    }
    /// True if the step is taken.
    pub fn has(self, step: LateOption) -> bool {
        self.without >> step as u8 & 1 == 0
    }
    /// The step of that name.
    pub fn find(name: &str) -> Option<LateOption> {
        let name = crate::former_names::current(name);
        LATE_OPTIONS.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}
