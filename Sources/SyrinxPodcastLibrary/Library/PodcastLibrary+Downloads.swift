import Foundation
import GRDB

/// Manual and automatic downloads.
extension PodcastLibrary {
    /// Sets the download rule of a podcast; `nil` ends automatic downloads.
    /// - Throws: `usage.noSuchPodcast` if the podcast does not exist.
    public func setDownloadRule(_ rule: DownloadRule?, for id: Podcast.ID) throws(PodcastError) {
        try change(id) { $0.state.downloadRule = try rule.map { try JSONText($0) } }
    }

    /// Returns the download rule of a podcast; `nil` if it has none.
    public func downloadRule(for id: Podcast.ID) throws(PodcastError) -> DownloadRule? {
        try database.read { try record(id, $0).state.downloadRule?.value }
    }

    /// Returns the episodes that would be downloaded and removed now, by rules or because the user asked for them.
    public func downloadPlan() throws(PodcastError) -> DownloadPlan {
        var plan = DownloadPlan([], rule: nil)
        for part in try downloadPlans() {
            plan.fetched += part.fetched
            plan.removed += part.removed
        }
        return plan
    }

    /// Returns a plan for each podcast that has a rule or downloads.
    private func downloadPlans() throws(PodcastError) -> [DownloadPlan] {
        try database.read { database in
            let hasDownloads = SQL("id IN (SELECT podcastID FROM episode JOIN download ON episode.id = episodeID)")
            typealias Columns = PodcastRecord.Columns
            let podcasts = PodcastRecord.filter(Columns.downloadRule != nil || hasDownloads.sqlExpression)
            return try podcasts.order(Columns.id).fetchAll(database).map { podcast in
                let candidates = try Self.candidates(podcast.state.id ?? 0, database)
                return DownloadPlan(candidates, rule: podcast.state.downloadRule?.value)
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
        return try CandidateRow.fetchAll(database, sql: sql, arguments: [id]).map { row in
            let isDownloaded = row.state == EpisodeDownload.State.completed.rawValue
            return DownloadPlan.Candidate(
                id: row.id,
                byteCount: isDownloaded ? row.byteCount : row.length,
                isPlayed: row.isPlayed,
                isInUse: row.position > 0 || row.isQueued,
                isWanted: row.isWanted ?? false,
                isDownloaded: isDownloaded
            )
        }
    }

    /// An episode with the properties that its podcast's rule uses.
    private struct CandidateRow: Decodable, FetchableRecord {
        let id: Episode.ID
        let isPlayed: Bool
        let position: Double
        let length: Int64?
        let state: String?
        let byteCount: Int64?
        let isWanted: Bool?
        let isQueued: Bool
    }

    /// Returns all downloads, including waiting and failed ones.
    public func downloads() throws(PodcastError) -> [EpisodeDownload] {
        try database.read { try Self.downloads($0) }
    }

    static func downloads(_ database: Database) throws -> [EpisodeDownload] {
        try DownloadRecord.order(DownloadRecord.Columns.episodeID).fetchAll(database).map(EpisodeDownload.init)
    }

    /// Returns the download of an episode; `nil` if there is none.
    public func download(of id: Episode.ID) throws(PodcastError) -> EpisodeDownload? {
        try database.read { try DownloadRecord.fetchOne($0, key: id).map(EpisodeDownload.init) }
    }

    /// Downloads the recording of an episode to the downloads folder, resuming an incomplete download.
    /// - Parameters:
    ///   - id: The episode.
    ///   - isWanted: Whether the user asked for the download, so that no rule removes it.
    ///   - progress: Called about ten times a second with the number of downloaded bytes, and the length if it is
    ///     known.
    /// - Returns: The completed download.
    /// - Throws: `PodcastError` with `usage.noSuchEpisode`, `usage.noRecording`, `media.recordingTooLarge`,
    ///   `file.inUse`, `file.diskFull`, `usage.cancelled`, or a network error.
    @discardableResult
    public func fetch(
        _ id: Episode.ID,
        isWanted: Bool = true,
        progress: @escaping @Sendable (_ byteCount: Int64, _ length: Int64?) -> Void = { _, _ in }
    ) async throws(PodcastError) -> EpisodeDownload {
        try await fetch(id, isWanted: isWanted, room: .max, progress: progress)
    }

    /// Downloads a recording of at most `room` bytes.
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
                        try self.changeDownload(id) { download in
                            (download.validator, download.length) = (validator, length)
                            // If the process ends now, the download can be resumed later.
                            download.state = EpisodeDownload.State.waiting.rawValue
                        }
                    },
                    progress: progress
                )
                try self.changeDownload(id) { download in
                    (download.state, download.byteCount) = (EpisodeDownload.State.completed.rawValue, size)
                    (download.failureCode, download.failureMessage) = (nil, nil)
                }
            } catch {
                if error.code != .cancelled, error.code != .downloadInUse {
                    try self.changeDownload(id) { download in
                        download.state = EpisodeDownload.State.failed.rawValue
                        (download.failureCode, download.failureMessage) = (error.code.rawValue, error.message)
                    }
                }
                throw error
            }
        }
        guard let done = try download(of: id) else { throw noSuchEpisode(id) }
        return done
    }

    /// Changes the record of a download, if it exists.
    private func changeDownload(_ id: Episode.ID, _ body: (inout DownloadRecord) -> Void) throws(PodcastError) {
        try database.write { database in
            guard var record = try DownloadRecord.fetchOne(database, key: id) else { return }
            try record.updateChanges(database, modify: body)
        }
    }

    /// Records the download of an episode, and returns its URL, its file, and the version of the incomplete file.
    ///
    /// If the recorded file is outside of the downloads folder, it is ignored and another one is used.
    private func prepare(_ id: Episode.ID, isWanted: Bool) throws(PodcastError) -> (
        url: String, podcast: Podcast.ID, DownloadFile, validator: String?
    ) {
        try database.write { database in
            let episode = try record(ofEpisode: id, database)
            let podcast = episode.state.podcastID
            guard let url = episode.content.mediaURL else {
                throw PodcastError(.noRecording, "this episode has no recording", name: episode.content.title)
            }
            let path = downloadsFolder.appending("\(podcast)").appending("\(id)\(Self.fileExtension(url))")
            var record =
                try DownloadRecord.fetchOne(database, key: id) ?? DownloadRecord(episodeID: id, path: path.name)
            if isWanted { record.isWanted = true }
            let location = Self.url(url, onOriginOf: try feedURL(of: podcast, database))
            if let file = downloadFile(record.path) {
                try record.save(database)
                return (location, podcast, file, record.validator)
            }
            guard let file = downloadFile(path.name) else {
                throw PodcastError(.libraryFailed, "the folder of downloads has no usable name", name: path.name)
            }
            (record.path, record.state) = (path.name, EpisodeDownload.State.waiting.rawValue)
            record.validator = nil
            try record.save(database)
            return (location, podcast, file, nil)
        }
    }

    /// Returns the file name extension of a URL with a dot, if it is that of a recording; otherwise an empty string.
    static func fileExtension(_ url: String) -> String {
        let name = URL(string: url)?.pathExtension.lowercased() ?? ""
        return (2...4).contains(name.count) && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            ? ".\(name)" : ""
    }

    /// Removes a download and its file; does nothing if there is none.
    ///
    /// A file outside of the downloads folder is not removed.
    public func removeDownload(_ id: Episode.ID) throws(PodcastError) {
        // Remove the file first: a record without a file is detected later, but a file without a record is not.
        let path = try database.read { try DownloadRecord.fetchOne($0, key: id)?.path }
        if let path { downloadFile(path)?.remove() }
        _ = try database.write { try DownloadRecord.deleteOne($0, key: id) }
    }

    /// Returns the file of a recorded download; `nil` if it is not inside the downloads folder.
    func downloadFile(_ path: String) -> DownloadFile? { DownloadFile(path: FilePath(path), below: downloadsFolder) }

    /// Downloads and removes episodes according to the rules, one after the other, continuing after failures.
    ///
    /// The byte limit of a rule applies to the sizes that servers send, not to those that feeds state.
    /// - Parameter progress: Called after each episode with its download or the error.
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
