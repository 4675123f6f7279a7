"""Runs every attack unconfined and confined, inside a sandbox of its own, and prints one JSON line per attack.

usage: suite.py BINARY FOLDER_OF_ATTACKS CONFIGURATION… [NAME…] [--around codex=PROGRAM | --around srt=NODE_MODULES]
A configuration is BACKEND-USER: namespace-user, namespace-root, landlock-user, none-user. With names, only attacks whose
names contain one run. With --around, every attack runs inside the sandbox of that agent program, with and without
steersman; the sandbox lets it write the workspace and the home.

The sandbox: mount, pid, network, ipc and user namespaces, a root folder on a tmpfs with read-only system folders, and ids
that own nothing outside. Each attack runs in further mount and pid namespaces with new tmpfs on every writable folder, so
nothing is ever deleted and nothing survives it. A program that escapes its confinement reaches that tmpfs.
"""
import ctypes, hashlib, json, os, select, shlex, shutil, signal, socket, stat, subprocess, sys, tempfile, time

LIBC = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
RDONLY, REMOUNT, BIND, REC, PRIVATE = 1, 32, 4096, 16384, 1 << 18
USER = 1000
TIMEOUT = 60
PROGRAMS = ["attacks", "ways_out", "later_kinds", "further_kinds", "newer_calls", "private_reads"]
# What `--sealed` hides from a command.
SECRET = "LETMEIN"
GOVERNING = {".ai", ".claude", ".codex", ".copilot", ".cursor", ".gemini", ".mcp.json", ".orchestration", ".qwen", ".vscode", ".git", ".github"}


def check(value, what):
    if value < 0:
        raise OSError(ctypes.get_errno(), what)


def unshare(flags):
    check(LIBC.unshare(flags), "unshare")


def mount(source, target, kind=None, flags=0, data=None):
    enc = lambda text: text.encode() if text is not None else None
    check(LIBC.mount(enc(source), enc(target), enc(kind), flags, enc(data)), f"mount {target}")


def forked(work):
    """Runs `work` in a child and returns its exit code."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = work() or 0
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        finally:
            sys.stdout.flush()
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# --- the sandbox around everything

AROUND = None
SRT_SETTINGS = {"network": {"allowedDomains": [], "deniedDomains": [], "allowAllUnixSockets": True},
                "filesystem": {"denyRead": [], "allowWrite": ["/w", "/home/u", "/tmp", "/run"], "denyWrite": []}}
CODEX_SETTINGS = [word for setting in ['sandbox_mode="workspace-write"', "sandbox_workspace_write.network_access=true",
                                       'sandbox_workspace_write.writable_roots=["/home/u", "/run"]'] for word in ("-c", setting)]


def around(command):
    """Returns a command as the agent program's sandbox runs it."""
    if AROUND is None:
        return command
    if AROUND[0] == "codex":
        return ["/suite/node_modules/codex", "sandbox", *CODEX_SETTINGS, "--", *command]
    return ["node", "/suite/node_modules/@anthropic-ai/sandbox-runtime/dist/cli.js", "-s", "/suite/srt.json", "-c", shlex.join(command)]


def build_root(root, binary, attacks):
    mount("tmpfs", root, "tmpfs", 0, "mode=755")
    for name in ["usr", "etc", "dev", "proc", "tmp", "run", "home", "home/u", "w", "root", "var", "var/tmp", "suite"]:
        os.mkdir(f"{root}/{name}")
    for name in ["bin", "sbin", "lib", "lib64", "lib32", "libx32"]:
        if os.path.islink(f"/{name}"):
            os.symlink(os.readlink(f"/{name}"), f"{root}/{name}")
        elif os.path.isdir(f"/{name}"):
            os.mkdir(f"{root}/{name}")
            bind_read_only(f"/{name}", f"{root}/{name}")
    bind_read_only("/usr", f"{root}/usr")
    for name in ["alternatives", "ld.so.conf.d", "ssl"]:
        if os.path.isdir(f"/etc/{name}"):
            shutil.copytree(f"/etc/{name}", f"{root}/etc/{name}", symlinks=True, ignore=shutil.ignore_patterns("private"))
    for name in ["ld.so.cache", "ld.so.conf", "nsswitch.conf", "mime.types"]:
        if os.path.exists(f"/etc/{name}"):
            shutil.copy(f"/etc/{name}", f"{root}/etc/{name}")
    write(f"{root}/etc/passwd", f"root:x:0:0::/home/u:/bin/sh\nu:x:{USER}:{USER}::/home/u:/bin/sh\n")
    write(f"{root}/etc/group", f"root:x:0:\nu:x:{USER}:\n")
    for name in ["null", "zero", "full", "random", "urandom", "tty"]:
        write(f"{root}/dev/{name}", "")
        mount(f"/dev/{name}", f"{root}/dev/{name}", None, BIND)
    for name in ["shm", "pts", "mqueue"]:
        os.mkdir(f"{root}/dev/{name}")
    os.symlink("/proc/self/fd", f"{root}/dev/fd")
    os.symlink("/proc/self/fd/0", f"{root}/dev/stdin")
    os.symlink("pts/ptmx", f"{root}/dev/ptmx")
    shutil.copy(binary, f"{root}/steersman")
    for name in os.listdir(attacks):
        shutil.copy(f"{attacks}/{name}", f"{root}/suite/{name}")
    if AROUND is not None:
        os.mkdir(f"{root}/suite/node_modules")
        bind_read_only(os.path.dirname(AROUND[1]) if AROUND[0] == "codex" else AROUND[1], f"{root}/suite/node_modules")
        write(f"{root}/suite/srt.json", json.dumps(SRT_SETTINGS))
    for name in PROGRAMS + ["deny"]:
        subprocess.run(["cc", "-O1", "-w", "-o", f"{root}/suite/{name}", f"{attacks}/{name}.c", "-lpthread", "-lrt"], check=True)


def bind_read_only(source, target):
    mount(source, target, None, BIND)
    # A user namespace may only keep the flags that are set, so ask which.
    kept = os.statvfs(target).f_flag & (2 | 4 | 8 | 1024 | 2048)
    mount(None, target, None, REMOUNT | BIND | RDONLY | kept)


def write(path, text, mode=0o644):
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def sandbox(binary, attacks, work):
    """Runs `work` inside; returns its exit code."""
    is_root = os.geteuid() == 0
    user, group = os.geteuid(), os.getegid()
    unshare(NEWNS | NEWIPC | NEWUTS | NEWNET | (0 if is_root else NEWUSER))
    if not is_root:
        map_ids("self", f"0 {user} 1", f"0 {group} 1", True)
    mount(None, "/", None, REC | PRIVATE)
    root = tempfile.mkdtemp(prefix="confinement-")

    def inside():
        mount("proc", f"{root}/proc", "proc")
        os.chdir(root)
        mount(".", "/", None, 8192)  # MS_MOVE
        os.chroot(".")
        os.chdir("/")
        if not is_root:
            return work(False)
        ready, told = os.pipe(), os.pipe()
        child = os.fork()
        if child == 0:
            unshare(NEWUSER | NEWNS | NEWNET | NEWIPC | NEWUTS)
            os.write(ready[1], b"x")
            os.read(told[0], 1)
            os.setgid(0), os.setuid(0)
            code = 70
            try:
                code = work(True) or 0
            except BaseException as error:
                print(f"{type(error).__name__}: {error}", file=sys.stderr)
            sys.stdout.flush()
            os._exit(code)
        os.read(ready[0], 1)
        map_ids(child, "0 100000 65536", "0 100000 65536", False)
        os.write(told[1], b"x")
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    try:
        build_root(root, binary, attacks)
        # Last, because the first child is the first process of the namespace, and all end with it.
        unshare(NEWPID)
        return forked(inside)
    finally:
        # The tmpfs is gone with the namespace of the child; this removes the empty mount point, once nothing is on it.
        LIBC.umount2(root.encode(), 2)
        os.rmdir(root)


def map_ids(process, users, groups, alone):
    if alone:
        open(f"/proc/{process}/setgroups", "w").write("deny")
    open(f"/proc/{process}/uid_map", "w").write(users)
    open(f"/proc/{process}/gid_map", "w").write(groups)


# --- the world that attacks find

def commit(owner):
    """Commits the files, and what an attacker would like to have in the git folder, on a branch of its own."""
    def git(*words):
        subprocess.run(["git", "-C", "/w", "-c", "safe.directory=/w", *words], check=True, env={"HOME": "/home/u", "PATH": "/usr/bin:/bin"}, stdout=subprocess.DEVNULL)
    git("config", "user.name", "u"), git("config", "user.email", "u@example.org")
    git("add", "out/other", ".gitignore"), git("commit", "-q", "-m", "one"), git("commit", "-q", "--allow-empty", "-m", "two")
    write("/w/commondir", "../src\n")
    git("checkout", "-q", "-b", "planted"), git("add", "commondir"), git("commit", "-q", "-m", "three"), git("checkout", "-q", "main")
    # Programs in scope, which an earlier command left there.
    os.makedirs("/w/src/bin")
    for name in ["git-planted", "git-merge-planted"]:
        write(f"/w/src/bin/{name}", "#!/bin/sh\nprintf ../src > .git/commondir\n", 0o755)


def populate(owner, runs_git=False):
    # A copy for each attack, because root may write there.
    mount("tmpfs", "/w", "tmpfs", 0, "mode=755")
    shutil.copytree("/etc", "/w/etc", symlinks=True)
    mount("/w/etc", "/etc", None, BIND)
    for folder in ["/w", "/home/u", "/tmp", "/run", "/var/tmp", "/dev/shm"]:
        mount("tmpfs", folder, "tmpfs", 0, "mode=1777" if folder in ("/tmp", "/var/tmp", "/dev/shm") else "mode=755")
    mount("devpts", "/dev/pts", "devpts", 0, "newinstance,ptmxmode=0666")
    mount("mqueue", "/dev/mqueue", "mqueue")
    for base in ["/w", "/tmp/project"]:
        for folder in ["", "/src", "/src/m", "/src/pkg", "/src/pkg/.claude", "/src/pkg/.github", "/src/pkg/.github/hooks", "/src/lib",
                       "/src/lib/.git", "/src/lib/.git/hooks", "/out", "/out/empty", "/out/folder", "/.orchestration", "/.ai", "/.ai/tmp"]:
            os.makedirs(base + folder, exist_ok=True)
        write(base + "/src/code", "code of the project\n")
        write(base + "/src/pkg/.claude/settings.json", "{}\n")
        write(base + "/src/lib/.git/config", "[core]\n")
        write(base + "/src/lib/.git/HEAD", "ref: refs/heads/main\n")
        write(base + "/out/victim", "original\n")
        write(base + "/out/other", "other\n")
        write(base + "/out/folder/file", "file\n")
        write(base + "/out/twin", "twin\n")
        os.link(base + "/out/twin", base + "/src/twin")
        os.symlink("../out", base + "/src/link")
        write(base + "/.orchestration/other.yaml", "x\n")
        write(base + "/.env", f"KEY={SECRET}\n")
        write(base + "/.gitignore", "target\n.env\n")
    for home in ["/home/u", "/tmp/person"]:
        for folder in ["", "/.cargo", "/.cargo/bin", "/.cargo/registry", "/.cargo/git", "/.local", "/.local/state", "/.local/state/steersman", "/.local/state/steersman/asks"]:
            os.makedirs(home + folder, exist_ok=True)
        os.chmod(home + "/.local/state/steersman/asks", 0o700)
        write(home + "/.bashrc", "# start\n")
        write(home + "/.cargo/config.toml", "# start\n")
    if AROUND is not None:
        os.makedirs("/home/u/.codex")
    os.makedirs(f"/run/user/{owner}"), os.makedirs("/run/bus"), os.makedirs("/run/relative"), os.makedirs("/tmp/agent")
    os.makedirs("/w/out/deep"), os.chown("/tmp/agent", owner, owner)
    write("/dev/shm/shared", f"shared {SECRET}\n")
    os.makedirs("/home/u/.ssh")
    private = ["/home/u/.ssh/key", f"/run/user/{owner}/private", "/tmp/private", "/var/tmp/private"]
    for path in private:
        write(path, f"{SECRET}\n", 0o600)
    for path in ["/dev/shm/shared", *private]:
        os.chown(path, owner, owner)
    os.symlink("/home/u/.ssh/key", "/w/src/to_key")
    # A sealed command does not see the folder of the suite.
    shutil.copy("/suite/private_reads", "/w/src/private_reads")
    subprocess.run(["git", "-c", "init.defaultBranch=main", "init", "-q", "/w"], check=True, env={"HOME": "/home/u", "PATH": "/usr/bin:/bin"})
    if runs_git:
        commit(owner)
    for base in ["/w", "/home/u", "/tmp/project", "/tmp/person", "/run/user", "/run/bus", "/run"]:
        for root, folders, files in os.walk(base):
            for path in [root] + [os.path.join(root, name) for name in files]:
                os.chown(path, owner, owner, follow_symlinks=False)


def snapshot(runs_git):
    """Describes everything out of scope: names, modes, times, attributes and content. A command that `runs_git` may change what git
    itself writes in its folder."""
    seen = {}
    for base in ["/w", "/home/u", "/tmp/project", "/tmp/person", "/run/bus", "/etc"]:
        for root, folders, files in os.walk(base):
            if root in ("/home/u/.cargo/registry", "/home/u/.cargo/git", "/home/u/.codex"):
                folders.clear()
                continue
            for path in [os.path.join(root, name) for name in folders + files]:
                parts = path.split("/")
                scope = path.startswith(("/w/src/", "/tmp/project/src/"))
                if runs_git and path.startswith("/w/.git/") and parts[3] not in ("commondir", "config", "config.worktree", "hooks", "info", "modules"):
                    continue
                if scope and not GOVERNING.intersection(parts):
                    continue
                try:
                    info = os.lstat(path)
                    is_filled = not stat.S_ISDIR(info.st_mode) or not scope or os.listdir(path)
                except FileNotFoundError:
                    continue  # steersman removes the folders it made at this moment
                if stat.S_ISDIR(info.st_mode):
                    # Empty folders of these names hold the place of settings while a command runs.
                    if is_filled:
                        seen[path] = ["folder", stat.S_IMODE(info.st_mode)]
                elif path.endswith("/made-folders"):
                    pass  # the program's own record of the folders it made, removed by it
                elif not stat.S_ISSOCK(info.st_mode) or path.startswith("/w/out"):
                    content = "" if not stat.S_ISREG(info.st_mode) else hashlib.sha1(open(path, "rb").read()).hexdigest()
                    times = info.st_mtime_ns if path.startswith("/w/out") else 0
                    attributes = os.listxattr(path, follow_symlinks=False)
                    seen[path] = [stat.S_IFMT(info.st_mode), stat.S_IMODE(info.st_mode), content, times, attributes, info.st_nlink]
    seen["ttl"] = open("/proc/sys/net/ipv4/ip_default_ttl").read()
    # An attack may have unmounted it.
    seen["/dev/shm"] = open("/dev/shm/shared").read() if os.path.exists("/dev/shm/shared") else "gone"
    seen["names"] = [os.uname().nodename, open("/proc/sys/kernel/domainname").read()]
    seen["network"] = [open(f"/proc/net/{table}").read() for table in ("route", "if_inet6", "fib_trie")]
    return seen


def state_of(process):
    """Describes a program outside, as far as others can end it without a signal: its limits."""
    try:
        return open(f"/proc/{process}/limits").read()
    except OSError:
        return ""


IPC_KEY, SHMGET, MSGGET, SEMGET, MQ_OPEN, ADD_KEY, KEYCTL = 0x5157, 29, 68, 64, 240, 248, 250


class Shared:
    """Memory, queues and keys of programs outside. Made as the owner, looked at as root of the sandbox."""

    def __init__(self, owner, world):
        LIBC.shmat.restype = ctypes.c_void_p
        os.setegid(owner), os.seteuid(owner)
        self.memory = LIBC.shmget(IPC_KEY, 64, 0o1600)
        self.queue = LIBC.msgget(IPC_KEY, 0o1600)
        self.semaphore = LIBC.semget(IPC_KEY, 1, 0o1600)
        rt = ctypes.CDLL("librt.so.1", use_errno=True)
        # A small queue: the system limits the bytes of all queues of a user, and suites run side by side.
        attributes = (ctypes.c_long * 8)(0, 4, 16)
        self.posix = rt.mq_open(b"/q", os.O_RDWR | os.O_CREAT, 0o600, attributes)
        if self.posix < 0:
            raise OSError(ctypes.get_errno(), "mq_open")
        os.seteuid(0), os.setegid(0)
        self.owner = owner
        # Attacks run side by side, and a user has one keyring.
        self.keys = [f"theirs-{world}".encode(), f"planted-{world}".encode()] if world else []
        if self.keys:
            key_of_user(owner, self.keys[0], True)
        self.at = ctypes.c_void_p(LIBC.shmat(self.memory, None, 0))
        ctypes.memmove(self.at.value + 32, SECRET.encode(), len(SECRET))
        LIBC.syscall(KEYCTL, 1, None)
        LIBC.syscall(KEYCTL, 5, -3, 0x3F3F3F3F)  # KEYCTL_SETPERM, for everybody
        LIBC.syscall(ADD_KEY, b"user", b"theirs", SECRET.encode(), ctypes.c_size_t(len(SECRET)), -3)

    def of_user(self):
        return [key_of_user(self.owner, name) for name in self.keys]

    def look(self):
        text = ctypes.string_at(self.at.value, 8).decode(errors="replace")
        info = (ctypes.c_long * 32)()
        n_messages = LIBC.msgctl(self.queue, 2, info) and "gone" or list(info)[6:12]
        attributes = (ctypes.c_long * 8)()
        ctypes.CDLL("librt.so.1").mq_getattr(self.posix, attributes)
        keys = ctypes.create_string_buffer(256)
        n_keys = LIBC.syscall(KEYCTL, 11, -3, keys, ctypes.c_size_t(256))
        queues = sorted(line.split()[0] for line in open("/proc/sysvipc/shm")) + os.listdir("/dev/mqueue")
        return [text, str(n_messages), LIBC.semctl(self.semaphore, 0, 12), list(attributes)[:4], n_keys, queues, self.of_user()]


def key_of_user(owner, description, plant=False):
    """Makes a key that all programs of a user share, or tells whether it exists."""
    def look():
        if plant:
            LIBC.syscall(ADD_KEY, b"user", description, b"x", ctypes.c_size_t(1), -4)
        os._exit(LIBC.syscall(KEYCTL, 10, -4, b"user", description, 0) < 0)

    return os.waitstatus_to_exitcode(os.waitpid(start(owner, look), 0)[1]) == 0


def serve():
    """Writes for whoever connects, as a daemon would. Runs outside of every confinement."""
    LIBC.prctl(4, 1)  # PR_SET_DUMPABLE: as after the start of a program by its user
    poll, kinds = select.poll(), {}
    user = os.getuid()
    unix = [("/run/daemon.sock", socket.SOCK_STREAM), ("/tmp/daemon.sock", socket.SOCK_STREAM), ("/home/u/daemon.sock", socket.SOCK_STREAM),
            ("/run/packet.sock", socket.SOCK_SEQPACKET), ("\0daemon", socket.SOCK_STREAM), ("/run/docker.sock", socket.SOCK_STREAM),
            (f"/run/user/{user}/bus.sock", socket.SOCK_STREAM), ("/tmp/agent/s.sock", socket.SOCK_STREAM),
            ("/run/datagram.sock", socket.SOCK_DGRAM), ("/tmp/datagram.sock", socket.SOCK_DGRAM), ("\0datagram", socket.SOCK_DGRAM),
            ("/run/renamed.sock.new", socket.SOCK_STREAM), ("/home/u/control.sock.Xq3", socket.SOCK_STREAM)]
    for path, kind in unix:
        add(poll, kinds, socket.socket(socket.AF_UNIX, kind), path)
    # As programs do that want their socket to appear at once: by a rename, or by a second link like ssh.
    os.rename("/run/renamed.sock.new", "/run/renamed.sock")
    os.link("/home/u/control.sock.Xq3", "/home/u/control.sock"), os.unlink("/home/u/control.sock.Xq3")
    os.chdir("/run/relative")
    add(poll, kinds, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM), "by-name.sock")
    for family, kind, address in [(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 8765)), (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 8766)),
                                  (socket.AF_INET6, socket.SOCK_STREAM, ("::1", 8767))]:
        try:
            add(poll, kinds, socket.socket(family, kind), address)
        except OSError as error:
            print(f"cannot listen on {address}: {error}", file=sys.stderr)
    os.write(READY[1], b"s")
    while True:
        for fd, _ in poll.poll():
            listener = kinds[fd]
            if listener.type == socket.SOCK_DGRAM:
                listener.recv(10)
                connection = None
            else:
                connection, _ = listener.accept()
            with open("/w/out/victim", "a") as file:
                file.write("served\n")
            if connection:
                try:
                    connection.sendall(f"HTTP/1.0 200 OK\r\nContent-Length: {len(SECRET)}\r\n\r\n{SECRET}".encode())
                    connection.close()
                except OSError:
                    pass


def add(poll, kinds, listener, address):
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(address)
    if listener.type != socket.SOCK_DGRAM:
        listener.listen(16)
    poll.register(listener.fileno(), select.POLLIN)
    kinds[listener.fileno()] = listener


READY = None


def run_one(attack, confined, user):
    """Runs one attack in a new world. Returns a JSON value: what changed, the exit code and the output."""
    global READY
    owner = USER if user == "user" else 0
    result = os.pipe()

    def first_process():
        global READY
        mount("proc", "/proc", "proc")
        runs_git = "[git]" in attack["marks"]
        populate(owner, runs_git)
        LIBC.prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
        world = os.urandom(6).hex() if attack["name"].startswith("key_") else ""
        shared = Shared(owner, world)
        environment = {"WORLD": world, "HOME": "/home/u", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "TERM": "xterm"}
        if runs_git:
            environment["PATH"] = "/w/src/bin:" + environment["PATH"]
        READY = os.pipe()
        daemon = start(owner, serve)
        os.read(READY[0], 1)
        canary_out = os.pipe()
        canary = start(owner, lambda: (os.dup2(canary_out[1], 1), os.execve("/suite/attacks", ["attacks", "canary", SECRET], environment | {"CANARY": SECRET})))
        address = os.read(canary_out[0], 64).decode().strip()
        environment |= {"OUTSIDE": str(canary), "ADDRESS": address}
        if attack["name"] == "socket/tmux":
            as_user(owner, ["tmux", "-S", f"/tmp/tmux-{owner}/default", "-f", "/dev/null", "new-session", "-d", "sh"], environment, ["/tmp/tmux-%d" % owner])
        if attack["name"] == "socket/dbus":
            bus(owner, environment)
        if attack["name"] == "daemon/systemd_run":
            bus(owner, environment, f"/run/user/{owner}/bus", "org.freedesktop.systemd1")
        if attack["name"] == "daemon/gpg_agent":
            as_user(owner, ["gpg-agent", "--homedir", "/home/u/.gnupg", "--daemon"], environment, ["/home/u/.gnupg"])
        time.sleep(0.01)
        before = snapshot(runs_git) | {"shared": shared.look(), "canary's state": state_of(canary)}
        if attack["sealed"]:
            environment["SERVICE_TOKEN"] = SECRET
        folder = "/tmp/project" if attack["name"].startswith("temp/workspace") else "/w"
        if attack["name"].startswith("temp/home"):
            environment["HOME"] = "/tmp/person"
        command = attack["command"]
        if confined:
            options = ["--sealed"] if attack["sealed"] else ["--no-network"] if attack["net"] else []
            wrapper = ["/steersman", "run", "--write", "src", *attack["writes"], *options, "--"]
            command = wrapper + command
            refused = {"landlock": "namespaces", "none": "both"}.get(confined)
            command = (["/suite/deny", refused] if refused else []) + command
        command = around(command)
        output = os.pipe()

        def attacker():
            os.dup2(output[1], 1), os.dup2(output[1], 2)
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
            os.chdir(folder)
            if "[terminal]" in attack["marks"]:
                # An outer shell on a terminal of its own runs the attack, and then what was typed meanwhile.
                master, slave = os.openpty()
                os.setsid()
                import fcntl, termios
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
                os.dup2(slave, 0)
                os.set_inheritable(master, True)
                os.execvpe("bash", ["bash", "-c", '"$@"; while read -t 0.3 line; do eval "$line"; done', "bash", *command], environment)
            if attack["name"].startswith(("inherited_", "left_")):
                stdin = os.open("/w/out/victim", os.O_RDONLY)
                if "stdin" in attack["name"]:
                    os.dup2(stdin, 0)
                os.dup2(os.open("/w/out", os.O_RDONLY | os.O_DIRECTORY), 8)
                os.dup2(stdin, 9)
                os.dup2(os.open("/w/out", os.O_PATH), 7)
                os.dup2(os.open("/proc/self/ns/mnt", os.O_RDONLY), 12)
                os.dup2(os.open("/proc/self/ns/user", os.O_RDONLY), 14)
                os.dup2(8, 900)
                for fd in [7, 8, 9, 12, 14, 900]:
                    os.set_inheritable(fd, True)
            os.execvpe(command[0], command, environment)

        attacker_pid = start(owner, attacker)
        os.close(output[1])
        text, code = collect(attacker_pid, output[0])
        # An attack that works may take effect late on a busy machine; one that is refused gets a moment, too.
        until = time.monotonic() + (0.15 if confined or attack["sealed"] else 10)
        # New folders may be the caches that steersman made for the command: a process of its own removes them afterwards.
        removed_by = time.monotonic() + 5
        while True:
            time.sleep(0.05)
            after = snapshot(runs_git) | {"shared": shared.look(), "canary's state": state_of(canary) or before["canary's state"]}
            changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
            if not alive(canary):
                changed.append("canary")
            if attack["sealed"]:
                # These read; the daemon writes for whoever asks it, which other attacks show.
                changed = ["a secret was read"] if SECRET in text else []
            are_made = confined and changed and all(path not in before and after.get(path, [""])[0] == "folder" for path in changed)
            if are_made and time.monotonic() < removed_by:
                continue
            if changed or time.monotonic() > until:
                break
        os.write(result[1], json.dumps({"changed": changed[:5], "code": code, "output": text[-800:]}).encode())

    def outer():
        unshare(NEWNS | NEWPID | NEWNET | NEWIPC | NEWUTS)
        mount(None, "/", None, REC | PRIVATE)
        raise_loopback()
        return forked(first_process)

    code = forked(outer)
    os.close(result[1])
    answer = b""
    while chunk := os.read(result[0], 65536):
        answer += chunk
    os.close(result[0])
    if not answer:
        return {"changed": [], "code": code, "output": "the world could not be made", "broken": True}
    return json.loads(answer)


def raise_loopback():
    import fcntl, struct
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh", b"lo", 0x41) + b"\0" * 22)


def start(owner, work):
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([]) if os.path.exists("/proc/self/setgroups") and open("/proc/self/setgroups").read().strip() == "allow" else None
            os.setgid(owner), os.setuid(owner)
            work()
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        os._exit(70)
    return child


def as_user(owner, command, environment, folders=()):
    for folder in folders:
        os.mkdir(folder, 0o700)
        os.chown(folder, owner, owner)
    quiet = lambda: [os.dup2(os.open("/dev/null", os.O_RDWR), fd) for fd in (0, 1, 2)]
    child = start(owner, lambda: (quiet(), os.execvpe(command[0], command, environment)))
    os.waitpid(child, 0)
    time.sleep(0.5)


def bus(owner, environment, address="/run/bus/session", service="test.Writer"):
    os.makedirs("/run/bus/services", exist_ok=True)
    write(f"/run/bus/services/{service}.service", f"[D-BUS Service]\nName={service}\nExec=/bin/sh -c 'echo x >> /w/out/victim'\n")
    write("/run/bus/config", f'<busconfig><type>session</type><listen>unix:path={address}</listen><servicedir>/run/bus/services</servicedir>'
          '<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>')
    as_user(owner, ["dbus-daemon", "--config-file=/run/bus/config", "--fork", "--nopidfile"], environment)


def collect(process, fd):
    """Returns the output and the exit code, or stops the attack after a while."""
    text, until, code = b"", time.monotonic() + TIMEOUT, None
    os.set_blocking(fd, False)
    while time.monotonic() < until:
        select.select([fd], [], [], 0.02)
        try:
            while chunk := os.read(fd, 65536):
                text += chunk
        except BlockingIOError:
            pass
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            break
    if code is None:
        os.kill(process, signal.SIGKILL)
    return text.decode(errors="replace"), code


def alive(process):
    try:
        return os.waitpid(process, os.WNOHANG)[0] == 0
    except ChildProcessError:
        return False


# --- the attacks

def read_attacks(folder):
    found = []
    for program in PROGRAMS:
        for line in subprocess.run([f"{folder}/{program}"], capture_output=True, text=True, check=True).stdout.splitlines():
            name, _, marks = line.partition(" ")
            if name.startswith(("kill_", "sigqueue_", "tgkill_", "pidfd_signal")):
                marks = "[net]"
            place = "/w/src" if "[sealed]" in marks else folder
            found.append({"name": name, "kind": "c", "command": [f"{place}/{program}", name], "marks": marks})
    for kind, wrap in [("sh", ["bash", "-c"]), ("py", ["python3", "-c"]), ("js", ["node", "-e"])]:
        texts = [f"{folder}/{program}.{kind}.txt" for program in PROGRAMS]
        for part in "".join(open(text).read() for text in texts if os.path.exists(text)).split("### ")[1:]:
            title, _, code = part.partition("\n")
            name, _, marks = title.partition(" ")
            name = name if kind == "sh" else f"{kind}/{name}"
            found.append({"name": name, "kind": kind, "command": wrap + [code], "marks": marks})
    for attack in found:
        attack["writes"] = ["src/gen/deep"] if "[gen]" in attack["marks"] else []
        attack["net"] = "[net]" in attack["marks"]
        attack["sealed"] = "[sealed]" in attack["marks"]
        attack["root"] = "[root]" in attack["marks"]
    return found


def work(configurations, only):
    def inside(has_ids):
        jobs = []
        attacks = [attack for attack in read_attacks("/suite") if not only or any(word in attack["name"] for word in only)]
        for attack in attacks:
            for configuration in configurations:
                backend, user = configuration.split("-")
                if (user == "user" and (attack["root"] or not has_ids)) or (attack["sealed"] and backend != "namespace"):
                    continue
                jobs.append((attack, backend, user))
        workers = []
        n = 6
        for worker in range(n):
            child = os.fork()
            if child == 0:
                for attack, backend, user in jobs[worker::n]:
                    bare = run_one(attack, None, user)
                    confined = run_one(attack, backend, user)
                    line = {"name": attack["name"], "kind": attack["kind"], "sealed": attack["sealed"], "backend": backend, "user": user, "unconfined": bare, "confined": confined}
                    sys.stdout.write(json.dumps(line) + "\n")
                    sys.stdout.flush()
                os._exit(0)
            workers.append(child)
        for child in workers:
            os.waitpid(child, 0)
        return 0
    return inside


if __name__ == "__main__":
    binary, folder, *rest = sys.argv[1:]
    if "--around" in rest:
        at = rest.index("--around")
        AROUND = rest[at + 1].split("=", 1)
        del rest[at:at + 2]
    configurations = [it for it in rest if "-" in it and it.split("-")[0] in ("namespace", "landlock", "none")]
    only = [it for it in rest if it not in configurations]
    sys.exit(sandbox(os.path.abspath(binary), os.path.abspath(folder), work(configurations, only)))
