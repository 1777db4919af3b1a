/// The text that stands for a row of a queue while it is dragged.
public struct DraggedRow: Sendable, Equatable {
    /// The number of the window whose row it is.
    public let window: Int
    /// The number of the row, which is not its place.
    public let row: Int

    private static let prefix = "syrinx-row:"

    /// Creates the description of a row.
    /// - Parameters:
    ///   - window: The number of the window.
    ///   - row: The number of the row.
    public init(window: Int, row: Int) { (self.window, self.row) = (window, row) }

    /// Reads a text.
    /// - Parameter text: What was dropped.
    /// - Returns: `nil` if the text stands for no row.
    public init?(_ text: String) {
        guard Self.isRow(text) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let window = Int(parts[0]), let row = Int(parts[1]) else { return nil }
        self.init(window: window, row: row)
    }

    /// The text.
    public var text: String { "\(Self.prefix)\(window):\(row)" }

    /// Returns whether a text begins like that of a row, and so is neither a file nor an address.
    /// - Parameter text: What was dropped.
    public static func isRow(_ text: String) -> Bool { text.hasPrefix(prefix) }
}
