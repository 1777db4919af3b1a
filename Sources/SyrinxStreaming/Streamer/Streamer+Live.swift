import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// The playback position in a station with a timeshift buffer.
package struct LiveDistance: Equatable, Sendable {
    /// The distance behind the live sound, in seconds; 0 during live playback.
    package var behind: Double
    /// The maximum distance to rewind from the position, in seconds.
    package var earlier: Double
}

extension Streamer {
    /// The position in the current station; `nil` for other inputs, and without a timeshift buffer.
    package var liveDistance: LiveDistance? {
        controller.lock.withLock {
            guard let pump = controller.tracks.current.pump, let sent = pump.broadcastSeconds else { return nil }
            let time = controller.heardTime
            let first = pump.follower?.mark(at: 0)?.seconds ?? 0
            return LiveDistance(
                behind: max(0, sent - time - controller.progress.liveLead(sent: sent, heard: time)),
                earlier: max(0, time - first)
            )
        }
    }

    /// Seeks to the live sound of the current station.
    ///
    /// - Throws: `SyrinxError` with `usage.notSeekable` if the station has no timeshift buffer.
    package func goLive() throws {
        guard let sent = controller.lock.withLock({ controller.tracks.current.pump?.broadcastSeconds }) else {
            throw SyrinxError(.notSeekable, "The current input is not a station with a timeshift buffer.", name: "live")
        }
        try seek(to: max(sent - PlaybackController.liveLead, 0))
    }
}
