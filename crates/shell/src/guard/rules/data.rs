//! Databases.

use super::rule;
use crate::guard::RuleId;
use crate::guard::rule::Level::{Ask, Deny};
use crate::guard::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    rule(
        RuleId::DatabaseDrop,
        Deny,
        "This drops a database, a schema or a table",
        "Rename it, or take a dump first and let the user drop it.",
        &[
            "dropdb mydb",
            "psql -c 'DROP DATABASE x'",
            "mysql -e 'drop table users'",
            "redis-cli FLUSHALL",
            "mongosh --eval 'db.dropDatabase()'",
            "rails db:drop",
            "psql <<EOF\nDROP SCHEMA public CASCADE;\nEOF",
        ],
        &["psql -c 'SELECT 1'", "git commit -m 'DROP DATABASE x'", "psql -c 'CREATE TABLE a (b int)'"],
    ),
    rule(
        RuleId::DatabaseDelete,
        Deny,
        "This deletes or changes every row of a table",
        "Add a `WHERE`.",
        &[
            "psql -c 'DELETE FROM users'",
            "mysql -e 'TRUNCATE TABLE users'",
            "psql -c 'UPDATE users SET a = 1'",
        ],
        &["psql -c 'DELETE FROM users WHERE id = 1'"],
    ),
    rule(
        RuleId::DatabaseAlter,
        Ask,
        "This drops a column with what is in it",
        "Copy the column first.",
        &["psql -c 'ALTER TABLE a DROP COLUMN b'"],
        &["psql -c 'ALTER TABLE a ADD COLUMN b int'"],
    ),
    rule(
        RuleId::DatabaseFile,
        Ask,
        "This deletes data of a local database file",
        "Copy the file first.",
        &["sqlite3 dev.db 'DROP TABLE x'"],
        &["sqlite3 dev.db 'SELECT 1'"],
    ),
    rule(
        RuleId::DatabaseReset,
        Ask,
        "This empties a database and builds it again",
        "Check that it is the development database.",
        &["npx prisma migrate reset", "rails db:reset", "python manage.py flush", "alembic downgrade base"],
        &["npx prisma generate", "rails db:migrate", "python manage.py migrate"],
    ),
    rule(
        RuleId::DatabaseAccess,
        Ask,
        "This changes who may do what in a database, or writes a file on its server",
        "Ask the user.",
        &[
            "psql -c \"ALTER USER postgres PASSWORD 'x'\"",
            "psql -c 'CREATE ROLE x SUPERUSER LOGIN'",
            "mysql -e \"GRANT ALL ON *.* TO 'x'@'localhost'\"",
            "mysql -e \"SELECT 1 INTO OUTFILE '/var/www/x.php'\"",
        ],
        &[
            "psql -c \"CREATE USER app PASSWORD 'app'\"",
            "psql -c 'GRANT ALL PRIVILEGES ON DATABASE app TO app'",
            "psql -c 'SELECT * FROM users'",
        ],
    ),
];
