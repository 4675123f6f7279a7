//! `steersman session …`, on sessions that hosts' own payloads made.

mod allow;
mod explain;
mod gc;
mod list;
mod normal;
mod replay;
mod scene;
mod show;
mod unblock;
