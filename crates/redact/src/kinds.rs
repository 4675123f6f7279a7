//! The kinds of credentials, one file per family.

mod ai;
mod chat;
mod cloud;
mod code_host;
mod developer;
mod generic;
mod hosting;
mod key_material;
mod observability;
mod package;
mod payment;
mod workplace;

use crate::kind::Kind;

/// All families. The order matters only between anchors of the same length at the same place.
pub(crate) static FAMILIES: [&[Kind]; 12] = [
    key_material::KINDS,
    cloud::KINDS,
    code_host::KINDS,
    ai::KINDS,
    package::KINDS,
    payment::KINDS,
    chat::KINDS,
    hosting::KINDS,
    observability::KINDS,
    workplace::KINDS,
    developer::KINDS,
    generic::KINDS,
];
