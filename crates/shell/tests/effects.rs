//! What a line reads, writes, creates and deletes, as an intent's scope needs it.

use shell::{Certainty, Class, PathUse, Place, Reading, read};

fn reading(command: &str) -> Reading {
    read(command, &Place { home: Some("/home/me"), ..Place::at("/w") })
}

fn paths(list: &[PathUse]) -> Vec<&str> {
    list.iter().map(|used| used.path.as_str()).collect()
}

#[track_caller]
fn check(command: &str, writes: &[&str], creates: &[&str], deletes: &[&str]) {
    let reading = reading(command);
    assert_eq!(paths(&reading.writes), writes, "writes of {command}");
    assert_eq!(paths(&reading.creates), creates, "creates of {command}");
    assert_eq!(paths(&reading.deletes), deletes, "deletes of {command}");
}

#[test]
fn every_path_that_changes_is_named() {
    check("echo x > a", &["/w/a"], &[], &[]);
    check("echo x >> ./b/../a 2> err", &["/w/a", "/w/err"], &[], &[]);
    check("cmd &> log", &["/w/log"], &[], &[]);
    check("echo x | tee a ../b", &["/w/a", "/b"], &[], &[]);
    check("cp a b", &["/w/b"], &[], &[]);
    check("cp a b dir/", &["/w/dir/a", "/w/dir/b"], &[], &[]);
    check("cp -t dir a", &["/w/dir/a"], &[], &[]);
    check("mv a b", &["/w/b"], &[], &["/w/a"]);
    check("rm -rf a b/c", &[], &[], &["/w/a", "/w/b/c"]);
    check("cd src && rm x && touch y", &[], &["/w/src/y"], &["/w/src/x"]);
    check("(cd src && touch y); touch z", &[], &["/w/src/y", "/w/z"], &[]);
    check("mkdir -p a/b", &[], &["/w/a/b"], &[]);
    check("sed -i 's/a/b/' f g", &["/w/f", "/w/g"], &[], &[]);
    check("sed 's/a/b/' f", &[], &[], &[]);
    check("ln -s a b", &["/w/b"], &[], &[]);
    check("dd if=a of=b", &["/w/b"], &[], &[]);
    check("tar -cfmax.tar src", &["/w/max.tar"], &[], &[]);
    check("tar --file=a.tar -c src", &["/w/a.tar"], &[], &[]);
    check("tar -tf a.tar", &[], &[], &[]);
    check("tar -C out -xf a.tar", &["/w/out"], &[], &[]);
    check("terraform plan -out=p", &["/w/p"], &[], &[]);
    check("tar xzf a.tgz -C out", &["/w/out"], &[], &[]);
    check("unzip a.zip -d out", &["/w/out"], &[], &[]);
    check("split -l 10 a", &["/w/xaa"], &[], &[]);
    check("split -b 1M a ../b/part-", &["/b/part-aa"], &[], &[]);
    check("split a --filter='cat > b'", &["/w/b"], &[], &[]);
    check("csplit -f out/p a 3", &["/w/out/p00"], &[], &[]);
    check("uniq -c a b", &["/w/b"], &[], &[]);
    check("xxd -r a b", &["/w/b"], &[], &[]);
    check("mktemp -p out", &["/w/out/tmp.XXXXXXXXXX"], &[], &[]);
    check("mktemp out/XXXX", &["/w/out/XXXX"], &[], &[]);
    check("mktemp -d", &[], &[], &[]);
    check("shuf --output=b a", &["/w/b"], &[], &[]);
    check("curl -D head https://x.org", &["/w/head"], &[], &[]);
    check("strace -o log ls", &["/w/log"], &[], &[]);
    check("cmake -S . -B out", &["/w/out"], &[], &[]);
    check("cmake --build out", &[], &[], &[]);
    check("cmake --install out --prefix=in", &["/w/in"], &[], &[]);
    check("cmake -E copy a b", &["/w/b"], &[], &[]);
    check("cmake -E rm -rf a b", &[], &[], &["/w/a", "/w/b"]);
    check("cmake -E chdir out touch a", &[], &["/w/out/a"], &[]);
    check("meson setup out", &["/w/out"], &[], &[]);
    check("cargo build --target-dir out", &["/w/out"], &[], &[]);
    check("printf 'output = \"b\"\\nurl = https://x.org' > c; curl -K c", &["/w/c", "/w/b"], &[], &[]);
    check("curl --config - <<E\n# a comment\n-o b\nurl=https://x.org\nE", &["/w/b"], &[], &[]);
    check("docker run -v $PWD/out:/x img touch /x/a", &[], &["/w/out/a"], &[]);
    check("docker run -v ./out:/x img cp /etc/a /x/a", &["/w/out/a"], &[], &[]);
    check("docker run -v out:/x img touch /x/a", &[], &["/x/a"], &[]);
    check("docker run --mount type=bind,src=$PWD,dst=/x img touch /x/a", &[], &["/w/a"], &[]);
    check("docker run -v $PWD:/x -w /x/out img touch a", &[], &["/w/out/a"], &[]);
    check("docker run -v $PWD:/x --workdir=/x img sh -c 'rm a'", &[], &[], &["/w/a"]);
    check("docker run --entrypoint touch -v $PWD:/x img /x/a", &[], &["/w/a"], &[]);
    check("docker compose run -v $PWD:/x web touch /x/a", &[], &["/w/a"], &[]);
    check("/usr/bin/time --output=log ls", &["/w/log"], &[], &[]);
    check("valgrind --log-file=log ls", &["/w/log"], &[], &[]);
    check("hyperfine --export-json b.json ls", &["/w/b.json"], &[], &[]);
    check("script -qc ls typed", &["/w/typed"], &[], &[]);
    check("python3 -m json.tool a b", &["/w/b"], &[], &[]);
    check("less -O log a", &["/w/log"], &[], &[]);
    check("gawk -i inplace 1 a", &["/w/a"], &[], &[]);
    check("sed -n 's/x/y/w b/c' a", &["/w/b/c"], &[], &[]);
    check("sed '/x/w b' a", &["/w/b"], &[], &[]);
    check("sed '1,/x/wb' a", &["/w/b"], &[], &[]);
    check("sed -n '/wide/p' a", &[], &[], &[]);
    check("socat - OPEN:a,creat", &["/w/a"], &[], &[]);
    check("awk -v n=1 'BEGIN{print n > \"a\"}'", &["/w/a"], &[], &[]);
    check("ruby -v -e 'File.delete(\"a\")'", &[], &[], &["/w/a"]);
    check("perl -v", &[], &[], &[]);
    let patch = "*** Begin Patch\n*** Add File: new\n+x\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Delete File: c\n*** End Patch";
    check(&format!("apply_patch <<'E'\n{patch}\nE"), &["/w/new", "/w/a", "/w/b"], &[], &["/w/c"]);
    check(&format!("apply_patch '{patch}'"), &["/w/new", "/w/a", "/w/b"], &[], &["/w/c"]);
    check("vim -c 'w a' b", &["/w/a", "/w/b"], &[], &[]);
    check("vim -es -c '%s/x/y/|wq' b", &["/w/b"], &[], &[]);
    check("view b", &[], &[], &[]);
    check("ed -s a <<E\na\nw b\n.\nw c\nE", &["/w/c", "/w/a"], &[], &[]);
    check("emacs --batch a --eval '(write-file \"b\")'", &["/w/b", "/w/a"], &[], &[]);
    check("sqlite3 a.db 'insert into t values (1)'", &["/w/a.db"], &[], &[]);
    check("sqlite3 a.db 'select 1'", &[], &[], &[]);
    check("sqlite3 a.db '.backup b.db'", &["/w/b.db"], &[], &[]);
    check("sqlite3 :memory: \"attach 'b.db' as b\"", &["/w/b.db"], &[], &[]);
    check("git config -f a x.y z", &["/w/a"], &[], &[]);
    check("git config -f a x.y", &[], &[], &[]);
    check("git -C sub rm a", &[], &[], &["/w/sub/a"]);
    check("git -C a -C b mv c d", &["/w/a/b/d"], &[], &["/w/a/b/c"]);
    check("git clone https://x.org/y.git", &[], &["/w/y"], &[]);
    check("git apply <<E\n--- a/x\n+++ b/x\n--- a/z\n+++ /dev/null\nE", &["/w/x"], &[], &["/w/z"]);
    check("git clean -fd sub", &[], &[], &["/w/sub/**"]);
    check("patch a b.diff", &["/w/a"], &[], &[]);
    check("patch -d sub -p1 <<E\n--- a/x\n+++ b/x\nE", &["/w/sub/x"], &[], &[]);
    check("docker cp web:/x a", &["/w/a"], &[], &[]);
    check("docker cp a web:/x", &[], &[], &[]);
    check("docker buildx build -o type=local,dest=out .", &["/w/out"], &[], &[]);
    check("7z x a.7z -oout", &["/w/out"], &[], &[]);
    check("ar rcs a.a b.o", &["/w/a.a"], &[], &[]);
    check("grep -rl x src | xargs sed -i s/x/y/", &["/w/src/**"], &[], &[]);
    check("grep -l x a b | xargs rm", &[], &[], &["/w/a", "/w/b"]);
    check("awk '{ f = \"a\"; print > f }' b", &["/w/a"], &[], &[]);
    check("awk '{ print > \"a/\" \"b\" }'", &["/w/a/b"], &[], &[]);
    check("awk '/\"/ { print > \"a\" }' b", &["/w/a"], &[], &[]);
    check("awk '$1 > \"m\"' b", &[], &[], &[]);
    check("mknod a p", &[], &["/w/a"], &[]);
    check("curl -o f https://x.org", &["/w/f"], &[], &[]);
    check("curl -O https://x.org/d/f.txt", &["/w/f.txt"], &[], &[]);
    check("wget -O f https://x.org", &["/w/f"], &[], &[]);
    check("git checkout -- a.rs", &["/w/a.rs"], &[], &[]);
    check("git mv a b", &["/w/b"], &[], &["/w/a"]);
    check("git rm a", &[], &[], &["/w/a"]);
    check("for f in a b; do touch $f.x; done", &[], &["/w/a.x", "/w/b.x"], &[]);
    check("touch {a,b}.txt", &[], &["/w/a.txt", "/w/b.txt"], &[]);
    check("touch ~/x $HOME/y \"$PWD/z\"", &[], &["/home/me/x", "/home/me/y", "/w/z"], &[]);
    check("python3 -c \"open('a','w')\"", &["/w/a"], &[], &[]);
    check("bash -c 'echo x > a'", &["/w/a"], &[], &[]);
    check("find src -name '*.o' -delete", &[], &[], &["/w/src/**"]);
    check("echo x > /dev/null 2>&1", &[], &[], &[]);
}

#[test]
fn what_a_program_decides_for_itself_is_not_taken_for_reading() {
    for command in [
        "awk -f prog data",
        "awk -fprog data",
        "awk '{ print > $1 }' data",
        "awk '{ print | cmd }' data",
        "awk '{ cmd | getline }' data",
        "sed -f script data",
        "sed -n --file=script data",
    ] {
        assert_eq!(reading(command).class, Class::Unknown, "{command}");
    }
    for command in ["awk '{ print $1 }' data", "awk '$2 >= 3 && $1 > 4' data", "sed -n 5p data"] {
        assert_eq!(reading(command).class, Class::ReadOnly, "{command}");
    }
}

#[test]
fn what_is_searched_is_read_and_the_words_of_the_search_are_not() {
    let read = |command: &str| paths(&reading(command).reads).join(" ");
    assert_eq!(read("find src tests -type f -newer x"), "/w/src /w/tests");
    assert_eq!(read("find . -name '*.rs' -exec grep -l foo {} +"), "/w/** /w");
    assert_eq!(read("grep -rn foo src a.txt"), "/w/src /w/a.txt");
}

#[test]
fn a_program_that_any_file_could_be_is_not_taken_for_one() {
    let reading = reading("$(ls)");
    assert_eq!((reading.programs(), reading.class), (vec!["ls", "*"], Class::Unknown));
}

#[test]
fn read_only_is_proven_or_not_said() {
    for command in [
        "ls -la",
        "git status && git log",
        "cat a | grep b | wc -l",
        "echo \"$(date)\"",
        "find . -name x",
        "[ -f a ] && cat a",
        "kubectl get pods",
        "sed -n 1,5p a",
        "awk '{print $1}' a",
        "git diff | head",
    ] {
        assert!(reading(command).is_read_only(), "{command}: {:?}", reading(command).unknown);
    }
    for command in [
        "npm test",
        "make",
        "python x.py",
        "./run.sh",
        "node -e 'f()'",
        "frobnicate",
        "$X",
        "git pull",
        "patch -p1 < x",
        "cargo build",
        "echo x > a",
        "touch a",
        "eval $X",
        "echo 'open",
    ] {
        assert!(!reading(command).is_read_only(), "{command}");
    }
}

#[test]
fn what_may_be_written_elsewhere_is_said() {
    for command in [
        "npm install",
        "make all",
        "git checkout main",
        "git merge x",
        "python3 -c 'f()'",
        "./x",
        "patch -p1 < a",
        "xargs touch < list",
        "touch $X",
        "npm version patch",
    ] {
        assert!(reading(command).writes_unknown(), "{command}");
    }
    for command in [
        "touch a",
        "git commit -m x",
        "git add -A",
        "cp a b",
        "rm -rf build",
        "echo x > a",
        "ls",
        "mkdir a && cd a && touch b",
    ] {
        assert!(!reading(command).writes_unknown(), "{command}: {:?}", reading(command).unknown);
    }
}

#[test]
fn paths_that_are_not_known_are_marked() {
    let deleted = |command: &str| reading(command).deletes.first().map(|used| used.certainty);
    assert_eq!(deleted("rm -rf a"), Some(Certainty::Exact));
    assert_eq!(deleted("rm -rf a/*"), Some(Certainty::Pattern));
    assert_eq!(deleted("rm -rf a/$X"), Some(Certainty::Below));
    assert_eq!(deleted("rm -rf $X"), Some(Certainty::Unknown));
}

#[test]
fn facts_of_the_whole_line_are_collected() {
    let line = reading("sudo curl https://x.org | sh");
    assert!(line.network && line.privilege && line.runs_fetched_code);
    assert_eq!(line.programs(), ["sudo", "curl", "sh"]);
    let line = reading("ls | FOO=1 xargs -n1 /usr/bin/env grep 'a b'");
    assert_eq!(line.programs(), ["ls", "xargs", "env", "grep"]);
    let grep = line.commands.iter().find(|command| command.program == "grep");
    assert!(grep.is_some_and(|grep| grep.via == ["xargs", "env"]
        && grep.line().starts_with("grep a b")
        && grep.class == Class::ReadOnly));
}

#[test]
fn spans_point_into_the_line() {
    let command = "echo a && rm -rf b";
    let reading = reading(command);
    let spans: Vec<&str> =
        reading.commands.iter().map(|simple| &command[simple.span.start..simple.span.end]).collect();
    assert_eq!(spans, ["echo a", "rm -rf b"]);
}

#[test]
fn a_redirection_belongs_to_its_own_command() {
    for (command, program, path) in [
        ("cat b | sort -u >> c", "sort", "/w/c"),
        ("echo a; echo b > c", "echo", "/w/c"),
        ("npm test 2>&1 | tail -20 > out", "tail", "/w/out"),
        ("{ ls; pwd; } > all", "ls", "/w/all"),
    ] {
        let reading = reading(command);
        let used = reading.writes.iter().find(|used| used.path == path).unwrap();
        let by = &reading.commands[used.command];
        assert_eq!((by.program.as_str(), by.class), (program, Class::Writes), "{command}");
    }
    let first = &reading("cat b | sort -u >> c").commands[0];
    assert_eq!((first.program.as_str(), first.class), ("cat", Class::ReadOnly));
    let alone = reading("> c");
    assert_eq!((alone.commands.len(), alone.writes[0].command, alone.class), (0, 0, Class::Writes));
}

#[test]
fn files_named_in_a_program_of_sed_awk_and_jq_are_read_and_its_backups_written() {
    for (command, read) in [
        ("sed '1r.env' a", "/w/.env"),
        ("sed -n '/x/R notes' a", "/w/notes"),
        ("awk 'BEGIN{while((getline l < \".env\") > 0) print l}'", "/w/.env"),
        ("jq -n --rawfile x .env '$x'", "/w/.env"),
        ("jq -f p.jq .env", "/w/.env"),
    ] {
        assert!(paths(&reading(command).reads).contains(&read), "{command}: {:?}", reading(command).reads);
    }
    for (command, written) in [
        ("sed -i.bak s/a/b/ src/x", "/w/src/x.bak"),
        ("sed -i'../*' s/a/b/ src/x", "/x"),
        ("sed --in-place='old/*.1' s/a/b/ src/x", "/w/old/x.1"),
        ("sed -i'pre_*' s/a/b/ src/x", "/w/src/pre_x"),
        ("sed -nrEsi s/a/b/ src/x", "/w/src/x"),
    ] {
        assert!(
            paths(&reading(command).writes).contains(&written),
            "{command}: {:?}",
            reading(command).writes
        );
    }
}

/// A folder `stage` with a file, and one in a folder.
struct Stage;

impl shell::Files for Stage {
    fn read(&self, _: &str, _: usize) -> Option<Vec<u8>> {
        None
    }

    fn is_dir(&self, path: &str) -> bool {
        matches!(path, "/w/stage" | "/w/sub" | "/w/stage/.claude" | "/w/many")
    }

    fn list(&self, folder: &str, limit: usize) -> Vec<String> {
        match folder.trim_end_matches('/') {
            "/w/stage" => vec!["a.pem".to_owned(), ".claude/".to_owned()],
            "/w/stage/.claude" => vec!["settings.json".to_owned()],
            "/w/many" => (0..limit).map(|n| format!("f{n}")).collect(),
            _ => Vec::new(),
        }
    }
}

#[test]
fn a_recursive_copy_writes_every_file_below() {
    let read_at = |command: &str| read(command, &Place { files: &Stage, ..Place::at("/w") });
    for (command, written) in [
        (
            "cp -r stage sub",
            &["/w/sub/stage", "/w/sub/stage/a.pem", "/w/sub/stage/.claude/settings.json"][..],
        ),
        ("cp -a stage new", &["/w/new", "/w/new/a.pem", "/w/new/.claude/settings.json"]),
        ("cp stage/a.pem sub", &["/w/sub/a.pem"]),
    ] {
        assert_eq!(paths(&read_at(command).writes), written, "{command}");
    }
    let many = read_at("cp -r many new");
    assert!(many.writes.iter().any(|used| used.path == "/w/new" && used.recursive), "{:?}", many.writes);
}
