//! The machine of the measurement, and whether it was idle.

use std::fs;
use std::thread;

/// Returns one line about the machine, with a note if it is busy.
pub(crate) fn describe() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let info = read("/proc/cpuinfo");
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown processor", |(_, model)| model.trim());
    let n_cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let kernel = read("/proc/sys/kernel/osrelease");
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or_default();
    let os = std::env::consts::OS;
    format!("{n_cores} cores of {model}, {os} {}, load {load} (1 is this measurement itself)", kernel.trim())
}
