import SyrinxByteStream

/// The fetch-ahead window, and the distance below which the stream waits for bytes instead of sending a request.
struct FetchWindow: Sendable {
    /// The number of bytes to fetch ahead of the reader.
    var ahead: Int64
    /// The distance in bytes below which waiting is faster than a new request.
    private(set) var seekThreshold = Self.maximumSeekThreshold

    private static let maximumSeekThreshold: Int64 = 256 << 10
    private static let minimumSeekThreshold: Int64 = 16 << 10
    /// The bounds of the estimated time for a request in seconds: twice the time of the last one, because the old
    /// connection still delivers.
    private static let requestSeconds = 0.125...0.5

    /// Creates a window of `ahead` bytes ahead of the reader.
    init(ahead: Int64) { self.ahead = ahead }

    /// Updates the distance from the measured data rate and the response time of the last request.
    mutating func measured(bytesPerSecond: Double, answered seconds: Double) {
        let seconds = min(max(2 * seconds, Self.requestSeconds.lowerBound), Self.requestSeconds.upperBound)
        let bytes = min(bytesPerSecond * seconds, Double(Self.maximumSeekThreshold))
        seekThreshold = max(Int64(clamped: bytes), Self.minimumSeekThreshold)
    }

    /// The free space in bytes that a full window needs before it is filled again, so that not every read requests one
    /// packet.
    var minimumSpace: Int64 { min(ahead / 4, Self.maximumSeekThreshold) }
}
