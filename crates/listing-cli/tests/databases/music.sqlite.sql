-- The same as music.postgres.sql for SQLite, which numbers keys of the type INTEGER.
CREATE TABLE "Artist" ("ArtistId" integer NOT NULL, "Name" NVARCHAR(120), CONSTRAINT "PK_Artist" PRIMARY KEY ("ArtistId"));
CREATE TABLE "Album" ("AlbumId" INTEGER PRIMARY KEY NOT NULL, "Title" NVARCHAR(160) NOT NULL,
    "ArtistId" integer NOT NULL REFERENCES "Artist" ("ArtistId"));
CREATE TABLE "Employee" ("EmployeeId" INTEGER PRIMARY KEY NOT NULL, "LastName" NVARCHAR(20) NOT NULL, "FirstName" NVARCHAR(20) NOT NULL,
    "Title" NVARCHAR(30), "ReportsTo" integer REFERENCES "Employee" ("EmployeeId"), "BirthDate" DATETIME, "HireDate" DATETIME);
CREATE TABLE "Customer" ("CustomerId" INTEGER PRIMARY KEY NOT NULL, "FirstName" NVARCHAR(40) NOT NULL, "LastName" NVARCHAR(20) NOT NULL,
    "Email" NVARCHAR(60) NOT NULL, "SupportRepId" integer REFERENCES "Employee" ("EmployeeId"));
CREATE TABLE "Genre" ("GenreId" INTEGER PRIMARY KEY NOT NULL, "Name" NVARCHAR(120));
CREATE TABLE "MediaType" ("MediaTypeId" INTEGER PRIMARY KEY NOT NULL, "Name" NVARCHAR(120));
CREATE TABLE "Track" ("TrackId" INTEGER PRIMARY KEY NOT NULL, "Name" NVARCHAR(200) NOT NULL,
    "AlbumId" integer REFERENCES "Album" ("AlbumId"), "MediaTypeId" integer NOT NULL REFERENCES "MediaType" ("MediaTypeId"),
    "GenreId" integer REFERENCES "Genre" ("GenreId"), "Composer" NVARCHAR(220), "Milliseconds" integer NOT NULL, "Bytes" integer,
    "UnitPrice" NUMERIC(10, 2) NOT NULL);
CREATE TABLE "Invoice" ("InvoiceId" INTEGER PRIMARY KEY NOT NULL, "CustomerId" integer NOT NULL REFERENCES "Customer" ("CustomerId"),
    "InvoiceDate" DATETIME NOT NULL, "BillingCity" NVARCHAR(40), "Total" NUMERIC(10, 2) NOT NULL);
CREATE TABLE "InvoiceLine" ("InvoiceLineId" INTEGER PRIMARY KEY NOT NULL, "InvoiceId" integer NOT NULL REFERENCES "Invoice" ("InvoiceId"),
    "TrackId" integer NOT NULL REFERENCES "Track" ("TrackId"), "UnitPrice" NUMERIC(10, 2) NOT NULL, "Quantity" integer NOT NULL);
CREATE TABLE "Playlist" ("PlaylistId" INTEGER PRIMARY KEY NOT NULL, "Name" NVARCHAR(120));
CREATE TABLE "PlaylistTrack" ("PlaylistId" integer NOT NULL REFERENCES "Playlist" ("PlaylistId"),
    "TrackId" integer NOT NULL REFERENCES "Track" ("TrackId"), PRIMARY KEY ("PlaylistId", "TrackId"));
CREATE VIEW "TrackList" AS SELECT "TrackId", "Name", "Milliseconds" FROM "Track";
