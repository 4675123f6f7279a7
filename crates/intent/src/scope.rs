//! Determines which files an intent may write.

mod check;
mod hard_link;
mod ignore;
mod linked_checkout;
mod protected;
mod protected_below;
mod real_path;
mod target;
mod temp_folder;
mod violation;
mod writable_paths;

pub use check::{Located, Scope};
pub use ignore::IgnoreFile;
pub(crate) use linked_checkout::is_linked_checkout;
pub use protected::Protected;
pub use real_path::real_path;
pub use target::{Reach, Target};
pub use violation::{Violation, ViolationReason};
pub use writable_paths::WritablePaths;
