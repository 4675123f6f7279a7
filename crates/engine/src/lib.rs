//! Runs what the automations ask for.
//!
//! The queue's journal is the truth; this crate takes runs out of it, does them and writes
//! down each step. One [`Engine`] belongs to one thread, which calls [`Engine::turn`] whenever
//! something may have changed; each run has a thread of its own, which reports back and
//! writes nothing.
//!
//! INVARIANT: a run is `started` in the journal before anything of it happens, and its end is
//! written before it is forgotten. So after a kill at any moment every run is either still
//! queued, or known to have been at work and marked as interrupted before it is tried again.
//!
//! What is deliberately absent: where events come from, printing, the process's environment.

mod active;
mod bench;
mod coalesce;
mod ending;
mod engine;
pub mod impediment;
mod live;
mod metrics;
mod project;
mod recovery;
pub mod repository;
mod roster;
mod schedule;
mod settings;
mod unwritten;
mod verdict;
mod waiting;
mod wanted;
mod work;
mod worker;

pub use ending::Ending;
pub use engine::{ActiveRun, Engine, Offered, Turn};
pub use impediment::Impediment;
pub use metrics::Metrics;
pub use recovery::Recovered;
pub use roster::Roster;
pub use settings::Settings;
pub use worker::Report;
