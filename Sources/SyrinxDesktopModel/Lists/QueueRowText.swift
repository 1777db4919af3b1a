import Foundation
package import SyrinxListening

/// The texts of a queue row.
public struct QueueRowText: Sendable, Equatable {
    /// The title.
    public var title: String
    /// The artist, otherwise the album, otherwise the host of a URL; empty if all are unknown.
    public var detail: String
    /// The duration as `m:ss` or `h:mm:ss`; empty if it is unknown.
    public var length: String
    /// The row as text for screen readers.
    public var spoken: String
    /// The maximum number of displayed characters per text.
    static let maximumCount = 200

    /// Creates the texts.
    /// - Parameters:
    ///   - name: The file name, used if the tags contain no title.
    ///   - host: The host of a URL; `nil` for a file.
    ///   - tags: The tags of the recording that have been read.
    package init(name: String, host: String? = nil, tags: ListeningTags = ListeningTags()) {
        title = Self.line(tags.title) ?? Self.line(name) ?? name
        detail = Self.line(tags.artist) ?? Self.line(tags.album) ?? Self.line(host) ?? ""
        length = tags.duration.map { TimeText.clock($0) } ?? ""
        let parts = [title, detail, tags.duration.map { TimeText.spoken($0) } ?? ""]
        spoken = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Returns a text as a single line; `nil` if it is empty.
    private static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        // A character can consist of any number of scalars, so limit those first.
        let start = String(text.unicodeScalars.prefix(ListeningTags.maximumLength))
        let words = start.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : String(words.prefix(maximumCount))
    }
}

/// Computations about the rows of a long queue.
public enum QueueRows {
    /// Returns the number of recordings and, if all durations are known, their sum.
    /// - Parameter durations: The duration of each recording in seconds; `nil` if it is unknown.
    /// - Returns: The text; empty if there are no recordings.
    public static func summary(_ durations: some Collection<Double?>) -> String {
        guard !durations.isEmpty else { return "" }
        let count = durations.count == 1 ? "1 recording" : "\(durations.count) recordings"
        var sum = 0.0
        for duration in durations {
            guard let duration, duration.isFinite, duration > 0 else { return count }
            sum += duration
        }
        return "\(count) · \(TimeText.clock(sum))"
    }

    /// Returns the placeholder for an empty list.
    /// - Parameter isSearch: Whether the list is empty because of a search.
    public static func emptyText(isSearch: Bool) -> String {
        isSearch ? "Nothing found" : "Files that you open or drop are listed here."
    }

    /// Returns the result count of a search as text.
    /// - Parameters:
    ///   - found: The number of matching rows.
    ///   - count: The number of all rows.
    public static func summary(found: Int, of count: Int) -> String { "\(found) of \(count)" }

    /// Returns the order in which rows should be hidden; show them in reverse order.
    ///
    /// For each row, GTK searches for the nearest visible rows, which would be slow if adjacent rows were hidden in
    /// sequence.
    /// - Parameter count: The number of rows.
    /// - Returns: The indices of all rows: every other one, then every other one of the remaining ones, and so on.
    public static func hidingOrder(count: Int) -> [Int] {
        var (order, step): ([Int], Int) = ([], 1)
        while step <= count {
            order += stride(from: step - 1, to: count, by: 2 * step)
            step *= 2
        }
        return order
    }

    /// Returns the visible rows, and half a page before and after them, which scrolling shows next.
    /// - Parameters:
    ///   - top: The scroll position, in pixels from the top of the first row.
    ///   - height: The height of the view, in pixels.
    ///   - pitch: The distance between rows, in pixels.
    ///   - count: The number of rows.
    /// - Returns: The row indices; empty while the list has no size.
    public static func visible(top: Double, height: Double, pitch: Double, count: Int) -> Range<Int> {
        guard top.isFinite, height.isFinite, pitch.isFinite, pitch > 0, height > 0, count > 0 else { return 0..<0 }
        let first = Int(floor: (top - height / 2) / pitch).clamped(to: 0...count)
        let end = Int(floor: (top + height * 1.5) / pitch).clamped(to: -1...count - 1) + 1
        return first..<max(first, end)
    }
}
