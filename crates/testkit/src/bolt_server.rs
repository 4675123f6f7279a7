//! A scripted Bolt server: the stub server of `boltkit`, which tests Neo4j's own drivers.
//!
//! It is installed from the Python Package Index on first use. WHY a failed installation fails the test: a test that
//! silently does nothing is worse than no test.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

/// The version the scripts are written for.
const PACKAGE: &str = "boltkit==1.3.2";

/// Replaces boltkit's own command, which takes a port from outside and busy-waits. boltkit knows only
/// versions without a minor part: this code chooses among the offered versions as the specification of
/// Bolt requires; messages are those of version 4 and later.
const LAUNCHER: &str = "
import sys
from boltkit import driver
from boltkit.server import StubServer, default_bolt_version
driver.CLIENT[4]['LOGON'] = 0x6A
class Server(StubServer):
    def handshake(self, sock):
        if not sys.argv[2]:
            return super().handshake(sock)
        major, minor = map(int, sys.argv[2].split('.'))
        if sock.recv(4) != driver.BOLT:
            return self.stop()
        offered = sock.recv(16)
        ranges = [offered[at:at + 4] for at in range(0, 16, 4)]
        fits = [r for r in ranges if r[3] == major and r[2] - r[1] <= minor <= r[2]]
        if not fits:
            raise RuntimeError('%d.%d is not offered' % (major, minor))
        self.peers[sock].bolt_version = self.script.bolt_version
        sock.send(bytes([0, 0, minor, major]))
server = Server(('127.0.0.1', 0), sys.argv[1])
print(server.server.getsockname()[1], flush=True)
server.start()
server.join()
sys.exit(1 if server.exit_code or server.script.lines else 0)
";

/// A running server; it serves one connection and exits.
#[derive(Debug)]
pub struct BoltServer {
    child: Child,
    /// The address of the server on this machine.
    pub port: u16,
}

impl BoltServer {
    /// Starts a server that follows `script`; boltkit is installed below `folder`.
    pub fn following(script: &str, folder: &Path) -> Self {
        Self::speaking("", script, folder)
    }

    /// Starts a server with a minor version, such as `5.2`; without one the script names the version.
    pub fn speaking(version: &str, script: &str, folder: &Path) -> Self {
        static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
        let package = INSTALLED.get_or_init(|| install(folder));
        let file = tempfile::Builder::new().suffix(".bolt").tempfile().expect("a file for the script");
        fs::write(file.path(), script).expect("the script is written");
        let (_, path) = file.keep().expect("the script is kept");
        let mut child = Command::new(python())
            .args(["-c", LAUNCHER])
            .arg(&path)
            .arg(version)
            .env("PYTHONPATH", package)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the Bolt server starts");
        let stdout = child.stdout.take().expect("its stdout is a pipe");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        // By then the server has read the script.
        let _ = fs::remove_file(path);
        let port =
            line.trim().parse().unwrap_or_else(|_| panic!("the Bolt server did not come up: `{line}`"));
        Self { child, port }
    }

    /// Waits until the server has exited, and returns whether the connection followed the script.
    pub fn went_by_the_script(mut self) -> bool {
        self.child.wait().is_ok_and(|status| status.success())
    }
}

impl Drop for BoltServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the folder of the package, installing it if it does not exist.
fn install(folder: &Path) -> PathBuf {
    let there = folder.join("boltkit-1.3.2");
    if there.join("boltkit/server.py").is_file() {
        return there;
    }
    fs::create_dir_all(folder).expect("the folder for tools of the tests");
    let scratch = tempfile::tempdir_in(folder).expect("a folder to install into");
    let target = scratch.path().join("package");
    let mut pip = pip(scratch.path());
    pip.args([
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--retries",
        "5",
        "--target",
    ]);
    pip.arg(&target).arg(PACKAGE);
    let output = run(&mut pip);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        target.join("boltkit/server.py").is_file(),
        "the tests of the Neo4j capability need `{PACKAGE}` from PyPI, and it cannot be installed:\n{complaint}\n\
         hint: check the network, or run `python3 -m pip install --no-deps --target {} {PACKAGE}`",
        there.display()
    );
    // Another process may have installed it meanwhile, with the same result.
    let _ = fs::rename(&target, &there);
    there
}

/// Returns pip, from its own virtual environment if the system's Python has no pip.
fn pip(scratch: &Path) -> Command {
    let mut own = Command::new(python());
    own.args(["-m", "pip"]);
    if run(Command::new(python()).args(["-m", "pip", "--version"])).status.success() {
        return own;
    }
    let environment = scratch.join("environment");
    let made = run(Command::new(python()).args(["-m", "venv"]).arg(&environment));
    assert!(
        made.status.success(),
        "the tests of the Neo4j capability need Python with pip or venv:\n{}\nhint: sudo apt-get install python3-venv",
        String::from_utf8_lossy(&made.stderr)
    );
    let mut fresh = Command::new(environment.join("bin/python"));
    fresh.args(["-m", "pip"]);
    fresh
}

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"))
}

fn python() -> &'static str {
    if cfg!(windows) { "python" } else { "python3" }
}
