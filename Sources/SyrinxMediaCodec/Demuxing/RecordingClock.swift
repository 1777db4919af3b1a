/// Converts the positions of one of several joined recordings, each of which counts from its own start, to output
/// frames.
protocol RecordingClock {
    /// Returns the output frame at which decoded audio starts; `nil` if the position is unusable.
    /// - Parameters:
    ///   - position: The position of the first audible sample, if known.
    ///   - offset: The file offset of the packet, or of the page in which the packet starts.
    ///   - next: The frame that would follow if nothing were missing.
    mutating func start(position: Int64?, offset: Int64, next: Int64?) -> Int64?
}
