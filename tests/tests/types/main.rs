//! Every column type that SeaORM knows gives the same JSON on three databases (d54, d55).
#![expect(clippy::unwrap_used, reason = "a check that cannot go on should stop")]

mod base;
#[expect(unreachable_pub, reason = "the derive makes public items")]
mod entity;
mod rows;

use listing::entity::kind_of;
use listing::execute::Reader as _;
use listing::render::{Batch, Shape, ShapeColumn};
use listing::{Key, Kind};
use listing_tests::Engine;
use sea_orm::prelude::*;
use sea_orm::{IntoActiveModel as _, Iterable as _, QueryTrait as _, Schema};

use self::base::{on, on_each};
use self::entity::{Column, Entity};
use self::rows::{TYPICAL, empty, extreme, extreme_json, typical};

/// One column of a shape for each of the entity's.
fn shape_of_everything() -> Shape {
    let columns = Column::iter().map(|column| {
        ShapeColumn::output(column.as_str(), kind_of(column.def().get_column_type()))
    });
    Shape {
        columns: columns.collect(),
    }
}

/// Rules d54, d55.
#[test]
fn every_type_gives_the_same_json_on_three_databases() {
    on_each(async |base| {
        let database = &base.connection;
        let schema = Schema::new(base.backend());
        for statement in schema.create_enum_from_entity(Entity) {
            database.execute(&statement).await.unwrap();
        }
        let table = schema.create_table_from_entity(Entity);
        database.execute(&table).await.unwrap();
        if base.engine == Engine::Mysql {
            // SeaORM's types for MySQL have no fraction of a second, and no cents without a size,
            // which PostgreSQL in turn does not take.
            base.run(
                "ALTER TABLE types_everything MODIFY local DATETIME(6) NULL, \
                 MODIFY zoned TIMESTAMP(6) NULL, MODIFY utc TIMESTAMP(6) NULL, \
                 MODIFY clock TIME(6) NULL, MODIFY cost DECIMAL(14, 2) NULL",
            )
            .await;
        }
        for model in [typical(), extreme(), empty()] {
            let row = model.into_active_model().reset_all();
            Entity::insert(row)
                .exec_without_returning(database)
                .await
                .unwrap();
        }
        let select = Entity::find().into_query();
        let rows = base
            .rows(&shape_of_everything(), base.backend().build(&select))
            .await;
        let nulls = Column::iter()
            .skip(1)
            .map(|column| format!(",\"{}\":null", column.as_str()));
        let nulls = format!("{{\"id\":0{}", nulls.collect::<String>());
        for expected in [TYPICAL, &extreme_json(), &nulls] {
            let (id, _) = expected.split_once(',').unwrap();
            let row = rows
                .iter()
                .find(|row| row.split(',').next() == Some(id))
                .unwrap();
            assert_eq!(row, expected, "{}", base.engine);
        }
    });
}

/// Rule d41.
#[test]
fn keys_are_equal_on_three_databases() {
    on_each(async |base| {
        let schema = Schema::new(base.backend());
        for statement in schema.create_enum_from_entity(Entity) {
            base.connection.execute(&statement).await.unwrap();
        }
        let table = schema.create_table_from_entity(Entity);
        base.connection.execute(&table).await.unwrap();
        let row = typical().into_active_model().reset_all();
        Entity::insert(row)
            .exec_without_returning(&base.connection)
            .await
            .unwrap();
        let columns = [
            ("id", Kind::Integer),
            ("big_unsigned", Kind::IntegerText),
            ("token", Kind::Uuid),
            ("code", Kind::Text),
            ("fixed_bytes", Kind::Binary),
        ];
        let names = columns.clone().map(|(name, _)| name).join(", ");
        let shape = Shape {
            columns: columns.map(|(_, kind)| ShapeColumn::key(kind)).into(),
        };
        let sql = format!("SELECT {names} FROM types_everything");
        let batch = base.batch(&shape, base.statement(&sql)).await;
        assert_eq!(
            batch.keys(0),
            [
                Key::Int(1),
                Key::Int(5_000_000_000),
                Key::Uuid(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef_u128.to_be_bytes()),
                Key::Text("ab".into()),
                Key::Bytes([1, 2, 3, 4].into()),
            ],
            "{}",
            base.engine
        );
        assert_eq!(batch.row(0), b"{");
    });
}

/// What is computed and declared is the same everywhere (d39).
/// Rules d39, d55, b54.
#[test]
fn declared_computed_fields_give_the_same_json_on_three_databases() {
    on_each(async |base| {
        base.run("CREATE TABLE types_sums (amount DECIMAL(10, 2), many BIGINT)")
            .await;
        base.run("INSERT INTO types_sums VALUES (1.50, 2), (2.25, 3)")
            .await;
        let row = base
            .row(
                "SELECT SUM(many), SUM(many), SUM(amount), AVG(many), COUNT(*) > 1, \
                 SUM(many), MAX(amount), COUNT(*) FROM types_sums",
                &[
                    ("sum", Kind::Integer),
                    ("text", Kind::IntegerText),
                    ("total", Kind::Decimal { scale: Some(2) }),
                    ("mean", Kind::Float64),
                    ("several", Kind::Boolean),
                    ("single", Kind::Float32),
                    ("largest", Kind::Decimal { scale: Some(3) }),
                    ("count", Kind::Natural),
                ],
            )
            .await;
        assert_eq!(
            row,
            r#"{"sum":5,"text":"5","total":"3.75","mean":2.5,"several":true,"single":5.0,"largest":"2.250","count":2"#,
            "{}",
            base.engine
        );
    });
}

/// Rules d54, d55, b47, b49, b59.
#[test]
fn types_of_postgresql_alone() {
    on(Engine::Postgres, async |base| {
        base.run("CREATE TYPE types_mood AS ENUM ('sad', 'ok')")
            .await;
        base.run("CREATE DOMAIN types_even AS integer CHECK (VALUE % 2 = 0)")
            .await;
        base.run("CREATE EXTENSION citext").await;
        base.run("CREATE EXTENSION ltree").await;
        let natural = [
            (
                "'14 mons 3 days 04:05:06.789'::interval",
                r#""P1Y2M3DT4H5M6.789S""#,
            ),
            ("B'00101'::bit(5)", r#""00101""#),
            ("B'101'::varbit", r#""101""#),
            ("'10.1.2.3/8'::inet", r#""10.1.2.3/8""#),
            ("'::1'::inet", r#""::1""#),
            ("'10.0.0.0/8'::cidr", r#""10.0.0.0/8""#),
            ("'08:00:2b:01:02:03'::macaddr", r#""08:00:2b:01:02:03""#),
            ("'Top.Science'::ltree", r#""Top.Science""#),
            ("'CiText'::citext", r#""CiText""#),
            ("'ok'::types_mood", r#""ok""#),
            ("4::types_even", "4"),
            ("'-1234.56'::numeric::money", r#""-1234.56""#),
            ("'NaN'::numeric", "null"),
            ("'Infinity'::numeric", "null"),
            ("'NaN'::float8", "null"),
            ("1e-20::numeric", r#""0.00000000000000000001""#),
            (
                "12345678901234567890.123456789::numeric",
                r#""12345678901234567890.123456789""#,
            ),
            ("100000000::numeric", r#""100000000""#),
            ("'infinity'::timestamptz", "null"),
            ("'-infinity'::date", "null"),
            (
                "'0044-03-15 BC'::timestamp",
                r#""-000043-03-15T00:00:00.000000Z""#,
            ),
            ("'01:02:03+02'::timetz", r#""01:02:03.000000+02:00""#),
            (
                "'12:00:00+01:19:32'::timetz",
                r#""12:00:00.000000+01:19:32""#,
            ),
            ("'\"x\"'::json", r#""x""#),
            ("'{\"a\" : [1, 2]}'::jsonb", r#"{"a":[1,2]}"#),
            ("'a'::\"char\"", r#""a""#),
            ("'n'::name", r#""n""#),
            ("ARRAY[1,NULL,3]", "[1,null,3]"),
            ("'{}'::text[]", "[]"),
            ("'{{1,2},{3,4}}'::int8[]", "[[1,2],[3,4]]"),
            ("'[0:1]={1,2}'::int2[]", "[1,2]"),
            ("ARRAY['a\"b', 'NULL']", r#"["a\"b","NULL"]"#),
            ("ARRAY['sad','ok']::types_mood[]", r#"["sad","ok"]"#),
            ("ARRAY[2,4]::types_even[]", "[2,4]"),
            ("ARRAY['x']::citext[]", r#"["x"]"#),
            ("ARRAY[1.50]::numeric[]", r#"["1.50"]"#),
            ("ARRAY['{\"a\": 1}'::jsonb]", r#"[{"a":1}]"#),
            (
                "ARRAY['2024-01-02 03:04:05+02'::timestamptz]",
                r#"["2024-01-02T01:04:05.000000Z"]"#,
            ),
            ("ARRAY[true,false]", "[true,false]"),
            ("ARRAY['\\x00ff'::bytea]", r#"["AP8="]"#),
            (
                "ARRAY['ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB'::uuid]",
                r#"["abababab-abab-abab-abab-abababababab"]"#,
            ),
            ("NULL::int[]", "null"),
        ];
        for (expression, expected) in natural {
            let sql = format!("SELECT {expression}");
            let row = base.row(&sql, &[("v", Kind::Natural)]).await;
            assert_eq!(row, format!("{{\"v\":{expected}"), "{expression}");
        }
        let wide = [("v", Kind::Array(Box::new(Kind::IntegerText)))];
        let row = base.row("SELECT ARRAY[[1],[NULL]]::int[]", &wide).await;
        assert_eq!(row, r#"{"v":[["1"],[null]]"#);
        let point = base.statement("SELECT '(1,2)'::point");
        let rows = base.connection.query_all_raw(point).await.unwrap();
        let shape = shape(&[("v", Kind::Natural)]);
        let error = Batch::default().push_result(&shape, &rows[0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "column 0 has the type POINT, which has no form in JSON: select it as text"
        );
        let point = listing::Statement::new("SELECT '(1,2)'::point", Vec::new());
        let error = base.reads.read(point, &shape).await.unwrap_err();
        assert!(error.to_string().contains("column 0 has the type point"));
    });
}

/// Rules d54, d55.
#[test]
fn types_of_mysql_alone() {
    on(Engine::Mysql, async |base| {
        base.run(
        "CREATE TABLE types_mysql (a YEAR, b BIT(5), c SET('x','y'), d BIGINT UNSIGNED, \
         e VARCHAR(9) COLLATE utf8mb4_bin, f JSON, g TINYINT(1), h TIME, i CHAR(36), j DECIMAL(6,2) ZEROFILL, \
         k MEDIUMINT UNSIGNED, l LONGTEXT, m ENUM('p','q') COLLATE utf8mb4_bin, n DATE, o BIT(1), p LONGBLOB)",
    )
    .await;
        base.run(
            "INSERT INTO types_mysql VALUES (1999, b'101', 'x,y', 18446744073709551615, 'bin', \
         '{ \"a\" : 1 }', 1, '-838:59:59', 'ABABABAB-abab-abab-abab-ABABABABABAB', 1.5, 16777215, \
         'long', 'q', '2024-02-29', b'1', x'00ff')",
        )
        .await;
        let row = base
            .row(
                "SELECT a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,b FROM types_mysql",
                &[
                    ("a", Kind::Integer),
                    ("b", Kind::Bits { length: Some(5) }),
                    ("c", Kind::Natural),
                    ("d", Kind::Natural),
                    ("e", Kind::Natural),
                    ("f", Kind::Json),
                    ("g", Kind::Natural),
                    ("h", Kind::Time),
                    ("i", Kind::Uuid),
                    ("j", Kind::Natural),
                    ("k", Kind::Natural),
                    ("l", Kind::Natural),
                    ("m", Kind::Natural),
                    ("n", Kind::Natural),
                    ("o", Kind::Boolean),
                    ("p", Kind::Natural),
                    ("number", Kind::Integer),
                ],
            )
            .await;
        assert_eq!(
            row,
            concat!(
                r#"{"a":1999,"b":"00101","c":"x,y","d":18446744073709551615,"e":"bin","f":{"a":1},"#,
                r#""g":true,"h":"-838:59:59.000000","i":"abababab-abab-abab-abab-abababababab","#,
                r#""j":"1.50","k":16777215,"l":"long","m":"q","n":"2024-02-29","o":true,"p":"AP8=","number":5"#
            )
        );
    });
}

/// Rules d54, d55, b57, b58.
#[test]
fn what_sqlite_may_hold() {
    on(Engine::Sqlite, async |base| {
        for (expression, kind, expected) in [
            (
                "'2024-01-02 03:04:05'",
                Kind::Timestamp,
                r#""2024-01-02T03:04:05.000000Z""#,
            ),
            (
                "'2024-01-02T05:04:05.5+02:00'",
                Kind::Timestamp,
                r#""2024-01-02T03:04:05.500000Z""#,
            ),
            (
                "1704164645",
                Kind::Timestamp,
                r#""2024-01-02T03:04:05.000000Z""#,
            ),
            (
                "julianday('2024-01-02 03:04:05')",
                Kind::Timestamp,
                r#""2024-01-02T03:04:05.000000Z""#,
            ),
            ("'never'", Kind::Timestamp, r#""never""#),
            ("12", Kind::Decimal { scale: Some(2) }, r#""12.00""#),
            ("0.1 + 0.2", Kind::Decimal { scale: Some(2) }, r#""0.30""#),
            ("'12.5'", Kind::Decimal { scale: Some(2) }, r#""12.50""#),
            ("9e999", Kind::Float64, "null"),
            ("1", Kind::Boolean, "true"),
            ("'false'", Kind::Boolean, "false"),
            ("x'00ff'", Kind::Natural, r#""AP8=""#),
            ("x'00ff'", Kind::Text, "\"\\u0000\u{fffd}\""),
            ("CAST(x'61ff62' AS TEXT)", Kind::Text, "\"a\u{fffd}b\""),
            ("''", Kind::Text, r#""""#),
            ("x''", Kind::Binary, r#""""#),
            ("'[1, 2]'", Kind::Json, "[1,2]"),
            ("'[1, 2'", Kind::Json, r#""[1, 2""#),
            ("'twelve'", Kind::Integer, r#""twelve""#),
            ("0.1", Kind::Natural, "0.1"),
        ] {
            let row = base
                .row(&format!("SELECT {expression}"), &[("v", kind)])
                .await;
            assert_eq!(row, format!("{{\"v\":{expected}"), "{expression}");
        }
        base.run("CREATE TABLE types_flags (flag BOOLEAN)").await;
        base.run("INSERT INTO types_flags VALUES (1)").await;
        let row = base
            .row("SELECT flag FROM types_flags", &[("flag", Kind::Natural)])
            .await;
        assert_eq!(row, r#"{"flag":true"#);
    });
}

pub(crate) fn shape(columns: &[(&str, Kind)]) -> Shape {
    let columns = columns
        .iter()
        .map(|(name, kind)| ShapeColumn::output(name, kind.clone()));
    Shape {
        columns: columns.collect(),
    }
}
