//! Facts about files of other programs that several crates need, as data and functions of text.
//!
//! INVARIANT: no IO. The crates above read the files, each in its own way.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod git_files;
mod git_ignore;
mod git_pointer;
mod governing;

pub use git_files::{GIT_OF_CHECKOUT, GIT_SHARED, is_git_name};
pub use git_ignore::GitIgnore;
pub use git_pointer::git_dir_named;
pub use governing::{FOLDERS, GOVERNING, Governing, Reader};
