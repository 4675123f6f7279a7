//! The socket of an ask in the user's state folder.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use event::AbsPath;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, socket_with};

use crate::AskId;

/// A socket that listens; dropping it removes its file.
#[derive(Debug)]
pub(crate) struct AskListener {
    pub(crate) socket: UnixListener,
    file: PathBuf,
}

impl AskListener {
    /// Listens under the id of an ask.
    ///
    /// WHY a second name until it listens: a client removes a socket that refuses it.
    #[expect(clippy::disallowed_methods, reason = "a socket, not a record")]
    pub(crate) fn open(folder: &AbsPath, id: &AskId) -> io::Result<Self> {
        store::create_private_folder(folder.as_path())?;
        let near = ShortPath::of(folder.as_path())?;
        let (new, file) = (format!(".{id}"), folder.as_path().join(id.as_str()));
        let socket = UnixListener::bind(near.join(&new))?;
        socket.set_nonblocking(true)?;
        // Each line then names the process that sent it.
        rustix::net::sockopt::set_socket_passcred(&socket, true)?;
        fs::rename(folder.as_path().join(new), &file)?;
        Ok(Self { socket, file })
    }
}

impl Drop for AskListener {
    fn drop(&mut self) {
        let _ = store::remove_file(&self.file);
    }
}

/// How often a client tries to connect to a process that has not accepted the clients before.
const TRIES: u32 = 10;

/// How long it waits between two tries.
const PAUSE: Duration = Duration::from_millis(5);

/// Connects to the socket of an ask. Returns `None` if no process listens any more, and removes the file. Fails if the
/// process does not accept.
pub(crate) fn connect(folder: &AbsPath, id: &AskId) -> io::Result<Option<UnixStream>> {
    let near = ShortPath::of(folder.as_path())?;
    let path = near.join(id.as_str());
    let mut result = connect_now(&path);
    for _ in 0..TRIES {
        if !result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock) {
            break;
        }
        std::thread::sleep(PAUSE);
        result = connect_now(&path);
    }
    match result {
        Ok(stream) => Ok(Some(stream)),
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            let _ = store::remove_file(&folder.as_path().join(id.as_str()));
            Ok(None)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Connects without waiting for a process whose queue of clients is full.
fn connect_now(path: &Path) -> io::Result<UnixStream> {
    let kind = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, kind, None)?;
    rustix::net::connect(&socket, &SocketAddrUnix::new(path)?)?;
    let stream = UnixStream::from(socket);
    stream.set_nonblocking(false)?;
    Ok(stream)
}

/// A way to a folder that is short enough for the address of a socket, which has at most 107 bytes.
#[derive(Debug)]
struct ShortPath {
    path: PathBuf,
    _folder: Option<File>,
}

impl ShortPath {
    fn of(folder: &Path) -> io::Result<Self> {
        if folder.as_os_str().len() < 90 {
            return Ok(Self { path: folder.to_path_buf(), _folder: None });
        }
        let open = File::open(folder)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
        Ok(Self { path, _folder: Some(open) })
    }

    fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}
