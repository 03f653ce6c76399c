INSERT INTO "Artist" VALUES (1, 'The Kettles'), (2, 'Low Tide'), (3, NULL);
INSERT INTO "Album" VALUES (1, 'Steam', 1), (2, 'Shore', 2), (3, 'More steam', 1);
INSERT INTO "Employee" VALUES (1, 'Park', 'Ann', 'Manager', NULL, '1962-02-18 00:00:00', '2002-08-14 00:00:00'),
    (2, 'Lake', 'Bob', 'Agent', 1, '1973-08-29 00:00:00', NULL), (3, 'Wood', 'Cid', NULL, 1, NULL, NULL);
INSERT INTO "Customer" VALUES (1, 'Eve', 'Hall', 'eve@example.com', 2), (2, 'Max', 'Gate', 'max@example.com', NULL);
INSERT INTO "Genre" VALUES (1, 'Rock'), (2, 'Jazz');
INSERT INTO "MediaType" VALUES (1, 'MPEG'), (2, 'AAC');
INSERT INTO "Track" VALUES (1, 'Whistle', 1, 1, 1, NULL, 343719, 11170334, 0.99), (2, 'Boil', 1, 2, 1, 'A. Kettle', 342562, NULL, 1.29),
    (3, 'Ebb', 2, 1, 2, 'L. Tide', 230619, 3990994, 0.99), (4, 'Lost', NULL, 1, NULL, NULL, 1, 2, 0.50);
INSERT INTO "Invoice" VALUES (1, 1, '2021-01-03 00:00:00', 'Oslo', 2.28), (2, 2, '2021-01-03 13:45:10', NULL, 0.99), (3, 1, '2021-02-11 00:00:00', 'Oslo', 0.50);
INSERT INTO "InvoiceLine" VALUES (1, 1, 1, 0.99, 1), (2, 1, 2, 1.29, 1), (3, 2, 3, 0.99, 1), (4, 3, 4, 0.50, 2);
INSERT INTO "Playlist" VALUES (1, 'Morning'), (2, 'Empty');
INSERT INTO "PlaylistTrack" VALUES (1, 1), (1, 3);
