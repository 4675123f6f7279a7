//! Programs that write files, one after the other: where the command line shows the file, the gate
//! holds it against the scope; where it does not, the look afterwards finds it.

use std::process::Command;

use serde_json::json;

use crate::one_liners::{FINE_ONE_LINERS, ONE_LINERS};
use crate::world::{World, refusal, told};

/// Commands that write to `@`, each of which passes with a file of the scope and none with another.
const COMMANDS: &[&str] = &[
    // Editors.
    "vim -c w @",
    "vim -c wq -- @",
    "vim -es -c '%s/a/b/' -c wq @",
    "vim -c 'w! @' src/a.ts",
    "vim -c 'silent saveas @' src/a.ts",
    "vim '+w @' src/a.ts",
    "vim -c 'e @' -c 'normal dd' -c w src/a.ts",
    "vim -c \"exe 'w @'\" src/a.ts",
    "vim -c '1|w @' src/a.ts",
    "vim -w @ src/a.ts",
    "vim -c ':!touch @' src/a.ts",
    "vim -c 'w !tee @' src/a.ts",
    "nvim --headless +wq @",
    "vi -c x @",
    "view -c 'w!' @",
    "ex -c wq @",
    "ex -sc '%s/a/b/|x' @",
    "ex -s @ <<E\n1d\nwq\nE",
    "ed -s @ <<E\n1d\nw\nq\nE",
    "printf '1d\\nw\\n' | ed @",
    "ed -s src/a.ts <<E\na\ntext\n.\nw @\nq\nE",
    "echo 'w @' | ed src/a.ts",
    "emacs --batch @ -f save-buffer",
    "emacs --batch --eval '(write-file \"@\")' src/a.ts",
    "nano @",
    // Databases that are files.
    "sqlite3 @ 'create table t(x)'",
    "sqlite3 @ < src/a.sql",
    "echo 'insert into t values (1)' | sqlite3 @",
    "sqlite3 src/d.db '.backup @'",
    "sqlite3 src/d.db '.output @' 'select 1'",
    "sqlite3 src/d.db \"vacuum into '@'\"",
    "sqlite3 src/d.db \"attach '@' as x; create table x.t(y)\"",
    "sqlite3 src/d.db \".once '|tee @'\"",
    "duckdb src/d.db \"copy t to '@'\"",
    "psql -o @ -c 'select 1'",
    "psql -c '\\copy t to @'",
    "pg_dump -f @ db",
    "mysqldump -r @ db",
    // git.
    "git config --file @ a.b c",
    "git config -f @ --unset a.b",
    "git -C . config --file=@ a.b c",
    "git apply <<E\n--- a/@\n+++ b/@\n@@ -1 +1 @@\n-a\n+b\nE",
    "git apply <<E\n--- a/@\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\nE",
    "git rm @",
    "git mv @ src/moved.ts",
    "git mv src/a.ts @",
    "git archive -o @ HEAD",
    "git bundle create @ HEAD",
    "git format-patch -o @ HEAD~1",
    "git diff --output=@",
    "git clone https://example.org/x.git @",
    "git worktree add @",
    "git init @",
    // Containers and other machines.
    "docker cp web:/x @",
    "docker container cp web:/x @",
    "podman cp web:/x @",
    "docker save -o @ image",
    "docker export --output=@ web",
    "docker buildx build -o type=local,dest=@ .",
    "kubectl cp pod:/x @",
    "scp host:x @",
    "rsync -a host:x @",
    "rsync -a --log-file=@ src/sub/ src/copy",
    "rclone copyto r:x @",
    "gsutil cp gs://b/x @",
    "aws s3 cp s3://b/x @",
    "az storage blob download -f @ -n x",
    "gh release download -O @",
    "gh repo clone a/b @",
    "curl -o @ https://example.org",
    "curl --output=@ https://example.org",
    "curl -c @ https://example.org",
    "curl --trace @ https://example.org",
    "wget -O @ https://example.org",
    "wget -O@ https://example.org",
    "wget -o @ -O - https://example.org",
    // Copies, links, pieces, archives.
    "cp src/a.ts @",
    "mv src/a.ts @",
    "install -m 644 src/a.ts @",
    "install -D src/a.ts @",
    "ln -f src/a.ts @",
    "ln -sf ../src/a.ts @",
    "split -l 1 src/a.ts @",
    "csplit -f @ src/a.ts 3",
    "dd if=src/a.ts of=@",
    "echo x | tee -a @",
    "sponge @ < src/a.ts",
    "truncate -s 0 @",
    "zip @ src/a.ts",
    "tar cf @ src/sub",
    "tar -xf a.tar -C @",
    "tar x --directory=@ -f a.tar",
    "bsdtar -xf a.tar -C @",
    "unzip -d @ a.zip",
    "7z x a.7z -o@",
    "7z a @ src/a.ts",
    "cpio -id -D @ < a.cpio",
    "ar rcs @ src/a.o",
    "zstd src/a.ts -o @",
    "gzip @",
    "patch @ src/a.diff",
    "patch -o @ src/a.ts src/a.diff",
    "patch -p1 <<E\n--- a/@\n+++ b/@\n@@ -1 +1 @@\n-a\n+b\nE",
    // Filters that write.
    "sed -i s/a/b/ @",
    "sed -i.bak s/a/b/ @",
    "sed --in-place=.b s/a/b/ @",
    "sed -n 'w @' src/a.ts",
    "perl -i -pe s/a/b/ @",
    "perl -pi.bak -e s/a/b/ @",
    "perl -e 'open(F, \">@\")'",
    "ruby -i -pe 1 @",
    "ruby -e 'File.write(\"@\", 1)'",
    "awk '{print > \"@\"}' src/a.ts",
    "awk '{print >> \"@\"}' src/a.ts",
    "awk '{print | \"tee @\"}' src/a.ts",
    "gawk -i inplace 1 @",
    "python3 -c \"open('@','w')\"",
    "python3 -c \"import pathlib; pathlib.Path('@').write_text('x')\"",
    "python3 - <<E\nopen('@','a').write('x')\nE",
    "node -e \"require('fs').writeFileSync('@','x')\"",
    "php -r 'file_put_contents(\"@\", 1);'",
    "yq -i .a=1 @",
    "sort -o @ src/a.ts",
    "uniq src/a.ts @",
    "openssl rand -out @ 32",
    "gpg -o @ -d src/a.gpg",
    "base64 -o @ -i src/a.ts",
    "find src/sub -fprint @",
    "find src/sub -fprintf @ %p",
    "find src/sub -exec cp {} @ \\;",
    "find @ -delete",
    "find @ -name x -exec rm {} \\;",
    "echo @ | xargs rm",
    "echo a | xargs -I{} cp src/{} @",
    "grep -l x @ | xargs sed -i s/a/b/",
    "fd . @ -x rm",
    "chmod +x @",
    "setfacl -m u:me:r @",
    "shred -u @",
    "unlink @",
    "mkfifo @",
    "mknod @ p",
    // Compilers and formatters.
    "gcc src/a.c -o @",
    "rustc src/a.rs -o @",
    "go build -o @ ./src",
    "tsc --outFile @",
    "esbuild src/a.ts --outfile=@",
    "prettier --write @",
    "gofmt -w @",
    "objcopy src/a.o @",
    "cargo new @",
    "script -qc ls @",
    "pip install --target @ x",
    "cargo install --root @ x",
    "protoc --go_out=paths=source_relative:@ a.proto",
    "dot -Tsvg src/a.dot -o @",
    "python3 -m venv @",
    "python3 -m tarfile -e a.tar @",
    "deno eval 'Deno.writeTextFileSync(\"@\", \"x\")'",
    "bun -e 'Bun.write(\"@\", \"x\")'",
    "awk -v f=@ '{ print > f }' src/a.ts",
    "vim -c 'call writefile([\"x\"], \"@\")' -c q",
    "tar --create --file=@ src/sub",
    "tar -cf@ src/sub",
    "mysqldump --tab=@ db",
    "terraform plan -out=@",
    "kubectl kustomize src/sub -o @",
    "helm template --output-dir @ x",
    "helm pull x -d @",
    "docker compose cp web:/x @",
    "xh -d -o @ https://example.org",
    "git checkout-index --prefix=@ -a",
    // Builds that say where, containers that see a folder of the workspace.
    "cmake -S . -B @",
    "cmake -S src -B@ -G Ninja",
    "cmake --install src/build --prefix @",
    "cmake -E copy src/a.ts @",
    "cmake -E touch @",
    "cmake -E make_directory @",
    "cmake -E remove_directory @",
    "meson setup @",
    "cargo build --target-dir @",
    "printf 'output = \"@\"\\n' | curl -K - https://example.org",
    "docker run -v $PWD:/w img touch /w/@",
    "docker run -v .:/w -w /w img sh -c 'echo x > @'",
    "docker run --mount type=bind,source=$PWD,target=/w --workdir /w img touch @",
    "docker run --entrypoint touch -v $PWD:/w img /w/@",
];

/// Commands that write to a place of their own choosing, or to all of several files.
const FORBIDDEN: &[&str] = &[
    "git clean -fd",
    "git clean -fdx -- lib",
    "git -C lib rm c.ts",
    "git -C lib mv c.ts d.ts",
    "git --work-tree=lib checkout -- c.ts",
    "git checkout -- lib/c.ts",
    "git checkout HEAD~1 -- lib",
    "git restore .",
    "git restore --source=HEAD~1 lib",
    "git apply --directory=lib src/none.patch",
    "git clone https://example.org/x.git",
    "git submodule add https://example.org/x.git src/x",
    "git format-patch HEAD~1",
    "patch -p1 -d lib < src/none.diff",
    "tar xf a.tar",
    "7z x a.7z",
    "ar x src/a.a",
    "cpio -id < a.cpio",
    "pax -r -f a.pax",
    "cd lib && curl -O https://example.org/f",
    "curl -O --output-dir lib https://example.org/f",
    "wget -P lib https://example.org/f",
    "gh run download 7",
    "cp -t lib src/a.ts",
    "cp -tlib src/a.ts",
    "mv --target-directory=lib src/a.ts",
    "install -t lib src/a.ts",
    "ls lib | xargs -I{} rm lib/{}",
    "git ls-files | xargs sed -i s/a/b/",
    "grep -rl x lib | xargs sed -i s/a/b/",
    "rg -l x lib | xargs perl -pi -e s/a/b/",
    "rg -l x | xargs sed -i s/a/b/",
    // The governor's own commands.
    "steersman intent new X --scope '**'",
    "cd src && steersman intent new X --scope '**'",
    "steersman intent status INT-002 IN_PROGRESS",
    "steersman intent expand INT-001 '**'",
    "steersman --workspace . intent expand INT-001 '**'",
    "steersman uninstall",
    "steersman session allow X",
];

/// Commands that look like one of those and write nothing out of scope.
const FINE: &[&str] = &[
    "view lib/c.ts",
    "vim -s lib/keys src/a.ts",
    "ed -s src/a.ts <<E\na\nw lib/c.ts\n.\nw\nq\nE",
    "sqlite3 lib/d.db 'select 1'",
    "sqlite3 -readonly lib/d.db 'pragma x=1'",
    "sqlite3 lib/d.db '.backup src/b.db'",
    "sqlite3 lib/d.db .dump > src/dump.sql",
    "git config --file lib/f --get a.b",
    "git -C src rm a.ts",
    "git clean -n",
    "docker cp lib/c.ts web:/x",
    "docker cp web:/x -",
    "patch src/a.ts lib/p.diff",
    "7z l lib/a.7z",
    "ar t lib/a.a",
    "grep -rl x lib | xargs wc -l",
    "rg -l x src | xargs sed -i s/a/b/",
    "gsutil cp lib/c.ts gs://b/x",
    "rclone copy lib r:x",
    "cmake --build src/build",
    "cmake -E cat lib/c.ts",
    "curl -K lib/config https://example.org",
    "docker run -v $PWD/lib:/w img",
    "docker run -v lib:/w img touch /w/x",
    "docker run -v $PWD/lib:/w:ro img cat /w/c.ts",
    "npm --prefix lib install",
    "npm -C lib run build",
    "less +G lib/c.ts",
    "man ls",
    "steersman intent list",
    "steersman intent check lib/c.ts",
    "steersman intent select INT-001",
];

fn world() -> World {
    let world = World::new();
    world.select("INT-001");
    for path in ["src/a.ts", "src/sub/b.ts", "lib/c.ts", "src/a.sql"] {
        world.write(path, "content\n");
    }
    // This is about the gate; the guard has tests of its own.
    world.sandbox.manifest(&json!({"modules": {"shell-guard": {"enabled": false}}}));
    world
}

/// Commands whose writes are unknown beforehand, which need an intent.
const NEED_AN_INTENT: &[&str] = &[
    "curl -K src/config https://example.org",
    "docker run -v $PWD:/w img ls",
    "npm --prefix src install",
    "cmake --build src/build",
    "perl -e 'do \"./x.pl\"'",
    "ruby -e 'load \"./x.rb\"'",
    "python3 -c 'import mine'",
    "node -e 'require(\"./mine\")'",
];

fn asked(world: &World, id: &str, command: &str) -> Option<String> {
    refusal(&world.claude("s").before(id, "Bash", &json!({"command": command})))
}

/// Returns the answer to each command that differs from the expected one.
fn wrongly_answered<'a>(
    world: &World,
    commands: impl IntoIterator<Item = &'a str>,
    is_right: impl Fn(Option<&str>) -> bool,
) -> Vec<String> {
    let answers = commands.into_iter().map(|command| (command, asked(world, command, command)));
    let wrong = answers.filter(|(_, reason)| !is_right(reason.as_deref()));
    wrong.map(|(command, reason)| format!("{command}: {reason:?}")).collect()
}

fn is_violation(reason: Option<&str>) -> bool {
    reason.is_some_and(|it| it.starts_with("Scope Violation: INT-001 is not authorized to edit "))
}

#[test]
fn a_file_that_the_command_line_shows_is_held_against_the_scope() {
    let world = world();
    let with = |path: &str| -> Vec<String> {
        COMMANDS.iter().chain(ONE_LINERS).map(|command| command.replace('@', path)).collect()
    };
    let outside = with("lib/new");
    let wrong = wrongly_answered(&world, outside.iter().map(String::as_str), is_violation);
    assert!(wrong.is_empty(), "not refused:\n{}", wrong.join("\n"));
    let inside = with("src/new");
    let wrong = wrongly_answered(&world, inside.iter().map(String::as_str), |reason| reason.is_none());
    assert!(wrong.is_empty(), "refused:\n{}", wrong.join("\n"));
}

#[test]
fn a_place_that_the_command_chooses_is_held_against_the_scope() {
    let world = world();
    let wrong = wrongly_answered(&world, FORBIDDEN.iter().copied(), is_violation);
    assert!(wrong.is_empty(), "not refused:\n{}", wrong.join("\n"));
    let fine = FINE.iter().chain(FINE_ONE_LINERS).copied();
    let wrong = wrongly_answered(&world, fine, |reason| reason.is_none());
    assert!(wrong.is_empty(), "refused:\n{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_known_beforehand_takes_an_intent() {
    let world = World::new();
    world.sandbox.manifest(&json!({"modules": {"shell-guard": {"enabled": false}}}));
    for command in NEED_AN_INTENT {
        let reason = asked(&world, command, command).unwrap_or_else(|| panic!("passed: {command}"));
        assert!(reason.starts_with("No active intent selected. "), "{command}: {reason}");
    }
    world.select("INT-001");
    for command in NEED_AN_INTENT {
        assert_eq!(asked(&world, &format!("{command} again"), command), None, "{command}");
    }
}

#[test]
fn a_patch_on_the_disk_is_read_for_the_files_it_names() {
    let world = world();
    let patch = |file: &str| format!("--- a/{file}\n+++ b/{file}\n@@ -1 +1 @@\n-content\n+changed\n");
    world.write("src/out.patch", patch("lib/c.ts"));
    world.write("src/in.patch", patch("src/a.ts"));
    for command in ["git apply", "git am", "patch -p1 -i", "patch -p1 <"] {
        let line = |patch: &str| format!("{command} src/{patch}.patch");
        assert!(asked(&world, &line("out"), &line("out")).is_some(), "{}", line("out"));
        assert_eq!(asked(&world, &line("in"), &line("in")), None, "{}", line("in"));
    }
}

/// Commands whose file stands in a program, not on the command line; each writes `lib/c.ts`.
const HIDDEN: &[(&str, &str, &str)] = &[
    ("src/p.awk", "{ print > $1 }", "echo lib/c.ts | awk -f src/p.awk"),
    ("src/p.txt", "lib/c.ts", "cp src/a.ts \"$(cat src/p.txt)\""),
    ("src/names", "lib/c.ts", "xargs -a src/names cp src/a.ts"),
    ("src/x", "lib/c.ts", "read -r name < src/x || true; echo x > \"$name\""),
];

#[test]
fn a_file_that_only_a_program_names_is_found_afterwards() {
    for (file, content, command) in HIDDEN {
        let world = world();
        world.write(file, content);
        // File systems count time in steps; what was written before must be older.
        std::thread::sleep(std::time::Duration::from_millis(20));
        let claude = world.claude("s");
        let input = json!({"command": command});
        assert_eq!(refusal(&claude.before("h", "Bash", &input)), None, "{command}");
        let done =
            Command::new("sh").args(["-c", command]).current_dir(world.sandbox.root()).status().unwrap();
        assert!(done.success(), "{command}");
        let said = told(&claude.after("h", "Bash", &input));
        assert!(said.starts_with("Scope Drift: ") && said.contains("- lib/c.ts: "), "{command}: {said}");
        assert_eq!(world.events("SCOPE_DRIFT").len(), 1, "{command}");
    }
}
