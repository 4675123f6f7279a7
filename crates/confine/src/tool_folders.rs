//! The folders that tools fill beside the sources: build output, dependencies, caches of checks.
//!
//! They count only if git ignores them, and only folders: an ignored file such as `.env` is the user's own.

/// A folder that tools fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolFolder {
    /// Its name.
    pub name: &'static str,
    /// Files beside it that show that the tool is in use. If one exists, a missing folder is made beforehand:
    /// the tool could not make it in a folder that is read-only.
    pub beside: &'static [&'static str],
}

const fn folder(name: &'static str, beside: &'static [&'static str]) -> ToolFolder {
    ToolFolder { name, beside }
}

const NODE: &[&str] = &["package.json"];
const PYTHON: &[&str] =
    &["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "tox.ini", "pytest.ini"];
const BUILD: &[&str] = &[
    "CMakeLists.txt",
    "Makefile",
    "build.gradle",
    "build.gradle.kts",
    "meson.build",
    "package.json",
    "setup.py",
    "pyproject.toml",
];

/// Lists all of them.
pub const TOOL_FOLDERS: &[ToolFolder] = &[
    folder("target", &["Cargo.toml", "pom.xml", "build.sbt"]),
    folder("node_modules", NODE),
    folder("dist", &["package.json", "setup.py", "pyproject.toml"]),
    folder("build", BUILD),
    folder("out", &["package.json", "Makefile", "CMakeLists.txt", "foundry.toml"]),
    folder("bin", &["go.mod", "Makefile", "CMakeLists.txt"]),
    folder("obj", &["Makefile"]),
    folder("_build", &["mix.exs", "dune-project", "Makefile"]),
    folder("deps", &["mix.exs"]),
    folder("coverage", NODE),
    folder("htmlcov", PYTHON),
    folder(".venv", PYTHON),
    folder("venv", PYTHON),
    folder(".tox", &["tox.ini"]),
    folder(".nox", &["noxfile.py"]),
    folder("__pycache__", PYTHON),
    folder(".pytest_cache", PYTHON),
    folder(".mypy_cache", PYTHON),
    folder(".ruff_cache", PYTHON),
    folder(".hypothesis", &[]),
    folder(".eggs", &["setup.py"]),
    folder(".next", &["next.config.js", "next.config.mjs", "next.config.ts"]),
    folder(".nuxt", &["nuxt.config.js", "nuxt.config.ts"]),
    folder(".svelte-kit", &["svelte.config.js"]),
    folder(".astro", &["astro.config.mjs"]),
    folder(".vite", &[]),
    folder(".parcel-cache", &[]),
    folder(".turbo", &["turbo.json"]),
    folder(".nx", &["nx.json"]),
    folder(".angular", &["angular.json"]),
    folder(".nyc_output", &[]),
    folder(".gradle", &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"]),
    folder(".dart_tool", &["pubspec.yaml"]),
    folder(".stack-work", &["stack.yaml"]),
    folder("dist-newstyle", &["cabal.project"]),
    folder("elm-stuff", &["elm.json"]),
    folder("zig-out", &["build.zig"]),
    folder(".zig-cache", &["build.zig"]),
    folder("zig-cache", &[]),
    folder("cmake-build-debug", &[]),
    folder("cmake-build-release", &[]),
    folder("bazel-out", &[]),
    folder("vendor", &["composer.json", "Gemfile"]),
    folder(".bundle", &[]),
    folder("tmp", &[]),
    folder(".cache", &[]),
];
