package import SyrinxByteStream

/// Finds the cover picture in the folder of a recording, such as `cover.jpg`.
package enum FolderCover {
    /// The usual file names of covers, without extension, the most usual first.
    private static let names = ["cover", "folder", "front", "album", "albumart", "artwork"]
    private static let endings = ["jpg", "jpeg", "png", "webp", "gif"]
    /// The largest picture that is read, in bytes.
    private static let largestFile = 16 << 20

    /// Returns the cover picture in the folder of a file, ignoring the case of its name.
    ///
    /// Reads the folder and the picture from disk.
    ///
    /// - Parameter file: The recording.
    /// - Returns: `nil` if there is no picture of such a name, or it is larger than 16 MiB.
    package static func picture(beside file: FilePath) -> MediaPicture? {
        let found = (file.folder.members() ?? []).compactMap { member -> (rank: Int, name: [UInt8])? in
            rank(of: member.name).map { ($0, member.name) }
        }
        for (_, name) in found.sorted(by: { $0.rank < $1.rank }) {
            let path = file.folder.appending(name)
            guard path.isPlainFile, let bytes = try? FileByteStream(path: path).readAll(limit: largestFile),
                PictureHead(bytes) != nil
            else { continue }
            return MediaPicture(file: bytes)
        }
        return nil
    }

    /// Returns the rank of a file name, 0 for the best; `nil` for another name.
    private static func rank(of name: [UInt8]) -> Int? {
        // The longest name is "albumart.jpeg".
        guard name.count <= 13, let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let text = { (bytes: ArraySlice<UInt8>) in String(decoding: bytes, as: UTF8.self).lowercased() }
        guard let place = names.firstIndex(of: text(name[..<dot])),
            let ending = endings.firstIndex(of: text(name[(dot + 1)...]))
        else { return nil }
        return place * endings.count + ending
    }
}
