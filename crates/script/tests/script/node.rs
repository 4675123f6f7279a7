//! The part of Node that modules may use.

use serde_json::{Value, json};

use crate::project::Project;

/// Runs `body` after these imports, in a project with a few files.
fn run(imports: &str, body: &str) -> Result<Value, String> {
    let project = Project::new(&format!(
        "{imports}\nexport default {{ name: 'p', supports: [], async handle(eventName, ctx) {{ {body} }} }};"
    ));
    project.write("src/a.txt", "grüße\n");
    project.write("src/sub/b.json", "{\"b\": 1}");
    std::os::unix::fs::symlink("/etc/passwd", project.root.join("src/link")).unwrap();
    std::os::unix::fs::symlink("/etc", project.root.join("etc")).unwrap();
    project.outcome()
}

#[test]
fn path_is_posix_path() {
    assert_eq!(
        run(
            "import path, { join, sep } from 'node:path'; import posix from 'node:path/posix';",
            "return { join: join('/a', '../b', 'c'), resolve: path.resolve('/x', 'y', '..', 'z'), cwd: path.resolve() === process.cwd(),
              rel: path.relative('/a/b', '/a/c'), dir: path.dirname('/a/b.c'), base: path.basename('/a/b.c', '.c'), ext: path.extname('b.c'),
              norm: path.normalize('a//b/../c/'), abs: path.isAbsolute('/a'), sep, parse: path.parse('/a/b.c'),
              format: path.format({ dir: '/a', name: 'b', ext: 'c' }), again: path.format(path.parse('/x/y.z')), root: path.format({ root: '/', base: 'q' }),
              same: posix === path && path.posix === path };",
        ),
        Ok(json!({
            "join": "/b/c", "resolve": "/x/z", "cwd": true, "rel": "../c", "dir": "/a", "base": "b", "ext": ".c",
            "norm": "a/c/", "abs": true, "sep": "/",
            "parse": {"root": "/", "dir": "/a", "base": "b.c", "ext": ".c", "name": "b"},
            "format": "/a/b.c", "again": "/x/y.z", "root": "/q", "same": true,
        }))
    );
    assert!(run("import { join } from 'path';", "join(1);").unwrap_err().starts_with("TypeError"));
}

#[test]
fn files_of_the_workspace_can_be_read() {
    assert_eq!(
        run(
            "import fs, { readFileSync } from 'node:fs'; import { readFile, readdir } from 'fs/promises';",
            "const bytes = readFileSync('src/a.txt');
             const stat = fs.statSync('src/a.txt');
             return { text: readFileSync('src/a.txt', 'utf8'), opt: readFileSync('src/a.txt', { encoding: 'utf-8' }), n: bytes.length,
               bytes: bytes.toString(), hex: bytes.toString('hex'), later: JSON.parse(await readFile('src/sub/b.json', 'utf8')),
               abs: readFileSync(process.cwd() + '/src/a.txt', 'utf8').length, list: fs.readdirSync('src'), async: await readdir('src/sub'),
               kinds: fs.readdirSync('src', { withFileTypes: true }).map((e) => [e.name, e.isDirectory(), e.isSymbolicLink()]),
               size: stat.size, file: stat.isFile(), recent: Date.now() - stat.mtimeMs < 1e6, date: stat.mtime instanceof Date,
               exists: [fs.existsSync('src'), fs.existsSync('nope'), fs.existsSync('/etc/passwd'), fs.existsSync('src/link')],
               none: fs.statSync('nope', { throwIfNoEntry: false }) === undefined, link: fs.lstatSync('src/link').isSymbolicLink() };",
        ),
        Ok(json!({
            "text": "grüße\n", "opt": "grüße\n", "n": 8, "bytes": "grüße\n", "hex": "6772c3bcc39f650a", "later": {"b": 1},
            "abs": 6, "list": ["a.txt", "link", "sub"], "async": ["b.json"],
            "kinds": [["a.txt", false, false], ["link", false, true], ["sub", true, false]],
            "size": 8, "file": true, "recent": true, "date": true, "exists": [true, false, false, false],
            "none": true, "link": true,
        }))
    );
}

#[test]
fn reading_stops_at_the_workspace() {
    for path in [
        "/etc/passwd",
        "../../../../../../../etc/passwd",
        "src/link",
        "etc/passwd",
        "/proc/self/environ",
        "/no/such",
    ] {
        for call in ["readFileSync", "statSync", "readdirSync", "realpathSync", "accessSync"] {
            let body = format!("try {{ fs.{call}('{path}'); }} catch (e) {{ return {{ code: e.code }}; }}");
            assert_eq!(run("import fs from 'fs';", &body), Ok(json!({"code": "EACCES"})), "{call} {path}");
        }
    }
}

#[test]
fn errors_are_those_of_node() {
    for (call, code) in [
        ("readFileSync('nope')", "ENOENT"),
        ("readFileSync('src')", "EISDIR"),
        ("readdirSync('src/a.txt')", "ENOTDIR"),
        ("readFileSync('src/a.txt/x')", "ENOTDIR"),
        ("readFileSync('src/a\\0b')", "EINVAL"),
        ("statSync('nope')", "ENOENT"),
    ] {
        let body = format!(
            "try {{ fs.{call}; }} catch (e) {{ return {{ code: e.code, is: e instanceof Error }}; }}"
        );
        assert_eq!(run("import fs from 'fs';", &body), Ok(json!({"code": code, "is": true})), "{call}");
    }
    assert_eq!(
        run("import fs from 'fs';", "fs.readFileSync('nope');"),
        Err("Error: ENOENT: no such file or directory, open 'nope'".to_owned())
    );
}

#[test]
fn a_file_has_a_size_and_a_pipe_is_no_file() {
    let mut project = Project::new(
        "import fs from 'fs'; export default { name: 'p', supports: [], handle: (e, ctx) => ({ n: fs.readFileSync(ctx.event.file).length }) };",
    );
    project.limits.file = 10;
    project.write("ten", "0123456789");
    project.write("eleven", "0123456789a");
    assert_eq!(project.ask(&json!({"event": {"file": "ten"}})).unwrap().action, json!({"n": 10}));
    let error = project.ask(&json!({"event": {"file": "eleven"}})).unwrap_err().to_string();
    assert!(error.starts_with("Error: EFBIG"), "{error}");
    let made = std::process::Command::new("mkfifo").arg(project.root.join("pipe")).status();
    if made.is_ok_and(|status| status.success()) {
        let error = project.ask(&json!({"event": {"file": "pipe"}})).unwrap_err().to_string();
        assert!(error.starts_with("Error: EIO: not a regular file"), "{error}");
    }
}

#[test]
fn nothing_can_be_written() {
    for call in [
        "fs.writeFileSync('x', 'y')",
        "fs.appendFileSync('x', 'y')",
        "fs.mkdirSync('x')",
        "fs.rmSync('src', { recursive: true })",
        "fs.renameSync('src', 'y')",
        "fs.unlinkSync('src/a.txt')",
        "await fs.promises.writeFile('x', 'y')",
        "await promises.rm('src')",
    ] {
        let error =
            run("import fs from 'node:fs'; import promises from 'node:fs/promises';", &format!("{call};"))
                .unwrap_err();
        assert!(error.starts_with("Error: EROFS: hook modules are read-only"), "{call}: {error}");
    }
}

#[test]
fn hashes_are_right() {
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(
        run(
            "import crypto, { createHash } from 'node:crypto';",
            "return { hex: createHash('sha256').update('a').update('bc').digest('hex'), b64: createHash('SHA-256').update('abc').digest('base64'),
              bytes: createHash('sha256').update(new TextEncoder().encode('abc')).digest('hex'), buf: createHash('sha256').update(Buffer.from('616263', 'hex')).digest().toString('hex'),
              empty: createHash('sha256').digest('hex').slice(0, 8), s512: createHash('sha512').update('abc').digest('hex').slice(0, 8),
              utf8: createHash('sha256').update('ü').digest('hex').slice(0, 8), uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()),
              differ: crypto.randomUUID() !== crypto.randomUUID(), random: crypto.randomBytes(5).toString('hex').length };"
        ),
        Ok(json!({
            "hex": sha256, "b64": "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", "bytes": sha256, "buf": sha256,
            "empty": "e3b0c442", "s512": "ddaf35a1", "utf8": "607474ca", "uuid": true, "differ": true, "random": 10,
        }))
    );
    assert_eq!(
        run("import { createHash } from 'crypto';", "createHash('md5');"),
        Err("Error: unsupported hash `md5`: use sha256, sha224, sha384 or sha512".to_owned())
    );
}

#[test]
fn text_and_bytes_convert() {
    assert_eq!(
        run(
            "import { Buffer as B } from 'node:buffer';",
            "const e = new TextEncoder().encode('ä🙂'); return { n: e.length, back: new TextDecoder().decode(e), same: B === Buffer,
              b64: Buffer.from('hällo').toString('base64'), from: Buffer.from('aMOkbGxv', 'base64').toString(), lat: Buffer.from([0xe4]).toString('latin1'),
              cat: Buffer.concat([Buffer.from('a'), Buffer.from('b')]).toString(), len: Buffer.byteLength('ä'), is: Buffer.isBuffer(Buffer.alloc(2)),
              btoa: btoa('hi'), atob: atob('aGk='), lossy: new TextDecoder().decode(new Uint8Array([0xff, 0x61])), eq: Buffer.from('a').equals(Buffer.from('a')) };"
        ),
        Ok(json!({
            "n": 6, "back": "ä🙂", "same": true, "b64": "aMOkbGxv", "from": "hällo", "lat": "ä", "cat": "ab", "len": 2,
            "is": true, "btoa": "aGk=", "atob": "hi", "lossy": "\u{fffd}a", "eq": true,
        }))
    );
}

#[test]
fn small_globals_are_there() {
    assert_eq!(
        run(
            "import { setTimeout as sleep } from 'node:timers/promises'; import process from 'node:process';",
            "const from = { a: [1, { b: 2 }], s: new Set([1]), d: new Date(5) }; from.me = from;
             const to = structuredClone(from); to.a[1].b = 3;
             return { kept: from.a[1].b, s: to.s.has(1), d: to.d.getTime(), cycle: to.me === to, slept: await sleep(1, 'v'), cwd: process.cwd() === globalThis.process.cwd(),
               micro: await new Promise((r) => queueMicrotask(() => r('m'))) };"
        ),
        Ok(json!({"kept": 2, "s": true, "d": 5, "cycle": true, "slept": "v", "cwd": true, "micro": "m"}))
    );
    assert!(run("", "structuredClone(() => 1);").unwrap_err().contains("could not be cloned"));
}

#[test]
fn natives_are_out_of_a_module_s_reach() {
    assert_eq!(
        run(
            "import * as fs from 'fs';",
            "return { meta: Object.keys(import.meta).sort(), native: 'native' in fs };"
        ),
        Ok(json!({"meta": ["dirname", "filename", "url"], "native": false}))
    );
}
