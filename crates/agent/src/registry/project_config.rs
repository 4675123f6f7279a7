//! Finds and reads the project's configuration of its agents.

use std::path::{Path, PathBuf};

use super::file::source;
use crate::config::Config;
use crate::load::{LoadedConfig, load_config};

/// The path of the configuration, relative to the workspace.
pub const CONFIG_FILE: &str = ".rawko/config.yaml";

/// Returns the path of a workspace's configuration.
pub fn config_path(workspace: &Path) -> PathBuf {
    workspace.join(CONFIG_FILE)
}

/// Reads the configuration of a workspace; without a file it has the defaults.
pub fn project_config(workspace: &Path) -> LoadedConfig {
    let path = config_path(workspace);
    if path.symlink_metadata().is_err() {
        return LoadedConfig { config: Some(Config::default()), problems: Vec::new() };
    }
    match source(&path, CONFIG_FILE) {
        Ok(source) => load_config(&source),
        Err(problem) => LoadedConfig { config: None, problems: vec![*problem] },
    }
}
