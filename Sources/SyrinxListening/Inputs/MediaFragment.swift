import SyrinxStreaming

/// The part of a recording at the end of a URL, as a media fragment of the W3C: `#t=60.5,90`, or `#t=60.5` up to the
/// end.
enum MediaFragment {
    private static let mark = "#t="

    /// Returns a URL without its media fragment, and the part that the fragment selects.
    ///
    /// Paths, and URLs with another fragment, are returned unchanged.
    static func split(_ text: String) -> (location: String, part: StreamingInput.Part?) {
        guard !text.hasPrefix("/"), let hash = text.lastIndex(of: "#"), text[hash...].hasPrefix(mark),
            let part = part(text[hash...].dropFirst(mark.count))
        else { return (text, nil) }
        return (String(text[..<hash]), part)
    }

    /// Returns the URL of a part of a recording; of the whole recording if `part` is `nil`.
    static func location(of part: StreamingInput.Part?, in whole: String) -> String {
        // The URL of a whole recording must not end in a media fragment.
        guard let part else { return split(whole).location }
        let end = part.end.map { ",\($0)" } ?? ""
        return "\(whole.prefix { $0 != "#" })\(mark)\(part.start)\(end)"
    }

    private static func part(_ text: Substring) -> StreamingInput.Part? {
        let times = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).map { Double($0) }
        guard let start = times[0], start.isFinite, start >= 0 else { return nil }
        guard times.count == 2 else { return StreamingInput.Part(start: start) }
        guard let end = times[1], end.isFinite, end > start else { return nil }
        return StreamingInput.Part(start: start, end: end)
    }
}
