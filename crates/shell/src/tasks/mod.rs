//! Files of task runners, read just far enough to see what a task runs.

pub(crate) mod justfile;
pub(crate) mod makefile;
pub(crate) mod package_json;
