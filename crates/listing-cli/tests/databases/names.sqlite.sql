-- Tables and columns with names that the library, the derives or the generated files use themselves (b480).
CREATE TABLE policies (id INTEGER PRIMARY KEY NOT NULL, name NVARCHAR(40) NOT NULL);
CREATE TABLE listings (id INTEGER PRIMARY KEY NOT NULL, object NVARCHAR(40) NOT NULL, active NVARCHAR(40), value integer NOT NULL,
    policy_id integer REFERENCES policies (id));
CREATE TABLE title (id INTEGER PRIMARY KEY NOT NULL, name NVARCHAR(40) NOT NULL);
CREATE TABLE pages (id INTEGER PRIMARY KEY NOT NULL, listing_id integer NOT NULL REFERENCES listings (id), object NVARCHAR(40),
    errors NVARCHAR(40) NOT NULL, record NVARCHAR(40));
CREATE TABLE settings (id INTEGER PRIMARY KEY NOT NULL, name NVARCHAR(40) NOT NULL);
CREATE TABLE entities (id INTEGER PRIMARY KEY NOT NULL, resource NVARCHAR(40) NOT NULL, payload NVARCHAR(40));
CREATE TABLE resources (id INTEGER PRIMARY KEY NOT NULL, entity NVARCHAR(40) NOT NULL, caller NVARCHAR(40));
INSERT INTO policies VALUES (1, 'Open'), (2, 'Closed');
INSERT INTO listings VALUES (1, 'House', NULL, 10, 1), (2, 'Flat', 'yes', 20, NULL), (3, 'Shed', 'no', 5, 1);
INSERT INTO title VALUES (1, 'Dr'), (2, 'Prof');
INSERT INTO pages VALUES (1, 1, 'Cover', 'none', NULL), (2, 1, NULL, 'some', 'A'), (3, 2, 'Back', 'none', 'B');
INSERT INTO settings VALUES (1, 'Colour');
INSERT INTO entities VALUES (1, 'File', NULL), (2, 'Folder', 'Text');
INSERT INTO resources VALUES (1, 'File', 'Ann'), (2, 'Folder', NULL);
