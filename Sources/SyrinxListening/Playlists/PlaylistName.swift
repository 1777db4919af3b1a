/// The name of a saved playlist: that of its file, without the ending `.m3u8`.
package struct PlaylistName: Hashable, Sendable, CustomStringConvertible {
    /// The playlist that the command `favorite` changes.
    package static let favorites = PlaylistName(unchecked: "Favorites")

    /// The ending of the files.
    static let ending = ".m3u8"
    /// The maximum length in bytes of UTF-8: with the ending and a temporary name, a file system takes 255.
    static let maximumByteCount = 200

    /// The name.
    package let text: String

    private init(unchecked text: String) { self.text = text }

    /// Creates a name from typed text, without white space around it and without the ending `.m3u8`.
    ///
    /// - Throws: `usage.badCommand` for an empty or too long name, one with a slash or a control character, and one that
    ///   begins with a dot.
    package init(_ typed: String) throws(Failure) {
        var text = typed
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        if text.lowercased().hasSuffix(Self.ending) { text.removeLast(Self.ending.count) }
        let reason: String? =
            if text.isEmpty {
                "The name of a playlist is empty: type one."
            } else if text.utf8.count > Self.maximumByteCount {
                "The name of a playlist has more than \(Self.maximumByteCount) bytes: shorten it."
            } else if text.hasPrefix(".") || text.contains("/") {
                "The name of a playlist must not begin with a dot or contain a slash."
            } else if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                "The name of a playlist must not contain control characters."
            } else {
                nil
            }
        if let reason { throw Failure(code: .badCommand, message: reason, name: Failure.playlist) }
        self.text = text
    }

    /// Creates the name of a file of the folder; `nil` for other files.
    init?(file: [UInt8]) {
        guard let name = String(validating: file, as: UTF8.self), name.hasSuffix(Self.ending) else { return nil }
        do throws(Failure) { try self.init(name) } catch { return nil }
        // The file has to be found by the name again.
        guard text + Self.ending == name else { return nil }
    }

    package var description: String { text }
}

extension Failure {
    /// The name in messages about saved playlists.
    package static let playlist = "playlist"
}
