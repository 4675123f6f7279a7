//! `steersman serve` and the commands that inspect it, with real files and processes.

mod agent_actions;
mod agents;
mod busy;
mod clauses;
mod commands;
mod git;
mod killed;
mod lifetime;
mod limits;
mod live;
mod operations;
mod pins;
mod rounds;
mod saves;
mod screen;
mod secrets;
mod sessions;
mod stage;
mod storm;
mod terminal;
mod triggers;
mod written;
