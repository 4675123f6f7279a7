//! Databases and their clients.

use super::row::{Operands, Program, builds, careful, destroys, look, prints, risky, writes};
use super::special;
use crate::guard::RuleId;

const PSQL: &str =
    "-c -f -d -U -h -p -o -v -F --command --file --dbname --username --host --port --output --set";
const MYSQL: &str = "-e -u -h -P -D --execute --user --host --port --database --password";

pub(super) static PROGRAMS: &[Program] = &[
    builds("psql", &["psql -f schema.sql", "psql mydb"])
        .values(PSQL)
        .outputs("-o --output -L --log-file")
        .special(special::sql)
        .not(&["psql -c 'SELECT 1'", "echo psql"]),
    builds("mysql", &["mysql mydb < dump.sql"])
        .values(MYSQL)
        .special(special::sql)
        .not(&["mysql -e 'SELECT 1'"]),
    builds("mariadb", &["mariadb mydb"])
        .values(MYSQL)
        .special(special::sql)
        .not(&["mariadb -e 'SHOW TABLES'"]),
    builds("sqlite3", &["sqlite3 a.db"])
        .values("-cmd -init -separator")
        .special(special::sql)
        .not(&["sqlite3 a.db 'SELECT 1'"]),
    builds("sqlite", &["sqlite a.db"]).special(special::sql).not(&["sqlite a.db 'SELECT 1'"]),
    builds("duckdb", &["duckdb a.db"])
        .values("-c -s -cmd")
        .special(special::sql)
        .not(&["duckdb -readonly a.db -c 'SELECT 1'", "duckdb -c 'SELECT 1'"]),
    builds("sqlcmd", &["sqlcmd -S host"])
        .values("-Q -q -S -d -U -P -i")
        .special(special::sql)
        .not(&["sqlcmd -Q 'SELECT 1'"]),
    builds("cockroach", &["cockroach sql"])
        .values("-e --execute --url")
        .special(special::sql)
        .not(&["cockroach sql -e 'SELECT 1'"]),
    builds("clickhouse-client", &["clickhouse-client"])
        .values("-q --query --host")
        .special(special::sql)
        .not(&["clickhouse-client -q 'SELECT 1'"]),
    builds("bq", &["bq query 'SELECT 1; INSERT INTO a VALUES (1)'"])
        .special(special::sql)
        .subs(&[look("ls|show|head"), risky("rm", "", RuleId::CloudDelete)])
        .not(&["bq ls"]),
    builds("snowsql", &["snowsql"]).values("-q -f").special(special::sql).not(&["snowsql -q 'SELECT 1'"]),
    builds("cqlsh", &["cqlsh"]).values("-e -f").special(special::sql).not(&["cqlsh -e 'SELECT 1'"]),
    builds("mongosh", &["mongosh mydb"])
        .values("--eval --host --port -u -p")
        .special(special::mongo)
        .not(&["echo mongosh"]),
    builds("mongo", &["mongo mydb"])
        .values("--eval --host --port -u -p")
        .special(special::mongo)
        .not(&["echo mongo"]),
    builds("redis-cli", &["redis-cli"])
        .values("-h -p -a -n -u -s -i -t -r --pattern --count --user --pass --cacert --cert --key")
        .special(special::redis)
        .not(&["redis-cli GET a", "redis-cli PING"]),
    builds("valkey-cli", &["valkey-cli"])
        .values("-h -p -a -n")
        .special(special::redis)
        .not(&["valkey-cli GET a"]),
    builds("cypher-shell", &["cypher-shell"]).special(special::sql).not(&["echo cypher-shell"]),
    destroys("dropdb", Operands::Ignore, &["dropdb mydb", "dropdb app_test"])
        .values("-h -p -U --host --port --username --maintenance-db")
        .special(special::dropdb)
        .not(&["echo dropdb"]),
    destroys("dropuser", Operands::Ignore, &["dropuser me"])
        .risk(RuleId::DatabaseDrop)
        .not(&["echo dropuser"]),
    writes("createdb", Operands::Ignore, &["createdb mydb"]).not(&["echo createdb"]),
    writes("createuser", Operands::Ignore, &["createuser me"]).not(&["echo createuser"]),
    destroys("mysqladmin", Operands::Ignore, &["mysqladmin drop mydb"])
        .values("-u -h -p -P")
        .subs(&[
            look("ping|status|version|processlist|variables"),
            risky("drop", "", RuleId::DatabaseDrop),
            careful("*", "", RuleId::ServiceChange),
        ])
        .not(&["mysqladmin ping"]),
    prints("mysqldump", &["mysqldump mydb"])
        .values("-u -h -p -P")
        .outputs("-r --result-file -T --tab")
        .not(&["mysqldump mydb > f", "mysqldump --tab=out mydb"]),
    prints("pg_dump", &["pg_dump mydb"])
        .values("-U -h -p -d -t -n -F")
        .outputs("-f --file")
        .not(&["pg_dump mydb -f out.sql"]),
    prints("pg_dumpall", &["pg_dumpall"]).outputs("-f").not(&["pg_dumpall > f"]),
    prints("pg_isready", &["pg_isready"]).values("-h -p -U").not(&["pg_isready > f"]),
    writes("pg_restore", Operands::Read, &["pg_restore -d x dump"])
        .values("-d -U -h -p")
        .special(special::pg_restore)
        .not(&["pg_restore -l dump"]),
    writes("pg_ctl", Operands::Ignore, &["pg_ctl start"])
        .values("-D -l")
        .subs(&[look("status")])
        .not(&["pg_ctl status"]),
    writes("initdb", Operands::Ignore, &["initdb -D data"]).outputs("-D").not(&["echo initdb"]),
    writes("mongodump", Operands::Ignore, &["mongodump"]).outputs("-o --out").not(&["echo mongodump"]),
    writes("mongorestore", Operands::Ignore, &["mongorestore x"])
        .special(special::pg_restore)
        .not(&["echo mongorestore"]),
    writes("mongoimport", Operands::Ignore, &["mongoimport x"]).not(&["echo mongoimport"]),
    prints("mongoexport", &["mongoexport -d x"]).outputs("-o --out").not(&["mongoexport -o f"]),
    writes("rabbitmqctl", Operands::Ignore, &["rabbitmqctl add_user x y"])
        .subs(&[
            risky(
                "delete_queue|purge_queue|delete_vhost|delete_user|reset|force_reset",
                "",
                RuleId::DatabaseDrop,
            ),
            look("list_*|status|cluster_status|environment|report|ping|version|help"),
        ])
        .not(&["rabbitmqctl list_queues"]),
    writes("influx", Operands::Ignore, &["influx write x"])
        .values("-execute -database -host -port")
        .special(special::sql)
        .subs(&[
            look("query|ping; bucket list"),
            risky("delete", "", RuleId::DatabaseDelete),
            risky("bucket delete", "", RuleId::DatabaseDrop),
        ])
        .not(&["influx ping"]),
    writes("etcdctl", Operands::Ignore, &["etcdctl put a b"])
        .subs(&[look("get; member list; endpoint health"), risky("del", "", RuleId::DatabaseDelete)])
        .not(&["etcdctl get a"]),
    writes("kafka-topics.sh", Operands::Ignore, &["kafka-topics.sh --create --topic x"])
        .special(special::kafka)
        .not(&["echo kafka-topics.sh"]),
    writes("rabbitmqadmin", Operands::Ignore, &["rabbitmqadmin declare queue name=x"])
        .subs(&[careful("delete|purge", "", RuleId::DatabaseReset)])
        .not(&["echo rabbitmqadmin"]),
    writes("nats", Operands::Ignore, &["nats pub a b"])
        .subs(&[careful("stream|consumer|kv|object rm|purge|del", "", RuleId::DatabaseReset)])
        .not(&["echo nats"]),
    writes("kafka-topics", Operands::Ignore, &["kafka-topics --create --topic x"])
        .special(special::kafka)
        .not(&["echo kafka-topics"]),
    writes("flyway", Operands::Ignore, &["flyway migrate"])
        .subs(&[look("info|validate"), risky("clean", "", RuleId::DatabaseDrop)])
        .not(&["flyway info"]),
    writes("liquibase", Operands::Ignore, &["liquibase update"])
        .subs(&[look("status|validate"), risky("drop-all|dropAll", "", RuleId::DatabaseDrop)])
        .not(&["liquibase status"]),
    writes("dbmate", Operands::Ignore, &["dbmate up"])
        .subs(&[look("status"), risky("drop", "", RuleId::DatabaseDrop)])
        .not(&["dbmate status"]),
    writes("goose", Operands::Ignore, &["goose up"])
        .subs(&[look("status"), risky("reset", "", RuleId::DatabaseReset)])
        .not(&["echo goose"]),
    writes("migrate", Operands::Ignore, &["migrate up"])
        .values("-path -database")
        .subs(&[risky("drop", "", RuleId::DatabaseDrop)])
        .not(&["echo migrate"]),
];
