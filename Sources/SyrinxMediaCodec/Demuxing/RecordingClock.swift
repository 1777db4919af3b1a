/// Relates the positions of one of several joined recordings, each of which counts by itself, to the frames that are given out.
protocol RecordingClock {
    /// Returns the frame at which decoded sound begins; `nil` if the position says nothing.
    /// - Parameters:
    ///   - position: The position of its first sample that is heard, if known.
    ///   - offset: The offset in the file of the packet or page that it begins in.
    ///   - next: The frame that it would be if nothing were lost.
    mutating func start(position: Int64?, offset: Int64, next: Int64?) -> Int64?
}
