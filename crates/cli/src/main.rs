//! The binary `steersman`.

fn main() {}
