//! Whether the name of a variable, field, header or flag says that its value is secret.

/// What the name promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Promise {
    /// Chosen by a person: may be short, but is no word of the program.
    Password,
    /// Made by a machine: long and random.
    Key,
}

/// Names that end so hold a password. `pass` and `pwd` need to be words of their own, see [`promise`].
const PASSWORDS: [&str; 10] =
    ["password", "passwd", "passwort", "passphrase", "passcode", "pass", "pwd", "passw", "userpw", "dbpw"];

/// Names that end so hold a key. A bare `key` says nothing, so it needs company.
const KEYS: [&str; 61] = [
    "secret",
    "token",
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "authkey",
    "accountkey",
    "servicekey",
    "storagekey",
    "subscriptionkey",
    "consumerkey",
    "appkey",
    "applicationkey",
    "clientkey",
    "sharedkey",
    "sharedaccesskey",
    "sessionkey",
    "jwtkey",
    "hmackey",
    "aeskey",
    "cryptokey",
    "cipherkey",
    "deploykey",
    "webhookkey",
    "adminkey",
    "writekey",
    "ingestkey",
    "licensekey",
    "licencekey",
    "integrationkey",
    "rolekey",
    "anonkey",
    "serverkey",
    "tokenkey",
    "securitykey",
    "paymentkey",
    "merchantkey",
    "instrumentationkey",
    "functionkey",
    "cookiekey",
    "sendgridkey",
    "stripekey",
    "openaikey",
    "awskey",
    "googlekey",
    "mapskey",
    "ddkey",
    "restkey",
    "credential",
    "credentials",
    "creds",
    "authorization",
    "bearer",
    "jwt",
    "githubpat",
    "gitlabpat",
    "secretkeybase",
];

/// Names that end so are about tokens and keys without holding a secret.
const HARMLESS: [&str; 35] = [
    "hashedsecret",
    "nexttoken",
    "pagetoken",
    "continuationtoken",
    "paginationtoken",
    "synctoken",
    "resumetoken",
    "publickeytoken",
    "cancellationtoken",
    "canceltoken",
    "starttoken",
    "endtoken",
    "eostoken",
    "bostoken",
    "padtoken",
    "unktoken",
    "septoken",
    "clstoken",
    "masktoken",
    "stoptoken",
    "specialtoken",
    "typetoken",
    "changetoken",
    "requesttoken",
    "clienttoken",
    "idempotencytoken",
    "cursortoken",
    "lasttoken",
    "firsttoken",
    "prevtoken",
    "currenttoken",
    "counttoken",
    "maxtoken",
    "nopasswd",
    "publictoken",
];

/// What may follow the telling part of a name without changing it.
const SUFFIXES: [&str; 19] = [
    "value",
    "production",
    "prod",
    "staging",
    "development",
    "dev",
    "test",
    "live",
    "sandbox",
    "old",
    "new",
    "base64",
    "b64",
    "plaintext",
    "plain",
    "string",
    "str",
    "default",
    "override",
];

/// Longer names are judged by their end.
const MOST: usize = 64;

/// Returns what `name` promises about its value.
pub(crate) fn promise(name: &[u8]) -> Option<Promise> {
    let name = &name[name.len().saturating_sub(MOST)..];
    let mut letters = [0; MOST];
    let mut n_letters = 0;
    for byte in name.iter().filter(|byte| byte.is_ascii_alphanumeric()) {
        letters[n_letters] = byte.to_ascii_lowercase();
        n_letters += 1;
    }
    let flat = without_digits(&letters[..n_letters]);
    promise_of(flat, name).or_else(|| {
        let suffix = SUFFIXES.iter().find(|suffix| flat.ends_with(suffix.as_bytes()))?;
        promise_of(without_digits(&flat[..flat.len() - suffix.len()]), &[])
    })
}

fn promise_of(flat: &[u8], name: &[u8]) -> Option<Promise> {
    let ends_in = |words: &[&str]| words.iter().any(|word| flat.ends_with(word.as_bytes()));
    if ends_in(&HARMLESS) {
        return None;
    }
    if ends_in(&PASSWORDS) {
        let is_short = flat.ends_with(b"pass") || flat.ends_with(b"pwd");
        return (!is_short || is_short_password(flat, name)).then_some(Promise::Password);
    }
    (ends_in(&KEYS) || flat == b"auth").then_some(Promise::Key)
}

/// Tells `DB_PASS`, `dbPass` and `smtppass` from `bypass`, and `DB_PWD` from the shell's own `PWD`.
fn is_short_password(flat: &[u8], name: &[u8]) -> bool {
    const OWNERS: [&str; 14] = [
        "db", "user", "usr", "smtp", "my", "ftp", "mail", "ssh", "sudo", "pg", "mysql", "redis", "login",
        "root",
    ];
    if matches!(name, b"PWD" | b"OLDPWD") {
        return false;
    }
    let n_word = if flat.ends_with(b"pass") { 4 } else { 3 };
    let owner = &flat[..flat.len() - n_word];
    if owner.is_empty() || OWNERS.iter().any(|word| owner.ends_with(word.as_bytes())) {
        return true;
    }
    let name = without_digits(name);
    let word = &name[name.len().saturating_sub(n_word)..];
    let before = name.len().checked_sub(n_word + 1).map(|at| name[at]);
    before.is_some_and(|byte| {
        !byte.is_ascii_alphabetic()
            || byte.is_ascii_lowercase() && word.first().is_some_and(u8::is_ascii_uppercase)
    })
}

fn without_digits(name: &[u8]) -> &[u8] {
    let n_digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    &name[..name.len() - n_digits]
}

#[cfg(test)]
mod tests {
    use super::{Promise, promise};

    #[test]
    fn a_name_promises_by_its_end() {
        for (name, expected) in [
            ("DB_PASSWORD", Some(Promise::Password)),
            ("spring.datasource.password", Some(Promise::Password)),
            ("dbPass", Some(Promise::Password)),
            ("smtp_pass2", Some(Promise::Password)),
            ("AWS_SECRET_ACCESS_KEY", Some(Promise::Key)),
            ("x-api-key", Some(Promise::Key)),
            ("clientSecret", Some(Promise::Key)),
            ("STRIPE_SECRET_KEY_LIVE", Some(Promise::Key)),
            ("SECRET_KEY_BASE", Some(Promise::Key)),
            ("bypass", None),
            ("compass", None),
            ("PWD", None),
            ("password_hash", None),
            ("tokenizer", None),
            ("token_count", None),
            ("nextPageToken", None),
            ("primary_key", None),
            ("public_key", None),
            ("monkey", None),
            ("PublicKeyToken", None),
        ] {
            assert_eq!(promise(name.as_bytes()), expected, "{name}");
        }
    }
}
