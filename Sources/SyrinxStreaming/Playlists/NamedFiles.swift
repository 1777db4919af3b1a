import Foundation
import SyrinxByteStream

/// Finds the files that a playlist refers to, even if it was written on another machine or before the files were
/// converted.
///
/// An existing path is used as it is. Otherwise, the file may be next to the playlist, or in a subfolder that matches
/// the end of the path. Its name may differ in case. For a CUE sheet, its extension may be that of another audio
/// format.
final class NamedFiles {
    /// The files of this machine.
    struct Disk {
        /// Returns whether a file exists at a path.
        var exists: (FilePath) -> Bool = { $0.status != nil }
        /// The names in a folder.
        var members: (FilePath) -> [[UInt8]] = { folder in (folder.members() ?? []).map(\.name) }
    }

    /// Extensions that a file named by a CUE sheet may have been converted to.
    private static let successors = ["flac", "wav", "ape", "wv", "m4a", "mp3", "ogg", "opus", "tta", "aiff", "aif"]
    /// Paths are not deeper, and folders that are looked through are not more.
    private static let mostParts = 64
    private static let mostFolders = 64
    private static let slash = UInt8(ascii: "/")

    private let list: FilePath
    private let folder: FilePath
    private let takesConverted: Bool
    private let disk: Disk
    /// Whether the playlist refers to a single file, which may have the name of the playlist.
    private let isOnlyFile: Bool
    /// The names of the members of folders, by their case-folded names.
    private var names: [FilePath: [String: [UInt8]]] = [:]

    /// Creates a finder for a playlist.
    /// - Parameters:
    ///   - list: The path of the playlist.
    ///   - takesConverted: Whether a missing file may be replaced by a file in another format.
    ///   - isOnlyFile: Whether the playlist refers to a single file, which may have the name of the playlist.
    init(of list: FilePath, takesConverted: Bool, isOnlyFile: Bool, disk: Disk) {
        (self.list, folder) = (list, list.folder)
        (self.takesConverted, self.isOnlyFile, self.disk) = (takesConverted, takesConverted && isOnlyFile, disk)
    }

    /// Returns the file for a name.
    /// - Parameters:
    ///   - spellings: The possible spellings of the name.
    ///   - missing: The name to return if no file exists.
    func find(_ spellings: [[UInt8]], otherwise missing: [UInt8]) -> FilePath {
        let paths = spellings.map { folder.appending($0).standardized }
        if let found = paths.first(where: disk.exists) { return found }
        for name in spellings {
            let parts = Self.parts(name)
            // The longest end of the path first.
            for start in parts.indices {
                if let found = file(parts[start...]) { return found }
            }
        }
        if isOnlyFile, let found = converted(Array(list.stem), in: folder) { return found }
        return folder.appending(missing).standardized
    }

    /// The parts of a path, without a drive and the way up.
    private static func parts(_ name: [UInt8]) -> [[UInt8]] {
        let plain = name.first == slash && beginsWithDrive(Array(name.dropFirst())) ? Array(name.dropFirst()) : name
        let path = beginsWithDrive(plain) ? Array(plain.dropFirst(2)) : plain
        return path.split(separator: slash).map(Array.init).filter { $0 != [0x2E] && $0 != [0x2E, 0x2E] }
            .suffix(mostParts)
    }

    /// The file in a folder below that of the list, whatever the case of its path.
    private func file(_ parts: ArraySlice<[UInt8]>) -> FilePath? {
        guard let last = parts.last else { return nil }
        var place = folder
        for part in parts.dropLast() {
            guard let found = member(part, of: place) else { return nil }
            place = place.appending(found)
        }
        if let found = member(last, of: place) { return place.appending(found) }
        return takesConverted ? converted(Array(FilePath(bytes: last).stem), in: place) : nil
    }

    /// Returns the audio file in a folder with this name and any audio extension.
    private func converted(_ stem: [UInt8], in place: FilePath) -> FilePath? {
        let others = Self.successors.lazy.compactMap { self.member(stem + Array(".\($0)".utf8), of: place) }
        return others.first.map { place.appending($0) }
    }

    /// The name of a file in a folder, whatever its case.
    private func member(_ name: [UInt8], of folder: FilePath) -> [UInt8]? {
        if disk.exists(folder.appending(name)) { return name }
        return members(of: folder)[Self.key(name)]
    }

    private func members(of folder: FilePath) -> [String: [UInt8]] {
        if let known = names[folder] { return known }
        guard names.count < Self.mostFolders else { return [:] }
        // Of names that differ in case only, the first in their order.
        let found = Dictionary(disk.members(folder).map { (Self.key($0), $0) }) {
            $0.lexicographicallyPrecedes($1) ? $0 : $1
        }
        names[folder] = found
        return found
    }

    /// Equal for names that differ in case, or in how accents are written.
    private static func key(_ name: [UInt8]) -> String { ByteText.text(carrying: name).lowercased() }

    // MARK: Names of Windows

    /// Returns whether a path starts with a drive letter.
    static func beginsWithDrive(_ path: [UInt8]) -> Bool {
        guard path.count > 2, 0x41...0x5A ~= path[0] & 0xDF else { return false }
        return [UInt8(ascii: ":"), UInt8(ascii: "|")].contains(path[1])
            && [slash, UInt8(ascii: "\\")].contains(path[2])
    }

    /// The path with the slashes of this system, if it has those of Windows only.
    static func withSlashes(_ path: [UInt8]) -> [UInt8] {
        path.contains(slash) && !beginsWithDrive(path) ? path : path.map { $0 == UInt8(ascii: "\\") ? slash : $0 }
    }
}
