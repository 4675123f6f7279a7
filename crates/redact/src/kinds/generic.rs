//! Credentials of no particular vendor, recognised by their context.

use crate::kind::{Kind, read};
use crate::{assignment, command_line, header, url};

pub(super) const KINDS: &[Kind] = &[
    read("authorization-header", &["uthorization", "UTHORIZATION"], header::authorization, &[
        "Authorization: Bearer {w40}",
        "Authorization: Basic dXNlcjpodW50ZXIy",
        "-H 'Authorization: token {h40}'",
        "\"authorization\": \"Bearer {w20}.{w20}\"",
        "\"Authorization\":\"ApiKey {w32}\"",
        "authorization: {w32}",
        "AUTHORIZATION=Bearer {w32}",
        "Authorization: AWS4-HMAC-SHA256 Credential=AKIA{A16}/20240101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature={h64}",
    ])
    .but_not(&[
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer ${API_TOKEN}",
        "the Authorization: header must be present in the request",
        "Authorization: Bearer YOUR_API_TOKEN",
    ]),
    read("bearer", &["Bearer ", "bearer "], header::bearer, &["Bearer {w32}", "got bearer {b43} from host"])
        .but_not(&["Bearer token authentication", "bearer of bad news"]),
    read("basic", &["Basic ", "basic "], header::basic, &["Basic YWRtaW46aHVudGVyMnNlY3JldA=="])
        .but_not(&["Basic authentication", "basic understanding"]),
    read("cookie", &["ookie: ", "ookie\": \"", "ookie\":\""], header::cookie, &[
        "Cookie: theme=dark; sessionid={l32}; lang=en",
        "Set-Cookie: PHPSESSID={l26}; path=/; HttpOnly",
        "Cookie: connect.sid=s%3A{w32}.{w43}",
    ])
    .but_not(&["Cookie: theme=dark; lang=en", "Set-Cookie: id=5; Path=/"]),
    read("url-password", &["://"], url::user_info, &[
        "postgres://app:{w12}@db.internal:5432/app",
        "mongodb+srv://admin:{w16}@cluster0.mongodb.net/test",
        "redis://:{w20}@cache:6379/0",
        "amqp://svc:{w10}@mq//vhost",
        "https://x-access-token:{w40}@git.internal/repo.git",
        "https://{w32}@git.internal/repo.git",
        "mysql://root:s3cr3t!@127.0.0.1/db",
    ])
    .but_not(&[
        "postgres://user:password@localhost/db",
        "https://user:${PASSWORD}@host/",
        "https://$USER:$PASS@host/",
        "http://localhost:3000/@scope/package",
        "git+ssh://git@github.com/owner/repo.git",
        "https://medium.com/@someone/a-long-title-with-many-words-3f2a9c81d4e7",
        "postgres://user:[REDACTED]@host/db",
        "http://%s:%s@%s/",
    ]),
    read("go-data-source", &["@tcp(", "@unix("], url::go_data_source, &["root:{w12}@tcp(127.0.0.1:3306)/app"])
        .but_not(&["user:password@tcp(localhost:3306)/db", "%s:%s@tcp(%s)/%s"]),
    read("password-option", &[" -p"], command_line::short_p, &[
        "mysql -h db -u root -p{w12} app",
        "sshpass -p {w12} ssh host",
        "docker login -u me -p {w30} registry",
        "az login --service-principal -u app -p {w34} --tenant t",
    ])
    .but_not(&["mysql -u root -p app", "mysql -u root -p$PASS app", "mkdir -p build/some/folder1", "ssh -p 2222 host"]),
    read("redis-option", &[" -a "], command_line::short_a, &["redis-cli -h cache -a {w20} ping"]),
    read("secret-body", &[" --body ", " --body="], command_line::secret_body, &["gh secret set NAME --body {w32}"])
        .but_not(&["gh pr create --title x --body \"a longer text1\"", "gh secret set NAME --body \"$VALUE\""]),
    read("curl-user", &[" -u ", " --user ", " --user=", " --proxy-user "], command_line::user, &[
        "curl -u admin:{w12} https://host/",
        "curl -s --user 'svc:{w16}' https://host",
    ])
    .but_not(&["curl -u admin https://host/", "curl -u \"$USER:$PASS\" https://host", "chown -u user:group file"]),
    read("openssl-option", &["-passin pass:", "-passout pass:"], command_line::openssl, &["openssl rsa -passin pass:{w12} -in k"]),
    read("assignment", NAMES, assignment::read, &[
        "AWS_SECRET_ACCESS_KEY={s40}",
        "aws_secret_access_key = {s40}",
        "DB_PASSWORD=hunter2secret",
        "password: hunter2",
        "\"apiKey\": \"{h32}\"",
        "'client_secret' => '{w24}',",
        "{\\\"token\\\":\\\"{w24}\\\"}",
        "AccountName=x;AccountKey={s86}==;EndpointSuffix=core.windows.net",
        "Server=db;User Id=sa;Password=Xk9!{w8};Encrypt=true",
        "X-Api-Key: {w32}",
        "--password {w12}",
        "--api-key={w24}",
        "machine host login me password {w12}",
        "<password>{w12}</password>",
        "HEROKU_API_KEY={h8}-{h4}-{h4}-{h4}-{h12}",
        "- name: DB_PASSWORD\n  value: {w12}",
        "os.environ[\"API_TOKEN\"] = \"{w24}\"",
        "let api_key: &str = \"{w24}\";",
        "?access_token={w32}&page=2",
        "DATADOG_API_KEY={h32}",
        "CLOUDFLARE_API_TOKEN={b40}",
        "SNOWFLAKE_PASSWORD={w14}",
        "_authToken={h8}-{h4}-{h4}-{h4}-{h12}",
        "TWILIO_AUTH_TOKEN={h32}",
    ])
    .but_not(&[
        "password = getPassword()",
        "token: string",
        "const tokenCount = 5",
        "password: user.password,",
        "API_KEY=your-api-key",
        "API_KEY=${API_KEY}",
        "api_key = os.environ[\"API_KEY\"]",
        "token: process.env.GITHUB_TOKEN",
        "password: changeme",
        "\"password\": \"Enter your password\"",
        "password_hash = \"{h64}\"",
        "cache_key: {h40}",
        "primary_key: {h32}",
        "'password' => 'required|min:8'",
        "secretKeyRef: {name: db, key: password}",
        "PublicKeyToken=b77a5c561934e089",
        "api_key=***",
        "secret: [REDACTED]",
        "PWD=/home/user/project2",
        "token = next(tokens)",
        "if password == other.password1:",
        "private_key_path: /etc/ssl/private/host.key",
    ]),
];

/// The last letters of telling names, in the ways they are written.
const NAMES: &[&str] = &[
    "pass",
    "Pass",
    "PASS",
    "pwd",
    "Pwd",
    "PWD",
    "ecret",
    "ECRET",
    "oken",
    "OKEN",
    "key",
    "Key",
    "KEY",
    "redential",
    "REDENTIAL",
    "_auth",
    "\"auth",
    "creds",
    "CREDS",
    "_pat",
    "_PAT",
    "jwt",
    "JWT",
];
