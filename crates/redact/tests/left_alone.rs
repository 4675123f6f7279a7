//! Text without secrets comes back as it was.

use redact::Redacted;

fn check(text: &str) {
    assert_eq!(Redacted::from_text(text).as_str(), text);
}

#[test]
fn hashes_and_ids_stay() {
    for text in [
        "d41d8cd98f00b204e9800998ecf8427e  empty.txt",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "id: 550e8400-e29b-41d4-a716-446655440000",
        "\"integrity\": \"sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==\"",
        "checksum = \"5ee073c9e4cd00e28217186dbe12796d692868f432bf2e97ee73bed0c56dfa01\"",
        "etag: W/\"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
        "trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=00f067aa0ba902b7",
        "\"hashed_secret\": \"a94a8fe5ccb19ba61c4c0873d391e987982fbbd3\",",
        "index 8a1218a1..5f2cb3f1 100644",
    ] {
        check(text);
    }
}

#[test]
fn names_beside_a_password_stay() {
    for text in [
        "{\"password\": \"reset-password-form\", \"icon\": \"lock\"}",
        "{\"password\":\"input-field-large\"}",
        "passwordSecret: \"billing-database-credentials\"",
        "\"password\": \"auth-screen-hint\"",
        "password: db-login-secret",
        "\"db_password\": \"aws-secrets-manager\"",
    ] {
        check(text);
    }
}

#[test]
fn stand_ins_stay() {
    for text in [
        "API_KEY=your-api-key",
        "api_key: xxxxxxxxxxxxxxxxxxxx",
        "token: <token>",
        "password: changeme",
        "User(username=\"alice\", password=\"password123\")",
        "keytool -storepass changeit -alias tomcat",
        "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
        "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "export TOKEN=$OTHER_TOKEN",
        "curl -H \"Authorization: Bearer $TOKEN\" https://api.example.org",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "password: {{ vault_db_password }}",
        "apiKey: process.env.OPENAI_API_KEY,",
        "api_key = os.environ[\"OPENAI_API_KEY\"]",
        "API_KEY=***",
        "password=********",
        "secret=[REDACTED]",
        "OPENAI_API_KEY=sk-...",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "DATABASE_URL=postgres://user:password@localhost:5432/db",
        "amqp://guest:guest@localhost:5672/",
        "PASSWORD=%PASSWORD%",
        "--password <password>",
        "--token \"$(cat token.txt)\"",
    ] {
        check(text);
    }
}

#[test]
fn ordinary_code_stays() {
    for text in [
        "password = getPassword()",
        "let token = lexer.next_token()?;",
        "token: string",
        "const tokenCount = 5;",
        "self.password = password",
        "def login(user, password=None, token: Optional[str] = None):",
        "if (password !== confirmPassword2) { return; }",
        "<input type=\"password\" name=\"password\" placeholder=\"Password\" id=\"password1\">",
        "private readonly apiKey: string;",
        "\"password\": {\"type\": \"string\", \"minLength\": 8}",
        "const key = `${prefix}:${id}`;",
        "secret_name: my-app-secret-v2",
        "tokenUrl: https://auth.example.org/oauth2/v2.0/token",
        "passwordHasher: bcrypt",
        "import { Token } from './token2';",
        "data-token-type=\"jwt\"",
        "assert token.type == TokenType.IDENT1",
        "key: value1234567890",
        "PasswordAuthentication no",
        "for key, value in tokens.items():",
        "static const char *passwd_path = \"/etc/passwd\";",
        "secretKeyRef:\n  name: app-secrets\n  key: db-password",
        "token = tokens[0]",
        "auth: {user: user1, pass: pass1}",
        "public_key: AAAAC3NzaC1lZDI1NTE5AAAAIGJ5dGVz",
    ] {
        check(text);
    }
}

#[test]
fn prose_images_and_long_addresses_stay() {
    for text in [
        "The password must have at least 8 characters and one digit.",
        "Enter the token: it was sent to your phone.",
        "A bearer token is a secret; keep the key safe.",
        "Basic authentication is described in RFC7617.",
        "<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\">",
        "https://example.org/a/very/long/path/with-many-words/and/3f2a9c81d4e7/file.tar.gz?page=2&sort=name#section-4",
        "//# sourceMappingURL=data:application/json;charset=utf-8;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0=",
        "Passwort vergessen? Schreiben Sie an hilfe@example.org.",
        "パスワード: 必須",
        "See https://docs.rs/tokio/1.40.0/tokio/sync/struct.Mutex.html#method.lock_owned",
        "ssh git@github.com:owner/repo.git",
    ] {
        check(text);
    }
}
