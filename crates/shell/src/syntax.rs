//! The grammar of POSIX sh and bash: text in, tree out.
//!
//! WHY an own parser: the line is read in one pass that counts its levels, so
//! time is linear and the stack is bounded at 64 levels. The parsers that were
//! measured re-read each substitution once per level around it, or drop the
//! ones below the second level; both are fatal for a guard. Words keep their
//! quoting as structure, so no substitution can hide in raw text.
//!
//! INVARIANT: [`parse`] consumes the whole text or fails with the place where
//! it stopped. It accepts somewhat more than bash does, never less on purpose.

mod assign;
mod compound;
mod cursor;
mod dollar;
mod escape;
mod heredoc;
mod list;
mod quote;
mod redirect;
mod simple;
mod tree;
mod word;

pub(crate) use cursor::{Failure, Origin, parse};
pub(crate) use escape::decode as decode_escapes;
pub(crate) use tree::{
    Assign, AssignValue, Command, Item, Join, Operator, Param, Piece, Pipeline, Redirect, Script, Simple,
    Target, Word,
};
