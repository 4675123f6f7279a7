//! Folders that a web server shows to all hosts of the network.

use super::{Call, Walker};
use crate::guard::RuleId;
use crate::path::is_within;
use crate::programs::Args;
use crate::text::Text;

impl Walker<'_> {
    /// Records that `call` serves a folder with the user's own files, unless only this machine can ask for them.
    pub(super) fn serves(&mut self, call: &Call) {
        let Some(served) = Served::by(call) else { return };
        if served.is_private || !self.is_local() {
            return;
        }
        let folder = match &served.folder {
            Some(folder) => self.resolve(folder).0,
            None => match &self.state.cwd {
                Some(cwd) => cwd.clone(),
                None => return,
            },
        };
        let shows_home = is_within(&self.reading.home, &folder) || secrets_below(&folder, &self.reading.home);
        if folder.starts_with('/') && !is_within(&folder, &self.reading.workspace) && shows_home {
            self.risk(RuleId::UploadOutside, folder, call.span);
        }
    }
}

/// Returns whether a folder below the home is one of credentials.
fn secrets_below(folder: &str, home: &str) -> bool {
    is_within(folder, home) && crate::secrets::is_secret(folder, home)
}

/// A server of files: which folder it shows, and to whom.
struct Served {
    /// `None` for the current folder.
    folder: Option<Text>,
    /// Whether only this machine reaches it.
    is_private: bool,
}

impl Served {
    /// Returns the server that `call` starts; `None` if it starts none.
    fn by(call: &Call) -> Option<Self> {
        let words = call.rest();
        match call.name.as_str() {
            name if name.starts_with("python") || name.starts_with("pypy") => {
                let at = words.iter().position(|word| word.text == "-m")?;
                let module = words.get(at + 1)?.text.as_str();
                if !matches!(module, "http.server" | "SimpleHTTPServer" | "pyftpdlib" | "uploadserver") {
                    return None;
                }
                let args =
                    Args::parse(words.get(at + 2..)?, "-d --directory -b --bind -i --interface -p --port");
                Some(Self::of(
                    args.values("-d|--directory").first().copied(),
                    args.values("-b|--bind|-i|--interface").first().map(|host| host.text.as_str()),
                ))
            }
            "php" => {
                let args = Args::parse(words, "-S -t -c -d");
                let address = args.values("-S").first()?.text.clone();
                let host = address.rsplit_once(':').map_or(address.as_str(), |(host, _)| host);
                Some(Self::of(args.values("-t").first().copied(), Some(host)))
            }
            "http-server" | "serve" | "live-server" | "miniserve" | "darkhttpd" | "dufs"
            | "simple-http-server" => {
                let args = Args::parse(words, "-p -a -l -c -i --port --address --listen --interfaces --addr");
                let folder = args.operands.first().copied();
                let host =
                    args.values("-a|--address|-i|--interfaces|--addr").first().map(|host| host.text.as_str());
                Some(Self::of(folder, host))
            }
            // `ruby -run -e httpd FOLDER`
            "ruby" if words.iter().any(|word| word.text == "-run") => {
                let args = Args::parse(words, "-e -p -b --port --bind-address");
                let is_server = args.values("-e").iter().any(|code| code.text == "httpd");
                let host = args.values("-b|--bind-address").first().map(|host| host.text.as_str());
                is_server.then(|| Self::of(args.operands.first().copied(), host))
            }
            "httpd" => {
                let args = Args::parse(words, "-p -h -c -u");
                let host = args
                    .values("-p")
                    .first()
                    .and_then(|port| port.text.rsplit_once(':'))
                    .map(|(host, _)| host);
                args.has("-h").then(|| Self::of(args.values("-h").first().copied(), host))
            }
            _ => None,
        }
    }

    fn of(folder: Option<&Text>, host: Option<&str>) -> Self {
        let is_private = host
            .is_some_and(|host| matches!(host, "localhost" | "::1" | "[::1]") || host.starts_with("127."));
        Self { folder: folder.cloned(), is_private }
    }
}
