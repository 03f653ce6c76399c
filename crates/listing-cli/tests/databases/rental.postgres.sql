-- A shop that rents films, after the well-known sample Sakila (Pagila on PostgreSQL); rows are our own.
CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17');
CREATE DOMAIN year AS integer CHECK (VALUE >= 1901 AND VALUE <= 2155);
CREATE TABLE actor (actor_id serial PRIMARY KEY, first_name varchar(45) NOT NULL, last_name varchar(45) NOT NULL,
    last_update timestamp NOT NULL DEFAULT now());
CREATE TABLE category (category_id serial PRIMARY KEY, name varchar(25) NOT NULL, last_update timestamp NOT NULL DEFAULT now());
CREATE TABLE language (language_id serial PRIMARY KEY, name character(20) NOT NULL, last_update timestamp NOT NULL DEFAULT now());
CREATE TABLE country (country_id serial PRIMARY KEY, country varchar(50) NOT NULL, last_update timestamp NOT NULL DEFAULT now());
CREATE TABLE city (city_id serial PRIMARY KEY, city varchar(50) NOT NULL,
    country_id integer NOT NULL REFERENCES country (country_id), last_update timestamp NOT NULL DEFAULT now());
CREATE TABLE address (address_id serial PRIMARY KEY, address varchar(50) NOT NULL, address2 varchar(50),
    district varchar(20) NOT NULL, city_id integer NOT NULL REFERENCES city (city_id), postal_code varchar(10),
    phone varchar(20) NOT NULL, last_update timestamp NOT NULL DEFAULT now());
CREATE TABLE film (film_id serial PRIMARY KEY, title varchar(255) NOT NULL, description text, release_year year,
    language_id integer NOT NULL REFERENCES language (language_id),
    original_language_id integer REFERENCES language (language_id), rental_duration smallint NOT NULL DEFAULT 3,
    rental_rate numeric(4, 2) NOT NULL DEFAULT 4.99, length smallint, replacement_cost numeric(5, 2) NOT NULL DEFAULT 19.99,
    rating mpaa_rating DEFAULT 'G', last_update timestamp NOT NULL DEFAULT now(), special_features text[],
    fulltext tsvector);
CREATE TABLE film_actor (actor_id integer NOT NULL REFERENCES actor (actor_id), film_id integer NOT NULL REFERENCES film (film_id),
    last_update timestamp NOT NULL DEFAULT now(), PRIMARY KEY (actor_id, film_id));
CREATE TABLE film_category (film_id integer NOT NULL REFERENCES film (film_id),
    category_id integer NOT NULL REFERENCES category (category_id), last_update timestamp NOT NULL DEFAULT now(),
    PRIMARY KEY (film_id, category_id));
CREATE TABLE store (store_id serial PRIMARY KEY, manager_staff_id integer NOT NULL UNIQUE,
    address_id integer NOT NULL REFERENCES address (address_id), last_update timestamp NOT NULL DEFAULT now());
CREATE TABLE staff (staff_id serial PRIMARY KEY, first_name varchar(45) NOT NULL, last_name varchar(45) NOT NULL,
    address_id integer NOT NULL REFERENCES address (address_id), email varchar(50),
    store_id integer NOT NULL REFERENCES store (store_id), active boolean NOT NULL DEFAULT true,
    username varchar(16) NOT NULL, password varchar(40), last_update timestamp NOT NULL DEFAULT now(), picture bytea);
CREATE TABLE inventory (inventory_id serial PRIMARY KEY, film_id integer NOT NULL REFERENCES film (film_id),
    store_id integer NOT NULL REFERENCES store (store_id), last_update timestamp NOT NULL DEFAULT now());
CREATE TABLE customer (customer_id serial PRIMARY KEY, store_id integer NOT NULL REFERENCES store (store_id),
    first_name varchar(45) NOT NULL, last_name varchar(45) NOT NULL, email varchar(50),
    address_id integer NOT NULL REFERENCES address (address_id), activebool boolean NOT NULL DEFAULT true,
    create_date date NOT NULL DEFAULT current_date, last_update timestamp DEFAULT now(), active integer);
CREATE TABLE rental (rental_id serial PRIMARY KEY, rental_date timestamptz NOT NULL,
    inventory_id integer NOT NULL REFERENCES inventory (inventory_id),
    customer_id integer NOT NULL REFERENCES customer (customer_id), return_date timestamptz,
    staff_id integer NOT NULL REFERENCES staff (staff_id), last_update timestamp NOT NULL DEFAULT now());
CREATE TABLE payment (payment_id serial PRIMARY KEY, customer_id integer NOT NULL REFERENCES customer (customer_id),
    staff_id integer NOT NULL REFERENCES staff (staff_id), rental_id integer NOT NULL REFERENCES rental (rental_id),
    amount numeric(5, 2) NOT NULL, payment_date timestamptz NOT NULL);
CREATE INDEX film_title ON film (title, film_id);
CREATE TYPE subject AS ENUM ('self', 'other');
CREATE TABLE event (event_id bigint GENERATED ALWAYS AS IDENTITY, made_on date NOT NULL, name varchar(20) NOT NULL,
    about subject NOT NULL DEFAULT 'other', PRIMARY KEY (event_id, made_on));
CREATE VIEW customer_list AS SELECT c.customer_id AS id, c.first_name || ' ' || c.last_name AS name, a.phone, t.city,
    c.activebool AS is_active FROM customer c JOIN address a USING (address_id) JOIN city t USING (city_id);
CREATE VIEW nothing_to_tell_apart AS SELECT rating FROM film;
INSERT INTO language (name) VALUES ('English'), ('German'), ('French');
INSERT INTO country (country) VALUES ('Germany'), ('Japan');
INSERT INTO city (city, country_id) VALUES ('Bonn', 1), ('Ulm', 1), ('Kyoto', 2);
INSERT INTO address (address, district, city_id, postal_code, phone) VALUES ('1 First Lane', 'North', 1, '53111', '01'),
    ('2 Second Lane', 'South', 2, NULL, '02'), ('3 Third Lane', '', 3, '600', '03');
INSERT INTO category (name) VALUES ('Drama'), ('Comedy'), ('Travel');
INSERT INTO actor (first_name, last_name) VALUES ('Ada', 'Long'), ('Ben', 'Short'), ('Cleo', 'Wide'), ('Dora', 'Thin');
INSERT INTO film (title, description, release_year, language_id, original_language_id, rental_rate, length, rating, special_features)
    VALUES ('A quiet harbour', 'Nothing happens.', 1999, 1, NULL, 0.99, 86, 'PG', '{Trailers,"Deleted, Scenes"}'),
    ('Two trains', NULL, 2006, 2, 1, 2.99, NULL, 'NC-17', NULL), ('The last lamp', 'A lamp.', NULL, 1, 2, 4.99, 120, 'PG-13', '{}'),
    ('100% wool', 'Sheep_', 2010, 3, NULL, 4.99, 7, NULL, '{Commentaries}'), ('Zebra', NULL, 2001, 1, NULL, 4.99, 90, 'G', NULL);
INSERT INTO film_actor (actor_id, film_id) VALUES (1, 1), (1, 2), (2, 1), (3, 3), (4, 5), (2, 5);
INSERT INTO film_category (film_id, category_id) VALUES (1, 1), (2, 1), (3, 2), (4, 3), (5, 2);
INSERT INTO store (manager_staff_id, address_id) VALUES (1, 1), (2, 2);
INSERT INTO staff (first_name, last_name, address_id, email, store_id, username, password, picture)
    VALUES ('Mike', 'Hill', 1, 'mike@example.com', 1, 'mike', 'not told', '\x0102'), ('Jon', 'Dale', 2, NULL, 2, 'jon', NULL, NULL);
ALTER TABLE store ADD FOREIGN KEY (manager_staff_id) REFERENCES staff (staff_id);
INSERT INTO inventory (film_id, store_id) VALUES (1, 1), (1, 2), (2, 1), (3, 2);
INSERT INTO customer (store_id, first_name, last_name, email, address_id, active) VALUES (1, 'Mary', 'Moon', 'm@example.com', 3, 1),
    (2, 'Paul', 'Sun', NULL, 3, NULL), (1, 'Lena', 'Star', 'l@example.com', 2, 0);
INSERT INTO rental (rental_date, inventory_id, customer_id, return_date, staff_id) VALUES ('2024-05-01 10:00:00+02', 1, 1, NULL, 1),
    ('2024-05-02 12:30:00+00', 2, 2, '2024-05-05 08:00:00+00', 2), ('2024-05-02 23:59:59+00', 3, 1, NULL, 1);
INSERT INTO payment (customer_id, staff_id, rental_id, amount, payment_date) VALUES (1, 1, 1, 0.99, '2024-05-01 08:00:00+00'),
    (2, 2, 2, 10.50, '2024-05-05 08:00:00+00'), (1, 1, 3, 2.99, '2024-05-06 08:00:00+00');
-- What other samples (AdventureWorks among them) have that this one has not.
CREATE SCHEMA hr;
CREATE TYPE hr.grade AS ENUM ('junior', 'senior');
CREATE TABLE hr.department (id smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "group" varchar(30) NOT NULL, gen integer);
CREATE TABLE hr.person (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL, grade hr.grade,
    manager_id uuid REFERENCES hr.person (id), home inet, worked interval, salary money, "2fast" real, type varchar(10) NOT NULL,
    data jsonb, notes xml, name_length integer GENERATED ALWAYS AS (length(name)) STORED, joined timestamptz NOT NULL DEFAULT now());
CREATE TABLE hr.department_history (person_id uuid NOT NULL REFERENCES hr.person (id),
    department_id smallint NOT NULL REFERENCES hr.department (id), started date NOT NULL, ended date,
    PRIMARY KEY (person_id, department_id, started));
CREATE TABLE hr.skill (code text PRIMARY KEY, title text NOT NULL);
CREATE TABLE hr.person_skill (person_id uuid NOT NULL REFERENCES hr.person (id), skill_code text NOT NULL REFERENCES hr.skill (code),
    level smallint NOT NULL CHECK (level BETWEEN 1 AND 5), PRIMARY KEY (person_id, skill_code));
CREATE TABLE hr.follow (person_id uuid NOT NULL REFERENCES hr.person (id), follower_id uuid NOT NULL REFERENCES hr.person (id),
    PRIMARY KEY (person_id, follower_id));
INSERT INTO hr.department ("group", gen) VALUES ('Sales', 1), ('Research', NULL);
INSERT INTO hr.person (id, name, grade, manager_id, home, worked, salary, "2fast", type, data)
    VALUES ('00000000-0000-0000-0000-000000000001', 'Ida', 'senior', NULL, '10.0.0.1', '1 day 02:00:00', 1234.5, 0.1, 'EM', '{"a": 1}'),
    ('00000000-0000-0000-0000-000000000002', 'Jo, ~', 'junior', '00000000-0000-0000-0000-000000000001', NULL, NULL, NULL, NULL, 'EM', NULL);
INSERT INTO hr.department_history VALUES ('00000000-0000-0000-0000-000000000001', 1, '2020-01-01', NULL),
    ('00000000-0000-0000-0000-000000000001', 2, '2019-01-01', '2019-12-31'), ('00000000-0000-0000-0000-000000000002', 2, '2021-06-01', NULL);
INSERT INTO hr.skill VALUES ('sql', 'Databases'), ('a,b', 'Letters'), ('~', 'Waves');
INSERT INTO hr.person_skill VALUES ('00000000-0000-0000-0000-000000000001', 'sql', 5), ('00000000-0000-0000-0000-000000000001', 'a,b', 2),
    ('00000000-0000-0000-0000-000000000002', '~', 1);
INSERT INTO hr.follow VALUES ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002');
INSERT INTO event (made_on, name) VALUES ('2024-05-01', 'Opening'), ('2024-05-02', 'Closing');
