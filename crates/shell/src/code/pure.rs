//! Proves that short code only computes and prints: every name in it is bound by the code itself or listed as harmless.
//!
//! WHY names: code that calls nothing outside of these lists can neither write, nor start anything, nor send anything. A
//! name that is not listed ends the proof, and the code stays unknown.

mod node;
mod perl;
mod plain_call;
mod python;

use plain_call::is_plain_call;

use super::Language;
use super::token::{Token, tokens};
use crate::text::Text;
use crate::walk::{Call, Walker};

/// Longer code is a program, not a question.
const MAX_CODE: usize = 4000;

impl Walker<'_> {
    /// Returns whether code on the line or on standard input is proven to change nothing.
    pub(super) fn only_computes(&self, language: Language, code: &Text, call: &Call) -> bool {
        if !code.is_known() || Language::of_program(&call.name) != Some(language) {
            return false;
        }
        let is_input = self.stdin().is_some_and(|input| input.text == code.text);
        let is_shadowed = |module: &str| {
            self.cwd().is_none_or(|folder| {
                self.place.files.exists(&format!("{folder}/{module}.py"))
                    || self.place.files.is_dir(&format!("{folder}/{module}"))
            })
        };
        is_plain_call(language, call.rest(), &code.text, is_input)
            && is_pure(language, &code.text, &is_shadowed)
    }
}

/// Returns whether the code changes nothing; `is_shadowed` says whether a file of the current folder replaces a module.
fn is_pure(language: Language, code: &str, is_shadowed: &dyn Fn(&str) -> bool) -> bool {
    if code.len() > MAX_CODE {
        return false;
    }
    match language {
        Language::Python => python::is_pure(&tokens(language, code), is_shadowed),
        Language::Node => node::is_pure(&tokens(language, code)),
        Language::Perl => perl::is_pure(code),
        Language::Ruby => uses_only(&tokens(language, code), RUBY),
        Language::Php => {
            let code = tokens(language, code);
            !calls_by_value(&code) && !asks_other_host(&code) && uses_only(&code, PHP)
        }
        Language::Lua => uses_only(&tokens(language, code), LUA),
        Language::Awk
        | Language::AppleScript
        | Language::R
        | Language::Julia
        | Language::Elixir
        | Language::Groovy
        | Language::Other => false,
    }
}

const RUBY: &str = "puts print p pp printf RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE RUBY_PATCHLEVEL Time now to_i to_s to_f to_a \
    strftime Math sqrt PI Integer Float String Array Hash upcase downcase reverse sort uniq map select sum join split length \
    size count first last max min abs round floor ceil times each inject keys values inspect chars lines strip Gem VERSION \
    Date today year month day true false nil JSON parse pretty_generate generate to_json dig fetch File read readlines exist \
    file directory basename dirname extname YAML safe_load key include each_with_index each_line sort_by group_by flat_map reject \
    find any all zip flatten compact merge tr gsub sub match scan start_with end_with squeeze rjust ljust center format if else \
    elsif unless end do then while puts Set to_sym to_h sum tally min_by max_by each_slice empty Digest SHA256 MD5 hexdigest";
const PHP: &str = "echo print PHP_VERSION PHP_OS PHP_EOL PHP_INT_MAX PHP_BINARY PHP_MAJOR_VERSION PHP_OS_FAMILY phpversion \
    php_uname php_sapi_name php_ini_loaded_file sys_get_temp_dir ini_get extension_loaded get_loaded_extensions var_dump print_r \
    var_export json_encode json_decode implode explode count strlen strtoupper strtolower trim date time microtime mktime \
    date_default_timezone_get md5 sha1 hash base64_encode bin2hex rand mt_rand round floor ceil max min array_sum in_array true \
    false null file_get_contents file file_exists filesize is_file is_dir scandir glob realpath basename dirname pathinfo getcwd \
    filemtime array_slice array_unique array_reverse array_merge array_flip array_column array_chunk range sort ksort str_replace \
    substr strpos ucfirst lcfirst sprintf printf nl2br htmlspecialchars json_last_error_msg JSON_PRETTY_PRINT \
    JSON_UNESCAPED_SLASHES JSON_UNESCAPED_UNICODE JSON_THROW_ON_ERROR PHP_INT_SIZE PHP_FLOAT_EPSILON M_PI sha256 crc32 md5_file \
    sha1_file hash_file hash_algos str_contains str_starts_with function_exists class_exists defined memory_get_usage number_format str_repeat array_keys array_values";
const LUA: &str = "print _VERSION math floor ceil sqrt pi max min random string format rep upper lower len sub table concat \
    tostring tonumber type pairs ipairs for do end in local if then else os time date clock jit version true false nil";

/// `('sys' . 'tem')('id')`: PHP calls the function that a value names.
fn calls_by_value(code: &[Token]) -> bool {
    code.windows(2).any(|pair| {
        pair[1] == Token::Mark('(') && matches!(pair[0], Token::Text { .. } | Token::Mark(')' | ']' | '}'))
    })
}

/// Functions that read files ask other hosts by an address.
fn asks_other_host(code: &[Token]) -> bool {
    code.iter().any(|token| matches!(token, Token::Text { text, .. } if text.contains("://")))
}

/// Returns whether a name is bound by the code (`d = …`, `|k, v|`) and only stands for its value here: with words behind
/// it, it would be a method of the same name.
fn is_bound(tokens: &[Token], at: usize, name: &str) -> bool {
    let binds = |at: usize| {
        let assigns =
            is_mark(tokens, at + 1, '=') && !is_mark(tokens, at + 2, '=') && !is_attribute(tokens, at);
        let is_parameter = (is_mark(tokens, at + 1, '|') || is_mark(tokens, at + 1, ','))
            && at
                .checked_sub(1)
                .is_some_and(|front| is_mark(tokens, front, '|') || is_mark(tokens, front, ','));
        assigns || is_parameter
    };
    let stands_alone =
        matches!(tokens.get(at + 1), None | Some(Token::Mark(_))) && !is_mark(tokens, at + 1, '(');
    stands_alone && (0..tokens.len()).any(|at| name_at(tokens, at) == Some(name) && binds(at))
}

/// Returns whether all names are of a list or bound by the code, and no text is code.
fn uses_only(tokens: &[Token], list: &str) -> bool {
    tokens.iter().enumerate().all(|(at, token)| match token {
        Token::Name(name) => is_in(list, name) || !is_attribute(tokens, at) && is_bound(tokens, at, name),
        // `#{…}` and `{$…}` in a string are code.
        Token::Text { text, code, .. } => !code && !text.contains("#{") && !text.contains("{$"),
        Token::Number(_) => true,
        // `$f(…)`, `File::…` and blocks that define something are left to the reader.
        Token::Mark(mark) => {
            let is_scope = *mark == ':' && tokens.get(at + 1) == Some(token);
            !is_scope && !matches!(mark, '`' | '$' | '&' | '@')
        }
    })
}

/// Returns whether a list, separated by spaces, has the word.
///
/// WHY by bytes: code has many names, and splitting the list for each was a twentieth of the time of a line with code.
fn is_in(list: &str, word: &str) -> bool {
    let (list, word) = (list.as_bytes(), word.as_bytes());
    let Some((first, _)) = word.split_first() else { return false };
    let mut at = 0;
    while at + word.len() <= list.len() {
        if list[at] == *first
            && list[at..].starts_with(word)
            && (at == 0 || list[at - 1].is_ascii_whitespace())
            && list.get(at + word.len()).is_none_or(u8::is_ascii_whitespace)
        {
            return true;
        }
        at += 1;
    }
    false
}

/// The name at a position.
fn name_at(tokens: &[Token], at: usize) -> Option<&str> {
    match tokens.get(at) {
        Some(Token::Name(name)) => Some(name),
        _ => None,
    }
}

fn is_mark(tokens: &[Token], at: usize, mark: char) -> bool {
    tokens.get(at) == Some(&Token::Mark(mark))
}

/// Returns whether a name is an attribute: a dot is in front of it, and not the three of `...x`.
fn is_attribute(tokens: &[Token], at: usize) -> bool {
    let dot = |back: usize| at.checked_sub(back).is_some_and(|at| is_mark(tokens, at, '.'));
    dot(1) && !(dot(2) && dot(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pure(language: Language, code: &str) -> bool {
        is_pure(language, code, &|module| module == "shadowed")
    }

    #[test]
    fn code_that_only_computes_and_prints_is_pure() {
        for code in [
            "print(1+1)",
            "import sys; print(sys.version)",
            "import json,sys; d=json.load(sys.stdin); print(d['a']['b'])",
            "import json; print(json.load(open('a.json'))['k'])",
            "import json; print(json.dumps(json.load(open('a.json')), indent=2))",
            "with open('a.txt') as f:\n    for line in f:\n        print(line.strip())",
            "print('\\n'.join(sorted(set(open('a').read().split()))))",
            "import datetime; print(datetime.datetime.now().isoformat())",
            "from datetime import datetime; print(datetime.utcnow().strftime('%Y'))",
            "print(f'{3.14159:.2f} {len([1, 2])}')",
            "import os; print(os.path.exists('a'), os.getcwd())",
            "import math\nfor i in range(3):\n  print(i, math.sqrt(i))",
            "import hashlib; print(hashlib.sha256(b'a').hexdigest())",
            "import platform; print(platform.system(), platform.machine())",
            "from pathlib import Path; print(Path('a').read_text())",
            "import re,sys\nfor m in re.finditer(r'x', sys.stdin.read()): print(m.group(0))",
            "a, b = 1, 2; print(a + b, (lambda x: x * 2)(3))",
            "import sys; print('\\n'.join(sys.path))",
            "import importlib.metadata as m; print(m.version('flask'))",
            "import torch; print(torch.__version__, torch.cuda.is_available())",
            "import numpy as np; print(np.__version__)",
            "import yaml; print(yaml.safe_load(open('a.yml')))",
            "import pandas as pd; df = pd.read_csv('a.csv'); print(df.head(), df.shape)",
        ] {
            assert!(pure(Language::Python, code), "{code}");
        }
        for code in [
            "console.log(1+1)",
            "process.version",
            "require('./package.json').version",
            "Object.keys(require('./package.json').dependencies).length",
            "console.log(JSON.stringify(JSON.parse(require('fs').readFileSync('a.json', 'utf8')), null, 2))",
            "const os = require('os'); console.log(os.cpus().length)",
            "[1, 2].map(x => x * 2).join(',')",
            "const {version} = require('./package.json'); console.log(`v${version}`)",
            "new Date().toISOString()",
            "const d=JSON.parse(require('fs').readFileSync('a.json'));for(const k in d)console.log(k,d[k].size)",
            "const d=require('./a.json'); console.log(d.some.value, d['x'].y)",
            "JSON.parse(require('fs').readFileSync('a.json')).map(x => x.someName)",
            "require('crypto').randomUUID()",
        ] {
            assert!(pure(Language::Node, code), "{code}");
        }
        for code in
            ["print if /foo/", "print 2**10", "s/a/b/g", "print $F[0], qq(\\n)", "$s += $_; END { print $s }"]
        {
            assert!(pure(Language::Perl, code), "{code}");
        }
        for code in [
            "puts RUBY_VERSION",
            "puts JSON.parse(File.read('a.json'))['name']",
            "d = JSON.parse(File.read('a.json')); puts d['a']",
            "p YAML.safe_load(File.read('a.yml'))",
            "File.readlines('a').each { |l| puts l.strip }",
        ] {
            assert!(pure(Language::Ruby, code), "{code}");
        }
        for code in [
            "echo PHP_VERSION;",
            "echo json_encode(json_decode(file_get_contents('a.json')), JSON_PRETTY_PRINT);",
        ] {
            assert!(pure(Language::Php, code), "{code}");
        }
        assert!(pure(Language::Lua, "print(_VERSION)"));
    }

    #[test]
    fn code_that_may_do_more_is_not() {
        for code in [
            "open('a', 'w')",
            "open('a', mode='a')",
            "open('a', 'r+')",
            "o = open; o('a', 'w')",
            "import os; os.remove('a')",
            "import os; print(os.replace('a', 'b'))",
            "from os import remove as print; print('a')",
            "import os as platform; platform.system('x')",
            "import platform, os; platform.system = os.kill",
            "import shutil; shutil.copy('a', 'b')",
            "import subprocess",
            "import shadowed",
            "import app; print(app.x)",
            "from json import *",
            "exec('x')",
            "(lambda eval: 0, eval('1'))",
            "print(getattr(1, 'x'))",
            "print(().__class__.__bases__)",
            "print(f\"{open('x', 'w')}\")",
            "print(f'{x:{open(1)}}')",
            "from pathlib import Path; Path('a').touch()",
            "from pathlib import Path; Path('a').write_text('x')",
            "from pathlib import Path; Path('a').replace('b')",
            "import sys; sys.path.insert(0, 'x'); import json",
            "import sys; (lambda p: p.append(1))(sys.path); import json",
            "import json; json.codecs.open('x', 'w')",
            "import sys; sys.modules['os'].system('x')",
            "class A: pass",
            "import sys; sys.settrace(print)",
            "map(open, ['x'])",
            "import operator; operator.attrgetter('system')",
            "import pickle; pickle.load(open('x','rb'))",
            "import urllib.request as r; r.urlopen('http://x', b'y')",
            "import requests; requests.get('http://x')",
            "import torch; torch.load('x')",
            "import torch as t; f = t; f.load('x')",
            "import yaml; yaml.load(open('a.yml'))",
            "import pandas as pd; pd.read_pickle('x')",
            "import pandas as pd; pd.read_csv('a').to_csv('b')",
        ] {
            assert!(!pure(Language::Python, code), "{code}");
        }
        for code in [
            "require('fs').writeFileSync('a', 'b')",
            "require('child_process').execSync('x')",
            "require('./script.js')",
            "require(name)",
            "(1 ? require : 0)('child_process')",
            "(1 ? fetch : 0)('http://x')",
            "['x'].forEach(require('fs').unlinkSync)",
            "process.binding('fs')",
            "['x'].forEach(require('fs')['unlinkSync'])",
            "const fs = require('fs'); ['x'].forEach(fs['unlinkSync'])",
            "const f = [].map['constructor']; f('x')()",
            "[].map.constructor('x')()",
            "eval('x')",
            "import('fs')",
            "fetch('http://x', {method: 'POST'})",
            "new Function('x')()",
            "`${require('fs').rmSync('x')}`",
            "process.kill(1)",
            "const {rmSync} = require('fs'); rmSync('x')",
            "globalThis['ev' + 'al']('x')",
            "this.constructor.constructor('x')()",
        ] {
            assert!(!pure(Language::Node, code), "{code}");
        }
        for code in [
            "system('x')",
            "unlink 'x'",
            "open(F, '>x')",
            "s/a/system('x')/e",
            "s/a/`x`/ee",
            "s{a}{system('x')}e",
            "print `id`",
            "print qx(id)",
            "/(?{ system('x') })/",
            "print \"@{[system('x')]}\"",
            "do 'x.pl'",
            "require './x'",
            "$x = 'system'; &$x('id')",
            "print <*.c>",
            "tr/a/b/; unlink",
            "while (<F>) { exec $_ }",
            "print \"$x[system('id')]\"",
            "/$h{system('id')}/",
        ] {
            assert!(!pure(Language::Perl, code), "{code}");
        }
        for code in
            ["puts `id`", "File.write('x','y')", "puts \"#{system('x')}\"", "exec 'x'", "send(:system,'x')"]
        {
            assert!(!pure(Language::Ruby, code), "{code}");
        }
        for code in ["system('x');", "$f='system'; $f('x');", "file_put_contents('a','b');", "echo `id`;"] {
            assert!(!pure(Language::Php, code), "{code}");
        }
        assert!(!pure(Language::Lua, "os.execute('x')"));
        assert!(!pure(Language::Lua, "os.remove('x')"));
    }
}
