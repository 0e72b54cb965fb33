//! Differential testing: random programs (`generate`) must do the same in every phase, at every level, for every
//! strategy and in every engine (`oracle`). `link` puts many programs into one module, so that engines compile the
//! runtime once. The test `differential` runs some programs each time, and as many as one wants as a campaign.

pub mod generate;
pub mod link;
pub mod oracle;
