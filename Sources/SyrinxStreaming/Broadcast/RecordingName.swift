/// The names of the files of a recording.
enum RecordingName {
    /// The maximum length of a name in bytes of UTF-8, without a number and an ending.
    static let maximumByteCount = 160

    /// Returns a title as the name of a file, without an ending.
    ///
    /// Slashes, control characters and characters that other systems refuse become spaces, and a dot at the start is
    /// removed. A title without anything else gives `fallback`.
    static func clean(_ title: String?, fallback: String) -> String {
        let refused: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]
        var scalars = String.UnicodeScalarView()
        for scalar in title?.unicodeScalars ?? String.UnicodeScalarView() {
            let category = scalar.properties.generalCategory
            let isRefused =
                refused.contains(scalar)
                || [.control, .format, .lineSeparator, .paragraphSeparator, .surrogate].contains(category)
            scalars.append(isRefused ? " " : scalar)
        }
        var words = String(scalars).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        while words.first == "." || words.first == " " { words.removeFirst() }
        while words.utf8.count > maximumByteCount { words.removeLast() }
        while words.last == "." || words.last == " " { words.removeLast() }
        return words.isEmpty ? fallback : words
    }

    /// Returns the name of a file with a number, from the second of this name on.
    static func numbered(_ name: String, _ number: Int, pathExtension: String) -> String {
        number <= 1 ? "\(name).\(pathExtension)" : "\(name) (\(number)).\(pathExtension)"
    }
}
