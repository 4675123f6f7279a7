//! Keys themselves: armoured private keys, age identities, web tokens.

use crate::class::UPPER;
use crate::kind::{Kind, exactly, read, token};
use crate::{jwt, pem};

pub(super) const KINDS: &[Kind] = &[
    read("private-key", &["-----BEGIN ", "---- BEGIN "], pem::armour, &[
        "-----BEGIN RSA PRIVATE KEY-----\n{s64}\n{s64}\n{s20}==\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n{s70}\n{s40}\n-----END OPENSSH PRIVATE KEY-----\n",
        "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{X32}\n\n{s64}\n{s30}\n-----END EC PRIVATE KEY-----",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{s64}\n{s64}\n=ab1Z\n-----END PGP PRIVATE KEY BLOCK-----",
        "\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n{s64}\\n{s64}\\n-----END PRIVATE KEY-----\\n\"",
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{s64}\n{s40}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----",
        "-----BEGIN PRIVATE KEY-----\n{s64}\n{s64}\n{s64}",
        "2024-05-01 12:00:00 INFO -----BEGIN PRIVATE KEY-----\n2024-05-01 12:00:00 INFO {s64}\n2024-05-01 12:00:00 INFO {s64}\n2024-05-01 12:00:00 INFO -----END PRIVATE KEY-----",
        "key = \"-----BEGIN PRIVATE KEY-----\\n\" +\n  \"{s64}\\n\" +\n  \"{s64}\\n\" +\n  \"-----END PRIVATE KEY-----\"",
    ])
    .but_not(&[
        "if line.startswith(\"-----BEGIN RSA PRIVATE KEY-----\") and not line.endswith(\"-----END RSA PRIVATE KEY-----\"):",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\n{s64}\n{s64}\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\n{s64}\n{s64}\n-----END CERTIFICATE-----",
    ]),
    read("putty-key", &["Private-Lines: "], pem::putty, &["Private-Lines: 2\n{s64}\n{s40}\n\nPrivate-MAC: 0"]),
    token("age-identity", &["AGE-SECRET-KEY-1"], &[exactly(UPPER, 58)], &["AGE-SECRET-KEY-1{A58}"]),
    token("age-plugin-identity", &["AGE-PLUGIN-"], &[super::super::kind::at_least(crate::class::Class::of("A-Z0-9-"), 40)], &["AGE-PLUGIN-YUBIKEY-1{A58}"]),
    read("json-web-token", &["eyJ"], jwt::read, &[
        "eyJ{b33}.eyJ{b70}.{b43}",
        "token is eyJ{b33}.eyJ{b400}.{b342}.",
        "eyJ{b40}.{b80}.{b16}.{b90}.{b22}",
    ])
    .but_not(&["data:application/json;base64,eyJ{b200}", "eyJ{b40}.json", "the eyJ prefix"]),
];
