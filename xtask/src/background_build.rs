//! Builds the shipped binary in the background, started early and with the lowest priority.
//!
//! WHY: most of that build optimises the whole program on a single core, and while the tests are
//! built a core is often idle. No step depends on it: the step that needs the binary builds it
//! again, which takes no time if this build finished, and reports the error if it failed.

use std::fs;
use std::process::{Child, Command, Stdio};

use anyhow::Result;

use crate::prerequisite;
use crate::release;

/// A build in the background; dropping it stops the build.
pub(crate) struct BackgroundBuild {
    build: Child,
}

impl BackgroundBuild {
    /// Starts the build on Linux, where the shipped binary is static and `nice` exists.
    pub(crate) fn start() -> Result<Option<Self>> {
        let Some(nice) = prerequisite::program("nice").filter(|_| cfg!(target_os = "linux")) else {
            return Ok(None);
        };
        let build = release::static_steersman()?;
        let mut command = Command::new(nice);
        command.args(["-n", "19"]).arg(build.get_program()).args(build.get_args());
        for (name, value) in build.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.current_dir(crate::repo::root());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command.spawn().ok().map(|build| Self { build }))
    }

    /// Waits for the build to end, successfully or not.
    pub(crate) fn wait(mut self) {
        let _ = self.build.wait();
    }
}

impl Drop for BackgroundBuild {
    fn drop(&mut self) {
        if matches!(self.build.try_wait(), Ok(Some(_))) {
            return;
        }
        let compilers = children(self.build.id());
        let _ = self.build.kill();
        let _ = self.build.wait();
        // The compilers do not notice that the cargo that started them has exited.
        if !compilers.is_empty() {
            let _ = Command::new("kill").args(compilers).stderr(Stdio::null()).status();
        }
    }
}

/// Returns the processes that any thread of a process started.
fn children(process: u32) -> Vec<String> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let ids = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    ids.flat_map(|ids| ids.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn children_of_every_thread_are_found() {
        let mut child =
            std::thread::spawn(|| Command::new("sleep").arg("60").spawn().unwrap()).join().unwrap();
        let found = children(std::process::id());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found.contains(&child.id().to_string()), "{found:?}");
    }
}
