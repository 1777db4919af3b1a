/// The position for the command "Back to before the last seek".
///
/// All seeks of a drag on the waveform count as one.
public struct SeekUndo: Sendable, Equatable {
    /// The position before the last seek, in seconds; `nil` if there was no seek in this recording.
    public private(set) var position: Double?
    private var isDragging = false

    /// Creates the state of a recording without seeks.
    public init() {}

    /// Called before a seek.
    /// - Parameter position: The position before the seek, in seconds.
    public mutating func sought(from position: Double) {
        if !isDragging { self.position = position }
    }

    /// Called at the start of a drag, and at its end after the last seek.
    /// - Parameters:
    ///   - isDragging: Whether the drag starts.
    ///   - position: The playback position, in seconds.
    public mutating func dragged(_ isDragging: Bool, at position: Double) {
        if isDragging { self.position = position }
        self.isDragging = isDragging
    }

    /// Clears the position, after a seek by the player itself or for another recording.
    public mutating func clear() { position = nil }
}
