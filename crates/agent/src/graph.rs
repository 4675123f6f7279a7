//! Draws the transitions between agents: as text, Mermaid or SVG.

mod edges;
mod mermaid;
mod svg;
mod text;

pub use edges::{Edge, EdgeKind, edges};
pub use mermaid::mermaid;
pub use svg::svg;
pub use text::text;
