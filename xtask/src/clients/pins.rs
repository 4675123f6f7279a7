//! The versions of the agent programs that the scenarios run, and of the Node that two of them need.
//!
//! `cargo xtask clients --record` writes them beside the results. After a change here, record again.

/// One package of npm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pin {
    /// The folder below which `install.rs` puts the package, without the version.
    pub(crate) id: &'static str,
    /// The package; `{arch}` stands for npm's name of the architecture.
    pub(crate) package: &'static str,
    /// The version that users see.
    pub(crate) version: &'static str,
    /// Follows the version in npm: Codex publishes one version per system.
    suffix: &'static str,
    /// The program to start, relative to the package; `{triple}` stands for Rust's name of the architecture.
    program: &'static str,
}

pub(crate) const CLAUDE: Pin = Pin {
    id: "claude",
    package: "@anthropic-ai/claude-code-linux-{arch}",
    version: "2.1.325",
    suffix: "",
    program: "claude",
};
pub(crate) const CODEX: Pin = Pin {
    id: "codex",
    package: "@openai/codex",
    version: "0.166.0",
    suffix: "-linux-{arch}",
    program: "vendor/{triple}-unknown-linux-musl/bin/codex",
};
pub(crate) const GEMINI: Pin = Pin {
    id: "gemini",
    package: "@google/gemini-cli",
    version: "0.61.0",
    suffix: "",
    program: "bundle/gemini.js",
};
pub(crate) const COPILOT: Pin = Pin {
    id: "copilot",
    package: "@github/copilot-linux-{arch}",
    version: "1.0.102",
    suffix: "",
    program: "copilot",
};
pub(crate) const QWEN: Pin =
    Pin { id: "qwen", package: "@qwen-code/qwen-code", version: "0.24.4", suffix: "", program: "cli.js" };
/// WHY not the Node of the machine: Qwen Code needs 22, and a result must not depend on the machine.
pub(crate) const NODE: Pin =
    Pin { id: "node", package: "node-linux-{arch}", version: "22.23.3", suffix: "", program: "bin/node" };

/// The sandbox of Claude Code, as a separate program.
pub(crate) const SANDBOX_RUNTIME: Pin = Pin {
    id: "sandbox-runtime",
    package: "@anthropic-ai/sandbox-runtime",
    version: "0.0.83",
    suffix: "",
    program: "dist/cli.js",
};

/// Build tools for `cargo xtask confinement`.
pub(crate) const BUILD_TOOLS: [Pin; 5] = [
    Pin { id: "pnpm", package: "pnpm", version: "12.18.0", suffix: "", program: "package.json" },
    Pin { id: "typescript", package: "typescript", version: "7.0.2", suffix: "", program: "bin/tsc" },
    Pin { id: "eslint", package: "eslint", version: "10.15.0", suffix: "", program: "bin/eslint.js" },
    Pin { id: "prettier", package: "prettier", version: "3.9.10", suffix: "", program: "bin/prettier.cjs" },
    Pin { id: "vite", package: "vite", version: "8.3.8", suffix: "", program: "bin/vite.js" },
];

impl Pin {
    /// Returns the folder with the package and those it needs, relative to the folder of all programs.
    pub(crate) fn modules(&self) -> String {
        format!("{}/node_modules", self.folder())
    }

    /// Returns the name of the folder that holds this version.
    pub(crate) fn folder(&self) -> String {
        format!("{}-{}", self.id, self.version)
    }

    /// Returns the specifier that `npm install` accepts.
    pub(crate) fn requirement(&self) -> String {
        for_this_machine(&format!("{}@{}{}", self.package, self.version, self.suffix))
    }

    /// Returns the path of the program, relative to the folder of all programs.
    pub(crate) fn program(&self) -> String {
        for_this_machine(&format!("{}/node_modules/{}/{}", self.folder(), self.package, self.program))
    }
}

fn for_this_machine(text: &str) -> String {
    let (arch, triple) = if cfg!(target_arch = "aarch64") { ("arm64", "aarch64") } else { ("x64", "x86_64") };
    text.replace("{arch}", arch).replace("{triple}", triple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_names_package_folder_and_program() {
        let arch = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
        assert_eq!(CODEX.requirement(), format!("@openai/codex@{}-linux-{arch}", CODEX.version));
        assert_eq!(NODE.folder(), format!("node-{}", NODE.version));
        let program = format!("{}/node_modules/node-linux-{arch}/bin/node", NODE.folder());
        assert_eq!(NODE.program(), program);
    }

    #[test]
    fn every_version_is_exact() {
        for pin in
            [CLAUDE, CODEX, GEMINI, COPILOT, QWEN, NODE, SANDBOX_RUNTIME].into_iter().chain(BUILD_TOOLS)
        {
            assert!(pin.version.split('.').all(|part| part.parse::<u32>().is_ok()), "{pin:?}");
        }
    }
}
