//! Differential testing: random programs (`generate`) must do the same in every phase and in every engine (`oracle`),
//! at every level, for every strategy, without each pass and with either collector (`ways`). `link` puts many programs
//! into one module, so that engines compile the runtime once. The test `differential` runs some programs each time, and
//! as many as one wants as a campaign.

pub mod generate;
pub mod link;
pub mod oracle;
pub mod ways;
