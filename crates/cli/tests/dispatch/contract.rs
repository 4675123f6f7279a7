//! The contract and the decisions on it, case by case.

mod asking;
mod decisions;
mod hosts;
mod ids;
mod kept_stops;
mod layout;
mod phases;
mod prompts;
mod records;
mod repeats;
mod rewrites;
mod true_records;
mod turns;
