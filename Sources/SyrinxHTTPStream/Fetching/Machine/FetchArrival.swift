/// Bytes of a transfer that have arrived and been stored.
struct FetchArrival: Sendable {
    /// Bytes as the server sent them, metadata included.
    let byteCount: Int
    /// Bytes of the resource.
    let storedCount: Int
    /// The first offset behind them that is not held.
    let missing: Int64
    /// Seconds, from any moment on.
    let time: Double
    /// Whether the disk is behind in taking what is to be kept.
    var isDiskBehind = false
    /// Whether progress has a listener.
    var isObserved = true
}
