//! `steersman session …`, on sessions created by payloads of hosts.

mod allow;
mod explain;
mod gc;
mod list;
mod normal;
mod replay;
mod scene;
mod show;
mod unblock;
