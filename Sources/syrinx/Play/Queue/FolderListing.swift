import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxStreaming

/// Finds the recordings in a folder.
enum FolderListing {
    /// The extensions of recordings.
    private static let extensions: Set = [
        "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "au", "caf", "dsf", "dts", "eac3", "flac", "m4a", "m4b",
        "m4r", "mka",
        "mp2", "mp3", "mpc", "oga", "ogg", "opus", "snd", "spx", "tak", "tta", "w64", "wav", "wave", "weba", "wma",
        "wv",
    ]
    /// More recordings than these are not taken from a folder.
    private static let mostFiles = 100_000
    /// Folders in folders, up to here.
    private static let deepest = 32

    /// The recordings in `folder`, in the order that a person would put them in; hidden ones are left out.
    /// - Parameter recursively: Whether those in the folders in it are taken too, each folder where its name stands.
    /// - Throws: `media.empty` if there are none; `file.…` if the folder itself cannot be read.
    static func files(in folder: FilePath, recursively: Bool) throws(Failure) -> [FilePath] {
        var files: [FilePath] = []
        var seen: Set<[UInt64]> = []
        try list(folder, depth: recursively ? deepest : 0, into: &files, &seen)
        guard files.isEmpty else { return files }
        let message =
            "there is no recording in this folder" + (recursively ? "" : " itself (-r looks in those in it, too)")
        throw Failure(code: .empty, message: message, name: folder.name)
    }

    /// A recording, a playlist or a folder in a folder.
    struct Entry: Sendable {
        var path: FilePath
        var name: String
        var isFolder: Bool
    }

    /// The folders in `folder`, and after them the recordings and playlists, each in the order that a person would put them in.
    ///
    /// Only links, and files on systems that do not tell their kind, are asked for it one by one.
    /// - Throws: `file.…` if the folder cannot be read.
    static func entries(in folder: FilePath) throws(Failure) -> [Entry] {
        let entries = try members(of: folder).lazy.compactMap { member -> Entry? in
            let path = folder.appending(member.name)
            var isFolder = member.type == UInt8(DT_DIR)
            if !isFolder {
                let ending = path.pathExtension
                let isKnown =
                    extensions.contains(ending) || films.contains(ending) || Playlist.Format(endingOf: path.url) != nil
                // A folder may have any name.
                if member.type != UInt8(DT_REG) { isFolder = path.isFolder }
                guard isKnown || isFolder else { return nil }
            }
            return Entry(path: path, name: ByteText.readable(ByteText.text(carrying: member.name)), isFolder: isFolder)
        }
        let sorted = entries.prefix(mostFiles).map { (entry: $0, key: NaturalOrder.Key(Array($0.path.lastComponent))) }
            .sorted { $0.entry.isFolder == $1.entry.isFolder ? $0.key < $1.key : $0.entry.isFolder }
        return sorted.map(\.entry)
    }

    /// The extensions of films, whose sound can be played.
    private static let films: Set = ["avi", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ts", "webm", "wmv"]

    private static func list(
        _ folder: FilePath,
        depth: Int,
        into files: inout [FilePath],
        _ seen: inout Set<[UInt64]>
    ) throws(Failure) {
        // A link may lead back to where it lies.
        guard let status = folder.status, seen.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted else {
            return
        }
        let names = try members(of: folder).map { (name: $0.name, key: NaturalOrder.Key($0.name)) }
        let entries = names.sorted { $0.key < $1.key }
        for (name, _) in entries where files.count < mostFiles {
            let path = folder.appending(name)
            if path.isFolder {
                // What cannot be read of it is passed over, as what is hidden.
                if depth > 0 { try? list(path, depth: depth - 1, into: &files, &seen) }
            } else if extensions.contains(path.pathExtension) {
                files.append(path)
            }
        }
    }

    private static func members(of folder: FilePath) throws(Failure) -> [(name: [UInt8], type: UInt8)] {
        if let members = folder.members() { return members }
        let number = errno
        let code: ErrorCode = number == EACCES || number == EPERM ? .filePermissionDenied : .fileReadFailed
        throw Failure(code: code, message: Descriptor.sentence(number), name: folder.name)
    }
}
