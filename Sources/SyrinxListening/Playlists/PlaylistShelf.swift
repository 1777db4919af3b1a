import Foundation
package import SyrinxByteStream
import SyrinxMediaCodec
package import SyrinxStreaming

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The saved playlists of the user: M3U8 files in `$XDG_DATA_HOME/syrinx/playlists`.
///
/// Several players may change them at once. A file is replaced when its new content is complete. Each call blocks while
/// it uses the disk. Other programs may read the files, write them and add others.
package struct PlaylistShelf: Sendable {
    /// A saved playlist as lists show it.
    package struct Summary: Equatable, Sendable {
        package let name: PlaylistName
        /// The number of entries; `nil` if the file is too large to be counted quickly, or cannot be read.
        package let count: Int?
        /// The time of the last change, in seconds since 1970.
        package let date: Double
    }

    /// The maximum number of playlists that are listed.
    package static let maximumCount = 1_000
    /// The size in bytes of the largest file whose entries are counted.
    private static let largestCounted = 1 << 20

    /// The folder of the files.
    package let folder: FilePath

    /// Creates a shelf in a folder, which is created by the first write.
    package init(folder: String) { self.folder = FilePath(folder) }

    /// Returns the shelf of the user; `nil` if there is no home folder.
    package static func user() -> PlaylistShelf? {
        UserFolder.data.path().map { PlaylistShelf(folder: $0 + "/playlists") }
    }

    /// Returns the file of a playlist.
    package func path(of name: PlaylistName) -> FilePath { folder.appending(name.text + PlaylistName.ending) }

    /// Returns the playlists in the order of their names; the first 1,000 if there are more.
    package func summaries() -> [Summary] {
        let names = (folder.members() ?? []).compactMap { PlaylistName(file: $0.name) }
        let keyed = names.map { (key: NaturalOrder.Key(Array($0.text.utf8)), name: $0) }.sorted { $0.key < $1.key }
        return keyed.prefix(Self.maximumCount).compactMap { _, name in
            guard let status = path(of: name).status, status.st_mode & S_IFMT == S_IFREG else { return nil }
            let isCounted = status.st_size <= Self.largestCounted
            do throws(Failure) {
                let count = isCounted ? try entries(of: name).count : nil
                return Summary(name: name, count: count, date: Double(status.st_mtim.tv_sec))
            } catch {
                return Summary(name: name, count: nil, date: Double(status.st_mtim.tv_sec))
            }
        }
    }

    /// Returns the entries of a playlist.
    ///
    /// - Throws: `file.notFound` if there is none of this name; the errors of reading a file and of `Playlist`.
    package func entries(of name: PlaylistName) throws(Failure) -> [Playlist.Entry] {
        let path = path(of: name)
        do throws(SyrinxError) {
            let bytes = try FileByteStream(path: path).readAll(limit: Playlist.largestSize)
            do throws(SyrinxError) {
                return try Playlist(Data(bytes), format: .m3u8, from: path.absolute.url).entries
            } catch {
                // A playlist whose last entry was removed.
                if error.code == .empty { return [] }
                throw error
            }
        } catch {
            if error.code == .fileNotFound { throw missing(name) }
            throw Failure(error, name: name.text)
        }
    }

    /// Writes a playlist.
    ///
    /// - Parameter replaces: Whether a playlist of this name may be replaced.
    /// - Throws: `usage.badCommand` if there is one and it may not be replaced; the errors of writing a file.
    package func store(_ entries: [Playlist.Entry], as name: PlaylistName, replaces: Bool) throws(Failure) {
        try change(name) { former throws(Failure) in
            if former != nil, !replaces {
                let message = "A playlist with this name exists: choose another name, or delete it first."
                throw Failure(code: .badCommand, message: message, name: name.text)
            }
            return entries
        }
    }

    /// Adds entries at the end of a playlist, which is created if there is none.
    ///
    /// - Returns: The number of entries afterwards.
    /// - Throws: `usage.badCommand` if it would have too many entries; the errors of reading and writing the file.
    @discardableResult
    package func append(_ entries: [Playlist.Entry], to name: PlaylistName) throws(Failure) -> Int {
        try change(name) { former throws(Failure) in (former ?? []) + entries }
    }

    /// Adds an entry at the end of a playlist; if it is there already, removes it.
    ///
    /// - Returns: Whether it is there afterwards.
    package func toggle(_ entry: Playlist.Entry, in name: PlaylistName) throws(Failure) -> Bool {
        var isIn = false
        try change(name) { former throws(Failure) in
            let others = (former ?? []).filter { !$0.isSame(as: entry) }
            isIn = others.count == former?.count ?? 0
            return isIn ? others + [entry] : others
        }
        return isIn
    }

    /// Returns whether a playlist has an entry; false if it cannot be read.
    package func has(_ entry: Playlist.Entry, in name: PlaylistName) -> Bool {
        do throws(Failure) { return try entries(of: name).contains { $0.isSame(as: entry) } } catch { return false }
    }

    /// Renames a playlist.
    ///
    /// - Throws: `file.notFound` if there is none; `usage.badCommand` if there is one of the new name.
    package func rename(_ name: PlaylistName, to new: PlaylistName) throws(Failure) {
        try prepare()
        try FolderLock(folder).withLock { () throws(Failure) in
            guard path(of: name).status != nil else { throw missing(name) }
            guard path(of: new).status == nil else {
                throw Failure(
                    code: .badCommand,
                    message: "A playlist with this name exists: choose another name.",
                    name: new.text
                )
            }
            let number = path(of: name).withCString { from in
                path(of: new).withCString { renameat(AT_FDCWD, from, AT_FDCWD, $0) }
            }
            if number != 0 { throw Self.failure(errno, name) }
        }
    }

    /// Deletes a playlist.
    ///
    /// - Throws: `file.notFound` if there is none.
    package func delete(_ name: PlaylistName) throws(Failure) {
        try prepare()
        try FolderLock(folder).withLock { () throws(Failure) in
            guard path(of: name).withCString(unlink) == 0 else {
                throw errno == ENOENT ? missing(name) : Self.failure(errno, name)
            }
        }
    }

    // MARK: Writing

    @discardableResult
    private func change(
        _ name: PlaylistName,
        _ decide: ([Playlist.Entry]?) throws(Failure) -> [Playlist.Entry]
    ) throws(Failure) -> Int {
        try prepare()
        return try FolderLock(folder).withLock { () throws(Failure) in
            let entries = try decide(path(of: name).status == nil ? nil : try self.entries(of: name))
            guard entries.count <= Playlist.mostEntries else {
                let message = "A playlist has at most \(Playlist.mostEntries) entries: save a part of them."
                throw Failure(code: .badCommand, message: message, name: name.text)
            }
            try write(Array(Playlist(entries).m3u8.utf8), name)
            return entries.count
        }
    }

    private func prepare() throws(Failure) {
        let number = folder.makeFolder()
        if number != 0 {
            throw Failure(code: Self.code(number), message: Descriptor.sentence(number), name: folder.name)
        }
    }

    private func write(_ bytes: [UInt8], _ name: PlaylistName) throws(Failure) {
        guard bytes.count <= Playlist.largestSize else {
            let message = "A playlist has at most \(Playlist.largestSize >> 20) MiB: save a part of the entries."
            throw Failure(code: .badCommand, message: message, name: name.text)
        }
        do throws(PendingFile.Failure) {
            let file = try PendingFile(path: path(of: name))
            // Addresses may contain passwords.
            if fchmod(file.descriptor, 0o600) != 0 { throw PendingFile.Failure(number: errno) }
            let number = Descriptor.writeAll(bytes, to: file.descriptor)
            if number != 0 { throw PendingFile.Failure(number: number) }
            if fsync(file.descriptor) != 0 { throw PendingFile.Failure(number: errno) }
            try file.commit()
        } catch {
            throw Self.failure(error.number, name)
        }
    }

    private func missing(_ name: PlaylistName) -> Failure {
        let names = (folder.members() ?? []).prefix(Self.maximumCount).compactMap { PlaylistName(file: $0.name)?.text }
        let question = NearestName.question(name.text, among: names)
        return Failure(code: .fileNotFound, message: "There is no playlist with this name.\(question)", name: name.text)
    }

    private static func code(_ number: Int32) -> ErrorCode {
        [EACCES, EPERM, EROFS].contains(number) ? .filePermissionDenied : .fileWriteFailed
    }

    private static func failure(_ number: Int32, _ name: PlaylistName) -> Failure {
        Failure(code: code(number), message: Descriptor.sentence(number), name: name.text)
    }
}

extension Playlist.Entry {
    /// Returns whether both name the same recording, or the same part of it.
    func isSame(as other: Playlist.Entry) -> Bool { url == other.url && part == other.part }

    /// The entry by which a playlist names an input; `nil` for standard input.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - tags: The tags of the input, for the title that the playlist shows.
    ///   - stored: Returns a URL as the playlist has it.
    package init?(
        _ input: ListeningInput,
        _ tags: ListeningTags = ListeningTags(),
        stored: (URL) -> URL = { $0 }
    ) {
        guard !input.isStandardInput, input != .nothing else { return nil }
        self.init(
            url: stored(input.url),
            title: tags.title ?? input.title ?? input.shortName,
            duration: tags.duration ?? input.duration,
            part: input.part,
            tags: tags.artist.map { ["artist": $0] } ?? [:]
        )
    }
}

extension PlaylistShelf {
    /// Returns the entries of a queue, as a playlist saves them.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - stored: Returns a URL as the playlist has it.
    package static func entries(of queue: ListeningQueue, stored: (URL) -> URL = { $0 }) -> [Playlist.Entry] {
        queue.inputs.enumerated().compactMap { Playlist.Entry($1, queue.tags(at: $0), stored: stored) }
    }
}
