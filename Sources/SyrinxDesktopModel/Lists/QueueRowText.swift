import Foundation
package import SyrinxListening

/// The texts of a row of the queue.
public struct QueueRowText: Sendable, Equatable {
    /// The title.
    public var title: String
    /// The performer, else the album, else the host of an address; empty if none is known.
    public var detail: String
    /// The length as a clock shows it; empty if it is not known.
    public var length: String
    /// The row as a screen reader speaks it.
    public var spoken: String
    /// The characters of a text that are shown at most.
    static let maximumCount = 200

    /// Creates the texts.
    /// - Parameters:
    ///   - name: The title if the tags have none: the name of the file.
    ///   - host: The host of an address; `nil` for a file.
    ///   - tags: The tags of the recording, as far as they have been read.
    package init(name: String, host: String? = nil, tags: ListeningTags = ListeningTags()) {
        title = Self.line(tags.title) ?? Self.line(name) ?? name
        detail = Self.line(tags.artist) ?? Self.line(tags.album) ?? Self.line(host) ?? ""
        length = tags.duration.map { TimeText.clock($0) } ?? ""
        let parts = [title, detail, tags.duration.map { TimeText.spoken($0) } ?? ""]
        spoken = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Returns a text in one line; `nil` if it says nothing.
    private static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        // A character may have any number of scalars.
        let start = String(text.unicodeScalars.prefix(ListeningTags.maximumLength))
        let words = start.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : String(words.prefix(maximumCount))
    }
}

/// The rows of a long list that are worth filling.
public enum QueueRows {
    /// Returns the number of recordings and, once all lengths are known, their sum.
    /// - Parameter durations: The length of each recording in seconds; `nil` where it is not known.
    /// - Returns: The text; empty for no recording.
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

    /// Returns the text in place of the rows where none is shown.
    /// - Parameter isSearch: Whether a search has found none.
    public static func emptyText(isSearch: Bool) -> String {
        isSearch ? "Nothing found" : "Files that you open or drop are listed here."
    }

    /// Returns the number of rows that a search has found.
    /// - Parameters:
    ///   - found: The number of rows that match.
    ///   - count: The number of all rows.
    public static func summary(found: Int, of count: Int) -> String { "\(found) of \(count)" }

    /// Returns the order in which rows are hidden; they are shown in the reverse one.
    ///
    /// For each of them GTK looks for the nearest rows that are shown, which would be far if one row after the other were hidden.
    /// - Parameter count: The number of rows.
    /// - Returns: The numbers of all rows: every other one, then every other one of those that are left, and so on.
    public static func hidingOrder(count: Int) -> [Int] {
        var (order, step): ([Int], Int) = ([], 1)
        while step <= count {
            order += stride(from: step - 1, to: count, by: 2 * step)
            step *= 2
        }
        return order
    }

    /// Returns the rows that are seen, and half a page before and behind, which a scroll shows next.
    /// - Parameters:
    ///   - top: The upper edge of the view, in pixels from that of the first row.
    ///   - height: The height of the view in pixels.
    ///   - pitch: The pixels from one row to the next.
    ///   - count: The number of rows.
    /// - Returns: The rows; none while the list has no size.
    public static func visible(top: Double, height: Double, pitch: Double, count: Int) -> Range<Int> {
        guard top.isFinite, height.isFinite, pitch.isFinite, pitch > 0, height > 0, count > 0 else { return 0..<0 }
        let first = Int(floor: (top - height / 2) / pitch).clamped(to: 0...count)
        let end = Int(floor: (top + height * 1.5) / pitch).clamped(to: -1...count - 1) + 1
        return first..<max(first, end)
    }
}
