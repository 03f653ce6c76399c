-- Requests, and what they are in the SQL of each database: text and values. `cases.rs` makes a test of each section.
-- "WHERE of" shows the condition, which is the same in page and count; "ORDER of" shows what stands after the selected
-- columns of the page; "relations of" shows what is read for the parents 11 and 22; "all of" shows every statement;
-- "few of" shows what reads the page where few rows match.
-- A cursor is written as the values that it holds: `after(5;7)`, and `before(5;7)` for the way back.

-- # defaults_alone
-- all of GET articles
-- PostgreSQL
SELECT "articles"."id", "articles"."title" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 25;
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;
-- MariaDB
SELECT `articles`.`id`, `articles`.`title` FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 25;
SELECT COUNT(*) FROM `articles` WHERE `articles`.`deleted_at` IS NULL;
-- SQLite
SELECT "articles"."id", "articles"."title" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 25;
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;

-- # eq
-- WHERE of GET articles?filters[title][$eq]=Tea
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."title" = $1;
--   [String(Some("Tea"))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`title` = ?;
--   [String(Some("Tea"))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."title" = ?;
--   [String(Some("Tea"))]

-- # ne_of_a_column_that_cannot_be_null
-- WHERE of GET articles?filters[views][$ne]=5
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" <> $1;
--   [BigInt(Some(5))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` <> ?;
--   [BigInt(Some(5))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" <> ?;
--   [BigInt(Some(5))]

-- # ne_of_a_column_that_can_be_null
-- WHERE of GET articles?filters[rating][$ne]=4.5
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND ("articles"."rating" <> $1 OR "articles"."rating" IS NULL);
--   [Decimal(Some(4.50))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`rating` <> ? OR `articles`.`rating` IS NULL);
--   [Decimal(Some(4.50))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND ("articles"."rating" <> ? OR "articles"."rating" IS NULL);
--   [Double(Some(4.5))]

-- # lt
-- WHERE of GET articles?filters[views][$lt]=5
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" < $1;
--   [BigInt(Some(5))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` < ?;
--   [BigInt(Some(5))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" < ?;
--   [BigInt(Some(5))]

-- # lte
-- WHERE of GET articles?filters[views][$lte]=5
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" <= $1;
--   [BigInt(Some(5))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` <= ?;
--   [BigInt(Some(5))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" <= ?;
--   [BigInt(Some(5))]

-- # gt
-- WHERE of GET articles?filters[views][$gt]=5
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" > $1;
--   [BigInt(Some(5))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` > ?;
--   [BigInt(Some(5))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" > ?;
--   [BigInt(Some(5))]

-- # gte
-- WHERE of GET articles?filters[views][$gte]=-5
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" >= $1;
--   [BigInt(Some(-5))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` >= ?;
--   [BigInt(Some(-5))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" >= ?;
--   [BigInt(Some(-5))]

-- # contains_takes_every_sign_literally
-- WHERE of GET articles?filters[title][$contains]=50%25_!\o/
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."title" ILIKE $1;
--   [String(Some("%50\\%\\_!\\\\o/%"))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND LOCATE(LOWER(CONVERT(? USING utf8mb4)), LOWER(CONVERT(`articles`.`title` USING utf8mb4)) COLLATE utf8mb4_bin) > 0;
--   [String(Some("50%_!\\o/"))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND instr(lower("articles"."title"), lower(?)) > 0;
--   [String(Some("50%_!\\o/"))]

-- # in_a_list
-- all of GET articles?filters[views][$in][]=1&filters[views][$in][]=2&filters[views][$in][]=3
-- PostgreSQL
SELECT "articles"."id", "articles"."title" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" IN ($1, $2, $3) ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 25;
--   [BigInt(Some(1)), BigInt(Some(2)), BigInt(Some(3))]
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" IN ($1, $2, $3);
--   [BigInt(Some(1)), BigInt(Some(2)), BigInt(Some(3))]
-- MariaDB
SELECT `articles`.`id`, `articles`.`title` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` IN (?, ?, ?) ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 25;
--   [BigInt(Some(1)), BigInt(Some(2)), BigInt(Some(3))]
SELECT COUNT(*) FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` IN (?, ?, ?);
--   [BigInt(Some(1)), BigInt(Some(2)), BigInt(Some(3))]
-- SQLite
SELECT "articles"."id", "articles"."title" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" IN (?, ?, ?) ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 25;
--   [BigInt(Some(1)), BigInt(Some(2)), BigInt(Some(3))]
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" IN (?, ?, ?);
--   [BigInt(Some(1)), BigInt(Some(2)), BigInt(Some(3))]

-- # not_in_of_a_column_that_can_be_null
-- WHERE of GET articles?filters[body][$notIn][]=a&filters[body][$notIn][]=b
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND ("articles"."body" NOT IN ($1, $2) OR "articles"."body" IS NULL);
--   [String(Some("a")), String(Some("b"))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`body` NOT IN (?, ?) OR `articles`.`body` IS NULL);
--   [String(Some("a")), String(Some("b"))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND ("articles"."body" NOT IN (?, ?) OR "articles"."body" IS NULL);
--   [String(Some("a")), String(Some("b"))]

-- # null
-- WHERE of GET articles?filters[rating][$null]
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NULL;
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`rating` IS NULL;
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NULL;

-- # not_null
-- WHERE of GET articles?filters[rating][$notNull]=true
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NOT NULL;
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`rating` IS NOT NULL;
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NOT NULL;

-- # null_false_is_not_null
-- WHERE of GET articles?filters[rating][$null]=false
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NOT NULL;
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`rating` IS NOT NULL;
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NOT NULL;

-- # between
-- WHERE of GET articles?filters[views][$between][]=2&filters[views][$between][]=4
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" >= $1 AND "articles"."views" <= $2;
--   [BigInt(Some(2)), BigInt(Some(4))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` >= ? AND `articles`.`views` <= ?;
--   [BigInt(Some(2)), BigInt(Some(4))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" >= ? AND "articles"."views" <= ?;
--   [BigInt(Some(2)), BigInt(Some(4))]

-- # in_nothing_matches_nothing
-- WHERE of POST articles {"filters": {"views": {"$in": []}}}
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND 1 = 0;
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND 1 = 0;
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND 1 = 0;

-- # not_in_nothing_matches_everything
-- all of POST articles {"filters": {"views": {"$notIn": []}}}
-- PostgreSQL
SELECT "articles"."id", "articles"."title" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 25;
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;
-- MariaDB
SELECT `articles`.`id`, `articles`.`title` FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 25;
SELECT COUNT(*) FROM `articles` WHERE `articles`.`deleted_at` IS NULL;
-- SQLite
SELECT "articles"."id", "articles"."title" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 25;
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;

-- # an_integer_that_no_signed_column_holds
-- WHERE of GET articles?filters[views][$lt]=18446744073709551615
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" < 18446744073709551615;
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` < ?;
--   [BigUnsigned(Some(18446744073709551615))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" < 18446744073709551615;

-- # a_boolean
-- WHERE of GET articles?filters[is_active]=off
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."is_active" = $1;
--   [Bool(Some(false))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`is_active` = ?;
--   [Bool(Some(false))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."is_active" = ?;
--   [Bool(Some(false))]

-- # a_moment_with_and_without_time_zone
-- WHERE of GET articles?filters[created_at][$lt]=2026-01-31T12:00:00%2B02:00&filters[published_at][$lt]=2026-01-31T12:00:00%2B02:00
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."created_at" < $1 AND "articles"."published_at" < $2;
--   [ChronoDateTimeUtc(Some(2026-01-31T10:00:00Z)), ChronoDateTime(Some(2026-01-31T10:00:00))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`created_at` < ? AND `articles`.`published_at` < ?;
--   [ChronoDateTime(Some(2026-01-31T10:00:00)), ChronoDateTime(Some(2026-01-31T10:00:00))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."created_at" < ? AND "articles"."published_at" < ?;
--   [ChronoDateTimeUtc(Some(2026-01-31T10:00:00Z)), ChronoDateTime(Some(2026-01-31T10:00:00))]

-- # a_date_is_its_whole_day
-- WHERE of GET articles?filters[created_at][$eq]=2026-01-31
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."created_at" >= $1 AND "articles"."created_at" < $2;
--   [ChronoDateTimeUtc(Some(2026-01-31T00:00:00Z)), ChronoDateTimeUtc(Some(2026-02-01T00:00:00Z))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`created_at` >= ? AND `articles`.`created_at` < ?;
--   [ChronoDateTime(Some(2026-01-31T00:00:00)), ChronoDateTime(Some(2026-02-01T00:00:00))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."created_at" >= ? AND "articles"."created_at" < ?;
--   [ChronoDateTimeUtc(Some(2026-01-31T00:00:00Z)), ChronoDateTimeUtc(Some(2026-02-01T00:00:00Z))]

-- # any_moment_outside_a_day
-- WHERE of GET articles?filters[published_at][$ne]=2026-01-31
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND ("articles"."published_at" < $1 OR "articles"."published_at" >= $2 OR "articles"."published_at" IS NULL);
--   [ChronoDateTime(Some(2026-01-31T00:00:00)), ChronoDateTime(Some(2026-02-01T00:00:00))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`published_at` < ? OR `articles`.`published_at` >= ? OR `articles`.`published_at` IS NULL);
--   [ChronoDateTime(Some(2026-01-31T00:00:00)), ChronoDateTime(Some(2026-02-01T00:00:00))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND ("articles"."published_at" < ? OR "articles"."published_at" >= ? OR "articles"."published_at" IS NULL);
--   [ChronoDateTime(Some(2026-01-31T00:00:00)), ChronoDateTime(Some(2026-02-01T00:00:00))]

-- # between_two_days
-- WHERE of GET articles?filters[created_at][$between][]=2026-01-01&filters[created_at][$between][]=2026-01-31
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."created_at" >= $1 AND "articles"."created_at" < $2;
--   [ChronoDateTimeUtc(Some(2026-01-01T00:00:00Z)), ChronoDateTimeUtc(Some(2026-02-01T00:00:00Z))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`created_at` >= ? AND `articles`.`created_at` < ?;
--   [ChronoDateTime(Some(2026-01-01T00:00:00)), ChronoDateTime(Some(2026-02-01T00:00:00))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."created_at" >= ? AND "articles"."created_at" < ?;
--   [ChronoDateTimeUtc(Some(2026-01-01T00:00:00Z)), ChronoDateTimeUtc(Some(2026-02-01T00:00:00Z))]

-- # in_days_and_moments
-- WHERE of GET articles?filters[created_at][$in][]=2026-01-31&filters[created_at][$in][]=2026-02-01T00:00:00Z
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND ("articles"."created_at" >= $1 AND "articles"."created_at" < $2 OR "articles"."created_at" IN ($3));
--   [ChronoDateTimeUtc(Some(2026-01-31T00:00:00Z)), ChronoDateTimeUtc(Some(2026-02-01T00:00:00Z)), ChronoDateTimeUtc(Some(2026-02-01T00:00:00Z))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`created_at` >= ? AND `articles`.`created_at` < ? OR `articles`.`created_at` IN (?));
--   [ChronoDateTime(Some(2026-01-31T00:00:00)), ChronoDateTime(Some(2026-02-01T00:00:00)), ChronoDateTime(Some(2026-02-01T00:00:00))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND ("articles"."created_at" >= ? AND "articles"."created_at" < ? OR "articles"."created_at" IN (?));
--   [ChronoDateTimeUtc(Some(2026-01-31T00:00:00Z)), ChronoDateTimeUtc(Some(2026-02-01T00:00:00Z)), ChronoDateTimeUtc(Some(2026-02-01T00:00:00Z))]

-- # after_the_last_day_of_the_calendar
-- WHERE of GET articles?filters[created_at][$gt]=9999-12-31&filters[published_at][$lte]=9999-12-31
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND 1 = 0 AND "articles"."published_at" IS NOT NULL;
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND 1 = 0 AND `articles`.`published_at` IS NOT NULL;
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND 1 = 0 AND "articles"."published_at" IS NOT NULL;

-- # a_uuid
-- WHERE of GET tags?filters[id]=67E55044-10B1-426F-9247-BB680E5FE0C8
-- PostgreSQL
WHERE "tags"."code" = $1;
--   [Uuid(Some(67e55044-10b1-426f-9247-bb680e5fe0c8))]
-- MariaDB
WHERE `tags`.`code` = ?;
--   [Uuid(Some(67e55044-10b1-426f-9247-bb680e5fe0c8))]
-- SQLite
WHERE "tags"."code" = ?;
--   [Uuid(Some(67e55044-10b1-426f-9247-bb680e5fe0c8))]

-- # all_must_hold
-- WHERE of GET articles?filters[views][$gte]=2&filters[views][$lte]=4&filters[is_active]=1
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" >= $1 AND "articles"."views" <= $2 AND "articles"."is_active" = $3;
--   [BigInt(Some(2)), BigInt(Some(4)), Bool(Some(true))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` >= ? AND `articles`.`views` <= ? AND `articles`.`is_active` = ?;
--   [BigInt(Some(2)), BigInt(Some(4)), Bool(Some(true))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."views" >= ? AND "articles"."views" <= ? AND "articles"."is_active" = ?;
--   [BigInt(Some(2)), BigInt(Some(4)), Bool(Some(true))]

-- # a_custom_query
-- WHERE of GET articles?filters[country]=NZ
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND ("articles"."author_id" IN (SELECT "id" FROM "authors" WHERE "country" IN ($1)));
--   [String(Some("NZ"))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`author_id` IN (SELECT `id` FROM `authors` WHERE `country` IN (?)));
--   [String(Some("NZ"))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND ("articles"."author_id" IN (SELECT "id" FROM "authors" WHERE "country" IN (?)));
--   [String(Some("NZ"))]

-- # defaults_of_a_listing
-- all of GET comments
-- PostgreSQL
SELECT "comments"."id", "comments"."body" FROM "comments" WHERE "comments"."is_hidden" = $1 AND "comments"."answered_at" IS NOT NULL ORDER BY "comments"."answered_at" DESC, "comments"."id" DESC LIMIT 25;
--   [Bool(Some(false))]
SELECT COUNT(*) FROM "comments" WHERE "comments"."is_hidden" = $1 AND "comments"."answered_at" IS NOT NULL;
--   [Bool(Some(false))]
-- MariaDB
SELECT `comments`.`id`, `comments`.`body` FROM `comments` WHERE `comments`.`is_hidden` = ? AND `comments`.`answered_at` IS NOT NULL ORDER BY `comments`.`answered_at` IS NULL DESC, `comments`.`answered_at` DESC, `comments`.`id` DESC LIMIT 25;
--   [Bool(Some(false))]
SELECT COUNT(*) FROM `comments` WHERE `comments`.`is_hidden` = ? AND `comments`.`answered_at` IS NOT NULL;
--   [Bool(Some(false))]
-- SQLite
SELECT "comments"."id", "comments"."body" FROM "comments" WHERE "comments"."is_hidden" = ? AND "comments"."answered_at" IS NOT NULL ORDER BY "comments"."answered_at" DESC NULLS FIRST, "comments"."id" DESC LIMIT 25;
--   [Bool(Some(false))]
SELECT COUNT(*) FROM "comments" WHERE "comments"."is_hidden" = ? AND "comments"."answered_at" IS NOT NULL;
--   [Bool(Some(false))]

-- # a_filter_drops_its_default
-- WHERE of GET comments?filters[is_hidden]=true
-- PostgreSQL
WHERE "comments"."is_hidden" = $1 AND "comments"."answered_at" IS NOT NULL;
--   [Bool(Some(true))]
-- MariaDB
WHERE `comments`.`is_hidden` = ? AND `comments`.`answered_at` IS NOT NULL;
--   [Bool(Some(true))]
-- SQLite
WHERE "comments"."is_hidden" = ? AND "comments"."answered_at" IS NOT NULL;
--   [Bool(Some(true))]

-- # a_scope_holds_in_page_and_count
-- all of GET authors
-- PostgreSQL
SELECT "authors"."id", "authors"."name" FROM "authors" WHERE ("authors"."tenant" = $1) ORDER BY "authors"."id" ASC LIMIT 25;
--   [Int(Some(7))]
SELECT COUNT(*) FROM "authors" WHERE ("authors"."tenant" = $1);
--   [Int(Some(7))]
-- MariaDB
SELECT `authors`.`id`, `authors`.`name` FROM `authors` WHERE (`authors`.`tenant` = ?) ORDER BY `authors`.`id` ASC LIMIT 25;
--   [Int(Some(7))]
SELECT COUNT(*) FROM `authors` WHERE (`authors`.`tenant` = ?);
--   [Int(Some(7))]
-- SQLite
SELECT "authors"."id", "authors"."name" FROM "authors" WHERE ("authors"."tenant" = ?) ORDER BY "authors"."id" ASC LIMIT 25;
--   [Int(Some(7))]
SELECT COUNT(*) FROM "authors" WHERE ("authors"."tenant" = ?);
--   [Int(Some(7))]

-- # a_scope_of_no_alternative_shows_nothing
-- all of GET strangers
-- PostgreSQL
SELECT "authors"."id", "authors"."name" FROM "authors" WHERE (FALSE) ORDER BY "authors"."id" ASC LIMIT 25;
SELECT COUNT(*) FROM "authors" WHERE (FALSE);
-- MariaDB
SELECT `authors`.`id`, `authors`.`name` FROM `authors` WHERE (FALSE) ORDER BY `authors`.`id` ASC LIMIT 25;
SELECT COUNT(*) FROM `authors` WHERE (FALSE);
-- SQLite
SELECT "authors"."id", "authors"."name" FROM "authors" WHERE (FALSE) ORDER BY "authors"."id" ASC LIMIT 25;
SELECT COUNT(*) FROM "authors" WHERE (FALSE);

-- # nothing_known_in_sort
-- ORDER of GET articles?sort=nonsense
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."id" ASC LIMIT 25;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`id` ASC LIMIT 25;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."id" ASC LIMIT 25;

-- # the_key_ends_the_order_in_the_last_direction
-- ORDER of GET articles?sort=views:desc
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."views" DESC, "articles"."id" DESC LIMIT 25;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`views` DESC, `articles`.`id` DESC LIMIT 25;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."views" DESC, "articles"."id" DESC LIMIT 25;

-- # nothing_comes_after_the_key
-- ORDER of GET articles?sort=id:desc,views
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."id" DESC LIMIT 25;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`id` DESC LIMIT 25;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."id" DESC LIMIT 25;

-- # null_is_largest_ascending
-- ORDER of GET articles?sort=rating
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."rating" ASC, "articles"."id" ASC LIMIT 25;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`rating` IS NULL ASC, `articles`.`rating` ASC, `articles`.`id` ASC LIMIT 25;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."rating" ASC NULLS LAST, "articles"."id" ASC LIMIT 25;

-- # null_is_largest_descending
-- ORDER of GET articles?sort=rating:desc
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."rating" DESC, "articles"."id" DESC LIMIT 25;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`rating` IS NULL DESC, `articles`.`rating` DESC, `articles`.`id` DESC LIMIT 25;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."rating" DESC NULLS FIRST, "articles"."id" DESC LIMIT 25;

-- # nulls_last_whatever_the_direction
-- ORDER of GET articles?sort=body:desc
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."body" DESC NULLS LAST, "articles"."id" DESC LIMIT 25;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`body` DESC, `articles`.`id` DESC LIMIT 25;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."body" DESC, "articles"."id" DESC LIMIT 25;

-- # nulls_first_whatever_the_direction
-- ORDER of GET articles?sort=published_at:asc
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."published_at" ASC NULLS FIRST, "articles"."id" ASC LIMIT 25;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`published_at` ASC, `articles`.`id` ASC LIMIT 25;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."published_at" ASC, "articles"."id" ASC LIMIT 25;

-- # a_computed_field
-- all of GET articles?fields=comments_count
-- PostgreSQL
SELECT "articles"."id", (SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") AS "listing_1" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 25;
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;
-- MariaDB
SELECT `articles`.`id`, (SELECT COUNT(`id`) FROM `comments` WHERE `comments`.`article_id` = `articles`.`id`) AS `listing_1` FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 25;
SELECT COUNT(*) FROM `articles` WHERE `articles`.`deleted_at` IS NULL;
-- SQLite
SELECT "articles"."id", (SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") AS "listing_1" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 25;
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;

-- # a_sort_by_a_computed_field_that_is_selected
-- all of GET articles?fields=comments_count&sort=comments_count:desc
-- PostgreSQL
SELECT "articles"."id", (SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") AS "listing_1" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "listing_1" DESC, "articles"."id" DESC LIMIT 25;
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;
-- MariaDB
SELECT `articles`.`id`, (SELECT COUNT(`id`) FROM `comments` WHERE `comments`.`article_id` = `articles`.`id`) AS `listing_1` FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `listing_1` IS NULL DESC, `listing_1` DESC, `articles`.`id` DESC LIMIT 25;
SELECT COUNT(*) FROM `articles` WHERE `articles`.`deleted_at` IS NULL;
-- SQLite
SELECT "articles"."id", (SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") AS "listing_1" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "listing_1" DESC NULLS FIRST, "articles"."id" DESC LIMIT 25;
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;

-- # a_sort_by_a_computed_field_that_is_not_selected
-- ORDER of GET articles?sort=comments_count
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY (SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") ASC, "articles"."id" ASC LIMIT 25;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY (SELECT COUNT(`id`) FROM `comments` WHERE `comments`.`article_id` = `articles`.`id`) IS NULL ASC, (SELECT COUNT(`id`) FROM `comments` WHERE `comments`.`article_id` = `articles`.`id`) ASC, `articles`.`id` ASC LIMIT 25;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY (SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") ASC NULLS LAST, "articles"."id" ASC LIMIT 25;

-- # a_sort_by_the_row_that_can_be_seen
-- all of GET articles?sort=author.name
-- PostgreSQL
SELECT "articles"."id", "articles"."title" FROM "articles" INNER JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = $1)) AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND "listing_sort_0"."listing_by" IS NOT NULL ORDER BY "listing_sort_0"."listing_by" ASC, "articles"."id" ASC LIMIT 25;
--   [Int(Some(7))]
SELECT "articles"."id", "articles"."title" FROM "articles" LEFT JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = $1)) AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND ("articles"."author_id" IS NULL OR NOT EXISTS (SELECT 1 FROM (SELECT "authors"."id" AS "listing_meets" FROM "authors" WHERE ("authors"."tenant" = $2)) AS "listing_others" WHERE "listing_others"."listing_meets" = "articles"."author_id")) ORDER BY "articles"."id" ASC LIMIT 25;
--   [Int(Some(7)), Int(Some(7))]
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;
-- MariaDB
SELECT `articles`.`id`, `articles`.`title` FROM `articles` INNER JOIN (SELECT `authors`.`id` AS `listing_meets`, `authors`.`name` AS `listing_by` FROM `authors` WHERE (`authors`.`tenant` = ?)) AS `listing_sort_0` ON `listing_sort_0`.`listing_meets` = `articles`.`author_id` WHERE `articles`.`deleted_at` IS NULL AND `listing_sort_0`.`listing_by` IS NOT NULL ORDER BY `listing_sort_0`.`listing_by` ASC, `articles`.`id` ASC LIMIT 25;
--   [Int(Some(7))]
SELECT `articles`.`id`, `articles`.`title` FROM `articles` LEFT JOIN (SELECT `authors`.`id` AS `listing_meets`, `authors`.`name` AS `listing_by` FROM `authors` WHERE (`authors`.`tenant` = ?)) AS `listing_sort_0` ON `listing_sort_0`.`listing_meets` = `articles`.`author_id` WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`author_id` IS NULL OR NOT EXISTS (SELECT 1 FROM (SELECT `authors`.`id` AS `listing_meets` FROM `authors` WHERE (`authors`.`tenant` = ?)) AS `listing_others` WHERE `listing_others`.`listing_meets` = `articles`.`author_id`)) ORDER BY `articles`.`id` ASC LIMIT 25;
--   [Int(Some(7)), Int(Some(7))]
SELECT COUNT(*) FROM `articles` WHERE `articles`.`deleted_at` IS NULL;
-- SQLite
SELECT "articles"."id", "articles"."title" FROM "articles" INNER JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = ?)) AS "listing_sort_0" ON (+"listing_sort_0"."listing_meets") = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND "listing_sort_0"."listing_by" IS NOT NULL ORDER BY "listing_sort_0"."listing_by" ASC, "articles"."id" ASC LIMIT 25;
--   [Int(Some(7))]
SELECT "articles"."id", "articles"."title" FROM "articles" LEFT JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = ?)) AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND ("articles"."author_id" IS NULL OR NOT EXISTS (SELECT 1 FROM (SELECT "authors"."id" AS "listing_meets" FROM "authors" WHERE ("authors"."tenant" = ?)) AS "listing_others" WHERE "listing_others"."listing_meets" = "articles"."author_id")) ORDER BY "articles"."id" ASC LIMIT 25;
--   [Int(Some(7)), Int(Some(7))]
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;

-- # two_sorts_by_one_relation
-- ORDER of GET articles?sort=author.country:desc,author.name
-- PostgreSQL
FROM "articles" LEFT JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."country" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = $1)) AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."author_id" LEFT JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = $2)) AS "listing_sort_1" ON "listing_sort_1"."listing_meets" = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND ("articles"."author_id" IS NULL OR NOT EXISTS (SELECT 1 FROM (SELECT "authors"."id" AS "listing_meets" FROM "authors" WHERE ("authors"."tenant" = $3)) AS "listing_others" WHERE "listing_others"."listing_meets" = "articles"."author_id")) ORDER BY "listing_sort_1"."listing_by" ASC, "articles"."id" ASC LIMIT 25;
--   [Int(Some(7)), Int(Some(7)), Int(Some(7))]
-- MariaDB
FROM `articles` LEFT JOIN (SELECT `authors`.`id` AS `listing_meets`, `authors`.`country` AS `listing_by` FROM `authors` WHERE (`authors`.`tenant` = ?)) AS `listing_sort_0` ON `listing_sort_0`.`listing_meets` = `articles`.`author_id` LEFT JOIN (SELECT `authors`.`id` AS `listing_meets`, `authors`.`name` AS `listing_by` FROM `authors` WHERE (`authors`.`tenant` = ?)) AS `listing_sort_1` ON `listing_sort_1`.`listing_meets` = `articles`.`author_id` WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`author_id` IS NULL OR NOT EXISTS (SELECT 1 FROM (SELECT `authors`.`id` AS `listing_meets` FROM `authors` WHERE (`authors`.`tenant` = ?)) AS `listing_others` WHERE `listing_others`.`listing_meets` = `articles`.`author_id`)) ORDER BY `listing_sort_1`.`listing_by` IS NULL ASC, `listing_sort_1`.`listing_by` ASC, `articles`.`id` ASC LIMIT 25;
--   [Int(Some(7)), Int(Some(7)), Int(Some(7))]
-- SQLite
FROM "articles" LEFT JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."country" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = ?)) AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."author_id" LEFT JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = ?)) AS "listing_sort_1" ON "listing_sort_1"."listing_meets" = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND ("articles"."author_id" IS NULL OR NOT EXISTS (SELECT 1 FROM (SELECT "authors"."id" AS "listing_meets" FROM "authors" WHERE ("authors"."tenant" = ?)) AS "listing_others" WHERE "listing_others"."listing_meets" = "articles"."author_id")) ORDER BY "listing_sort_1"."listing_by" ASC NULLS LAST, "articles"."id" ASC LIMIT 25;
--   [Int(Some(7)), Int(Some(7)), Int(Some(7))]

-- # a_sort_by_a_unique_row
-- ORDER of GET articles?sort=seo.meta_title:desc
-- PostgreSQL
FROM "articles" LEFT JOIN (SELECT "seo"."article_id" AS "listing_meets", "seo"."meta_title" AS "listing_by" FROM "seo") AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."id" WHERE "articles"."deleted_at" IS NULL AND NOT EXISTS (SELECT 1 FROM (SELECT "seo"."article_id" AS "listing_meets" FROM "seo") AS "listing_others" WHERE "listing_others"."listing_meets" = "articles"."id") ORDER BY "articles"."id" DESC LIMIT 25;
-- MariaDB
FROM `articles` LEFT JOIN (SELECT `seo`.`article_id` AS `listing_meets`, `seo`.`meta_title` AS `listing_by` FROM `seo`) AS `listing_sort_0` ON `listing_sort_0`.`listing_meets` = `articles`.`id` WHERE `articles`.`deleted_at` IS NULL AND NOT EXISTS (SELECT 1 FROM (SELECT `seo`.`article_id` AS `listing_meets` FROM `seo`) AS `listing_others` WHERE `listing_others`.`listing_meets` = `articles`.`id`) ORDER BY `articles`.`id` DESC LIMIT 25;
-- SQLite
FROM "articles" LEFT JOIN (SELECT "seo"."article_id" AS "listing_meets", "seo"."meta_title" AS "listing_by" FROM "seo") AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."id" WHERE "articles"."deleted_at" IS NULL AND NOT EXISTS (SELECT 1 FROM (SELECT "seo"."article_id" AS "listing_meets" FROM "seo") AS "listing_others" WHERE "listing_others"."listing_meets" = "articles"."id") ORDER BY "articles"."id" DESC LIMIT 25;

-- # a_sort_by_the_first_of_rows_that_may_be_several
-- ORDER of GET articles?sort=draft.text
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY (SELECT "listing_sort_0"."text" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."text", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN ($1, $2)) AS "listing_sort_0" WHERE "listing_sort_0"."article_id" = "articles"."id" ORDER BY "listing_sort_0"."version" DESC, "listing_sort_0"."id" DESC LIMIT 1) ASC, "articles"."id" ASC LIMIT 25;
--   [String(Some("open")), String(Some("late"))]
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY (SELECT `listing_sort_0`.`text` FROM (SELECT `drafts`.`article_id`, `drafts`.`id`, `drafts`.`text`, `drafts`.`version` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?)) AS `listing_sort_0` WHERE `listing_sort_0`.`article_id` = `articles`.`id` ORDER BY `listing_sort_0`.`version` DESC, `listing_sort_0`.`id` DESC LIMIT 1) IS NULL ASC, (SELECT `listing_sort_0`.`text` FROM (SELECT `drafts`.`article_id`, `drafts`.`id`, `drafts`.`text`, `drafts`.`version` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?)) AS `listing_sort_0` WHERE `listing_sort_0`.`article_id` = `articles`.`id` ORDER BY `listing_sort_0`.`version` DESC, `listing_sort_0`.`id` DESC LIMIT 1) ASC, `articles`.`id` ASC LIMIT 25;
--   [String(Some("open")), String(Some("late")), String(Some("open")), String(Some("late"))]
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY (SELECT "listing_sort_0"."text" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."text", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?)) AS "listing_sort_0" WHERE "listing_sort_0"."article_id" = "articles"."id" ORDER BY "listing_sort_0"."version" DESC, "listing_sort_0"."id" DESC LIMIT 1) ASC NULLS LAST, "articles"."id" ASC LIMIT 25;
--   [String(Some("open")), String(Some("late"))]

-- # a_later_page
-- ORDER of GET articles?pagination[page]=3&pagination[pageSize]=10
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 10 OFFSET 20;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 10 OFFSET 20;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 10 OFFSET 20;

-- # numbers_without_end
-- ORDER of GET articles?pagination[page]=99999999999999999999&pagination[pageSize]=99999999999999999999
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 100 OFFSET 9223372036854775807;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 100 OFFSET 9223372036854775807;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 100 OFFSET 9223372036854775807;

-- # an_offset
-- ORDER of GET articles?pagination[start]=5&pagination[limit]=2
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 2 OFFSET 5;
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 2 OFFSET 5;
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 2 OFFSET 5;

-- # one_more_row_instead_of_a_count
-- all of GET articles?pagination[withCount]=false&pagination[pageSize]=2&pagination[page]=2
-- PostgreSQL
SELECT "articles"."id", "articles"."title" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 3 OFFSET 2;
-- MariaDB
SELECT `articles`.`id`, `articles`.`title` FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 3 OFFSET 2;
-- SQLite
SELECT "articles"."id", "articles"."title" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 3 OFFSET 2;

-- # a_row_each_for_all_parents
-- relations of GET articles?populate=author
-- PostgreSQL
SELECT "authors"."id" AS "k", "authors"."id" AS "listing_0", "authors"."name" AS "listing_1" FROM "authors" WHERE ("authors"."tenant" = $1) AND "authors"."id" = ANY($2);
--   [Int(Some(7)), Array(BigInt, Some([BigInt(Some(11)), BigInt(Some(22))]))]
-- MariaDB
SELECT `authors`.`id` AS `k`, `authors`.`id` AS `listing_0`, `authors`.`name` AS `listing_1` FROM `authors` WHERE (`authors`.`tenant` = ?) AND `authors`.`id` IN (?, ?);
--   [Int(Some(7)), BigInt(Some(11)), BigInt(Some(22))]
-- SQLite
SELECT "authors"."id" AS "k", "authors"."id" AS "listing_0", "authors"."name" AS "listing_1" FROM "authors" WHERE ("authors"."tenant" = ?) AND "authors"."id" IN (?, ?);
--   [Int(Some(7)), BigInt(Some(11)), BigInt(Some(22))]

-- # columns_named_on_the_spot
-- relations of GET articles?populate=seo
-- PostgreSQL
SELECT "seo"."article_id" AS "k", "seo"."id" AS "listing_0", "seo"."meta_title" AS "listing_1" FROM "seo" WHERE "seo"."article_id" = ANY($1);
--   [Array(BigInt, Some([BigInt(Some(11)), BigInt(Some(22))]))]
-- MariaDB
SELECT `seo`.`article_id` AS `k`, `seo`.`id` AS `listing_0`, `seo`.`meta_title` AS `listing_1` FROM `seo` WHERE `seo`.`article_id` IN (?, ?);
--   [BigInt(Some(11)), BigInt(Some(22))]
-- SQLite
SELECT "seo"."article_id" AS "k", "seo"."id" AS "listing_0", "seo"."meta_title" AS "listing_1" FROM "seo" WHERE "seo"."article_id" IN (?, ?);
--   [BigInt(Some(11)), BigInt(Some(22))]

-- # the_first_of_rows_that_may_be_several
-- relations of GET articles?populate=draft
-- PostgreSQL
SELECT "children".* FROM unnest($1::int8[]) AS "listing_parents" ("k") CROSS JOIN LATERAL (SELECT "listing_parents"."k" AS "k", "drafts"."id" AS "listing_0", "drafts"."text" AS "listing_1" FROM "drafts" WHERE "drafts"."state" NOT IN ($2, $3) AND "drafts"."article_id" = "listing_parents"."k" ORDER BY "drafts"."version" DESC, "drafts"."id" DESC LIMIT 1) AS "children";
--   [Array(BigInt, Some([BigInt(Some(11)), BigInt(Some(22))])), String(Some("open")), String(Some("late"))]
-- MariaDB
(SELECT 0 AS `k`, `drafts`.`id` AS `listing_0`, `drafts`.`text` AS `listing_1` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?) AND `drafts`.`article_id` = ? ORDER BY `drafts`.`version` DESC, `drafts`.`id` DESC LIMIT 1) UNION ALL (SELECT 1 AS `k`, `drafts`.`id` AS `listing_0`, `drafts`.`text` AS `listing_1` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?) AND `drafts`.`article_id` = ? ORDER BY `drafts`.`version` DESC, `drafts`.`id` DESC LIMIT 1);
--   [String(Some("open")), String(Some("late")), BigInt(Some(11)), String(Some("open")), String(Some("late")), BigInt(Some(22))]
-- SQLite
SELECT "listing_parents"."key", "children"."listing_0", "children"."listing_1" FROM json_each(?) AS "listing_parents" CROSS JOIN json_each((SELECT json_group_array("k") FROM (SELECT "drafts"."id" AS "k" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?) AND "drafts"."article_id" = +"listing_parents"."value" ORDER BY "drafts"."version" DESC, "drafts"."id" DESC LIMIT 1))) AS "listing_picked" CROSS JOIN (SELECT "drafts"."id" AS "k", "drafts"."id" AS "listing_0", "drafts"."text" AS "listing_1" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?)) AS "children" ON "children"."k" = "listing_picked"."value" ORDER BY "listing_parents"."key", "listing_picked"."key";
--   [String(Some("[11,22]")), String(Some("open")), String(Some("late")), String(Some("open")), String(Some("late"))]

-- # many_rows_each
-- relations of GET articles?populate=comments
-- PostgreSQL
SELECT "children".* FROM unnest($1::int8[]) AS "listing_parents" ("k") CROSS JOIN LATERAL (SELECT "listing_parents"."k" AS "k", "comments"."id" AS "listing_0", "comments"."body" AS "listing_1" FROM "comments" WHERE "comments"."is_hidden" = $2 AND "comments"."answered_at" IS NOT NULL AND "comments"."article_id" = "listing_parents"."k" ORDER BY "comments"."answered_at" DESC, "comments"."id" DESC LIMIT 4) AS "children";
--   [Array(BigInt, Some([BigInt(Some(11)), BigInt(Some(22))])), Bool(Some(false))]
-- MariaDB
(SELECT 0 AS `k`, `comments`.`id` AS `listing_0`, `comments`.`body` AS `listing_1` FROM `comments` WHERE `comments`.`is_hidden` = ? AND `comments`.`answered_at` IS NOT NULL AND `comments`.`article_id` = ? ORDER BY `comments`.`answered_at` IS NULL DESC, `comments`.`answered_at` DESC, `comments`.`id` DESC LIMIT 4) UNION ALL (SELECT 1 AS `k`, `comments`.`id` AS `listing_0`, `comments`.`body` AS `listing_1` FROM `comments` WHERE `comments`.`is_hidden` = ? AND `comments`.`answered_at` IS NOT NULL AND `comments`.`article_id` = ? ORDER BY `comments`.`answered_at` IS NULL DESC, `comments`.`answered_at` DESC, `comments`.`id` DESC LIMIT 4);
--   [Bool(Some(false)), BigInt(Some(11)), Bool(Some(false)), BigInt(Some(22))]
-- SQLite
SELECT "listing_parents"."key", "children"."listing_0", "children"."listing_1" FROM json_each(?) AS "listing_parents" CROSS JOIN json_each((SELECT json_group_array("k") FROM (SELECT "comments"."id" AS "k" FROM "comments" WHERE "comments"."is_hidden" = ? AND "comments"."answered_at" IS NOT NULL AND "comments"."article_id" = +"listing_parents"."value" ORDER BY "comments"."answered_at" DESC NULLS FIRST, "comments"."id" DESC LIMIT 4))) AS "listing_picked" CROSS JOIN (SELECT "comments"."id" AS "k", "comments"."id" AS "listing_0", "comments"."body" AS "listing_1" FROM "comments" WHERE "comments"."is_hidden" = ? AND "comments"."answered_at" IS NOT NULL) AS "children" ON "children"."k" = "listing_picked"."value" ORDER BY "listing_parents"."key", "listing_picked"."key";
--   [String(Some("[11,22]")), Bool(Some(false)), Bool(Some(false))]

-- # many_to_many_in_its_own_order
-- relations of GET articles?populate=tags
-- PostgreSQL
SELECT "children".* FROM unnest($1::int8[]) AS "listing_parents" ("k") CROSS JOIN LATERAL (SELECT "listing_parents"."k" AS "k", "tags"."code" AS "listing_0", "tags"."name" AS "listing_1" FROM "tags" INNER JOIN (SELECT "article_tags"."article_id" AS "listing_parent", "article_tags"."tag_code" AS "listing_target" FROM "article_tags") AS "listing_link" ON "listing_link"."listing_target" = "tags"."code" WHERE "listing_link"."listing_parent" = "listing_parents"."k" ORDER BY "tags"."name" DESC, "tags"."code" DESC LIMIT 11) AS "children";
--   [Array(BigInt, Some([BigInt(Some(11)), BigInt(Some(22))]))]
-- MariaDB
(SELECT 0 AS `k`, `tags`.`code` AS `listing_0`, `tags`.`name` AS `listing_1` FROM `tags` INNER JOIN (SELECT `article_tags`.`article_id` AS `listing_parent`, `article_tags`.`tag_code` AS `listing_target` FROM `article_tags`) AS `listing_link` ON `listing_link`.`listing_target` = `tags`.`code` WHERE `listing_link`.`listing_parent` = ? ORDER BY `tags`.`name` DESC, `tags`.`code` DESC LIMIT 11) UNION ALL (SELECT 1 AS `k`, `tags`.`code` AS `listing_0`, `tags`.`name` AS `listing_1` FROM `tags` INNER JOIN (SELECT `article_tags`.`article_id` AS `listing_parent`, `article_tags`.`tag_code` AS `listing_target` FROM `article_tags`) AS `listing_link` ON `listing_link`.`listing_target` = `tags`.`code` WHERE `listing_link`.`listing_parent` = ? ORDER BY `tags`.`name` DESC, `tags`.`code` DESC LIMIT 11);
--   [BigInt(Some(11)), BigInt(Some(22))]
-- SQLite
SELECT "listing_parents"."key", "children"."listing_0", "children"."listing_1" FROM json_each(?) AS "listing_parents" CROSS JOIN json_each((SELECT json_group_array(hex("k")) FROM (SELECT "tags"."code" AS "k" FROM "tags" INNER JOIN (SELECT "article_tags"."article_id" AS "listing_parent", "article_tags"."tag_code" AS "listing_target" FROM "article_tags") AS "listing_link" ON "listing_link"."listing_target" = "tags"."code" WHERE "listing_link"."listing_parent" = +"listing_parents"."value" ORDER BY "tags"."name" DESC, "tags"."code" DESC LIMIT 11))) AS "listing_picked" CROSS JOIN (SELECT "tags"."code" AS "k", "tags"."code" AS "listing_0", "tags"."name" AS "listing_1" FROM "tags") AS "children" ON "children"."k" IN (unhex("listing_picked"."value"), CAST(unhex("listing_picked"."value") AS TEXT)) ORDER BY "listing_parents"."key", "listing_picked"."key";
--   [String(Some("[11,22]"))]

-- # by_uuid_and_without_the_deleted
-- all of GET tags?populate=articles
-- PostgreSQL
SELECT "tags"."code", "tags"."name", "tags"."code" FROM "tags" ORDER BY "tags"."name" ASC, "tags"."code" ASC LIMIT 25;
SELECT COUNT(*) FROM "tags";
SELECT "children".* FROM unnest($1::uuid[]) AS "listing_parents" ("k") CROSS JOIN LATERAL (SELECT "listing_parents"."k" AS "k", "articles"."id" AS "listing_0", "articles"."title" AS "listing_1" FROM "articles" INNER JOIN (SELECT "article_tags"."tag_code" AS "listing_parent", "article_tags"."article_id" AS "listing_target" FROM "article_tags") AS "listing_link" ON "listing_link"."listing_target" = "articles"."id" WHERE "articles"."deleted_at" IS NULL AND "listing_link"."listing_parent" = "listing_parents"."k" ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 11) AS "children";
--   [Array(Uuid, Some([Uuid(Some(11111111-1111-1111-1111-111111111111)), Uuid(Some(22222222-2222-2222-2222-222222222222))]))]
-- MariaDB
SELECT `tags`.`code`, `tags`.`name`, `tags`.`code` FROM `tags` ORDER BY `tags`.`name` ASC, `tags`.`code` ASC LIMIT 25;
SELECT COUNT(*) FROM `tags`;
(SELECT 0 AS `k`, `articles`.`id` AS `listing_0`, `articles`.`title` AS `listing_1` FROM `articles` INNER JOIN (SELECT `article_tags`.`tag_code` AS `listing_parent`, `article_tags`.`article_id` AS `listing_target` FROM `article_tags`) AS `listing_link` ON `listing_link`.`listing_target` = `articles`.`id` WHERE `articles`.`deleted_at` IS NULL AND `listing_link`.`listing_parent` = ? ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 11) UNION ALL (SELECT 1 AS `k`, `articles`.`id` AS `listing_0`, `articles`.`title` AS `listing_1` FROM `articles` INNER JOIN (SELECT `article_tags`.`tag_code` AS `listing_parent`, `article_tags`.`article_id` AS `listing_target` FROM `article_tags`) AS `listing_link` ON `listing_link`.`listing_target` = `articles`.`id` WHERE `articles`.`deleted_at` IS NULL AND `listing_link`.`listing_parent` = ? ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 11);
--   [Uuid(Some(11111111-1111-1111-1111-111111111111)), Uuid(Some(22222222-2222-2222-2222-222222222222))]
-- SQLite
SELECT "tags"."code", "tags"."name", "tags"."code" FROM "tags" ORDER BY "tags"."name" ASC, "tags"."code" ASC LIMIT 25;
SELECT COUNT(*) FROM "tags";
SELECT "listing_parents"."key", "children"."listing_0", "children"."listing_1" FROM json_each(?) AS "listing_parents" CROSS JOIN json_each((SELECT json_group_array("k") FROM (SELECT "articles"."id" AS "k" FROM "articles" INNER JOIN (SELECT "article_tags"."tag_code" AS "listing_parent", "article_tags"."article_id" AS "listing_target" FROM "article_tags") AS "listing_link" ON "listing_link"."listing_target" = "articles"."id" WHERE "articles"."deleted_at" IS NULL AND "listing_link"."listing_parent" = unhex("listing_parents"."value") ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 11))) AS "listing_picked" CROSS JOIN (SELECT "articles"."id" AS "k", "articles"."id" AS "listing_0", "articles"."title" AS "listing_1" FROM "articles" WHERE "articles"."deleted_at" IS NULL) AS "children" ON "children"."k" = "listing_picked"."value" ORDER BY "listing_parents"."key", "listing_picked"."key";
--   [String(Some("[\"11111111111111111111111111111111\",\"22222222222222222222222222222222\"]"))]

-- # a_cursor_begins_at_the_first_row
-- all of GET articles?sort=views&pagination[cursor]=
-- PostgreSQL
SELECT "articles"."id", "articles"."title", "articles"."views" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."views" ASC, "articles"."id" ASC LIMIT 26;
-- MariaDB
SELECT `articles`.`id`, `articles`.`title`, `articles`.`views` FROM `articles` WHERE `articles`.`deleted_at` IS NULL ORDER BY `articles`.`views` ASC, `articles`.`id` ASC LIMIT 26;
-- SQLite
SELECT "articles"."id", "articles"."title", "articles"."views" FROM "articles" WHERE "articles"."deleted_at" IS NULL ORDER BY "articles"."views" ASC, "articles"."id" ASC LIMIT 26;

-- # what_is_after_a_place
-- ORDER of GET articles?sort=views&pagination[cursor]=after(5;7)
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" >= $1 AND ("articles"."views" > $2 OR "articles"."id" > $3) ORDER BY "articles"."views" ASC, "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` >= ? AND (`articles`.`views` > ? OR `articles`.`id` > ?) ORDER BY `articles`.`views` ASC, `articles`.`id` ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" >= ? AND ("articles"."views" > ? OR "articles"."id" > ?) ORDER BY "articles"."views" ASC, "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]

-- # what_is_before_a_place
-- ORDER of GET articles?sort=views&pagination[cursor]=before(5;7)
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" <= $1 AND ("articles"."views" < $2 OR "articles"."id" < $3) ORDER BY "articles"."views" DESC, "articles"."id" DESC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` <= ? AND (`articles`.`views` < ? OR `articles`.`id` < ?) ORDER BY `articles`.`views` DESC, `articles`.`id` DESC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" <= ? AND ("articles"."views" < ? OR "articles"."id" < ?) ORDER BY "articles"."views" DESC, "articles"."id" DESC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]

-- # what_is_after_a_place_in_mixed_directions
-- ORDER of GET articles?sort=views:desc,rating&pagination[cursor]=after(5;4.50;7)
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" <= $1 AND ("articles"."views" < $2 OR (("articles"."rating" > CAST($3 AS numeric) OR "articles"."rating" IS NULL) OR ("articles"."rating" = CAST($4 AS numeric) AND "articles"."id" > $5))) ORDER BY "articles"."views" DESC, "articles"."rating" ASC, "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), String(Some("4.50")), String(Some("4.50")), BigInt(Some(7))]
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` <= ? AND (`articles`.`views` < ? OR ((`articles`.`rating` > CAST(? AS DECIMAL(65,2)) OR `articles`.`rating` IS NULL) OR (`articles`.`rating` = CAST(? AS DECIMAL(65,2)) AND `articles`.`id` > ?))) ORDER BY `articles`.`views` DESC, `articles`.`rating` IS NULL ASC, `articles`.`rating` ASC, `articles`.`id` ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), String(Some("4.50")), String(Some("4.50")), BigInt(Some(7))]
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" <= ? AND ("articles"."views" < ? OR (("articles"."rating" > ? OR "articles"."rating" IS NULL) OR ("articles"."rating" = ? AND "articles"."id" > ?))) ORDER BY "articles"."views" DESC, "articles"."rating" ASC NULLS LAST, "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), String(Some("4.50")), String(Some("4.50")), BigInt(Some(7))]

-- # what_is_after_a_null_within_mixed_directions
-- ORDER of GET articles?sort=views:desc,rating&pagination[cursor]=after(5;null;7)
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" <= $1 AND ("articles"."views" < $2 OR "articles"."rating" IS NULL AND "articles"."id" > $3) ORDER BY "articles"."views" DESC, "articles"."rating" ASC, "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` <= ? AND (`articles`.`views` < ? OR `articles`.`rating` IS NULL AND `articles`.`id` > ?) ORDER BY `articles`.`views` DESC, `articles`.`rating` IS NULL ASC, `articles`.`rating` ASC, `articles`.`id` ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" <= ? AND ("articles"."views" < ? OR "articles"."rating" IS NULL AND "articles"."id" > ?) ORDER BY "articles"."views" DESC, "articles"."rating" ASC NULLS LAST, "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]

-- # what_is_after_a_key_alone
-- ORDER of GET articles?sort=id:desc&pagination[cursor]=after(7)
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."id" < $1 ORDER BY "articles"."id" DESC LIMIT 26;
--   [BigInt(Some(7))]
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`id` < ? ORDER BY `articles`.`id` DESC LIMIT 26;
--   [BigInt(Some(7))]
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."id" < ? ORDER BY "articles"."id" DESC LIMIT 26;
--   [BigInt(Some(7))]

-- # what_is_after_a_value_with_nulls_after_it
-- all of GET articles?sort=rating&fields=id&pagination[cursor]=after(4.50;7)
-- PostgreSQL
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" >= CAST($1 AS numeric) AND ("articles"."rating" > CAST($2 AS numeric) OR "articles"."id" > $3) ORDER BY "articles"."rating" ASC, "articles"."id" ASC LIMIT 26;
--   [String(Some("4.50")), String(Some("4.50")), BigInt(Some(7))]
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NULL ORDER BY "articles"."id" ASC LIMIT 26;
-- MariaDB
SELECT `articles`.`id`, `articles`.`rating` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`rating` >= CAST(? AS DECIMAL(65,2)) AND (`articles`.`rating` > CAST(? AS DECIMAL(65,2)) OR `articles`.`id` > ?) ORDER BY `articles`.`rating` ASC, `articles`.`id` ASC LIMIT 26;
--   [String(Some("4.50")), String(Some("4.50")), BigInt(Some(7))]
SELECT `articles`.`id`, `articles`.`rating` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`rating` IS NULL ORDER BY `articles`.`id` ASC LIMIT 26;
-- SQLite
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" >= ? AND ("articles"."rating" > ? OR "articles"."id" > ?) ORDER BY "articles"."rating" ASC, "articles"."id" ASC LIMIT 26;
--   [String(Some("4.50")), String(Some("4.50")), BigInt(Some(7))]
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NULL ORDER BY "articles"."id" ASC LIMIT 26;

-- # what_is_after_a_null_with_values_after_it
-- all of GET articles?sort=rating:desc&fields=id&pagination[cursor]=after(null;7)
-- PostgreSQL
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NULL AND "articles"."id" < $1 ORDER BY "articles"."id" DESC LIMIT 26;
--   [BigInt(Some(7))]
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NOT NULL ORDER BY "articles"."rating" DESC, "articles"."id" DESC LIMIT 26;
-- MariaDB
SELECT `articles`.`id`, `articles`.`rating` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`rating` IS NULL AND `articles`.`id` < ? ORDER BY `articles`.`id` DESC LIMIT 26;
--   [BigInt(Some(7))]
SELECT `articles`.`id`, `articles`.`rating` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`rating` IS NOT NULL ORDER BY `articles`.`rating` DESC, `articles`.`id` DESC LIMIT 26;
-- SQLite
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NULL AND "articles"."id" < ? ORDER BY "articles"."id" DESC LIMIT 26;
--   [BigInt(Some(7))]
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NOT NULL ORDER BY "articles"."rating" DESC, "articles"."id" DESC LIMIT 26;

-- # what_is_after_a_value_with_nulls_before_it
-- all of GET articles?sort=rating:desc&fields=id&pagination[cursor]=after(4.50;7)
-- PostgreSQL
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" <= CAST($1 AS numeric) AND ("articles"."rating" < CAST($2 AS numeric) OR "articles"."id" < $3) ORDER BY "articles"."rating" DESC, "articles"."id" DESC LIMIT 26;
--   [String(Some("4.50")), String(Some("4.50")), BigInt(Some(7))]
-- MariaDB
SELECT `articles`.`id`, `articles`.`rating` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`rating` <= CAST(? AS DECIMAL(65,2)) AND (`articles`.`rating` < CAST(? AS DECIMAL(65,2)) OR `articles`.`id` < ?) ORDER BY `articles`.`rating` DESC, `articles`.`id` DESC LIMIT 26;
--   [String(Some("4.50")), String(Some("4.50")), BigInt(Some(7))]
-- SQLite
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" <= ? AND ("articles"."rating" < ? OR "articles"."id" < ?) ORDER BY "articles"."rating" DESC, "articles"."id" DESC LIMIT 26;
--   [String(Some("4.50")), String(Some("4.50")), BigInt(Some(7))]

-- # what_is_after_a_null_at_the_end
-- all of GET articles?sort=rating&fields=id&pagination[cursor]=after(null;7)
-- PostgreSQL
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NULL AND "articles"."id" > $1 ORDER BY "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(7))]
-- MariaDB
SELECT `articles`.`id`, `articles`.`rating` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`rating` IS NULL AND `articles`.`id` > ? ORDER BY `articles`.`id` ASC LIMIT 26;
--   [BigInt(Some(7))]
-- SQLite
SELECT "articles"."id", "articles"."rating" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."rating" IS NULL AND "articles"."id" > ? ORDER BY "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(7))]

-- # what_is_after_a_moment
-- ORDER of GET articles?pagination[cursor]=after(1767225599999999;7)
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."created_at" <= $1 AND ("articles"."created_at" < $2 OR "articles"."id" < $3) ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 26;
--   [ChronoDateTimeUtc(Some(2025-12-31T23:59:59.999999Z)), ChronoDateTimeUtc(Some(2025-12-31T23:59:59.999999Z)), BigInt(Some(7))]
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`created_at` <= ? AND (`articles`.`created_at` < ? OR `articles`.`id` < ?) ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 26;
--   [ChronoDateTime(Some(2025-12-31T23:59:59.999999)), ChronoDateTime(Some(2025-12-31T23:59:59.999999)), BigInt(Some(7))]
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."created_at" <= ? AND ("articles"."created_at" < ? OR "articles"."id" < ?) ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 26;
--   [BigInt(Some(1767225599999999)), BigInt(Some(1767225599999999)), BigInt(Some(7))]

-- # what_is_after_a_computed_value
-- all of GET articles?sort=comments_count&pagination[cursor]=after(3;7)
-- PostgreSQL
SELECT "articles"."id", "articles"."title", (SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") AS "listing_2" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND (((SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") > $1 OR (SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") IS NULL) OR ((SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") = $2 AND "articles"."id" > $3)) ORDER BY "listing_2" ASC, "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(3)), BigInt(Some(3)), BigInt(Some(7))]
-- MariaDB
SELECT `articles`.`id`, `articles`.`title`, (SELECT COUNT(`id`) FROM `comments` WHERE `comments`.`article_id` = `articles`.`id`) AS `listing_2` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND (((SELECT COUNT(`id`) FROM `comments` WHERE `comments`.`article_id` = `articles`.`id`) > ? OR (SELECT COUNT(`id`) FROM `comments` WHERE `comments`.`article_id` = `articles`.`id`) IS NULL) OR ((SELECT COUNT(`id`) FROM `comments` WHERE `comments`.`article_id` = `articles`.`id`) = ? AND `articles`.`id` > ?)) ORDER BY `listing_2` IS NULL ASC, `listing_2` ASC, `articles`.`id` ASC LIMIT 26;
--   [BigInt(Some(3)), BigInt(Some(3)), BigInt(Some(7))]
-- SQLite
SELECT "articles"."id", "articles"."title", (SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") AS "listing_2" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND (((SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") > ? OR (SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") IS NULL) OR ((SELECT COUNT("id") FROM "comments" WHERE "comments"."article_id" = "articles"."id") = ? AND "articles"."id" > ?)) ORDER BY "listing_2" ASC NULLS LAST, "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(3)), BigInt(Some(3)), BigInt(Some(7))]

-- # what_is_after_a_related_value
-- all of GET articles?sort=author.name&fields=id&pagination[cursor]=after(Ann;7)
-- PostgreSQL
SELECT "articles"."id", "listing_sort_0"."listing_by" FROM "articles" INNER JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = $1)) AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND "listing_sort_0"."listing_by" >= $2 AND ("listing_sort_0"."listing_by" > $3 OR "articles"."id" > $4) ORDER BY "listing_sort_0"."listing_by" ASC, "articles"."id" ASC LIMIT 26;
--   [Int(Some(7)), String(Some("Ann")), String(Some("Ann")), BigInt(Some(7))]
SELECT "articles"."id", "listing_sort_0"."listing_by" FROM "articles" LEFT JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = $1)) AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND ("articles"."author_id" IS NULL OR NOT EXISTS (SELECT 1 FROM (SELECT "authors"."id" AS "listing_meets" FROM "authors" WHERE ("authors"."tenant" = $2)) AS "listing_others" WHERE "listing_others"."listing_meets" = "articles"."author_id")) ORDER BY "articles"."id" ASC LIMIT 26;
--   [Int(Some(7)), Int(Some(7))]
-- MariaDB
SELECT `articles`.`id`, `listing_sort_0`.`listing_by` FROM `articles` INNER JOIN (SELECT `authors`.`id` AS `listing_meets`, `authors`.`name` AS `listing_by` FROM `authors` WHERE (`authors`.`tenant` = ?)) AS `listing_sort_0` ON `listing_sort_0`.`listing_meets` = `articles`.`author_id` WHERE `articles`.`deleted_at` IS NULL AND `listing_sort_0`.`listing_by` >= ? AND (`listing_sort_0`.`listing_by` > ? OR `articles`.`id` > ?) ORDER BY `listing_sort_0`.`listing_by` ASC, `articles`.`id` ASC LIMIT 26;
--   [Int(Some(7)), String(Some("Ann")), String(Some("Ann")), BigInt(Some(7))]
SELECT `articles`.`id`, `listing_sort_0`.`listing_by` FROM `articles` LEFT JOIN (SELECT `authors`.`id` AS `listing_meets`, `authors`.`name` AS `listing_by` FROM `authors` WHERE (`authors`.`tenant` = ?)) AS `listing_sort_0` ON `listing_sort_0`.`listing_meets` = `articles`.`author_id` WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`author_id` IS NULL OR NOT EXISTS (SELECT 1 FROM (SELECT `authors`.`id` AS `listing_meets` FROM `authors` WHERE (`authors`.`tenant` = ?)) AS `listing_others` WHERE `listing_others`.`listing_meets` = `articles`.`author_id`)) ORDER BY `articles`.`id` ASC LIMIT 26;
--   [Int(Some(7)), Int(Some(7))]
-- SQLite
SELECT "articles"."id", "listing_sort_0"."listing_by" FROM "articles" INNER JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = ?)) AS "listing_sort_0" ON (+"listing_sort_0"."listing_meets") = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND "listing_sort_0"."listing_by" >= ? AND ("listing_sort_0"."listing_by" > ? OR "articles"."id" > ?) ORDER BY "listing_sort_0"."listing_by" ASC, "articles"."id" ASC LIMIT 26;
--   [Int(Some(7)), String(Some("Ann")), String(Some("Ann")), BigInt(Some(7))]
SELECT "articles"."id", "listing_sort_0"."listing_by" FROM "articles" LEFT JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = ?)) AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."author_id" WHERE "articles"."deleted_at" IS NULL AND ("articles"."author_id" IS NULL OR NOT EXISTS (SELECT 1 FROM (SELECT "authors"."id" AS "listing_meets" FROM "authors" WHERE ("authors"."tenant" = ?)) AS "listing_others" WHERE "listing_others"."listing_meets" = "articles"."author_id")) ORDER BY "articles"."id" ASC LIMIT 26;
--   [Int(Some(7)), Int(Some(7))]

-- # what_is_after_the_first_of_rows_that_may_be_several
-- all of GET articles?sort=draft.text&fields=id&pagination[cursor]=after(null;7)
-- PostgreSQL
SELECT "articles"."id", (SELECT "listing_sort_0"."text" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."text", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN ($1, $2)) AS "listing_sort_0" WHERE "listing_sort_0"."article_id" = "articles"."id" ORDER BY "listing_sort_0"."version" DESC, "listing_sort_0"."id" DESC LIMIT 1) FROM "articles" WHERE "articles"."deleted_at" IS NULL AND (SELECT "listing_sort_0"."text" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."text", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN ($3, $4)) AS "listing_sort_0" WHERE "listing_sort_0"."article_id" = "articles"."id" ORDER BY "listing_sort_0"."version" DESC, "listing_sort_0"."id" DESC LIMIT 1) IS NULL AND "articles"."id" > $5 ORDER BY (SELECT "listing_sort_0"."text" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."text", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN ($6, $7)) AS "listing_sort_0" WHERE "listing_sort_0"."article_id" = "articles"."id" ORDER BY "listing_sort_0"."version" DESC, "listing_sort_0"."id" DESC LIMIT 1) ASC, "articles"."id" ASC LIMIT 26;
--   [String(Some("open")), String(Some("late")), String(Some("open")), String(Some("late")), BigInt(Some(7)), String(Some("open")), String(Some("late"))]
-- MariaDB
SELECT `articles`.`id`, (SELECT `listing_sort_0`.`text` FROM (SELECT `drafts`.`article_id`, `drafts`.`id`, `drafts`.`text`, `drafts`.`version` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?)) AS `listing_sort_0` WHERE `listing_sort_0`.`article_id` = `articles`.`id` ORDER BY `listing_sort_0`.`version` DESC, `listing_sort_0`.`id` DESC LIMIT 1) FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND (SELECT `listing_sort_0`.`text` FROM (SELECT `drafts`.`article_id`, `drafts`.`id`, `drafts`.`text`, `drafts`.`version` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?)) AS `listing_sort_0` WHERE `listing_sort_0`.`article_id` = `articles`.`id` ORDER BY `listing_sort_0`.`version` DESC, `listing_sort_0`.`id` DESC LIMIT 1) IS NULL AND `articles`.`id` > ? ORDER BY (SELECT `listing_sort_0`.`text` FROM (SELECT `drafts`.`article_id`, `drafts`.`id`, `drafts`.`text`, `drafts`.`version` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?)) AS `listing_sort_0` WHERE `listing_sort_0`.`article_id` = `articles`.`id` ORDER BY `listing_sort_0`.`version` DESC, `listing_sort_0`.`id` DESC LIMIT 1) IS NULL ASC, (SELECT `listing_sort_0`.`text` FROM (SELECT `drafts`.`article_id`, `drafts`.`id`, `drafts`.`text`, `drafts`.`version` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?)) AS `listing_sort_0` WHERE `listing_sort_0`.`article_id` = `articles`.`id` ORDER BY `listing_sort_0`.`version` DESC, `listing_sort_0`.`id` DESC LIMIT 1) ASC, `articles`.`id` ASC LIMIT 26;
--   [String(Some("open")), String(Some("late")), String(Some("open")), String(Some("late")), BigInt(Some(7)), String(Some("open")), String(Some("late")), String(Some("open")), String(Some("late"))]
-- SQLite
SELECT "articles"."id", (SELECT "listing_sort_0"."text" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."text", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?)) AS "listing_sort_0" WHERE "listing_sort_0"."article_id" = "articles"."id" ORDER BY "listing_sort_0"."version" DESC, "listing_sort_0"."id" DESC LIMIT 1) FROM "articles" WHERE "articles"."deleted_at" IS NULL AND (SELECT "listing_sort_0"."text" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."text", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?)) AS "listing_sort_0" WHERE "listing_sort_0"."article_id" = "articles"."id" ORDER BY "listing_sort_0"."version" DESC, "listing_sort_0"."id" DESC LIMIT 1) IS NULL AND "articles"."id" > ? ORDER BY (SELECT "listing_sort_0"."text" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."text", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?)) AS "listing_sort_0" WHERE "listing_sort_0"."article_id" = "articles"."id" ORDER BY "listing_sort_0"."version" DESC, "listing_sort_0"."id" DESC LIMIT 1) ASC NULLS LAST, "articles"."id" ASC LIMIT 26;
--   [String(Some("open")), String(Some("late")), String(Some("open")), String(Some("late")), BigInt(Some(7)), String(Some("open")), String(Some("late"))]

-- # a_count_beside_a_cursor_is_of_all_rows
-- all of GET articles?sort=views&pagination[cursor]=after(5;7)&pagination[withCount]=true
-- PostgreSQL
SELECT "articles"."id", "articles"."title", "articles"."views" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" >= $1 AND ("articles"."views" > $2 OR "articles"."id" > $3) ORDER BY "articles"."views" ASC, "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;
-- MariaDB
SELECT `articles`.`id`, `articles`.`title`, `articles`.`views` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`views` >= ? AND (`articles`.`views` > ? OR `articles`.`id` > ?) ORDER BY `articles`.`views` ASC, `articles`.`id` ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
SELECT COUNT(*) FROM `articles` WHERE `articles`.`deleted_at` IS NULL;
-- SQLite
SELECT "articles"."id", "articles"."title", "articles"."views" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."views" >= ? AND ("articles"."views" > ? OR "articles"."id" > ?) ORDER BY "articles"."views" ASC, "articles"."id" ASC LIMIT 26;
--   [BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
SELECT COUNT(*) FROM "articles" WHERE "articles"."deleted_at" IS NULL;

-- # one_of_several_must_hold
-- WHERE of GET articles?filters[$or][0][title]=a&filters[$or][1][views][$gt]=5
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND ("articles"."title" = $1 OR "articles"."views" > $2);
--   [String(Some("a")), BigInt(Some(5))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`title` = ? OR `articles`.`views` > ?);
--   [String(Some("a")), BigInt(Some(5))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND ("articles"."title" = ? OR "articles"."views" > ?);
--   [String(Some("a")), BigInt(Some(5))]

-- # groups_in_groups
-- WHERE of GET articles?filters[$not][$or][0][$and][0][views][$gt]=5&filters[$not][$or][0][$and][1][views][$lt]=9&filters[$not][$or][1][is_active]=true
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND ("articles"."views" <= $1 OR "articles"."views" >= $2) AND "articles"."is_active" <> $3;
--   [BigInt(Some(5)), BigInt(Some(9)), Bool(Some(true))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`views` <= ? OR `articles`.`views` >= ?) AND `articles`.`is_active` <> ?;
--   [BigInt(Some(5)), BigInt(Some(9)), Bool(Some(true))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND ("articles"."views" <= ? OR "articles"."views" >= ?) AND "articles"."is_active" <> ?;
--   [BigInt(Some(5)), BigInt(Some(9)), Bool(Some(true))]

-- # not_is_the_complement
-- WHERE of GET articles?filters[$not][rating][$gt]=4
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND ("articles"."rating" <= $1 OR "articles"."rating" IS NULL);
--   [Decimal(Some(4.00))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`rating` <= ? OR `articles`.`rating` IS NULL);
--   [Decimal(Some(4.00))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND ("articles"."rating" <= ? OR "articles"."rating" IS NULL);
--   [Double(Some(4.0))]

-- # through_a_foreign_key
-- WHERE of GET articles?filters[author][name]=Ada
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND EXISTS (SELECT 1 FROM "authors" WHERE "authors"."id" = "articles"."author_id" AND ("authors"."tenant" = $1) AND "authors"."name" = $2);
--   [Int(Some(7)), String(Some("Ada"))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND EXISTS (SELECT 1 FROM `authors` WHERE `authors`.`id` = `articles`.`author_id` AND (`authors`.`tenant` = ?) AND `authors`.`name` = ?);
--   [Int(Some(7)), String(Some("Ada"))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."author_id" IN (SELECT "authors"."id" FROM "authors" WHERE ("authors"."tenant" = ?) AND "authors"."name" = ?);
--   [Int(Some(7)), String(Some("Ada"))]

-- # none_of_those_that_can_be_seen
-- WHERE of GET articles?filters[comments][$none][answered_at][$null]=true
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND NOT EXISTS (SELECT 1 FROM "comments" WHERE "comments"."article_id" = "articles"."id" AND "comments"."is_hidden" = $1 AND "comments"."answered_at" IS NULL);
--   [Bool(Some(false))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND NOT EXISTS (SELECT 1 FROM `comments` WHERE `comments`.`article_id` = `articles`.`id` AND `comments`.`is_hidden` = ? AND `comments`.`answered_at` IS NULL);
--   [Bool(Some(false))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND NOT EXISTS (SELECT 1 FROM "comments" WHERE "comments"."article_id" = "articles"."id" AND "comments"."is_hidden" = ? AND "comments"."answered_at" IS NULL);
--   [Bool(Some(false))]

-- # every_one
-- WHERE of GET articles?filters[comments][$every][is_hidden]=true
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND NOT EXISTS (SELECT 1 FROM "comments" WHERE "comments"."article_id" = "articles"."id" AND "comments"."answered_at" IS NOT NULL AND "comments"."is_hidden" <> $1);
--   [Bool(Some(true))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND NOT EXISTS (SELECT 1 FROM `comments` WHERE `comments`.`article_id` = `articles`.`id` AND `comments`.`answered_at` IS NOT NULL AND `comments`.`is_hidden` <> ?);
--   [Bool(Some(true))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND NOT EXISTS (SELECT 1 FROM "comments" WHERE "comments"."article_id" = "articles"."id" AND "comments"."answered_at" IS NOT NULL AND "comments"."is_hidden" <> ?);
--   [Bool(Some(true))]

-- # existence_through_a_junction
-- WHERE of GET articles?filters[tags][$null]=false
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND EXISTS (SELECT 1 FROM "tags" INNER JOIN (SELECT "article_tags"."article_id" AS "listing_parent", "article_tags"."tag_code" AS "listing_target" FROM "article_tags") AS "listing_link" ON "listing_link"."listing_target" = "tags"."code" WHERE "listing_link"."listing_parent" = "articles"."id");
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND EXISTS (SELECT 1 FROM `tags` INNER JOIN (SELECT `article_tags`.`article_id` AS `listing_parent`, `article_tags`.`tag_code` AS `listing_target` FROM `article_tags`) AS `listing_link` ON `listing_link`.`listing_target` = `tags`.`code` WHERE `listing_link`.`listing_parent` = `articles`.`id`);
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND NOT NOT EXISTS (SELECT 1 FROM "tags" INNER JOIN (SELECT "article_tags"."article_id" AS "listing_parent", "article_tags"."tag_code" AS "listing_target" FROM "article_tags") AS "listing_link" ON "listing_link"."listing_target" = "tags"."code" WHERE "listing_link"."listing_parent" = "articles"."id");

-- # the_first_of_rows_that_may_be_several_is_filtered
-- WHERE of GET articles?filters[draft][text]=a
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND EXISTS (SELECT 1 FROM "drafts" WHERE "drafts"."article_id" = "articles"."id" AND "drafts"."state" NOT IN ($1, $2) AND "drafts"."text" = $3 AND "drafts"."id" = (SELECT "listing_first"."id" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN ($4, $5)) AS "listing_first" WHERE "listing_first"."article_id" = "drafts"."article_id" ORDER BY "listing_first"."version" DESC, "listing_first"."id" DESC LIMIT 1));
--   [String(Some("open")), String(Some("late")), String(Some("a")), String(Some("open")), String(Some("late"))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND EXISTS (SELECT 1 FROM `drafts` WHERE `drafts`.`article_id` = `articles`.`id` AND `drafts`.`state` NOT IN (?, ?) AND `drafts`.`text` = ? AND `drafts`.`id` = (SELECT `listing_first`.`id` FROM (SELECT `drafts`.`article_id`, `drafts`.`id`, `drafts`.`version` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?)) AS `listing_first` WHERE `listing_first`.`article_id` = `drafts`.`article_id` ORDER BY `listing_first`.`version` DESC, `listing_first`.`id` DESC LIMIT 1));
--   [String(Some("open")), String(Some("late")), String(Some("a")), String(Some("open")), String(Some("late"))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND "articles"."id" IN (SELECT "drafts"."article_id" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?) AND "drafts"."text" = ? AND "drafts"."id" = (SELECT "listing_first"."id" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?)) AS "listing_first" WHERE "listing_first"."article_id" = "drafts"."article_id" ORDER BY "listing_first"."version" DESC, "listing_first"."id" DESC LIMIT 1));
--   [String(Some("open")), String(Some("late")), String(Some("a")), String(Some("open")), String(Some("late"))]

-- # the_first_of_rows_that_may_be_several_is_populated_or_not
-- relations of GET articles?populate[draft][filters][text]=a
-- PostgreSQL
SELECT "children".* FROM unnest($1::int8[]) AS "listing_parents" ("k") CROSS JOIN LATERAL (SELECT "listing_parents"."k" AS "k", "drafts"."id" AS "listing_0", "drafts"."text" AS "listing_1" FROM "drafts" WHERE "drafts"."state" NOT IN ($2, $3) AND "drafts"."text" = $4 AND "drafts"."id" = (SELECT "listing_first"."id" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN ($5, $6)) AS "listing_first" WHERE "listing_first"."article_id" = "drafts"."article_id" ORDER BY "listing_first"."version" DESC, "listing_first"."id" DESC LIMIT 1) AND "drafts"."article_id" = "listing_parents"."k" ORDER BY "drafts"."version" DESC, "drafts"."id" DESC LIMIT 1) AS "children";
--   [Array(BigInt, Some([BigInt(Some(11)), BigInt(Some(22))])), String(Some("open")), String(Some("late")), String(Some("a")), String(Some("open")), String(Some("late"))]
-- MariaDB
(SELECT 0 AS `k`, `drafts`.`id` AS `listing_0`, `drafts`.`text` AS `listing_1` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?) AND `drafts`.`text` = ? AND `drafts`.`id` = (SELECT `listing_first`.`id` FROM (SELECT `drafts`.`article_id`, `drafts`.`id`, `drafts`.`version` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?)) AS `listing_first` WHERE `listing_first`.`article_id` = `drafts`.`article_id` ORDER BY `listing_first`.`version` DESC, `listing_first`.`id` DESC LIMIT 1) AND `drafts`.`article_id` = ? ORDER BY `drafts`.`version` DESC, `drafts`.`id` DESC LIMIT 1) UNION ALL (SELECT 1 AS `k`, `drafts`.`id` AS `listing_0`, `drafts`.`text` AS `listing_1` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?) AND `drafts`.`text` = ? AND `drafts`.`id` = (SELECT `listing_first`.`id` FROM (SELECT `drafts`.`article_id`, `drafts`.`id`, `drafts`.`version` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?)) AS `listing_first` WHERE `listing_first`.`article_id` = `drafts`.`article_id` ORDER BY `listing_first`.`version` DESC, `listing_first`.`id` DESC LIMIT 1) AND `drafts`.`article_id` = ? ORDER BY `drafts`.`version` DESC, `drafts`.`id` DESC LIMIT 1);
--   [String(Some("open")), String(Some("late")), String(Some("a")), String(Some("open")), String(Some("late")), BigInt(Some(11)), String(Some("open")), String(Some("late")), String(Some("a")), String(Some("open")), String(Some("late")), BigInt(Some(22))]
-- SQLite
SELECT "listing_parents"."key", "children"."listing_0", "children"."listing_1" FROM json_each(?) AS "listing_parents" CROSS JOIN json_each((SELECT json_group_array("k") FROM (SELECT "drafts"."id" AS "k" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?) AND "drafts"."text" = ? AND "drafts"."id" = (SELECT "listing_first"."id" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?)) AS "listing_first" WHERE "listing_first"."article_id" = "drafts"."article_id" ORDER BY "listing_first"."version" DESC, "listing_first"."id" DESC LIMIT 1) AND "drafts"."article_id" = +"listing_parents"."value" ORDER BY "drafts"."version" DESC, "drafts"."id" DESC LIMIT 1))) AS "listing_picked" CROSS JOIN (SELECT "drafts"."id" AS "k", "drafts"."id" AS "listing_0", "drafts"."text" AS "listing_1" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?) AND "drafts"."text" = ? AND "drafts"."id" = (SELECT "listing_first"."id" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?)) AS "listing_first" WHERE "listing_first"."article_id" = "drafts"."article_id" ORDER BY "listing_first"."version" DESC, "listing_first"."id" DESC LIMIT 1)) AS "children" ON "children"."k" = "listing_picked"."value" ORDER BY "listing_parents"."key", "listing_picked"."key";
--   [String(Some("[11,22]")), String(Some("open")), String(Some("late")), String(Some("a")), String(Some("open")), String(Some("late")), String(Some("open")), String(Some("late")), String(Some("a")), String(Some("open")), String(Some("late"))]

-- # the_first_of_rows_that_may_be_several_is_counted
-- relations of GET articles?populate[draft][count]=true
-- PostgreSQL
SELECT "drafts"."article_id" AS "k", COUNT(*) AS "listing_0" FROM "drafts" WHERE "drafts"."state" NOT IN ($1, $2) AND "drafts"."id" = (SELECT "listing_first"."id" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN ($3, $4)) AS "listing_first" WHERE "listing_first"."article_id" = "drafts"."article_id" ORDER BY "listing_first"."version" DESC, "listing_first"."id" DESC LIMIT 1) AND "drafts"."article_id" = ANY($5) GROUP BY "drafts"."article_id";
--   [String(Some("open")), String(Some("late")), String(Some("open")), String(Some("late")), Array(BigInt, Some([BigInt(Some(11)), BigInt(Some(22))]))]
-- MariaDB
SELECT `drafts`.`article_id` AS `k`, COUNT(*) AS `listing_0` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?) AND `drafts`.`id` = (SELECT `listing_first`.`id` FROM (SELECT `drafts`.`article_id`, `drafts`.`id`, `drafts`.`version` FROM `drafts` WHERE `drafts`.`state` NOT IN (?, ?)) AS `listing_first` WHERE `listing_first`.`article_id` = `drafts`.`article_id` ORDER BY `listing_first`.`version` DESC, `listing_first`.`id` DESC LIMIT 1) AND `drafts`.`article_id` IN (?, ?) GROUP BY `drafts`.`article_id`;
--   [String(Some("open")), String(Some("late")), String(Some("open")), String(Some("late")), BigInt(Some(11)), BigInt(Some(22))]
-- SQLite
SELECT "drafts"."article_id" AS "k", COUNT(*) AS "listing_0" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?) AND "drafts"."id" = (SELECT "listing_first"."id" FROM (SELECT "drafts"."article_id", "drafts"."id", "drafts"."version" FROM "drafts" WHERE "drafts"."state" NOT IN (?, ?)) AS "listing_first" WHERE "listing_first"."article_id" = "drafts"."article_id" ORDER BY "listing_first"."version" DESC, "listing_first"."id" DESC LIMIT 1) AND "drafts"."article_id" IN (?, ?) GROUP BY "drafts"."article_id";
--   [String(Some("open")), String(Some("late")), String(Some("open")), String(Some("late")), BigInt(Some(11)), BigInt(Some(22))]

-- # few_rows_are_collected_before_they_are_sorted
-- few of GET articles?filters[title]=Tea&sort=views
-- PostgreSQL
SELECT "articles"."id", "articles"."title" FROM (SELECT "articles"."id", "articles"."title", "articles"."views" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."title" = $1 OFFSET 0) AS "articles" ORDER BY "articles"."views" ASC, "articles"."id" ASC LIMIT 25;
--   [String(Some("Tea"))]
-- MariaDB
SELECT `articles`.`id`, `articles`.`title` FROM (SELECT `articles`.`id`, `articles`.`title`, `articles`.`views` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`title` = ? LIMIT 18446744073709551615) AS `articles` ORDER BY `articles`.`views` ASC, `articles`.`id` ASC LIMIT 25;
--   [String(Some("Tea"))]
-- SQLite
SELECT "articles"."id", "articles"."title" FROM (SELECT "articles"."id", "articles"."title", "articles"."views" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."title" = ? LIMIT -1) AS "articles" ORDER BY "articles"."views" ASC, "articles"."id" ASC LIMIT 25;
--   [String(Some("Tea"))]

-- # few_rows_after_a_cursor
-- few of GET articles?filters[title]=Tea&sort=views&pagination[cursor]=after(5;7)
-- PostgreSQL
SELECT COUNT(*) FROM (SELECT 1 FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."title" = $1 LIMIT 3001) AS listing_counted;
--   [String(Some("Tea"))]
SELECT "articles"."id", "articles"."title", "articles"."views" FROM (SELECT "articles"."id", "articles"."title", "articles"."views" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."title" = $1 OFFSET 0) AS "articles" WHERE "articles"."views" >= $2 AND ("articles"."views" > $3 OR "articles"."id" > $4) ORDER BY "articles"."views" ASC, "articles"."id" ASC LIMIT 26;
--   [String(Some("Tea")), BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
-- MariaDB
SELECT COUNT(*) FROM (SELECT 1 FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`title` = ? LIMIT 3001) AS listing_counted;
--   [String(Some("Tea"))]
SELECT `articles`.`id`, `articles`.`title`, `articles`.`views` FROM (SELECT `articles`.`id`, `articles`.`title`, `articles`.`views` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`title` = ? LIMIT 18446744073709551615) AS `articles` WHERE `articles`.`views` >= ? AND (`articles`.`views` > ? OR `articles`.`id` > ?) ORDER BY `articles`.`views` ASC, `articles`.`id` ASC LIMIT 26;
--   [String(Some("Tea")), BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]
-- SQLite
SELECT COUNT(*) FROM (SELECT 1 FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."title" = ? LIMIT 3001) AS listing_counted;
--   [String(Some("Tea"))]
SELECT "articles"."id", "articles"."title", "articles"."views" FROM (SELECT "articles"."id", "articles"."title", "articles"."views" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."title" = ? LIMIT -1) AS "articles" WHERE "articles"."views" >= ? AND ("articles"."views" > ? OR "articles"."id" > ?) ORDER BY "articles"."views" ASC, "articles"."id" ASC LIMIT 26;
--   [String(Some("Tea")), BigInt(Some(5)), BigInt(Some(5)), BigInt(Some(7))]

-- # few_rows_in_the_order_of_a_relation
-- few of GET articles?filters[title]=Tea&sort=author.name
-- PostgreSQL
SELECT "articles"."id", "articles"."title" FROM (SELECT "articles"."id", "articles"."title", "articles"."author_id" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."title" = $1 OFFSET 0) AS "articles" LEFT JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = $2)) AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."author_id" ORDER BY "listing_sort_0"."listing_by" ASC, "articles"."id" ASC LIMIT 25;
--   [String(Some("Tea")), Int(Some(7))]
-- MariaDB
SELECT `articles`.`id`, `articles`.`title` FROM (SELECT `articles`.`id`, `articles`.`title`, `articles`.`author_id` FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND `articles`.`title` = ? LIMIT 18446744073709551615) AS `articles` LEFT JOIN (SELECT `authors`.`id` AS `listing_meets`, `authors`.`name` AS `listing_by` FROM `authors` WHERE (`authors`.`tenant` = ?)) AS `listing_sort_0` ON `listing_sort_0`.`listing_meets` = `articles`.`author_id` ORDER BY `listing_sort_0`.`listing_by` IS NULL ASC, `listing_sort_0`.`listing_by` ASC, `articles`.`id` ASC LIMIT 25;
--   [String(Some("Tea")), Int(Some(7))]
-- SQLite
SELECT "articles"."id", "articles"."title" FROM (SELECT "articles"."id", "articles"."title", "articles"."author_id" FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."title" = ? LIMIT -1) AS "articles" LEFT JOIN (SELECT "authors"."id" AS "listing_meets", "authors"."name" AS "listing_by" FROM "authors" WHERE ("authors"."tenant" = ?)) AS "listing_sort_0" ON "listing_sort_0"."listing_meets" = "articles"."author_id" ORDER BY "listing_sort_0"."listing_by" ASC NULLS LAST, "articles"."id" ASC LIMIT 25;
--   [String(Some("Tea")), Int(Some(7))]

-- # alternatives_through_relations_are_a_union_of_keys
-- few of GET articles?filters[$or][0][author][name]=Ann&filters[$or][1][views][$gt]=5&pagination[withCount]=false
-- PostgreSQL
SELECT COUNT(*) FROM ((SELECT "articles"."id" FROM "articles" WHERE EXISTS (SELECT 1 FROM "authors" WHERE "authors"."id" = "articles"."author_id" AND ("authors"."tenant" = $1) AND "authors"."name" = $2) AND "articles"."deleted_at" IS NULL LIMIT 3001) UNION (SELECT "articles"."id" FROM "articles" WHERE "articles"."views" > $3 AND "articles"."deleted_at" IS NULL LIMIT 3001)) AS listing_counted;
--   [Int(Some(7)), String(Some("Ann")), BigInt(Some(5))]
SELECT "articles"."id", "articles"."title" FROM (SELECT "articles"."id", "articles"."title", "articles"."created_at" FROM ((SELECT "articles"."id" FROM "articles" WHERE EXISTS (SELECT 1 FROM "authors" WHERE "authors"."id" = "articles"."author_id" AND ("authors"."tenant" = $1) AND "authors"."name" = $2) AND "articles"."deleted_at" IS NULL) UNION (SELECT "articles"."id" FROM "articles" WHERE "articles"."views" > $3 AND "articles"."deleted_at" IS NULL)) AS "listing_keys" CROSS JOIN "articles" WHERE "articles"."id" = "listing_keys"."id" OFFSET 0) AS "articles" ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 26;
--   [Int(Some(7)), String(Some("Ann")), BigInt(Some(5))]
-- MariaDB
SELECT COUNT(*) FROM ((SELECT `articles`.`id` FROM `articles` WHERE EXISTS (SELECT 1 FROM `authors` WHERE `authors`.`id` = `articles`.`author_id` AND (`authors`.`tenant` = ?) AND `authors`.`name` = ?) AND `articles`.`deleted_at` IS NULL LIMIT 3001) UNION (SELECT `articles`.`id` FROM `articles` WHERE `articles`.`views` > ? AND `articles`.`deleted_at` IS NULL LIMIT 3001)) AS listing_counted;
--   [Int(Some(7)), String(Some("Ann")), BigInt(Some(5))]
SELECT `articles`.`id`, `articles`.`title` FROM (SELECT `articles`.`id`, `articles`.`title`, `articles`.`created_at` FROM ((SELECT `articles`.`id` FROM `articles` WHERE EXISTS (SELECT 1 FROM `authors` WHERE `authors`.`id` = `articles`.`author_id` AND (`authors`.`tenant` = ?) AND `authors`.`name` = ?) AND `articles`.`deleted_at` IS NULL) UNION (SELECT `articles`.`id` FROM `articles` WHERE `articles`.`views` > ? AND `articles`.`deleted_at` IS NULL)) AS `listing_keys` CROSS JOIN `articles` WHERE `articles`.`id` = `listing_keys`.`id` LIMIT 18446744073709551615) AS `articles` ORDER BY `articles`.`created_at` DESC, `articles`.`id` DESC LIMIT 26;
--   [Int(Some(7)), String(Some("Ann")), BigInt(Some(5))]
-- SQLite
SELECT COUNT(*) FROM (SELECT * FROM (SELECT "articles"."id" FROM "articles" WHERE "articles"."author_id" IN (SELECT "authors"."id" FROM "authors" WHERE ("authors"."tenant" = ?) AND "authors"."name" = ?) AND "articles"."deleted_at" IS NULL LIMIT 3001) UNION SELECT * FROM (SELECT "articles"."id" FROM "articles" WHERE "articles"."views" > ? AND "articles"."deleted_at" IS NULL LIMIT 3001)) AS listing_counted;
--   [Int(Some(7)), String(Some("Ann")), BigInt(Some(5))]
SELECT "articles"."id", "articles"."title" FROM (SELECT "articles"."id", "articles"."title", "articles"."created_at" FROM (SELECT * FROM (SELECT "articles"."id" FROM "articles" WHERE "articles"."author_id" IN (SELECT "authors"."id" FROM "authors" WHERE ("authors"."tenant" = ?) AND "authors"."name" = ?) AND "articles"."deleted_at" IS NULL) UNION SELECT * FROM (SELECT "articles"."id" FROM "articles" WHERE "articles"."views" > ? AND "articles"."deleted_at" IS NULL)) AS "listing_keys" CROSS JOIN "articles" WHERE "articles"."id" = "listing_keys"."id" LIMIT -1) AS "articles" ORDER BY "articles"."created_at" DESC, "articles"."id" DESC LIMIT 26;
--   [Int(Some(7)), String(Some("Ann")), BigInt(Some(5))]

-- # the_start_of_a_text
-- WHERE of GET articles?filters[title][$startsWith]=50%25
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."title" LIKE $1;
--   [String(Some("50\\%%"))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND (`articles`.`title` LIKE ? ESCAPE '!' AND CONVERT(`articles`.`title` USING utf8mb4) COLLATE utf8mb4_bin LIKE ? ESCAPE '!');
--   [String(Some("50!%%")), String(Some("50!%%"))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND ("articles"."title" COLLATE BINARY >= ? AND "articles"."title" COLLATE BINARY < ?);
--   [String(Some("50%")), String(Some("50&"))]

-- # the_end_of_a_text_in_any_case
-- WHERE of GET articles?filters[title][$endsWithi]=50%25
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND "articles"."title" ILIKE $1;
--   [String(Some("%50\\%"))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND LOWER(CONVERT(`articles`.`title` USING utf8mb4)) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4)) ESCAPE '!';
--   [String(Some("%50!%"))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND lower(substr("articles"."title", -length(?))) = lower(?);
--   [String(Some("50%")), String(Some("50%"))]

-- # equal_in_any_case
-- WHERE of GET articles?filters[title][$eqi]=Rust
-- PostgreSQL
WHERE "articles"."deleted_at" IS NULL AND lower("articles"."title") = lower($1);
--   [String(Some("Rust"))]
-- MariaDB
WHERE `articles`.`deleted_at` IS NULL AND LOWER(CONVERT(`articles`.`title` USING utf8mb4)) COLLATE utf8mb4_bin LIKE LOWER(CONVERT(? USING utf8mb4)) ESCAPE '!';
--   [String(Some("Rust"))]
-- SQLite
WHERE "articles"."deleted_at" IS NULL AND lower("articles"."title") COLLATE BINARY = lower(?);
--   [String(Some("Rust"))]

-- # words_in_any_of_the_columns
-- WHERE of GET authors?search=ada -draft
-- PostgreSQL
WHERE ("authors"."tenant" = $1) AND ("authors"."name" ILIKE $2 OR "authors"."country" ILIKE $3) AND ("authors"."name" ILIKE $4 OR "authors"."country" ILIKE $5) IS NOT TRUE;
--   [Int(Some(7)), String(Some("%ada%")), String(Some("%ada%")), String(Some("%draft%")), String(Some("%draft%"))]
-- MariaDB
WHERE (`authors`.`tenant` = ?) AND (LOCATE(LOWER(CONVERT(? USING utf8mb4)), LOWER(CONVERT(`authors`.`name` USING utf8mb4)) COLLATE utf8mb4_bin) > 0 OR LOCATE(LOWER(CONVERT(? USING utf8mb4)), LOWER(CONVERT(`authors`.`country` USING utf8mb4)) COLLATE utf8mb4_bin) > 0) AND (LOCATE(LOWER(CONVERT(? USING utf8mb4)), LOWER(CONVERT(`authors`.`name` USING utf8mb4)) COLLATE utf8mb4_bin) > 0 OR LOCATE(LOWER(CONVERT(? USING utf8mb4)), LOWER(CONVERT(`authors`.`country` USING utf8mb4)) COLLATE utf8mb4_bin) > 0) IS NOT TRUE;
--   [Int(Some(7)), String(Some("ada")), String(Some("ada")), String(Some("draft")), String(Some("draft"))]
-- SQLite
WHERE ("authors"."tenant" = ?) AND (instr(lower("authors"."name"), lower(?)) > 0 OR instr(lower("authors"."country"), lower(?)) > 0) AND (instr(lower("authors"."name"), lower(?)) > 0 OR instr(lower("authors"."country"), lower(?)) > 0) IS NOT TRUE;
--   [Int(Some(7)), String(Some("ada")), String(Some("ada")), String(Some("draft")), String(Some("draft"))]

-- # full_text_in_the_order_of_relevance
-- ORDER of GET articles?fields=id&search=rust "the web" -go&sort=relevance
-- PostgreSQL
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles"."search_vector" @@ (plainto_tsquery('simple', $1) && phraseto_tsquery('simple', $2) && (!!plainto_tsquery('simple', $3))) ORDER BY (-ts_rank("articles"."search_vector", (SELECT plainto_tsquery('simple', $4) && phraseto_tsquery('simple', $5)))) ASC, "articles"."id" ASC LIMIT 25;
--   [String(Some("rust")), String(Some("the web")), String(Some("go")), String(Some("rust")), String(Some("the web"))]
-- MariaDB
FROM `articles` WHERE `articles`.`deleted_at` IS NULL AND MATCH (`articles`.`search_title`, `articles`.`search_body`) AGAINST (? IN BOOLEAN MODE) AND (`articles`.`search_title` REGEXP ? OR `articles`.`search_body` REGEXP ?) AND NOT ((`articles`.`search_title` REGEXP ? OR `articles`.`search_body` REGEXP ?)) ORDER BY (0e0 + 1e0 / (1 + (CHAR_LENGTH(`articles`.`search_title`) - CHAR_LENGTH(replace(`articles`.`search_title`, ?, ''))) / 4) + 0.4e0 / (1 + (CHAR_LENGTH(`articles`.`search_body`) - CHAR_LENGTH(replace(`articles`.`search_body`, ?, ''))) / 4) + 1e0 / (1 + (CHAR_LENGTH(`articles`.`search_title`) - CHAR_LENGTH(replace(`articles`.`search_title`, ?, ''))) / 7) + 0.4e0 / (1 + (CHAR_LENGTH(`articles`.`search_body`) - CHAR_LENGTH(replace(`articles`.`search_body`, ?, ''))) / 7)) ASC, `articles`.`id` ASC LIMIT 25;
--   [String(Some("+rust +web")), String(Some("(?<![\\p{L}\\p{N}_])the[^\\p{L}\\p{N}_]++web(?![\\p{L}\\p{N}_])")), String(Some("(?<![\\p{L}\\p{N}_])the[^\\p{L}\\p{N}_]++web(?![\\p{L}\\p{N}_])")), String(Some("(?<![\\p{L}\\p{N}_])go(?![\\p{L}\\p{N}_])")), String(Some("(?<![\\p{L}\\p{N}_])go(?![\\p{L}\\p{N}_])")), String(Some("rust")), String(Some("rust")), String(Some("the web")), String(Some("the web"))]
-- SQLite
FROM "articles" WHERE "articles"."deleted_at" IS NULL AND "articles".rowid IN (SELECT rowid FROM "articles_search" WHERE "articles_search" MATCH ?) ORDER BY (0e0 + 1e0 / (1 + (length(lower(coalesce("articles"."title", ''))) - length(replace(lower(coalesce("articles"."title", '')), ?, ''))) / 4) + 0.4e0 / (1 + (length(lower(coalesce("articles"."body", ''))) - length(replace(lower(coalesce("articles"."body", '')), ?, ''))) / 4) + 1e0 / (1 + (length(lower(coalesce("articles"."title", ''))) - length(replace(lower(coalesce("articles"."title", '')), ?, ''))) / 7) + 0.4e0 / (1 + (length(lower(coalesce("articles"."body", ''))) - length(replace(lower(coalesce("articles"."body", '')), ?, ''))) / 7)) ASC, "articles"."id" ASC LIMIT 25;
--   [String(Some("(\"rust\" AND \"the web\") NOT (\"go\")")), String(Some("rust")), String(Some("rust")), String(Some("the web")), String(Some("the web"))]
