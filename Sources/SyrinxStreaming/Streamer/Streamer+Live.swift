import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// The place of a listener in a station that can be gone back in.
package struct LiveDistance: Equatable, Sendable {
    /// Seconds behind the live sound; 0 if that is heard.
    package var behind: Double
    /// Seconds that can be gone back from the position.
    package var earlier: Double
}

extension Streamer {
    /// The place in the station that plays; `nil` for another input, and if the station cannot be gone back in.
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

    /// Goes to the live sound of the station that plays.
    ///
    /// - Throws: `SyrinxError` with `usage.notSeekable` if the station cannot be gone back in.
    package func goLive() throws {
        guard let sent = controller.lock.withLock({ controller.tracks.current.pump?.broadcastSeconds }) else {
            throw SyrinxError(.notSeekable, "This is no station that can be gone back in.", name: "live")
        }
        try seek(to: max(sent - PlaybackController.liveLead, 0))
    }
}
