import SyrinxByteStream

/// The distances from the reader within which bytes are fetched, and are awaited rather than requested.
struct FetchWindow: Sendable {
    /// Bytes fetched ahead of the reader.
    var ahead: Int64
    /// Bytes that are awaited rather than requested: those that arrive in the time that a request takes.
    private(set) var seekThreshold = Self.maximumSeekThreshold

    private static let maximumSeekThreshold: Int64 = 256 << 10
    private static let minimumSeekThreshold: Int64 = 16 << 10
    /// Seconds that a request takes: twice what the last one took, because the connection that is left brings on some more.
    private static let requestSeconds = 0.125...0.5

    /// A window of so many bytes ahead of the reader.
    init(ahead: Int64) { self.ahead = ahead }

    /// Records how fast bytes come while they are let come, and the seconds in which the last request was answered.
    mutating func measured(bytesPerSecond: Double, answered seconds: Double) {
        let seconds = min(max(2 * seconds, Self.requestSeconds.lowerBound), Self.requestSeconds.upperBound)
        let bytes = min(bytesPerSecond * seconds, Double(Self.maximumSeekThreshold))
        seekThreshold = max(Int64(clamped: bytes), Self.minimumSeekThreshold)
    }

    /// Bytes that a full window has to have free before it is filled again, or every read would let one packet in.
    var minimumSpace: Int64 { min(ahead / 4, Self.maximumSeekThreshold) }
}
