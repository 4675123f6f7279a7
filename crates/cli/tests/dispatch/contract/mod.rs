//! The contract and the decisions on it, case by case.

mod asking;
mod decisions;
mod hosts;
mod ids;
mod layout;
mod phases;
mod prompts;
mod records;
mod repeats;
mod rewrites;
mod turns;
