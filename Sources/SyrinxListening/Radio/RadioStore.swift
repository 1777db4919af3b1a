import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxPlayback

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The stations and titles of the user on disk.
///
/// Favorites are in `$XDG_DATA_HOME/syrinx/radio`; the stations and titles that were heard are in
/// `$XDG_STATE_HOME/syrinx/radio`. Several players may change them at the same time, and a crash leaves the previous
/// file. Each call blocks while it uses the disk.
package struct RadioStore: Sendable {
    private let data: RecordFolder
    private let state: RecordFolder

    private var favoritesFile: FilePath { data.path.appending("favorites.stations") }
    private var recentFile: FilePath { state.path.appending("recent.stations") }
    private var titlesFile: FilePath { state.path.appending("titles.stations") }

    /// Creates a store in two folders, which are created by the first write.
    package init(data: String, state: String) {
        func records(_ folder: String) -> RecordFolder {
            RecordFolder(path: FilePath(folder), pathExtension: "stations", maximumBytes: 4 << 20, noun: "list")
        }
        (self.data, self.state) = (records(data), records(state))
    }

    /// Returns the store of the user; `nil` if there is no home folder.
    package static func user() -> RadioStore? {
        guard let data = UserFolder.data.path(), let state = UserFolder.state.path() else { return nil }
        return RadioStore(data: data + "/radio", state: state + "/radio")
    }

    /// Returns the favorite stations.
    /// - Throws: `file.recordUnreadable` if their file cannot be read.
    package func favorites() throws(Failure) -> StationList { try load(StationList(), favoritesFile, data) }

    /// Returns the stations that were heard last, the last one first; none if their file cannot be read.
    package func recent() -> StationList {
        do throws(Failure) { return try load(StationList(), recentFile, state) } catch { return StationList() }
    }

    /// Returns the titles that were heard.
    /// - Throws: `file.recordUnreadable` if their file cannot be read.
    package func titles() throws(Failure) -> TitleHistory { try load(TitleHistory(), titlesFile, state) }

    /// Changes the favorite stations.
    package func changeFavorites<Result>(
        _ body: (inout StationList) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try change(StationList(), favoritesFile, data, body)
    }

    /// Adds a station to the favorites, or removes it.
    ///
    /// - Returns: Whether it is a favorite afterwards.
    /// - Throws: `usage.badCommand` if there are too many; the errors of reading and writing the file.
    package func toggle(_ station: Station) throws(Failure) -> Bool {
        try changeFavorites { list throws(Failure) in
            guard let isIn = list.toggle(station) else {
                let message = "There are \(StationList.mostFavorites) favorite stations: remove one first."
                throw Failure(code: .badCommand, message: message, name: station.name)
            }
            return isIn
        }
    }

    /// Saves stations that are heard, the last one last, with one write to each file.
    func keep(_ stations: [Station]) throws(Failure) {
        guard !stations.isEmpty else { return }
        try change(StationList(), recentFile, state) { list throws(Failure) in
            for station in stations { list.noteHeard(station) }
        }
        // A favorite that was added by its address gets the name that the station states.
        let favorites = try favorites()
        let renamed = stations.filter { station in
            guard let known = favorites.station(at: station.address) else { return false }
            return known.name != station.name && !station.name.isEmpty
        }
        guard !renamed.isEmpty else { return }
        try changeFavorites { list throws(Failure) in
            for station in renamed { _ = list.noteFacts(station) }
        }
    }

    /// Saves titles that are heard, oldest first, with one write.
    func keep(_ titles: [HeardTitle]) throws(Failure) {
        guard !titles.isEmpty else { return }
        try change(TitleHistory(), titlesFile, state) { list throws(Failure) in
            for title in titles { _ = list.note(title) }
        }
    }

    // MARK: Files

    private func load<List: Codable>(_ empty: List, _ file: FilePath, _ folder: RecordFolder) throws(Failure) -> List {
        do throws(PlaybackError) { return try folder.load(List.self, from: file) ?? empty } catch {
            throw Failure(code: error.code, message: error.message, name: "radio")
        }
    }

    private func change<List: Codable & Equatable, Result>(
        _ empty: List,
        _ file: FilePath,
        _ folder: RecordFolder,
        _ body: (inout List) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let number = folder.path.makeFolder()
        if number != 0 {
            let isDenied = [EACCES, EPERM, EROFS].contains(number)
            throw Failure(
                code: isDenied ? .filePermissionDenied : .fileWriteFailed,
                message: Descriptor.sentence(number),
                name: folder.path.name
            )
        }
        return try FolderLock(folder.path).withLock { () throws(Failure) in
            var list = try load(empty, file, folder)
            let former = list
            let result = try body(&list)
            guard list != former else { return result }
            do throws(PlaybackError) { try folder.store(list, to: file) } catch {
                throw Failure(code: error.code, message: error.message, name: "radio")
            }
            return result
        }
    }
}
