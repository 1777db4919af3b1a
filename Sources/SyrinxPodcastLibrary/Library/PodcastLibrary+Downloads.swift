import Foundation
import GRDB

/// Downloads, by hand and by rules.
extension PodcastLibrary {
    /// Sets the rule for the downloads of a podcast; `nil` ends downloading by itself.
    /// - Throws: `usage.noSuchPodcast` if there is none.
    public func setDownloadRule(_ rule: DownloadRule?, for id: Podcast.ID) throws(PodcastError) {
        let text = rule.flatMap { JSONColumn.encode($0) }
        try database.write { database in
            try database.execute(sql: "UPDATE podcast SET downloadRule = ? WHERE id = ?", arguments: [text, id])
            if database.changesCount == 0 { throw noSuchPodcast(id) }
        }
    }

    /// The rule for the downloads of a podcast; `nil` if there is none.
    public func downloadRule(for id: Podcast.ID) throws(PodcastError) -> DownloadRule? {
        try database.read { database in
            let sql = "SELECT downloadRule FROM podcast WHERE id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { throw noSuchPodcast(id) }
            return JSONColumn.decode(DownloadRule.self, row.value("downloadRule"))
        }
    }

    /// Decides, without doing it, which episodes the rules fetch and remove, with those asked for.
    public func downloadPlan() throws(PodcastError) -> DownloadPlan {
        var plan = DownloadPlan([], rule: nil)
        for part in try downloadPlans() {
            plan.fetched += part.fetched
            plan.removed += part.removed
        }
        return plan
    }

    /// The plan of each podcast that has a rule or downloads.
    private func downloadPlans() throws(PodcastError) -> [DownloadPlan] {
        try database.read { database in
            let sql = """
                SELECT id, downloadRule FROM podcast WHERE downloadRule IS NOT NULL
                OR id IN (SELECT podcastID FROM episode JOIN download ON episode.id = episodeID) ORDER BY id
                """
            return try Row.fetchAll(database, sql: sql).map { row in
                let rule = JSONColumn.decode(DownloadRule.self, row.value("downloadRule"))
                return DownloadPlan(try Self.candidates(row.value("id"), database), rule: rule)
            }
        }
    }

    private static func candidates(_ id: Podcast.ID, _ database: Database) throws -> [DownloadPlan.Candidate] {
        let sql = """
            SELECT episode.id, isPlayed, position, COALESCE(length, mediaLength) AS length, state, byteCount, isWanted,
                episode.id IN (SELECT episodeID FROM queue) AS isQueued
            FROM episode LEFT JOIN download ON episodeID = episode.id
            WHERE podcastID = ? AND mediaURL IS NOT NULL ORDER BY published DESC, episode.id
            """
        return try Row.fetchAll(database, sql: sql, arguments: [id]).map { row in
            let isDownloaded = row.value("state") as String? == EpisodeDownload.State.completed.rawValue
            return DownloadPlan.Candidate(
                id: row.value("id"),
                byteCount: isDownloaded ? row.value("byteCount") : row.value("length"),
                isPlayed: row.value("isPlayed"),
                isInUse: row.value("position") as Double > 0 || row.value("isQueued") as Bool,
                isWanted: row.value("isWanted"),
                isDownloaded: isDownloaded
            )
        }
    }

    /// All downloads, also those that wait or have failed.
    public func downloads() throws(PodcastError) -> [EpisodeDownload] {
        try database.read {
            try Row.fetchAll($0, sql: "SELECT * FROM download ORDER BY episodeID").map(EpisodeDownload.init(row:))
        }
    }

    /// Returns the download of an episode; `nil` if there is none.
    public func download(of id: Episode.ID) throws(PodcastError) -> EpisodeDownload? {
        try database.read { database in
            let sql = "SELECT * FROM download WHERE episodeID = ?"
            return try Row.fetchOne(database, sql: sql, arguments: [id]).map(EpisodeDownload.init(row:))
        }
    }

    /// Fetches the recording of an episode into the folder of downloads; an attempt that broke off goes on.
    /// - Parameters:
    ///   - id: The episode.
    ///   - isWanted: Whether somebody has asked for it, so that no rule removes it.
    ///   - progress: Called some ten times a second with the bytes that are there, and the length as far as it is known.
    /// - Returns: The download, which is completed.
    /// - Throws: `PodcastError` with `usage.noSuchEpisode`, `usage.noRecording`, `media.recordingTooLarge`, `file.inUse`, `file.diskFull`,
    ///   `usage.cancelled`, or the failure of the network.
    @discardableResult
    public func fetch(
        _ id: Episode.ID,
        isWanted: Bool = true,
        progress: @escaping @Sendable (_ byteCount: Int64, _ length: Int64?) -> Void = { _, _ in }
    ) async throws(PodcastError) -> EpisodeDownload {
        try await fetch(id, isWanted: isWanted, room: .max, progress: progress)
    }

    /// Fetches a recording of at most `room` bytes.
    private func fetch(
        _ id: Episode.ID,
        isWanted: Bool,
        room: Int64,
        progress: @escaping @Sendable (_ byteCount: Int64, _ length: Int64?) -> Void
    ) async throws(PodcastError) -> EpisodeDownload {
        let (url, podcast, file, validator) = try prepare(id, isWanted: isWanted)
        if let done = try download(of: id), done.state == .completed,
            file.path.status?.st_size == off_t(clamping: done.byteCount)
        {
            return done
        }
        let space = DownloadSpace(
            largestSize: min(room, options.maximumRecordingSize),
            reserve: options.reservedDiskSpace
        )
        let fetch = EpisodeFetch(url: url, file: file, space: space, options: network(for: podcast))
        try await BlockingWork.run(cancel: fetch.cancel) { () throws(PodcastError) in
            do throws(PodcastError) {
                let size = try fetch.run(
                    validator: validator,
                    begun: { validator, length throws(PodcastError) in
                        let values: StatementArguments = [validator, length, id]
                        try self.setDownload("validator = ?, length = ?", values)
                    },
                    progress: progress
                )
                try self.setDownload(
                    "state = 'completed', byteCount = ?, failureCode = NULL, failureMessage = NULL",
                    [size, id]
                )
            } catch {
                if error.code != .cancelled, error.code != .downloadInUse {
                    let values: StatementArguments = [error.code.rawValue, error.message, id]
                    try self.setDownload("state = 'failed', failureCode = ?, failureMessage = ?", values)
                }
                throw error
            }
        }
        guard let done = try download(of: id) else { throw noSuchEpisode(id) }
        return done
    }

    private func setDownload(_ assignments: String, _ values: StatementArguments) throws(PodcastError) {
        try database.write {
            try $0.execute(sql: "UPDATE download SET \(assignments) WHERE episodeID = ?", arguments: values)
        }
    }

    /// Notes the download of an episode, and returns its URL, its file, and the version of which there is a part.
    ///
    /// A file that the library names outside of the folder of downloads is left alone, and another one is begun.
    private func prepare(_ id: Episode.ID, isWanted: Bool) throws(PodcastError) -> (
        url: String, podcast: Podcast.ID, DownloadFile, validator: String?
    ) {
        try database.write { database in
            let sql = """
                SELECT episode.title, podcastID, mediaURL, feedURL FROM episode JOIN podcast ON podcast.id = podcastID
                WHERE episode.id = ?
                """
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { throw noSuchEpisode(id) }
            guard let url: String = row.value("mediaURL") else {
                throw PodcastError(.noRecording, "this episode has no recording", name: row.value("title"))
            }
            let podcast: Int64 = row.value("podcastID")
            let path = downloadsFolder.appending("\(podcast)").appending("\(id)\(Self.fileExtension(url))")
            try database.execute(
                sql: """
                    INSERT INTO download (episodeID, state, path, isWanted) VALUES (?1, 'waiting', ?2, ?3)
                    ON CONFLICT (episodeID) DO UPDATE SET isWanted = MAX(isWanted, ?3)
                    """,
                arguments: [id, path.name, isWanted]
            )
            let known = try Row.fetchOne(
                database,
                sql: "SELECT path, validator FROM download WHERE episodeID = ?",
                arguments: [id]
            )
            let location = Self.url(url, onOriginOf: row.value("feedURL"))
            if let file = downloadFile(known?.value("path") ?? path.name) {
                return (location, podcast, file, known?.value("validator"))
            }
            guard let file = downloadFile(path.name) else {
                throw PodcastError(.libraryFailed, "the folder of downloads has no usable name", name: path.name)
            }
            try database.execute(
                sql: "UPDATE download SET path = ?, state = 'waiting', validator = NULL WHERE episodeID = ?",
                arguments: [path.name, id]
            )
            return (location, podcast, file, nil)
        }
    }

    /// The extension of the file that a URL names, with a dot, if it is one of recordings.
    static func fileExtension(_ url: String) -> String {
        let name = URL(string: url)?.pathExtension.lowercased() ?? ""
        return (2...4).contains(name.count) && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            ? ".\(name)" : ""
    }

    /// Removes the file of a download, and what is known of it; one that is not there is no error.
    ///
    /// A file outside of the folder of downloads stays.
    public func removeDownload(_ id: Episode.ID) throws(PodcastError) {
        // The file first: a file that is missing is noticed, one that nothing is known of is not.
        let sql = "SELECT path FROM download WHERE episodeID = ?"
        let path = try database.read { try String.fetchOne($0, sql: sql, arguments: [id]) }
        if let path { downloadFile(path)?.remove() }
        try database.write { try $0.execute(sql: "DELETE FROM download WHERE episodeID = ?", arguments: [id]) }
    }

    /// The file of a download that the library names; `nil` if it does not lie in the folder of downloads.
    func downloadFile(_ path: String) -> DownloadFile? { DownloadFile(path: FilePath(path), below: downloadsFolder) }

    /// Fetches and removes what the rules say, one after the other; one that fails does not hold up the others.
    ///
    /// The size that a rule allows holds for what servers send, whatever the feeds state.
    /// - Parameter progress: Called after each episode that was fetched, with its download or the failure.
    /// - Throws: `PodcastError` if the library or the disk fails, or the task is cancelled.
    public func applyDownloadRules(
        progress: @escaping @Sendable (Episode.ID, Result<EpisodeDownload, PodcastError>) -> Void = { _, _ in }
    ) async throws(PodcastError) {
        let plans = try downloadPlans()
        for id in plans.flatMap(\.removed) { try removeDownload(id) }
        for plan in plans {
            var room = plan.room
            for id in plan.fetched {
                let isAsked = plan.asked.contains(id)
                guard isAsked || room > 0 else { continue }
                do throws(PodcastError) {
                    let done = try await fetch(id, isWanted: false, room: isAsked ? .max : room) { _, _ in }
                    if !isAsked { room = room.subtractingClamped(done.byteCount) }
                    progress(id, .success(done))
                } catch {
                    guard error.code != .cancelled, error.code != .diskFull,
                        !error.code.rawValue.hasPrefix("file.library")
                    else { throw error }
                    progress(id, .failure(error))
                }
            }
        }
    }
}
