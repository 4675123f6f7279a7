//! Programs that run another program: `sudo`, `env`, `timeout`, `npx`, `docker run`, …

use crate::reading::Site;

/// How the inner command is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inner {
    /// The rest of the words is the command.
    Words,
    /// The rest of the words, joined, is text for a shell.
    Shell,
    /// The value of this option is text for a shell; without it nothing runs.
    Option(&'static str),
    /// Behind `--`.
    Dashes,
}

/// A program that runs another program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wrapper {
    pub name: &'static str,
    /// Subcommands that must follow, alternatives separated by `|`; empty for none.
    pub sub: &'static str,
    /// Options that take a value, separated by blanks.
    pub values: &'static str,
    /// Options whose value is a file that is written.
    pub outputs: &'static str,
    /// Operands in front of the command: a duration, a lock file, a host.
    pub skip: usize,
    pub inner: Inner,
    pub site: Site,
    pub privilege: bool,
    /// Lines whose inner command must be found; only tests keep them.
    #[cfg(test)]
    pub matches: &'static [&'static str],
}

const fn wrap(name: &'static str, values: &'static str, matches: &'static [&'static str]) -> Wrapper {
    #[cfg(not(test))]
    let _ = matches;
    Wrapper {
        name,
        sub: "",
        values,
        outputs: "",
        skip: 0,
        inner: Inner::Words,
        site: Site::Local,
        privilege: false,
        #[cfg(test)]
        matches,
    }
}

impl Wrapper {
    const fn sub(mut self, sub: &'static str) -> Self {
        self.sub = sub;
        self
    }
    const fn outputs(mut self, outputs: &'static str) -> Self {
        self.outputs = outputs;
        self
    }
    const fn skip(mut self, skip: usize) -> Self {
        self.skip = skip;
        self
    }
    const fn inner(mut self, inner: Inner) -> Self {
        self.inner = inner;
        self
    }
    const fn site(mut self, site: Site) -> Self {
        self.site = site;
        self
    }
    const fn privileged(mut self) -> Self {
        self.privilege = true;
        self
    }
}

const SUDO: &str =
    "-u -g -h -p -C -T -r -t -D -R -U --user --group --host --prompt --chdir --close-from --role --type";
const DOCKER_RUN: &str = "-v --volume -e --env -p --publish --name -w --workdir -u --user --network --net --mount --entrypoint -m --memory --cpus --platform -l --label --env-file --add-host --gpus --restart --hostname -h --cap-add --cap-drop --device --tmpfs --shm-size --ulimit --log-driver --log-opt --pull --security-opt --dns --ip --ipc --pid --runtime --stop-signal --volumes-from --expose -a --attach --cidfile --cpuset-cpus --health-cmd --userns -f --file --project-name --profile --index --detach-keys";

/// All wrappers.
pub(crate) static WRAPPERS: &[Wrapper] = &[
    wrap("sudo", SUDO, &["sudo rm -rf /"]).privileged(),
    wrap("doas", "-u -C", &["doas rm -rf /"]).privileged(),
    wrap("pkexec", "--user", &["pkexec rm -rf /"]).privileged(),
    wrap("run0", "-u --user", &["run0 rm -rf /"]).privileged(),
    wrap("gosu", "", &["gosu root rm -rf /"]).skip(1).privileged(),
    wrap("su-exec", "", &["su-exec root rm -rf /"]).skip(1).privileged(),
    wrap("env", "-u -C -S --unset --chdir --split-string", &["env A=1 rm -rf /", "env -i rm -rf /"]),
    wrap("nohup", "", &["nohup rm -rf /"]),
    wrap("timeout", "-k -s --kill-after --signal", &["timeout 5 rm -rf /", "timeout -k 1 5s rm -rf /"])
        .skip(1),
    wrap("gtimeout", "-k -s --kill-after --signal", &["gtimeout 5 rm -rf /"]).skip(1),
    wrap("nice", "-n --adjustment", &["nice -n 19 rm -rf /"]),
    wrap("ionice", "-c -n -p --class --classdata", &["ionice -c 3 rm -rf /"]),
    wrap("chrt", "-p", &["chrt 10 rm -rf /"]).skip(1),
    wrap("taskset", "-c --cpu-list", &["taskset 1 rm -rf /"]).skip(1),
    wrap("time", "-f -o --format --output", &["time -v rm -rf /"]).outputs("-o --output"),
    wrap("stdbuf", "-i -o -e --input --output --error", &["stdbuf -oL rm -rf /"]),
    wrap("unbuffer", "", &["unbuffer rm -rf /"]),
    wrap("setsid", "", &["setsid rm -rf /"]),
    wrap("setarch", "", &["setarch x86_64 rm -rf /"]).skip(1),
    wrap("command", "", &["command rm -rf /"]),
    wrap("builtin", "", &["builtin eval rm -rf /"]),
    wrap("exec", "-a", &["exec rm -rf /"]),
    wrap("nocorrect", "", &["nocorrect rm -rf /"]),
    wrap("noglob", "", &["noglob rm -rf /"]),
    wrap("busybox", "", &["busybox rm -rf /"]),
    wrap("toybox", "", &["toybox rm -rf /"]),
    wrap("chronic", "", &["chronic rm -rf /"]),
    wrap("caffeinate", "-t -w", &["caffeinate rm -rf /"]),
    wrap("eatmydata", "", &["eatmydata rm -rf /"]),
    wrap("fakeroot", "-l -s -i", &["fakeroot rm -rf /"]),
    wrap("faketime", "", &["faketime yesterday rm -rf /"]).skip(1),
    wrap("firejail", "", &["firejail rm -rf /"]),
    wrap("proot", "-r -b -w", &["proot rm -rf /"]),
    wrap("strace", "-e -o -p -s -u -P", &["strace -f rm -rf /"]).outputs("-o --output"),
    wrap("ltrace", "-e -o -p -s -u", &["ltrace rm -rf /"]).outputs("-o --output"),
    wrap("perf", "-e -o", &["perf stat rm -rf /"]).outputs("-o --output").sub("stat|record|trace"),
    wrap("valgrind", "", &["valgrind rm -rf /"]).outputs("--log-file --xml-file"),
    wrap("xvfb-run", "-n -s -e -f -w", &["xvfb-run rm -rf /"]),
    wrap("dbus-run-session", "", &["dbus-run-session rm -rf /"]),
    wrap(
        "systemd-run",
        "-p --property -u --unit -t --on-calendar --working-directory --uid",
        &["systemd-run rm -rf /"],
    ),
    wrap("systemd-inhibit", "--what --who --why --mode", &["systemd-inhibit rm -rf /"]),
    wrap("chroot", "", &["chroot /mnt rm -rf /"]).skip(1).privileged(),
    wrap("unshare", "", &["unshare -r rm -rf /"]),
    wrap("nsenter", "-t --target", &["nsenter -t 1 -m rm -rf /"]).privileged(),
    wrap("flock", "-w -E --timeout", &["flock /tmp/l rm -rf /"]).skip(1),
    wrap("setpriv", "", &["setpriv rm -rf /"]),
    wrap("bwrap", "", &["bwrap rm -rf /"]),
    wrap("cross-env", "", &["cross-env A=1 rm -rf /"]),
    wrap("dotenv", "-f -e", &["dotenv rm -rf /", "dotenv -- rm -rf /"]),
    wrap("dotenvx", "-f", &["dotenvx run -- rm -rf /"]).sub("run"),
    wrap("op", "--env-file", &["op run -- rm -rf /"]).sub("run"),
    wrap("doppler", "-p -c --project --config", &["doppler run -- rm -rf /"]).sub("run"),
    wrap("infisical", "--env", &["infisical run -- rm -rf /"]).sub("run"),
    wrap("aws-vault", "", &["aws-vault exec prod -- rm -rf /"]).sub("exec").skip(1),
    wrap("direnv", "", &["direnv exec . rm -rf /"]).sub("exec").skip(1),
    wrap("mise", "", &["mise exec -- rm -rf /"]).sub("exec|x"),
    wrap("asdf", "", &["asdf exec rm -rf /"]).sub("exec"),
    wrap("volta", "--node", &["volta run rm -rf /"]).sub("run"),
    wrap("fnm", "--using", &["fnm exec rm -rf /"]).sub("exec"),
    wrap("nvm", "", &["nvm exec 20 rm -rf /"]).sub("exec|run").skip(1),
    wrap("poetry", "", &["poetry run rm -rf /"]).sub("run"),
    wrap(
        "uv",
        "--with --python -p --extra --group --package --directory --project --env-file",
        &["uv run rm -rf /"],
    )
    .sub("run"),
    wrap("uvx", "--with --from --python -p", &["uvx rimraf /"]),
    wrap("pipx", "--spec --python", &["pipx run rimraf /"]).sub("run"),
    wrap("pipenv", "", &["pipenv run rm -rf /"]).sub("run"),
    wrap("pdm", "", &["pdm run rm -rf /"]).sub("run"),
    wrap("hatch", "-e", &["hatch run rm -rf /"]).sub("run"),
    wrap("rye", "", &["rye run rm -rf /"]).sub("run"),
    wrap("pixi", "-e", &["pixi run rm -rf /"]).sub("run"),
    wrap("conda", "-n -p --name --prefix", &["conda run -n x rm -rf /"]).sub("run"),
    wrap("mamba", "-n -p --name --prefix", &["mamba run -n x rm -rf /"]).sub("run"),
    wrap("micromamba", "-n -p", &["micromamba run -n x rm -rf /"]).sub("run"),
    wrap("bundle", "--gemfile", &["bundle exec rm -rf /"]).sub("exec"),
    wrap("npx", "-p --package -c --call", &["npx rimraf /", "npx -y rimraf /"]),
    wrap("shx", "", &["shx rm -rf /", "npx shx rm -rf /"]),
    wrap("bunx", "", &["bunx rimraf /"]),
    wrap("pnpx", "", &["pnpx rimraf /"]),
    wrap("npm", "-p --package --prefix -w", &["npm exec rimraf /", "npm exec -- rimraf /"]).sub("exec|x"),
    wrap("pnpm", "-C --dir --filter -F", &["pnpm exec rimraf /", "pnpm dlx rimraf /"]).sub("exec|dlx"),
    wrap("yarn", "--cwd", &["yarn exec rimraf /", "yarn dlx rimraf /"]).sub("exec|dlx"),
    wrap("bun", "", &["bun x rimraf /"]).sub("x"),
    wrap("xcrun", "--sdk", &["xcrun rm -rf /"]),
    wrap("arch", "", &["arch -x86_64 rm -rf /"]),
    wrap("wine", "", &["wine rm -rf /"]),
    wrap("wsl", "-d -u --cd --distribution --user -e --exec", &["wsl -d Ubuntu rm -rf /"]),
    wrap("rtk", "", &["rtk rm -rf /"]),
    wrap("sem", "-j", &["sem rm -rf /"]).inner(Inner::Shell),
    wrap("watch", "-n --interval", &["watch -n 1 rm -rf /", "watch 'rm -rf /'"]).inner(Inner::Shell),
    wrap(
        "hyperfine",
        "-w -r -p --warmup --runs --prepare --export-json --export-markdown --export-csv --export-asciidoc --export-orgmode -n -L",
        &["hyperfine 'rm -rf /'"],
    )
    .outputs("--export-json --export-markdown --export-csv --export-asciidoc --export-orgmode")
    .inner(Inner::Shell),
    wrap("entr", "", &["ls | entr rm -rf /"]),
    wrap("watchexec", "-w -e -i -f --watch --exts --filter --ignore", &["watchexec -e rs rm -rf /"])
        .inner(Inner::Shell),
    wrap("nodemon", "-w -e --watch --ext --ignore", &["nodemon --exec 'rm -rf /'"])
        .inner(Inner::Option("-x|--exec")),
    wrap("concurrently", "-n -c --names", &["concurrently 'rm -rf /'"]).inner(Inner::Shell),
    wrap("script", "-O -I -B -T -m -E -o", &["script -qc 'rm -rf /' /dev/null"])
        .outputs("-O -I -B -T --log-out --log-in --log-io --log-timing")
        .inner(Inner::Option("-c|--command")),
    wrap("su", "-s -g --shell", &["su -c 'rm -rf /'", "su root -c 'rm -rf /'"])
        .inner(Inner::Option("-c|--command"))
        .privileged(),
    wrap("runuser", "-u -g -s", &["runuser -u x -- rm -rf /"]).privileged(),
    wrap("sg", "", &["sg docker -c 'rm -rf /'"]).inner(Inner::Option("-c")),
    wrap("nix-shell", "-p --pure -I", &["nix-shell --run 'rm -rf /'"])
        .inner(Inner::Option("--run|--command")),
    wrap("nix", "", &["nix develop -c rm -rf /", "nix shell nixpkgs#x --command rm -rf /"])
        .sub("develop|shell"),
    wrap("cargo", "-w -i -d", &["cargo watch -s 'rm -rf /'"]).sub("watch").inner(Inner::Option("-s|--shell")),
    wrap("vagrant", "", &["vagrant ssh -c 'rm -rf /'"])
        .sub("ssh")
        .inner(Inner::Option("-c|--command"))
        .site(Site::Remote),
    wrap(
        "docker",
        DOCKER_RUN,
        &[
            "docker exec web rm -rf /",
            "docker run --rm -v /x:/y alpine rm -rf /",
            "docker container exec web rm -rf /",
        ],
    )
    .sub("run|exec|container run|container exec")
    .skip(1)
    .site(Site::Container),
    wrap("podman", DOCKER_RUN, &["podman run --rm alpine rm -rf /"])
        .sub("run|exec")
        .skip(1)
        .site(Site::Container),
    wrap("nerdctl", DOCKER_RUN, &["nerdctl run alpine rm -rf /"])
        .sub("run|exec")
        .skip(1)
        .site(Site::Container),
    wrap("docker-compose", DOCKER_RUN, &["docker-compose exec db rm -rf /"])
        .sub("run|exec")
        .skip(1)
        .site(Site::Container),
    wrap("kubectl", "-n --namespace -c --container --context -f", &["kubectl exec -it pod -- rm -rf /"])
        .sub("exec")
        .inner(Inner::Dashes)
        .site(Site::Container),
    wrap("oc", "-n --namespace -c", &["oc exec pod -- rm -rf /"])
        .sub("exec|rsh")
        .inner(Inner::Dashes)
        .site(Site::Container),
    wrap("lxc", "", &["lxc exec c -- rm -rf /"]).sub("exec").inner(Inner::Dashes).site(Site::Container),
    wrap("heroku", "-a --app", &["heroku run -a x rm -rf /"]).sub("run").site(Site::Remote),
    wrap(
        "ssh",
        "-i -p -o -l -F -J -L -R -D -b -c -E -m -S -W -w -e -B -I -O -Q",
        &["ssh host rm -rf /", "ssh -i k user@host 'rm -rf /'"],
    )
    .skip(1)
    .inner(Inner::Shell)
    .site(Site::Remote),
    wrap("mosh", "--ssh -p", &["mosh host -- rm -rf /"]).skip(1).site(Site::Remote),
    wrap("autossh", "-M -i -p -o -l", &["autossh host rm -rf /"])
        .skip(1)
        .inner(Inner::Shell)
        .site(Site::Remote),
    wrap("sshpass", "-p -f", &["sshpass -p x ssh host rm -rf /"]),
];

/// Returns the wrappers of this name.
pub(crate) fn named(name: &str) -> impl Iterator<Item = &'static Wrapper> {
    WRAPPERS.iter().filter(move |wrapper| wrapper.name == name)
}
