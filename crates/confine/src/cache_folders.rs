//! The folders below the home that hold only caches: losing or poisoning one changes no other project's programs
//! without a check of its content by the tool.
//!
//! WHY not the folders around them: `~/.cargo/bin` and `config.toml`, `~/.gradle/init.d` and `~/.npmrc` decide which
//! programs run later, outside confinement.

/// A cache folder of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cache {
    /// The path below the home.
    pub path: &'static str,
    /// The word of a command line that shows that the tool is in use. If it occurs, a missing folder is made
    /// beforehand.
    pub tool: &'static str,
}

const fn cache(path: &'static str, tool: &'static str) -> Cache {
    Cache { path, tool }
}

/// Lists all of them.
pub const CACHES: &[Cache] = &[
    cache(".cargo/registry", "cargo"),
    cache(".cargo/git", "cargo"),
    cache(".npm/_cacache", "npm"),
    cache(".npm/_logs", "npm"),
    cache(".cache/pip", "pip"),
    cache(".cache/uv", "uv"),
    cache(".cache/black", "black"),
    cache(".cache/pypoetry", "poetry"),
    cache(".cache/pnpm", "pnpm"),
    cache(".local/share/pnpm/store", "pnpm"),
    cache(".cache/yarn", "yarn"),
    cache(".yarn/berry/cache", "yarn"),
    cache(".bun/install/cache", "bun"),
    cache(".cache/deno", "deno"),
    cache(".cache/go-build", "go"),
    cache("go/pkg/mod", "go"),
    cache(".m2/repository", "mvn"),
    cache(".gradle/caches", "gradle"),
    cache(".gradle/daemon", "gradle"),
    cache(".gradle/native", "gradle"),
    cache(".cache/ccache", "ccache"),
    cache(".ccache", "ccache"),
    cache(".cache/sccache", "sccache"),
    cache(".cache/bazel", "bazel"),
    cache(".cache/typescript", "tsc"),
    cache(".cache/node-gyp", "node-gyp"),
    cache(".cache/composer", "composer"),
    cache(".nuget/packages", "dotnet"),
    cache(".pub-cache/hosted", "dart"),
    cache(".cache/zig", "zig"),
    cache(".cache/fontconfig", "fc-cache"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cache_folder_holds_programs_or_settings_that_run_later() {
        for cache in CACHES {
            for never in [
                ".cargo",
                ".gradle",
                ".npm",
                ".m2",
                ".local",
                ".local/bin",
                ".cargo/bin",
                ".config",
                ".gradle/init.d",
                // Programs that the tools start from there, outside confinement.
                ".npm/_npx",
                ".cache/pre-commit",
                ".cache/node",
            ] {
                assert_ne!(cache.path, never);
            }
            assert!(
                !cache.path.ends_with("/bin") && !cache.path.starts_with('/') && !cache.path.contains("..")
            );
        }
    }
}
