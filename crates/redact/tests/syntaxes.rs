//! Secrets go in every syntax that assigns one, for every shape of a generated key.

use redact::Redacted;

/// `{n}` is a name in lower case, `{N}` the same as a constant, `{s}` the secret.
const SYNTAXES: [&str; 63] = [
    // Configuration
    "{n}Token={s}",
    "{n}Token = {s}",
    "{n}Token=\"{s}\"",
    "{n}.api.token={s}",
    "{n}_token: {s}",
    "{n}_token: '{s}'",
    "{n}_token: |\n  {s}",
    "{n}_token: >-\n  {s}",
    "- name: {N}_API_KEY\n  value: {s}",
    "{\n  \"{n}_token\": \"{s}\"\n}",
    "{\\\"{n}_token\\\": \\\"{s}\\\"}",
    "{\"name\": \"{n}_token\", \"value\": \"{s}\"}",
    "{\n  \"name\": \"{n}_token\",\n  \"value\": \"{s}\"\n}",
    "{\"app.ini\": \"{N}_TOKEN={s}\\nVERBOSE=true\"}",
    "{\"app.ini\": \"VERBOSE=true\\n{N}_TOKEN={s}\\n\"}",
    "<{n}Token>{s}</{n}Token>",
    "<{n}Token>\n    {s}\n</{n}Token>",
    "<{n}Token type=\"text\">{s}</{n}Token>",
    "<entry key=\"{n}Token\">{s}</entry>",
    "<add key=\"{n}Token\" value=\"{s}\" />",
    "<property name=\"{n}Token\" scope=\"all\" value=\"{s}\"/>",
    "<key>{n}ApiKey</key>\n<string>{s}</string>",
    "<secret><![CDATA[{s}]]></secret>",
    "<secret>{{n} AQAAABAAA {s}}</secret>",
    "  \"{n}Token\" => \"{s}\"",
    "{n}Token,{s},",
    "| {n}_api_key | {s} |",
    "set {n}_api_key \"{s}\";",
    // Shells and containers
    "export {N}_API_KEY={s}",
    "{N}_API_KEY={s} make deploy",
    "docker run -e {N}_API_KEY={s} image",
    "docker run -e \"{N}_API_KEY={s}\" image",
    "ENV {N}_API_KEY {s}",
    "ENV {N}_API_KEY={s} MODE=fast",
    "deploy --{n}-api-key {s} --force",
    "deploy --{n}-api-key=\"{s}\"",
    "curl -H \"X-Api-Key: {s}\" https://host",
    "curl \"https://host/path?api_key={s}&page=2\"",
    // Make
    "{N}_TOKEN := \"{s}\"",
    "{N}_TOKEN ::= \"{s}\"",
    "{N}_TOKEN :::= \"{s}\"",
    "{N}_TOKEN ?= \"{s}\"",
    "{N}_TOKEN += \"{s}\"",
    // Programs
    "string {n}Token = \"{s}\";",
    "var {n}Token string = \"{s}\"",
    "{n}Token := `{s}`",
    "let {n}Token: String = \"{s}\"",
    "const {N}_TOKEN: &str = \"{s}\";",
    "NSString *{n}ApiKey = @\"{s}\";",
    "my ${n}_api_key = '{s}';",
    "${n}Token .= \"{s}\"",
    "${n}Token ??= \"{s}\"",
    "define('{N}_API_KEY', '{s}');",
    "System.setProperty(\"{n}.api.key\", \"{s}\");",
    "os.environ[\"{N}_API_KEY\"] = \"{s}\"",
    "{n}_token = \"\"\"{s}\"\"\"",
    "{n}_token = SecretStr(\"{s}\")",
    "if {n}Token != \"{s}\" {",
    "request.Header.Set(\"X-{n}-Api-Key\", \"{s}\")",
    // Logs and notes
    "[DEBUG] Using Key={s}",
    "[DEBUG] Using token {s}",
    "{n} token - '{s}'",
    "{n} credentials: {s}",
];

/// Made-up keys in the alphabets that services use, joined at run time so that no line looks like a leak.
const SECRETS: [[&str; 2]; 7] = [
    ["9c41d7a0e6b25f83", "1d0a7be94c62f538"],
    ["Zk3vQ9xLm2Tb7RwY5sVd", "H8nGc4PfA6eU1tXoJq0K"],
    ["k7w2q9x4m1t8b5r3", "z6v0d4h8n2g7c1p5"],
    ["Qm7_tX2-vK9pLz4R", "bW8_cN3-yH6sJd1GfA5eUo"],
    ["tB8xQ2mZ/kL5+vR9wYc3N", "hG7pJd4sFa1eUoXi6T0q+A="],
    ["3e2f1a9c-7b6d-4c5e", "-8f90-1a2b3c4d5e6f"],
    ["wR4kT9", "mX2qZ7vB5nLc3dHs"],
];

#[test]
fn a_key_goes_in_every_syntax() {
    let mut failures = Vec::new();
    for syntax in SYNTAXES {
        for (secret, name) in
            SECRETS.iter().map(|halves| halves.concat()).zip(["acme", "globex"].iter().cycle())
        {
            let text =
                syntax.replace("{s}", &secret).replace("{N}", &name.to_uppercase()).replace("{n}", name);
            let redacted = Redacted::from_text(&text);
            if redacted.as_str().contains(&secret[..8]) || !redacted.as_str().contains("[REDACTED]") {
                failures.push(format!("{text}\n  {redacted}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_password_of_marks_goes_although_it_looks_like_a_template() {
    let password = "k{{t}r)q${a]gate(wall[stone>-_$#street}}";
    for syntax in [
        "apikey := \"{s}\"",
        "apikey:={s}",
        "my_password = {s}",
        "my_password={s}\n",
        "\"theapikey\": \"{s}\"",
        "some_dict['secret'] = '{s}'",
        "some_dict['secret'] = {s}",
        "apikey = @\"{s}\"",
        "apikey[]=\"{s}\"",
        "private_key '{s}';",
        "if (db_pass == \"{s}\")",
        "my_password_of_the_shop = \"{s}\"",
    ] {
        let expected = syntax.replace("{s}", "[REDACTED]");
        assert_eq!(Redacted::from_text(&syntax.replace("{s}", password)).as_str(), expected);
    }
}

#[test]
fn a_password_with_spaces_goes() {
    for (text, expected) in [
        ("password = \"pearls and wet brass lanterns\"", "password = \"[REDACTED]\""),
        ("db_passwd := 'seven green h0rses!'", "db_passwd := '[REDACTED]'"),
        ("\"password\": \"op3n sesame!\"", "\"password\": \"[REDACTED]\""),
        ("password = \"Please enter your password\"", "password = \"Please enter your password\""),
        ("\"password\": \"mot de passe\"", "\"password\": \"mot de passe\""),
    ] {
        assert_eq!(Redacted::from_text(text).as_str(), expected);
    }
}

#[test]
fn the_same_key_again_goes_too() {
    let key = SECRETS[1].concat();
    assert_eq!(
        Redacted::from_text(&format!("acme token = '{key}' | '{key}'")).as_str(),
        "acme token = '[REDACTED]' | '[REDACTED]'"
    );
}
