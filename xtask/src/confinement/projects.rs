//! The projects that are built: a table of their files and commands. The scope of each is `src`.

/// One project.
pub(crate) struct Build {
    /// The tool and what it does.
    pub(crate) name: &'static str,
    /// The files of the project.
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// The preparations of a person, unconfined.
    pub(crate) prepare: &'static str,
    /// The command.
    pub(crate) line: &'static str,
}

const fn build(
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    prepare: &'static str,
    line: &'static str,
) -> Build {
    Build { name, files, prepare, line }
}

const NODE: &[(&str, &str)] = &[
    (".gitignore", "node_modules\ndist\n.eslintcache\n"),
    (
        "package.json",
        "{\"name\":\"x\",\"version\":\"1.0.0\",\"type\":\"module\",\"dependencies\":{\"ms\":\"2.1.3\"}}\n",
    ),
    (
        "tsconfig.json",
        "{\"compilerOptions\":{\"outDir\":\"dist\",\"rootDir\":\"src\",\"types\":[]},\"include\":[\"src\"]}\n",
    ),
    (
        "eslint.config.js",
        "export default [{ files: [\"src/**/*.js\"], rules: { \"prefer-const\": \"error\" } }];\n",
    ),
    ("index.html", "<script type=\"module\" src=\"/src/main.js\"></script>\n"),
    ("src/main.js", "let  two = 2\nexport { two }\n"),
    ("src/typed.ts", "export const three: number = 3;\n"),
];

const PYTHON: &[(&str, &str)] = &[
    (".gitignore", ".venv\n__pycache__\n.pytest_cache\n.ruff_cache\n"),
    ("pyproject.toml", "[project]\nname = \"x\"\nversion = \"1\"\n"),
    ("src/a.py", "def two( ): return  2\n"),
    (
        "src/test_a.py",
        "import a\n\n\ndef test_two(tmp_path):\n    (tmp_path / 'x').write_text('y')\n    assert a.two() == 2\n",
    ),
];

const C: &[(&str, &str)] = &[
    (".gitignore", "build\n"),
    (
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(x C)\nadd_executable(x src/x.c)\nenable_testing()\nadd_test(NAME runs COMMAND x)\n",
    ),
    ("src/x.c", "int main(void) { return 0; }\n"),
];

/// All of them.
pub(crate) const BUILDS: &[Build] = &[
    build(
        "npm ci",
        NODE,
        "npm install --no-audit --no-fund --silent",
        "rm -rf node_modules/* && npm ci --no-audit --no-fund && node -e 'require(\"ms\")'",
    ),
    build(
        "pnpm install",
        NODE,
        "pnpm install --lockfile-only --silent",
        "pnpm install --frozen-lockfile && node -e 'require(\"ms\")'",
    ),
    build("tsc", NODE, "", "tsc -p . && test -f dist/typed.js"),
    build("eslint --fix --cache", NODE, "", "eslint --fix --cache src && grep -q const src/main.js"),
    build("prettier --write", NODE, "", "prettier --write src && grep -q ';' src/main.js"),
    build("vite build", NODE, "", "vite build && test -f dist/index.html"),
    build(
        "vite as a server in the background",
        NODE,
        "",
        "vite --port 5199 --strictPort > /dev/null 2>&1 & for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.5; curl -sf http://localhost:5199/src/main.js | grep -q two && kill $! && exit 0; done; kill $!; exit 1",
    ),
    build(
        "pip into a venv",
        PYTHON,
        "",
        "python3 -m venv .venv && .venv/bin/pip install --quiet iniconfig==2.1.0 && .venv/bin/python -c 'import iniconfig'",
    ),
    build("pytest", PYTHON, "", "pytest -q src"),
    build(
        "ruff format and check",
        PYTHON,
        "",
        "ruff format src && ruff check --fix src && grep -q 'def two():' src/a.py",
    ),
    build("black", PYTHON, "", "black -q src && grep -q 'def two():' src/a.py"),
    build(
        "cmake and ctest",
        C,
        "",
        "cmake -S . -B build > /dev/null && cmake --build build && cd build && ctest -Q",
    ),
];
