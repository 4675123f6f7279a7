//! The build of the shipped binary, begun early and with the lowest priority.
//!
//! WHY: most of that build optimises the whole program on a single core, and while the tests run
//! there is often a core that nobody uses. Nothing hangs on it: the step that wants the binary
//! builds it again, which takes no time if this came to its end, and tells what is wrong if it did not.

use std::process::{Child, Command, Stdio};

use anyhow::Result;

use crate::need;
use crate::release;

/// A build in the background; it is given up when this goes out of scope.
pub(crate) struct HeadStart {
    build: Child,
}

impl HeadStart {
    /// Begins to build, where what is shipped is static and programs can be told to stand back.
    pub(crate) fn begin() -> Result<Option<Self>> {
        let Some(nice) = need::program("nice").filter(|_| cfg!(target_os = "linux")) else {
            return Ok(None);
        };
        let build = release::static_steersman()?;
        let mut command = Command::new(nice);
        command.args(["-n", "19"]).arg(build.get_program()).args(build.get_args());
        command.envs(build.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.current_dir(crate::repo::root());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command.spawn().ok().map(|build| Self { build }))
    }

    /// Waits for its end, whatever that is.
    pub(crate) fn wait(mut self) {
        let _ = self.build.wait();
    }
}

impl Drop for HeadStart {
    fn drop(&mut self) {
        if matches!(self.build.try_wait(), Ok(Some(_))) {
            return;
        }
        // Compilers do not notice that the cargo that started them is gone.
        let id = self.build.id();
        let compilers = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let _ = self.build.kill();
        let _ = self.build.wait();
        if !compilers.trim().is_empty() {
            let _ = Command::new("kill").args(compilers.split_whitespace()).stderr(Stdio::null()).status();
        }
    }
}
