//! `steersman session …`, on sessions created by payloads of hosts.

mod allow;
mod approval_attacks;
mod approval_proofs;
mod approve;
mod coverage;
mod explain;
mod gc;
mod hold;
mod list;
mod loops;
mod normal;
mod output;
mod replay;
mod scene;
mod show;
mod unblock;
