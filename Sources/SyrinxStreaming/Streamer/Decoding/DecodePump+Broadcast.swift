import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec

/// Seeking in a broadcast.
extension DecodePump {
    /// Whether the broadcast supports seeking: its last bytes are stored and its frames are indexed.
    var canGoBack: Bool {
        guard let stream = networkStream, stream.isBroadcast, stream.keepsBroadcast else { return false }
        return follower?.mark(at: 0) != nil
    }

    /// The length of the received part of the broadcast, in seconds; `nil` if it does not support seeking.
    var broadcastSeconds: Double? { canGoBack ? follower?.seconds : nil }

    /// Opens the broadcast at the frame that a time belongs to.
    ///
    /// - Returns: The samples from there, and the time of the frame; `nil` if the broadcast does not support seeking.
    func shifted(to time: Double, _ source: SwitchedSource) throws -> (source: PCMSource, time: Double)? {
        guard canGoBack, let stream = networkStream, let follower, let mark = follower.mark(at: time) else {
            return nil
        }
        let view = BroadcastView(stream, from: mark.offset, head: follower.head(at: mark.offset)?.bytes ?? [])
        let reader = try input.open(view, preference: lock.withLock { sounds.applied })
        let shifted = try PCMSource(reader, readFormat: source.readFormat)
        shifted.finishesByItself = false
        return (shifted, mark.seconds)
    }
}
