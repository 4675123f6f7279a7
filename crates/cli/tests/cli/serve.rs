//! `steersman serve` and the commands that inspect it, with real files and processes.

mod agents;
mod commands;
mod git;
mod killed;
mod lifetime;
mod limits;
mod live;
mod operations;
mod rounds;
mod saves;
mod secrets;
mod sessions;
mod stage;
mod storm;
mod written;
