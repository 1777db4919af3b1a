/// The text that represents a queue row during drag and drop.
public struct DraggedRow: Sendable, Equatable {
    /// The number of the window that contains the row.
    public let window: Int
    /// The number of the row, which is not its index.
    public let row: Int

    private static let prefix = "syrinx-row:"

    /// Creates the description of a row from the numbers of its window and of the row.
    public init(window: Int, row: Int) { (self.window, self.row) = (window, row) }

    /// Parses a dropped text.
    /// - Parameter text: The dropped text.
    /// - Returns: `nil` if the text does not represent a row.
    public init?(_ text: String) {
        guard Self.isRow(text) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let window = Int(parts[0]), let row = Int(parts[1]) else { return nil }
        self.init(window: window, row: row)
    }

    /// The text that represents the row.
    public var text: String { "\(Self.prefix)\(window):\(row)" }

    /// Returns whether a text has the prefix of a row, and is therefore neither a file nor a URL.
    /// - Parameter text: The dropped text.
    public static func isRow(_ text: String) -> Bool { text.hasPrefix(prefix) }
}
