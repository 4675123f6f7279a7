//! Names of calls that do something, as data.

use super::Language;
use super::front::Front;

/// The use that a call makes of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// Hands text to a shell, or a list of words to a program.
    Shell,
    DeleteTree,
    Delete,
    /// Writes the file named first.
    Write,
    /// Writes the file named second.
    WriteSecond,
    /// Writes whatever it likes into the folder named first, or where it is.
    Unpack,
    /// Goes to the folder named first.
    ChangeFolder,
    /// Writes the file named second, reads the first.
    Copy,
    /// Writes the file named second, removes the first.
    Move,
    MakeFolder,
    /// Reads, or with a mode that says so writes, the file named first.
    Open,
    Read,
    /// Talks to another machine.
    Fetch,
    /// Talks to another machine and writes the file named second.
    FetchFile,
    /// Opens a raw connection.
    Socket,
    /// Sends a statement to a database.
    Query,
    /// Runs text as code of the same language.
    Evaluate,
    /// Runs the module that is named.
    Import,
    /// Looks up the callee by text.
    Dynamic,
}

impl Deed {
    /// Returns whether its words are paths.
    pub(super) const fn is_about_files(self) -> bool {
        matches!(
            self,
            Self::DeleteTree
                | Self::Delete
                | Self::Write
                | Self::WriteSecond
                | Self::Unpack
                | Self::ChangeFolder
                | Self::Copy
                | Self::Move
                | Self::MakeFolder
                | Self::Open
                | Self::Read
        )
    }
}

/// A call: its last name, a string that the code must contain, its deed. A string that ends in a dot must stand right in
/// front of the name.
struct Known(&'static str, &'static str, Deed);

const KNOWN: &[Known] = &[
    Known("system", "", Deed::Shell),
    Known("popen", "", Deed::Shell),
    Known("popen2", "", Deed::Shell),
    Known("popen3", "", Deed::Shell),
    Known("capture2", "", Deed::Shell),
    Known("capture2e", "", Deed::Shell),
    Known("capture3", "", Deed::Shell),
    Known("getoutput", "", Deed::Shell),
    Known("getstatusoutput", "", Deed::Shell),
    Known("check_output", "", Deed::Shell),
    Known("check_call", "", Deed::Shell),
    Known("create_subprocess_shell", "", Deed::Shell),
    Known("create_subprocess_exec", "", Deed::Shell),
    Known("Popen", "", Deed::Shell),
    Known("run", "subprocess", Deed::Shell),
    Known("call", "subprocess", Deed::Shell),
    Known("execSync", "", Deed::Shell),
    Known("execFileSync", "", Deed::Shell),
    Known("execFile", "", Deed::Shell),
    Known("spawnSync", "", Deed::Shell),
    Known("spawn", "child_process", Deed::Shell),
    Known("spawn", "pty", Deed::Shell),
    Known("spawn", "Bun.", Deed::Shell),
    Known("Command", "Deno", Deed::Shell),
    Known("exec", "child_process", Deed::Shell),
    Known("execl", "os", Deed::Shell),
    Known("execlp", "os", Deed::Shell),
    Known("execv", "os", Deed::Shell),
    Known("execvp", "os", Deed::Shell),
    Known("execve", "os", Deed::Shell),
    Known("spawnlp", "os", Deed::Shell),
    Known("shell_exec", "", Deed::Shell),
    Known("passthru", "", Deed::Shell),
    Known("proc_open", "", Deed::Shell),
    Known("execute", "os", Deed::Shell),
    Known("script", "shell", Deed::Shell),
    Known("cmd", "System", Deed::Shell),
    Known("shell", "System", Deed::Shell),
    Known("execute", "", Deed::Query),
    Known("executescript", "", Deed::Query),
    Known("query", "", Deed::Query),
    Known("raw", "", Deed::Query),
    Known("rmtree", "", Deed::DeleteTree),
    Known("remove_tree", "", Deed::DeleteTree),
    Known("rmSync", "", Deed::DeleteTree),
    Known("rmdirSync", "", Deed::DeleteTree),
    Known("removeSync", "", Deed::DeleteTree),
    Known("emptyDirSync", "", Deed::DeleteTree),
    Known("rimraf", "", Deed::DeleteTree),
    Known("rimrafSync", "", Deed::DeleteTree),
    Known("rm_rf", "", Deed::DeleteTree),
    Known("rm_r", "", Deed::DeleteTree),
    Known("remove_entry_secure", "", Deed::DeleteTree),
    Known("remove_entry", "", Deed::DeleteTree),
    Known("removeAll", "", Deed::DeleteTree),
    Known("rm", "fs", Deed::DeleteTree),
    Known("rmdir", "fs", Deed::DeleteTree),
    Known("removedirs", "os", Deed::DeleteTree),
    Known("remove", "Deno", Deed::DeleteTree),
    Known("unlinkSync", "", Deed::Delete),
    Known("unlink", "", Deed::Delete),
    Known("remove", "os", Deed::Delete),
    Known("rmdir", "", Deed::Delete),
    Known("delete", "File", Deed::Delete),
    Known("rm_f", "FileUtils", Deed::Delete),
    Known("rm", "FileUtils", Deed::Delete),
    Known("remove", "FileUtils", Deed::Delete),
    Known("remove_file", "FileUtils", Deed::Delete),
    Known("safe_unlink", "FileUtils", Deed::Delete),
    Known("remove_dir", "FileUtils", Deed::DeleteTree),
    Known("removeItem", "FileManager", Deed::DeleteTree),
    Known("exec_command", "", Deed::Shell),
    Known("system2", "", Deed::Shell),
    Known("writeFileSync", "", Deed::Write),
    Known("appendFileSync", "", Deed::Write),
    Known("writeFile", "fs", Deed::Write),
    Known("appendFile", "fs", Deed::Write),
    Known("writeTextFileSync", "", Deed::Write),
    Known("writeTextFile", "", Deed::Write),
    Known("write", "Bun.", Deed::Write),
    Known("createWriteStream", "", Deed::Write),
    Known("truncateSync", "", Deed::Write),
    Known("truncate", "os", Deed::Write),
    Known("write_text", "", Deed::Write),
    Known("write_bytes", "", Deed::Write),
    Known("write", "File.", Deed::Write),
    Known("write", "IO.", Deed::Write),
    Known("write", "Pathname", Deed::Write),
    Known("binwrite", "", Deed::Write),
    Known("new", "File.", Deed::Open),
    Known("copy_stream", "IO.", Deed::Copy),
    Known("truncate", "File.", Deed::Write),
    Known("symlink", "File.", Deed::Copy),
    Known("link", "File.", Deed::Copy),
    Known("rename", "File.", Deed::Move),
    Known("cp", "File.", Deed::Copy),
    Known("cp_r", "File.", Deed::Copy),
    Known("rm", "File.", Deed::Delete),
    Known("spew", "Path::Tiny", Deed::Write),
    Known("spew_utf8", "Path::Tiny", Deed::Write),
    Known("spew_raw", "Path::Tiny", Deed::Write),
    Known("append", "Path::Tiny", Deed::Write),
    Known("write_file", "File::Slurp", Deed::Write),
    Known("symlink_to", "", Deed::Write),
    Known("hardlink_to", "", Deed::Write),
    Known("outputFileSync", "", Deed::Write),
    Known("ensureFileSync", "", Deed::Write),
    Known("truncate", "fs", Deed::Write),
    Known("savefig", "", Deed::Write),
    Known("to_csv", "", Deed::Write),
    Known("to_excel", "", Deed::Write),
    Known("to_parquet", "", Deed::Write),
    Known("to_pickle", "", Deed::Write),
    Known("save", "np.", Deed::Write),
    Known("savez", "np.", Deed::Write),
    Known("savetxt", "", Deed::Write),
    Known("input", "inplace", Deed::Write),
    Known("extractall", "", Deed::Unpack),
    Known("unpack_archive", "", Deed::WriteSecond),
    Known("ZipFile", "", Deed::Open),
    Known("chdir", "", Deed::ChangeFolder),
    Known("cd", "FileUtils.", Deed::ChangeFolder),
    Known("file_put_contents", "", Deed::Write),
    Known("touch", "", Deed::Write),
    Known("chmod", "os", Deed::Write),
    Known("chmodSync", "", Deed::Write),
    Known("symlinkSync", "", Deed::Copy),
    Known("linkSync", "", Deed::Copy),
    Known("cpSync", "", Deed::Copy),
    Known("copySync", "", Deed::Copy),
    Known("moveSync", "", Deed::Move),
    Known("openSync", "", Deed::Open),
    Known("copyFile", "", Deed::Copy),
    Known("cp", "fs.", Deed::Copy),
    Known("symlink", "fs", Deed::Copy),
    Known("link", "fs.", Deed::Copy),
    Known("symlink", "os", Deed::Copy),
    Known("link", "os.", Deed::Copy),
    Known("copyFileSync", "", Deed::Copy),
    Known("copyfile", "", Deed::Copy),
    Known("copy", "File::Copy", Deed::Copy),
    Known("cp", "File::Copy", Deed::Copy),
    Known("move", "File::Copy", Deed::Move),
    Known("mv", "File::Copy", Deed::Move),
    Known("make_path", "File::Path", Deed::MakeFolder),
    Known("mkpath", "File::Path", Deed::MakeFolder),
    Known("copytree", "", Deed::Copy),
    Known("copy", "shutil", Deed::Copy),
    Known("copy2", "shutil", Deed::Copy),
    Known("cp", "FileUtils", Deed::Copy),
    Known("cp_r", "FileUtils", Deed::Copy),
    Known("copy", "FileUtils", Deed::Copy),
    Known("copy_file", "FileUtils", Deed::Copy),
    Known("install", "FileUtils", Deed::Copy),
    Known("ln", "FileUtils", Deed::Copy),
    Known("ln_s", "FileUtils", Deed::Copy),
    Known("ln_sf", "FileUtils", Deed::Copy),
    Known("renameSync", "", Deed::Move),
    Known("rename", "os", Deed::Move),
    Known("rename", "fs", Deed::Move),
    Known("replace", "os.", Deed::Move),
    Known("replace", "Path.", Deed::Move),
    Known("replace", "import replace", Deed::Move),
    Known("rename", "Path", Deed::Move),
    Known("move", "shutil", Deed::Move),
    Known("mv", "FileUtils", Deed::Move),
    Known("move", "FileUtils", Deed::Move),
    Known("mkdir", "", Deed::MakeFolder),
    Known("mkdirSync", "", Deed::MakeFolder),
    Known("makedirs", "", Deed::MakeFolder),
    Known("mkdir_p", "", Deed::MakeFolder),
    Known("open", "", Deed::Open),
    Known("fopen", "", Deed::Open),
    Known("read_text", "", Deed::Read),
    Known("read_bytes", "", Deed::Read),
    Known("readFileSync", "", Deed::Read),
    Known("readFile", "fs", Deed::Read),
    Known("file_get_contents", "", Deed::Read),
    Known("read", "File", Deed::Read),
    Known("urlopen", "", Deed::Fetch),
    Known("urlretrieve", "", Deed::FetchFile),
    Known("fetch", "", Deed::Fetch),
    Known("get", "requests", Deed::Fetch),
    Known("post", "requests", Deed::Fetch),
    Known("put", "requests", Deed::Fetch),
    Known("get", "http", Deed::Fetch),
    Known("request", "http", Deed::Fetch),
    Known("post", "axios", Deed::Fetch),
    Known("get", "axios", Deed::Fetch),
    Known("get", "Net", Deed::Fetch),
    Known("post", "Net", Deed::Fetch),
    Known("post_form", "Net", Deed::Fetch),
    Known("post", "http", Deed::Fetch),
    Known("post", "HTTP", Deed::Fetch),
    Known("post", "Faraday", Deed::Fetch),
    Known("post", "httpx", Deed::Fetch),
    Known("get", "httpx", Deed::Fetch),
    Known("get", "LWP", Deed::Fetch),
    Known("curl_init", "", Deed::Fetch),
    Known("socket", "", Deed::Socket),
    Known("create_connection", "", Deed::Socket),
    Known("fsockopen", "", Deed::Socket),
    Known("connect", "net", Deed::Socket),
    Known("createConnection", "net", Deed::Socket),
    Known("TCPSocket", "", Deed::Socket),
    Known("eval", "", Deed::Evaluate),
    Known("Function", "", Deed::Evaluate),
    Known("loadstring", "", Deed::Evaluate),
    Known("assert_code", "", Deed::Evaluate),
    Known("loads", "pickle", Deed::Evaluate),
    Known("loads", "marshal", Deed::Evaluate),
    Known("sendmail", "", Deed::Fetch),
    Known("send_message", "smtplib", Deed::Fetch),
    Known("getattr", "", Deed::Dynamic),
    Known("compile", "exec", Deed::Dynamic),
    Known("call_user_func", "", Deed::Dynamic),
    Known("send", "Kernel", Deed::Dynamic),
];

/// Returns the deed of the call `name` in this code.
pub(super) fn deed(language: Language, name: &str, front: Front<'_>, code: &str) -> Option<Deed> {
    match (language, name) {
        // `exec` runs code in python, a program in perl, ruby and php.
        (Language::Python, "exec") => return Some(Deed::Evaluate),
        (Language::Perl | Language::Ruby | Language::Php, "exec" | "spawn") => return Some(Deed::Shell),
        // Without a file system or shell around it these are ordinary words.
        (Language::Node, "system" | "open" | "remove" | "unlink" | "touch")
            if !code.contains("fs") && !code.contains("Deno") =>
        {
            return None;
        }
        // Node and Deno: a module from an address is code from there.
        (Language::Node, "import") => return Some(Deed::Import),
        // So are a script and a file of these from there.
        (Language::R, "source") | (Language::Julia, "include") => return Some(Deed::Import),
        (Language::Perl | Language::Php | Language::Julia, "rename" | "mv") => return Some(Deed::Move),
        (Language::Perl | Language::Php, "symlink" | "link") => return Some(Deed::Copy),
        (Language::Php, "copy") | (Language::Julia, "cp" | "symlink") => return Some(Deed::Copy),
        (Language::Php, "move_uploaded_file") => return Some(Deed::Move),
        (Language::Perl, "truncate") | (Language::Julia, "write") => return Some(Deed::Write),
        (Language::R, "writeLines" | "saveRDS" | "cat" | "dump") => return Some(Deed::WriteSecond),
        (Language::R, "copy") => return Some(Deed::Copy),
        (Language::R, "rename") => return Some(Deed::Move),
        (Language::Julia, "rm") => return Some(Deed::DeleteTree),
        (Language::R, "unlink") => return Some(Deed::DeleteTree),
        (Language::Awk, "system") => return Some(Deed::Shell),
        (Language::Awk, _) => return None,
        _ => {}
    }
    KNOWN.iter().find(|known| known.0 == name && is_met(known.1, front, code)).map(|known| known.2)
}

/// Returns whether the code has the surroundings that a call needs.
fn is_met(needed: &str, front: Front<'_>, code: &str) -> bool {
    match (needed.strip_suffix('.'), front) {
        (None, _) => needed.is_empty() || code.contains(needed),
        (Some(owner), Front::Module(name) | Front::Name(name)) => name == owner || name == "require",
        (Some("Path"), Front::Path(_)) => true,
        _ => false,
    }
}
