//! Lines of lock files, logs, code and configuration that have no secret, in the shapes that secrets have.

use redact::Redacted;

const LOCK_FILES: [&str; 9] = [
    "checksum = \"b3a1f0c92d47e58816a0c7f35d9be2448f61730ea95cd2b7461f08e3d5a9c7b2\"",
    "\"integrity\": \"sha512-u8Xb1dQ0vJ2mYt5Rk7Zp9Wc3Nf6Lh4Gs8Ea1Io2Uq5Tb7Vx9Ky3Pd6Mj0Rw4Fz==\",",
    "golang.org/x/tools v0.15.0 h1:q7rmmxMUziVxqvXcETUQq4kkR0OW1yaOWlbbYu88g6P=",
    "    {file = \"attrs-23.2.0-py3-none-any.whl\", hash = \"sha256:88b92e7d1a5f4c3b0e9d8c7b6a5f4e3d2c1b0a9f8e7d6c5b4a3f2e1d0c9b8a7f\"},",
    "  resolved \"https://registry.example.org/abbrev/-/abbrev-1.1.1.tgz#f8f2c887ad10bf67f634f005b6987fed3179aac8\"",
    "RUN echo 9b2c7d1e5f8a4c3b6d0e9f7a1c5b8d2e4f6a0c3b  app.tgz | sha1sum -c -",
    "image: registry.example.org/app@sha256:4c1c50d0ffc614f90b93b07d778028dc765548e823f676fb027f61d281ac380d",
    "\"_resolved_key\": \"npm:left-pad@1.3.0\"",
    "pod_checksum: 3f1d5b0c7a9e2d4f6b8c0a1e3d5f7b9c2a4e6d80",
];

const LOGS: [&str; 9] = [
    "2024-05-01T12:00:00Z INFO cache key: 9f86d081884c7d659a2feaa0c55ad015 hit",
    "request_id=4bf92f3577b34da6a3ce929d0e0e4736 trace=00f067aa0ba902b7 status=200",
    "session key exchange finished with TLS_AES_256_GCM_SHA384",
    "next page token: eav1OzQB0OM8rLdGXOEsyQWSGabc",
    "token count: 18234, tokens per second: 41.7, max_tokens=4096",
    "PASS: test_parses_4711 (0.003s)",
    "Using key binding ctrl+shift+p for the palette",
    "password changed at 2024-05-01T12:00:00Z by user 8841",
    "GET /api/v1/keys/8841?sort=created&key=name HTTP/1.1 200",
];

const CODE: [&str; 22] = [
    "let key = Sha256::digest(&bytes[offset..offset + 32]);",
    "const cacheKey = `${tenant}:${user.id}:v2`;",
    "key = hashlib.sha256(str(value).encode()).hexdigest()[:16]",
    "primary_key = \"3e2f1a9c7b6d4c5e8f901a2b3c4d5e6f\"",
    "public_key: &str = \"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\"",
    "type TokenKind = Identifier | Number1 | String2;",
    "expect(tokens[0].key).toBe('identifier_12345678');",
    "fn token(&self) -> Option<&Token> { self.tokens.get(self.at) }",
    "password = \"$artifactRegistryMavenSecret\"",
    "password: SecretStr",
    "secret = client.access_secret_version(name=\"projects/1/secrets/db/versions/3\")",
    "password=proxy_settings['proxy_pass'])",
    "'secret': 'V1SecretVolumeSource',",
    "token_pattern = r'(?=\\s|#|[)\\]]|$)'",
    "let key = tc.draw(sampled_from(vec![",
    "<label for=\"password\">Password</label><input type=\"password\" name=\"password\" value=\"\">",
    "<a href=\"#password-reset-4\">reset</a>",
    "#define TOKEN_LIST(X) X(IDENT1) X(NUMBER2)",
    "if (token === TokenType.LeftParen42) { return; }",
    "export PATH=/opt/tool-1.2.3/bin:$PATH PASSWORD_STORE_DIR=/home/me/.password-store",
    "use_key_of(\"row-0000000000000042\")",
    "pass <a href=\"#serializer_writehostobject2\">them</a> on",
];

const CONFIGURATION: [&str; 20] = [
    "key: build-linux-x64-node20-9f86d081884c7d659a2feaa0c55ad015",
    "  - key: node-role.kubernetes.io/control-plane",
    "secretKeyRef: {name: database-credentials, key: password}",
    "kind: ConfigMap\ndata:\n  settings: aGVsbG8gd29ybGQgaGVsbG8=\n",
    "private_key_file = /etc/ssl/private/host-2024.pem",
    "api_key = ${{ secrets.API_KEY_2 }}",
    "api_key: {{ lookup('env', 'API_KEY_2') }}",
    "apiKey: process.env.API_KEY_2 ?? ''",
    "token: <your-token-of-40-characters>",
    "TOKEN=$(cat /run/secrets/token2)",
    "password: ENC[vault,team/db]",
    "\"AWS::IAM::AccessKey\": \"62d91b17309e76c8\",",
    "arn:aws:secretsmanager:us-west-2:123456789012:secret:DatabaseSecret-a1b2c3",
    "\"password\": \"mot de passe\", \"passwordHint\": \"8 caractères au moins\"",
    "passwordPolicy: min:8|max:64|mixed",
    "client_id = 550e8400-e29b-41d4-a716-446655440000",
    "known_hosts_key: ssh-ed25519",
    "sort_key = created_at_2024",
    "<key>CFBundleIdentifier</key>\n<string>org.example.app2</string>",
    "<id>{acme}</id><description>configuration for production 2</description>",
];

/// Identifiers beside the names of services, and values that only resemble keys.
const NEAR_KEYS: [&str; 27] = [
    "spotify: 37i9dQZF1DXcBWIGoYBM5M",
    "\"figma\": \"https://www.figma.com/file/Ab3dE5fGh1JkLmNoPq7rSt/Design\"",
    "youtube = \"PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf\"",
    "sentry_release: 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "airtable_base_id = \"appZk3vQ9xLm2Tb7R\"",
    "github_key_id: 3AA5C34371567BD2",
    "api: 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "GET /v1/rows?key=created_at&sort=desc HTTP/1.1",
    "const api = createApi({ baseUrl: \"/api/v2\", tagTypes: [\"Post1\"] });",
    "token = \"unexpected end of file\"",
    "secret = \"the name of the secret in the vault\"",
    "key = \"green apples on monday\"",
    "stripe_key_prefix = \"sk_live_\"",
    "cloudflare_zone_id = \"023e105f4ecef8ad9ca31a8372d0c353\"",
    "linear key bindings: ctrl+shift+k2",
    "total_tokens: 184467440737095516",
    "max_token_id = 151643",
    "retry_token: 1700000000000",
    "\"token\": \"1234567890123456\"",
    "heroku_app: 01234567-89ab-cdef-0123-456789abcdef",
    "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
    "//registry.npmjs.org/:_authToken=$(cat token)",
    "app::settings::cache_key: 'v2:users:by-name'",
    "- !!binary aGVsbG8gd29ybGQ=",
    "password_rules = \"min8!max64\"",
    "password_hint: \"Birthday! 1999\"",
    "api_key_header = \"X-Api-Key!1\"",
];

#[test]
fn lines_without_secrets_stay_as_they_are() {
    let mut failures = Vec::new();
    for line in LOCK_FILES.iter().chain(&LOGS).chain(&CODE).chain(&CONFIGURATION).chain(&NEAR_KEYS) {
        let redacted = Redacted::from_text(line);
        if redacted.as_str() != *line {
            failures.push(format!("{line}\n  {redacted}"));
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn all_of_them_in_one_text_stay_too() {
    let lines: Vec<&str> = LOCK_FILES
        .iter()
        .chain(&LOGS)
        .chain(&CODE)
        .chain(&CONFIGURATION)
        .chain(&NEAR_KEYS)
        .copied()
        .collect();
    let text = lines.join("\n");
    assert_eq!(Redacted::from_text(&text).as_str(), text);
}
