-- A shop of digital music, after the well-known sample Chinook, with its names in camel case; rows are our own.
CREATE TABLE "Artist" ("ArtistId" integer NOT NULL, "Name" varchar(120), CONSTRAINT "PK_Artist" PRIMARY KEY ("ArtistId"));
CREATE TABLE "Album" ("AlbumId" integer NOT NULL PRIMARY KEY, "Title" varchar(160) NOT NULL,
    "ArtistId" integer NOT NULL REFERENCES "Artist" ("ArtistId"));
CREATE TABLE "Employee" ("EmployeeId" integer NOT NULL PRIMARY KEY, "LastName" varchar(20) NOT NULL, "FirstName" varchar(20) NOT NULL,
    "Title" varchar(30), "ReportsTo" integer REFERENCES "Employee" ("EmployeeId"), "BirthDate" timestamp, "HireDate" timestamp);
CREATE TABLE "Customer" ("CustomerId" integer NOT NULL PRIMARY KEY, "FirstName" varchar(40) NOT NULL, "LastName" varchar(20) NOT NULL,
    "Email" varchar(60) NOT NULL, "SupportRepId" integer REFERENCES "Employee" ("EmployeeId"));
CREATE TABLE "Genre" ("GenreId" integer NOT NULL PRIMARY KEY, "Name" varchar(120));
CREATE TABLE "MediaType" ("MediaTypeId" integer NOT NULL PRIMARY KEY, "Name" varchar(120));
CREATE TABLE "Track" ("TrackId" integer NOT NULL PRIMARY KEY, "Name" varchar(200) NOT NULL,
    "AlbumId" integer REFERENCES "Album" ("AlbumId"), "MediaTypeId" integer NOT NULL REFERENCES "MediaType" ("MediaTypeId"),
    "GenreId" integer REFERENCES "Genre" ("GenreId"), "Composer" varchar(220), "Milliseconds" integer NOT NULL, "Bytes" integer,
    "UnitPrice" numeric(10, 2) NOT NULL);
CREATE TABLE "Invoice" ("InvoiceId" integer NOT NULL PRIMARY KEY, "CustomerId" integer NOT NULL REFERENCES "Customer" ("CustomerId"),
    "InvoiceDate" timestamp NOT NULL, "BillingCity" varchar(40), "Total" numeric(10, 2) NOT NULL);
CREATE TABLE "InvoiceLine" ("InvoiceLineId" integer NOT NULL PRIMARY KEY, "InvoiceId" integer NOT NULL REFERENCES "Invoice" ("InvoiceId"),
    "TrackId" integer NOT NULL REFERENCES "Track" ("TrackId"), "UnitPrice" numeric(10, 2) NOT NULL, "Quantity" integer NOT NULL);
CREATE TABLE "Playlist" ("PlaylistId" integer NOT NULL PRIMARY KEY, "Name" varchar(120));
CREATE TABLE "PlaylistTrack" ("PlaylistId" integer NOT NULL REFERENCES "Playlist" ("PlaylistId"),
    "TrackId" integer NOT NULL REFERENCES "Track" ("TrackId"), PRIMARY KEY ("PlaylistId", "TrackId"));
