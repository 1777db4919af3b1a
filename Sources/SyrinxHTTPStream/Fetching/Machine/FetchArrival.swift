/// Bytes of a transfer that were received and stored.
struct FetchArrival: Sendable {
    /// The number of bytes sent by the server, including metadata.
    let byteCount: Int
    /// The number of bytes of the resource.
    let storedCount: Int
    /// The first missing offset after them.
    let missing: Int64
    /// The time in seconds of a monotonic clock.
    let time: Double
    /// Whether disk writes lag behind the download.
    var isDiskBehind = false
    /// Whether a listener observes the progress.
    var isObserved = true
}
