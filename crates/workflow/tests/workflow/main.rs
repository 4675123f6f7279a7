//! Every valid set of agents runs to an end, with real programs.
#![cfg(unix)]

mod any_definition;
