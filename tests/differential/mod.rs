//! Differential testing: random programs (`generate`) must do the same in every phase and in every engine (`oracle`),
//! at every level, for every strategy, without each pass and with either collector (`ways`). `link` puts many programs
//! into one module, so that engines compile the runtime once. `counted` does it with programs on the counted heap,
//! `census` counts what of the IR the programs have. The test `differential` runs some programs each time, and as many
//! as one wants as a campaign.

pub mod census;
pub mod counted;
pub mod generate;
pub mod link;
pub mod oracle;
pub mod ways;
