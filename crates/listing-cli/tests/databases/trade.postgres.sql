-- A wholesale trader, after the well-known sample Northwind; rows are our own.
CREATE TABLE categories (category_id smallint PRIMARY KEY, category_name varchar(15) NOT NULL, description text, picture bytea);
CREATE TABLE suppliers (supplier_id smallint PRIMARY KEY, company_name varchar(40) NOT NULL, country varchar(15), homepage text);
CREATE TABLE products (product_id smallint PRIMARY KEY, product_name varchar(40) NOT NULL, supplier_id smallint REFERENCES suppliers,
    category_id smallint REFERENCES categories, quantity_per_unit varchar(20), unit_price real, units_in_stock smallint, discontinued integer NOT NULL);
CREATE TABLE customers (customer_id varchar(5) PRIMARY KEY, company_name varchar(40) NOT NULL, city varchar(15), phone varchar(24));
CREATE TABLE employees (employee_id smallint PRIMARY KEY, last_name varchar(20) NOT NULL, first_name varchar(10) NOT NULL,
    birth_date date, reports_to smallint REFERENCES employees, photo bytea);
CREATE TABLE shippers (shipper_id smallint PRIMARY KEY, company_name varchar(40) NOT NULL);
CREATE TABLE orders (order_id smallint PRIMARY KEY, customer_id varchar(5) REFERENCES customers, employee_id smallint REFERENCES employees,
    order_date date, ship_via smallint REFERENCES shippers, freight real, ship_name varchar(40));
CREATE TABLE order_details (order_id smallint NOT NULL REFERENCES orders, product_id smallint NOT NULL REFERENCES products,
    unit_price real NOT NULL, quantity smallint NOT NULL, discount real NOT NULL, PRIMARY KEY (order_id, product_id));
CREATE TABLE region (region_id smallint PRIMARY KEY, region_description varchar(60) NOT NULL);
CREATE TABLE territories (territory_id varchar(20) PRIMARY KEY, territory_description varchar(60) NOT NULL, region_id smallint NOT NULL REFERENCES region);
CREATE TABLE employee_territories (employee_id smallint NOT NULL REFERENCES employees, territory_id varchar(20) NOT NULL REFERENCES territories,
    PRIMARY KEY (employee_id, territory_id));
INSERT INTO categories VALUES (1, 'Tea', 'Leaves', NULL), (2, 'Cheese', NULL, '\x00ff');
INSERT INTO suppliers VALUES (1, 'Hill Farm', 'Norway', NULL), (2, 'Sea & Son', NULL, 'sea.example');
INSERT INTO products VALUES (1, 'Green', 1, 1, '10 boxes', 18, 39, 0), (2, 'Old', 2, 2, NULL, 32.38, NULL, 1), (3, 'Loose', NULL, NULL, NULL, NULL, 0, 0);
INSERT INTO customers VALUES ('ALFKI', 'Alf', 'Berlin', NULL), ('BON/A', 'Bon App', NULL, '1');
INSERT INTO employees VALUES (1, 'North', 'Nan', '1948-12-08', NULL, NULL), (2, 'West', 'Will', NULL, 1, NULL);
INSERT INTO shippers VALUES (1, 'Fast'), (2, 'Slow');
INSERT INTO orders VALUES (10248, 'ALFKI', 2, '1996-07-04', 2, 32.38, 'Alf'), (10249, 'BON/A', 1, NULL, 1, 0.1, NULL), (10250, NULL, NULL, '1996-07-08', NULL, NULL, NULL);
INSERT INTO order_details VALUES (10248, 1, 14, 12, 0), (10248, 2, 9.8, 10, 0.05), (10249, 1, 18.6, 9, 0);
INSERT INTO region VALUES (1, 'Eastern'), (2, 'Western');
INSERT INTO territories VALUES ('01581', 'Westboro', 1), ('98004', 'Bellevue', 2);
INSERT INTO employee_territories VALUES (1, '01581'), (1, '98004'), (2, '98004');
