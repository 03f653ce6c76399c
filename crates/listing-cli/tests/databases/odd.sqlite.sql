-- Names that need an alias, a module or a path of their own, and tables and views without a key (d152, b571).
CREATE TABLE s (id INTEGER PRIMARY KEY NOT NULL, name NVARCHAR(40) NOT NULL);
CREATE TABLE crates (id INTEGER PRIMARY KEY NOT NULL, s_id integer NOT NULL REFERENCES s (id), self_id integer REFERENCES s (id));
CREATE TABLE "Gate" (id INTEGER PRIMARY KEY NOT NULL, "Name.Prefix" NVARCHAR(10), "Self" NVARCHAR(10), "_" integer, "🙂" integer,
    "NamePrefix" NVARCHAR(10));
CREATE TABLE gates (id INTEGER PRIMARY KEY NOT NULL, name NVARCHAR(40));
CREATE TABLE "größe" (id INTEGER PRIMARY KEY NOT NULL, "unit price" integer);
CREATE TABLE log (user_id integer NOT NULL REFERENCES users (id), msg NVARCHAR(40));
CREATE TABLE numbered (rowid NVARCHAR(10), "oid" integer);
CREATE VIEW odd_view AS SELECT "Name.Prefix", "_" AS id FROM "Gate" UNION ALL SELECT "Name.Prefix", "_" FROM "Gate";
INSERT INTO s VALUES (1, 'One'), (2, 'Two');
INSERT INTO crates VALUES (1, 1, 2), (2, 2, NULL);
INSERT INTO "Gate" VALUES (1, 'Dr', 'x', 1, 2, 'A'), (2, NULL, 'y', 3, NULL, NULL), (3, 'Dr', 'x', 1, 2, 'B');
INSERT INTO gates VALUES (1, 'North');
INSERT INTO "größe" VALUES (1, 5), (2, NULL);
INSERT INTO log VALUES (1, 'in'), (2, 'in'), (1, 'out'), (1, 'out');
INSERT INTO numbered VALUES ('a', 1), ('a', 1), ('b', 2);
