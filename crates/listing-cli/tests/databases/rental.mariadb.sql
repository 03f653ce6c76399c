-- The same shop as rental.postgres.sql, as MariaDB and MySQL have it.
CREATE TABLE actor (actor_id smallint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, first_name varchar(45) NOT NULL,
    last_name varchar(45) NOT NULL, last_update timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
    KEY idx_actor_last_name (last_name));
CREATE TABLE category (category_id tinyint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(25) NOT NULL,
    last_update timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP);
CREATE TABLE language (language_id tinyint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, name char(20) NOT NULL,
    last_update timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE film (film_id smallint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, title varchar(128) NOT NULL, description text,
    release_year year DEFAULT NULL, language_id tinyint unsigned NOT NULL, original_language_id tinyint unsigned DEFAULT NULL,
    rental_duration tinyint unsigned NOT NULL DEFAULT 3, rental_rate decimal(4, 2) NOT NULL DEFAULT 4.99, length smallint unsigned,
    replacement_cost decimal(5, 2) NOT NULL DEFAULT 19.99, rating enum('G', 'PG', 'PG-13', 'R', 'NC-17') DEFAULT 'G',
    special_features set('Trailers', 'Commentaries', 'Deleted Scenes') DEFAULT NULL, weight float, made_at datetime,
    last_update timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
    FOREIGN KEY (language_id) REFERENCES language (language_id), FOREIGN KEY (original_language_id) REFERENCES language (language_id));
CREATE TABLE film_actor (actor_id smallint unsigned NOT NULL, film_id smallint unsigned NOT NULL,
    last_update timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (actor_id, film_id),
    FOREIGN KEY (actor_id) REFERENCES actor (actor_id), FOREIGN KEY (film_id) REFERENCES film (film_id));
CREATE TABLE film_text (film_id smallint NOT NULL PRIMARY KEY, title varchar(255) NOT NULL, description text);
CREATE TABLE customer (customer_id smallint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, first_name varchar(45) NOT NULL,
    email varchar(50) DEFAULT NULL, active boolean NOT NULL DEFAULT TRUE, is_new bit(1) NOT NULL DEFAULT b'0',
    full_name varchar(60) AS (concat(first_name, '!')) STORED, create_date datetime NOT NULL, visits bigint unsigned NOT NULL DEFAULT 0);
CREATE TABLE payment (payment_id smallint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, customer_id smallint unsigned NOT NULL,
    amount decimal(5, 2) NOT NULL, payment_date datetime NOT NULL, `order` int,
    about enum('self', 'other') NOT NULL DEFAULT 'other', FOREIGN KEY (customer_id) REFERENCES customer (customer_id));
CREATE VIEW film_list AS SELECT film_id AS fid, title, rental_rate AS price, rating FROM film;
INSERT INTO actor (first_name, last_name) VALUES ('Ada', 'Long'), ('Ben', 'Short'), ('Cleo', 'Wide');
INSERT INTO category (name) VALUES ('Drama'), ('Comedy');
INSERT INTO language (name) VALUES ('English'), ('German');
INSERT INTO film (title, description, release_year, language_id, original_language_id, length, rating, special_features, weight, made_at)
    VALUES ('A quiet harbour', 'Nothing happens.', 1999, 1, NULL, 86, 'PG', 'Trailers,Deleted Scenes', 0.1, '2020-02-03 04:05:06'),
    ('Two trains', NULL, 2006, 2, 1, NULL, 'NC-17', NULL, NULL, NULL), ('The last lamp', 'A lamp.', NULL, 1, 2, 120, NULL, 'Trailers', 2.5, NULL);
INSERT INTO film_actor (actor_id, film_id) VALUES (1, 1), (1, 2), (2, 1), (3, 3);
INSERT INTO film_text VALUES (1, 'A quiet harbour', 'Nothing'), (2, 'Two trains', NULL);
INSERT INTO customer (first_name, email, active, is_new, create_date, visits) VALUES ('Mary', 'm@example.com', TRUE, b'1', '2024-05-01 10:00:00', 3),
    ('Paul', NULL, FALSE, b'0', '2024-05-02 00:00:00', 18446744073709551615);
INSERT INTO payment (customer_id, amount, payment_date, `order`) VALUES (1, 0.99, '2024-05-01 08:00:00', 1), (2, 10.50, '2024-05-05 08:00:00', NULL);
