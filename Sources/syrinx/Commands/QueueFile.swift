import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxStreaming

/// A playlist to which `queue save` and `queue append` write.
struct QueueFile {
    /// The file, which ends in `.m3u8` or `.m3u`.
    let path: FilePath
    /// Whether the entries are appended to those in the file.
    private let isAppended: Bool

    /// - Parameter replaces: Whether an existing file may be replaced.
    /// - Throws: `usage.arguments` for another file name extension, or for a file that must not be replaced.
    init(_ path: FilePath, isAppended: Bool, replaces: Bool) throws(Failure) {
        guard ["m3u8", "m3u"].contains(path.pathExtension) else {
            throw .usage("A playlist ends in .m3u8: name it so.", name: path.name)
        }
        guard isAppended || replaces || path.status == nil else {
            throw .usage("This file exists already; --force replaces it, and append adds to it.", name: path.name)
        }
        (self.path, self.isAppended) = (path, isAppended)
    }

    /// Writes the entries of a queue, except standard input, which cannot be played again.
    /// - Returns: The number of written entries.
    /// - Throws: `usage.arguments` if an entry is the playlist itself, or the error of reading or writing it.
    func write(_ entries: [RemoteQueueEntry]) throws(Failure) -> Int {
        var list: [Playlist.Entry] = []
        for entry in entries {
            guard let entry = entry.playlistEntry else { continue }
            if let file = FilePath(entry.url), OutputPath.isSameFile(file, path) {
                throw .usage("This file is in the queue, and would be overwritten.", name: path.name)
            }
            list.append(entry)
        }
        let text = Playlist(list).m3u8Entries
        let former = try formerBytes()
        let output = try OutputBytes(path: path)
        defer { output.abandon() }
        try output.write(former + Array(text.utf8))
        try output.commit()
        return list.count
    }

    /// Returns the bytes to write before the entries: those of the existing playlist, or the first line of a new one.
    /// - Throws: An error if the existing file is not a playlist.
    private func formerBytes() throws(Failure) -> [UInt8] {
        guard isAppended, let status = path.status, status.st_size > 0 else { return Array(Playlist.m3u8Header.utf8) }
        do throws(SyrinxError) {
            var bytes = try FileByteStream(path: path).readAll(limit: Playlist.largestSize)
            do throws(SyrinxError) {
                _ = try Playlist(Data(bytes), format: .m3u8, from: path.absolute.url)
            } catch {
                // Entries can also be appended to a playlist without entries.
                guard error.code == .empty, Playlist.Format(beginningOf: Data(bytes)) == .m3u else { throw error }
            }
            if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
            return bytes
        } catch {
            throw Failure(error, input: path.name)
        }
    }
}
