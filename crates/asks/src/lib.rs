//! Asks that wait for a person, where the agent program cannot ask its user.
//!
//! The hook that asks listens on its own socket in the user's state folder until a person answers. The socket is the
//! ask: a client connects, reads the question and may answer. There is no file and no server between them, so an ask
//! ends with the process that waits for it, in whatever way that ends.
//!
//! INVARIANT: an answer counts only if the process at the other end is a person's ([`session::person`]), and only after it
//! is recorded. A client that reads "accepted" can rely on both.
//!
//! Only Linux tells which process is at the other end. Elsewhere no hook waits.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod answer;
mod answered;
mod ask;
#[cfg(target_os = "linux")]
mod attendance;
#[cfg(target_os = "linux")]
mod client;
#[cfg(target_os = "linux")]
mod connection;
#[cfg(target_os = "linux")]
mod listener;
mod message;
#[cfg(not(target_os = "linux"))]
mod unsupported;
#[cfg(target_os = "linux")]
mod waiting;
mod waiting_place;

pub use answer::{Answer, Scope};
pub use answered::{Permission, answer_to, permission, record_answer};
pub use ask::{Ask, AskId};
#[cfg(target_os = "linux")]
pub use attendance::is_unattended;
#[cfg(target_os = "linux")]
pub use client::{AnswerError, OpenAsk, find, follow, ids, open, withdraw};
pub use message::Outcome;
#[cfg(not(target_os = "linux"))]
pub use unsupported::{AnswerError, OpenAsk, find, follow, ids, is_unattended, open, wait, withdraw};
#[cfg(target_os = "linux")]
pub use waiting::wait;
pub use waiting_place::WaitingPlace;
