/// The position to which "Back to before the last seek" returns.
///
/// A drag over the waveform seeks often, and counts as one seek.
public struct SeekUndo: Sendable, Equatable {
    /// The position before the last seek, in seconds; `nil` if there has been none in this recording.
    public private(set) var position: Double?
    private var isDragging = false

    /// Creates the state of a recording without a seek.
    public init() {}

    /// Notes a seek.
    /// - Parameter position: The position before it, in seconds.
    public mutating func sought(from position: Double) {
        if !isDragging { self.position = position }
    }

    /// Notes that a drag begins, or ends after its last seek.
    /// - Parameters:
    ///   - isDragging: Whether it begins.
    ///   - position: The position, in seconds.
    public mutating func dragged(_ isDragging: Bool, at position: Double) {
        if isDragging { self.position = position }
        self.isDragging = isDragging
    }

    /// Forgets the position: the player has sought by itself, or another recording is open.
    public mutating func clear() { position = nil }
}
