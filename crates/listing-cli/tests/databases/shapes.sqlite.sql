-- Tables and views whose shape makes SeaORM's derives, or the start of an application, fail unless care is taken (b504–b508).
CREATE TABLE users (id INTEGER PRIMARY KEY NOT NULL, name NVARCHAR(40) NOT NULL);
CREATE TABLE projects (id INTEGER PRIMARY KEY NOT NULL, name NVARCHAR(40) NOT NULL, user_id integer NOT NULL REFERENCES users (id));
CREATE TABLE project_user (project_id integer NOT NULL REFERENCES projects (id), user_id integer NOT NULL REFERENCES users (id),
    PRIMARY KEY (project_id, user_id));
CREATE TABLE project_watcher (project_id integer NOT NULL REFERENCES projects (id), user_id integer NOT NULL REFERENCES users (id),
    PRIMARY KEY (project_id, user_id));
CREATE TABLE units (tenant_id integer NOT NULL, id integer NOT NULL, name NVARCHAR(40) NOT NULL, PRIMARY KEY (tenant_id, id));
CREATE TABLE ports (code NVARCHAR(3) PRIMARY KEY NOT NULL, id integer NOT NULL, name NVARCHAR(40) NOT NULL);
CREATE TABLE types ("type" NVARCHAR(10) PRIMARY KEY NOT NULL, "ref" NVARCHAR(10) UNIQUE, "m²" integer);
CREATE TABLE parts (id INTEGER PRIMARY KEY NOT NULL, "in" NVARCHAR(10) NOT NULL REFERENCES types ("type"),
    "as" NVARCHAR(10) REFERENCES types ("ref"));
CREATE TABLE badges (id INTEGER PRIMARY KEY NOT NULL, name NVARCHAR(40) NOT NULL) WITHOUT ROWID;
CREATE TABLE gone (x integer);
CREATE VIEW broken AS SELECT x FROM gone;
DROP TABLE gone;
CREATE VIEW project_sizes AS SELECT p.id AS id, count(*) AS members, p.name || '!' AS label
    FROM projects p JOIN project_user u ON u.project_id = p.id GROUP BY p.id;
INSERT INTO users VALUES (1, 'Ann'), (2, 'Ben'), (3, 'Cas');
INSERT INTO projects VALUES (1, 'House', 1), (2, 'Garden', 2);
INSERT INTO project_user VALUES (1, 1), (1, 2), (2, 3);
INSERT INTO project_watcher VALUES (1, 3), (2, 1);
INSERT INTO units VALUES (1, 1, 'One'), (1, 2, 'Two'), (2, 1, 'Other');
INSERT INTO ports VALUES ('AMS', 2, 'Amsterdam'), ('GOT', 1, 'Gothenburg');
INSERT INTO types VALUES ('big', NULL, 5), ('small', 's', NULL);
INSERT INTO parts VALUES (1, 'big', 's'), (2, 'small', NULL);
INSERT INTO badges VALUES (7, 'Swimmer'), (9, 'Climber');
