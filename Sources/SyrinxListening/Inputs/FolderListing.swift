import Foundation
package import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxStreaming

/// Lists the recordings in a folder, or its entries for a file browser.
///
/// Hidden files are omitted. All calls read the disk on the thread of the caller.
package enum FolderListing {
    /// The maximum number of inputs from a folder.
    package static let maximumCount = 100_000
    /// The maximum depth of nested folders, and the maximum number of folders.
    private static let (maximumDepth, maximumFolderCount) = (32, 100_000)
    /// The maximum number of CUE sheets per folder, because each one may search the folder for its file.
    private static let maximumSheetCount = 256
    /// The maximum size of a CUE sheet, in bytes.
    private static let maximumSheetSize = 1 << 20

    /// Returns the recordings and films in a folder, in natural order.
    ///
    /// The tracks of a CUE sheet replace the files that it names. A folder with several links to it is read once.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - recursively: Whether nested folders are included, each at the position of its name.
    /// - Returns: At most `maximumCount` inputs.
    /// - Throws: `media.empty` if there are none; `file.…` if the folder itself cannot be read.
    package static func inputs(in folder: FilePath, recursively: Bool) throws(SyrinxError) -> [ListeningInput] {
        var walk = Walk()
        try walk.take(folder, depth: recursively ? maximumDepth : 0)
        guard walk.inputs.isEmpty else { return walk.inputs }
        let place = recursively ? "" : " itself (-r looks in those in it, too)"
        throw SyrinxError(.empty, "There is no recording in this folder\(place).", name: folder.name)
    }

    /// An entry of a folder: a recording, a playlist or a folder.
    package struct Entry: Sendable {
        /// The path.
        package var path: FilePath
        /// The display name.
        package var name: String
        /// Whether the entry is a folder.
        package var isFolder: Bool
    }

    /// Returns the nested folders, and then the recordings, films and playlists, each in natural order.
    ///
    /// - Returns: At most `maximumCount` entries.
    /// - Throws: `file.…` if the folder cannot be read.
    package static func entries(in folder: FilePath) throws(SyrinxError) -> [Entry] {
        let members = try members(of: folder).lazy.filter { $0.isFolder || $0.kind != nil }.prefix(maximumCount)
        let sorted = members.sorted { $0.isFolder == $1.isFolder ? $0.key < $1.key : $0.isFolder }
        return sorted.map { Entry(path: $0.path, name: $0.path.displayName, isFolder: $0.isFolder) }
    }

    private struct Member {
        let path: FilePath
        let isFolder: Bool
        let kind: PlayableKind?
        let key: NaturalOrder.Key

        /// - Parameter type: The file type that the system reports with the listing. For links, and if the system
        ///   reports none, the file is queried.
        init(_ name: [UInt8], of folder: FilePath, type: UInt8) {
            path = folder.appending(name)
            isFolder = type == UInt8(DT_DIR) || type != UInt8(DT_REG) && path.isFolder
            kind = isFolder ? nil : PlayableKind(ending: path.pathExtension)
            key = NaturalOrder.Key(name)
        }
    }

    private static func members(of folder: FilePath) throws(SyrinxError) -> [Member] {
        if let members = folder.members() { return members.map { Member($0.name, of: folder, type: $0.type) } }
        let number = errno
        let code: ErrorCode = number == EACCES || number == EPERM ? .filePermissionDenied : .fileReadFailed
        throw SyrinxError(code, Descriptor.sentence(number), name: folder.name)
    }

    /// The state of listing a folder and its nested folders.
    private struct Walk {
        var inputs: [ListeningInput] = []
        private var folders: Set<FileIdentity> = []
        /// The files that CUE sheets replace.
        private var covered: Set<FileIdentity> = []

        mutating func take(_ folder: FilePath, depth: Int) throws(SyrinxError) {
            // A link may lead back to a folder that contains it.
            guard folders.count < maximumFolderCount, let identity = folder.identity,
                folders.insert(identity).inserted
            else { return }
            let members = try FolderListing.members(of: folder).sorted { $0.key < $1.key }
            var tracks: [FilePath: [ListeningInput]] = [:]
            for sheet in members where sheet.path.pathExtension == "cue" && tracks.count < maximumSheetCount {
                tracks[sheet.path] = self.tracks(of: sheet.path, in: folder.standardized)
            }
            for member in members where inputs.count < maximumCount {
                if member.isFolder {
                    // Unreadable nested folders are skipped.
                    if depth > 0 { try? take(member.path, depth: depth - 1) }
                } else if let tracks = tracks[member.path] {
                    inputs += tracks.prefix(maximumCount - inputs.count)
                } else if member.kind == .sound || member.kind == .film, !isCovered(member.path) {
                    inputs.append(ListeningInput(path: member.path))
                }
            }
        }

        private func isCovered(_ path: FilePath) -> Bool {
            !covered.isEmpty && path.identity.map(covered.contains) ?? false
        }

        /// Returns the tracks of a CUE sheet whose files are in or below its folder, and belong to no previous sheet.
        private mutating func tracks(of sheet: FilePath, in folder: FilePath) -> [ListeningInput] {
            guard let stream = try? FileByteStream(path: sheet),
                let bytes = try? stream.readAll(limit: maximumSheetSize),
                let list = try? Playlist(Data(bytes), format: .cue, from: sheet.url)
            else { return [] }
            let beginning = folder.bytes.count > 1 ? folder.bytes + [UInt8(ascii: "/")] : folder.bytes
            var files: [FilePath: FileIdentity] = [:]
            for case let path? in Set(list.entries.map { FilePath($0.url) }) where path.bytes.starts(with: beginning) {
                files[path] = path.identity
            }
            guard covered.isDisjoint(with: files.values) else { return [] }
            covered.formUnion(files.values)
            return list.entries.lazy.map { ListeningInput($0) }.filter { $0.file.map { files[$0] != nil } ?? false }
        }
    }
}
