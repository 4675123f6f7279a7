//! Which files an intent may write.

mod below;
mod check;
mod hard_link;
mod ignore;
mod protected;
mod real_path;
mod target;
mod violation;

pub use check::{Located, Scope};
pub use ignore::IgnoreFile;
pub use protected::Protected;
pub use target::{Reach, Target};
pub use violation::{Violation, Why};
