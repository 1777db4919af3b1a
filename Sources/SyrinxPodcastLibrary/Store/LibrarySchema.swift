import GRDB

/// The tables of the library, and the migrations between versions.
///
/// A released migration never changes; later migrations alter its tables.
enum LibrarySchema {
    /// The migrations, with their names.
    static let versions: [(name: String, sql: String)] = [
        ("v1", version1), ("v2", version2), ("v3", version3), ("v4", version4), ("v5", version5),
        ("v6", version6), ("v7", version7), ("v8", version8),
    ]

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, sql) in versions {
            migrator.registerMigration(name) { try $0.execute(sql: sql) }
        }
        return migrator
    }

    /// Podcasts, episodes and the queue.
    private static let version1 = """
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
            identity TEXT NOT NULL, digest INTEGER NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL DEFAULT '',
            link TEXT, published REAL, duration REAL, mediaURL TEXT, mediaType TEXT, mediaLength INTEGER,
            artworkURL TEXT, season INTEGER, number INTEGER, kind TEXT, isExplicit INTEGER NOT NULL DEFAULT 0,
            details TEXT, isListed INTEGER NOT NULL DEFAULT 1, addedAt REAL NOT NULL,
            position REAL NOT NULL DEFAULT 0, isPlayed INTEGER NOT NULL DEFAULT 0, playedAt REAL,
            UNIQUE (podcastID, identity)
        );
        CREATE INDEX episodeByDate ON episode(podcastID, published DESC);
        CREATE INDEX episodeByMark ON episode(podcastID, isPlayed);
        CREATE INDEX episodeByTime ON episode(published DESC);
        CREATE INDEX episodeByMedia ON episode(mediaURL);
        CREATE TABLE queue (
            episodeID INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE, rank INTEGER NOT NULL
        );
        CREATE INDEX queueByRank ON queue(rank);
        """

    /// Full-text search and download rules.
    private static let version2 = """
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
        """

    /// Synchronization: the state per server, and feeds that were removed or added since the last one.
    private static let version3 = """
        CREATE TABLE syncState (
            server TEXT PRIMARY KEY, subscriptionsSince INTEGER NOT NULL DEFAULT 0,
            actionsSince INTEGER NOT NULL DEFAULT 0, sentAt REAL NOT NULL DEFAULT 0
        );
        CREATE TABLE removedFeed (feedURL TEXT PRIMARY KEY, removedAt REAL NOT NULL);
        CREATE INDEX episodeByPlayed ON episode(playedAt) WHERE playedAt IS NOT NULL;
        """

    /// The playback settings of a podcast, as JSON.
    private static let version4 = "ALTER TABLE podcast ADD COLUMN settings TEXT;"

    /// An index of episodes by recording, because podcasts may share a recording.
    private static let version5 = """
        DROP INDEX episodeByMedia;
        CREATE INDEX episodeByMedia ON episode(mediaURL, podcastID);
        """

    /// Refreshes compare an episode with its record, so the digest is not needed.
    private static let version6 = "ALTER TABLE episode DROP COLUMN digest;"

    /// Older episodes on further pages of a feed, and the authors of episodes.
    private static let version7 = """
        ALTER TABLE podcast ADD COLUMN hasAllPages INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE episode ADD COLUMN author TEXT;
        """

    /// Indexes for lists of new and started episodes, and for prefix searches, so that their cost does not grow with
    /// the library.
    private static let version8 = """
        CREATE INDEX episodeUnplayed ON episode(published DESC) WHERE isPlayed = 0;
        CREATE INDEX episodeBegun ON episode(published DESC) WHERE isPlayed = 0 AND position > 0;
        DROP TABLE episodeSearch;
        CREATE VIRTUAL TABLE episodeSearch USING fts5(
            title, summary, content='episode', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='1 2 3'
        );
        INSERT INTO episodeSearch(episodeSearch) VALUES ('rebuild');
        """
}
