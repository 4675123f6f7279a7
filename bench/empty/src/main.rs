//! Starts and ends: the floor under every other program of the measurement.

fn main() {}
