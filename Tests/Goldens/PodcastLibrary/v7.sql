-- The library as version 7 left it, with rows. Never changed once the version is released.
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE podcast (
    id INTEGER PRIMARY KEY, feedURL TEXT NOT NULL UNIQUE, title TEXT NOT NULL, author TEXT,
    summary TEXT NOT NULL DEFAULT '', link TEXT, artworkURL TEXT, language TEXT,
    categories TEXT NOT NULL DEFAULT '[]', persons TEXT NOT NULL DEFAULT '[]', fundingURL TEXT,
    state TEXT NOT NULL DEFAULT 'active', etag TEXT, lastModified TEXT,
    addedAt REAL NOT NULL, refreshedAt REAL, failureCode TEXT, failureMessage TEXT
);
CREATE TABLE episode (
    id INTEGER PRIMARY KEY,
    podcastID INTEGER NOT NULL REFERENCES podcast(id) ON DELETE CASCADE,
    identity TEXT NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL DEFAULT '',
    link TEXT, published REAL, duration REAL, mediaURL TEXT, mediaType TEXT, mediaLength INTEGER,
    artworkURL TEXT, season INTEGER, number INTEGER, kind TEXT, isExplicit INTEGER NOT NULL DEFAULT 0,
    details TEXT, isListed INTEGER NOT NULL DEFAULT 1, addedAt REAL NOT NULL,
    position REAL NOT NULL DEFAULT 0, isPlayed INTEGER NOT NULL DEFAULT 0, playedAt REAL,
    UNIQUE (podcastID, identity)
);
CREATE INDEX episodeByDate ON episode(podcastID, published DESC);
CREATE INDEX episodeByMark ON episode(podcastID, isPlayed);
CREATE INDEX episodeByTime ON episode(published DESC);
CREATE INDEX episodeByMedia ON episode(mediaURL, podcastID);
CREATE TABLE queue (
    episodeID INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE, rank INTEGER NOT NULL
);
CREATE INDEX queueByRank ON queue(rank);
CREATE VIRTUAL TABLE episodeSearch USING fts5(
    title, summary, content='episode', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
);
CREATE TRIGGER episodeInserted AFTER INSERT ON episode BEGIN
    INSERT INTO episodeSearch(rowid, title, summary) VALUES (new.id, new.title, new.summary);
END;
CREATE TRIGGER episodeDeleted AFTER DELETE ON episode BEGIN
    INSERT INTO episodeSearch(episodeSearch, rowid, title, summary)
    VALUES ('delete', old.id, old.title, old.summary);
END;
CREATE TRIGGER episodeUpdated AFTER UPDATE OF title, summary ON episode BEGIN
    INSERT INTO episodeSearch(episodeSearch, rowid, title, summary)
    VALUES ('delete', old.id, old.title, old.summary);
    INSERT INTO episodeSearch(rowid, title, summary) VALUES (new.id, new.title, new.summary);
END;
INSERT INTO episodeSearch(episodeSearch) VALUES ('rebuild');
ALTER TABLE podcast ADD COLUMN downloadRule TEXT;
CREATE TABLE download (
    episodeID INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
    state TEXT NOT NULL, path TEXT NOT NULL, byteCount INTEGER NOT NULL DEFAULT 0, length INTEGER,
    validator TEXT, isWanted INTEGER NOT NULL DEFAULT 0, failureCode TEXT, failureMessage TEXT
);
CREATE TABLE syncState (
    server TEXT PRIMARY KEY, subscriptionsSince INTEGER NOT NULL DEFAULT 0,
    actionsSince INTEGER NOT NULL DEFAULT 0, sentAt REAL NOT NULL DEFAULT 0
);
CREATE TABLE removedFeed (feedURL TEXT PRIMARY KEY, removedAt REAL NOT NULL);
CREATE INDEX episodeByPlayed ON episode(playedAt) WHERE playedAt IS NOT NULL;
ALTER TABLE podcast ADD COLUMN settings TEXT;
ALTER TABLE podcast ADD COLUMN hasAllPages INTEGER NOT NULL DEFAULT 0;
ALTER TABLE episode ADD COLUMN author TEXT;
INSERT INTO grdb_migrations VALUES ('v1');
INSERT INTO grdb_migrations VALUES ('v2');
INSERT INTO grdb_migrations VALUES ('v3');
INSERT INTO grdb_migrations VALUES ('v4');
INSERT INTO grdb_migrations VALUES ('v5');
INSERT INTO grdb_migrations VALUES ('v6');
INSERT INTO grdb_migrations VALUES ('v7');
INSERT INTO podcast (id, feedURL, title, summary, categories, addedAt, etag)
    VALUES (5, 'https://host.example/old.xml', 'Old show', 'About', '["Arts"]', 1600000000, '"tag"');
INSERT INTO episode (id, podcastID, identity, title, summary, published, mediaURL, details, addedAt, position, playedAt)
    VALUES (11, 5, 'one', 'First', 'About a zebra', 1600000001, 'https://host.example/1.mp3',
        '{"chapters":[],"transcripts":[{"url":"https://host.example/1.vtt"}],"soundbites":[],"persons":[]}', 1600000000, 61.5,
        1600000500);
INSERT INTO episode (id, podcastID, identity, title, published, mediaURL, addedAt, isPlayed)
    VALUES (12, 5, 'two', 'Second', 1600000002, 'https://host.example/2.mp3', 1600000000, 1);
INSERT INTO queue VALUES (12, 0), (11, 1);
INSERT INTO download (episodeID, state, path) VALUES (12, 'waiting', '/tmp/none.mp3');
INSERT INTO syncState (server, actionsSince) VALUES ('nextcloud me@https://cloud.example', 7);
UPDATE podcast SET settings = '{"rate":1.5,"introDuration":30}';
