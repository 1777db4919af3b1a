import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// Converts the events of network streams into those of a streamer.
///
/// The events arrive on network threads.
final class NetworkObserver: @unchecked Sendable {
    // Unchecked: the tracks and the reporter are used under `lock` only, which is the controller's.
    private let lock: NSRecursiveLock
    private let tracks: TrackQueue
    private let reporter: StreamReporter

    init(_ tracks: TrackQueue, _ reporter: StreamReporter, lock: NSRecursiveLock) {
        (self.tracks, self.reporter, self.lock) = (tracks, reporter, lock)
    }

    /// Observes the stream of a pump until the pump is no longer needed.
    func observe(_ stream: any NetworkInput, of pump: DecodePump) {
        stream.onEvent = { [weak self, weak pump, weak stream] event in
            guard let self, let pump, let stream else { return }
            report(event, of: stream, pump)
        }
    }

    private func report(_ event: HTTPStreamEvent, of stream: any NetworkInput, _ pump: DecodePump) {
        let ranges = stream.heldRanges
        let total = stream.length
        lock.withLock {
            guard let track = tracks.track(of: pump) else { return }
            switch event {
            case .response, .completed: break
            case .received(let count):
                received(max(count, track.progress.output.received), total: total, ranges: ranges, of: track)
            case .retry(let attempt, let delay, let code):
                reporter.send(.retry(attempt: attempt, delay: delay, code: code.rawValue), of: track)
            case .warning(let code, let message):
                reporter.warn(code, message, of: track)
            case .waitingForNetwork:
                let message = "the network is down; playback continues when it is back"
                reporter.warn(.waitingForNetwork, message, of: track)
            case .networkIsBack: break  // The event `download` reports the new bytes.
            case .discontinuity:
                track.progress.pace?.rest()
                let message = "the broadcast was interrupted for a moment, and continues"
                reporter.warn(.discontinuity, message, of: track)
            case .metadata(let fields):
                let time = track.progress.timeline.decodedTime
                track.progress.metadata.received(title: InputMetadata.tags(ofBroadcast: fields), at: time)
            case .failed: break  // The pump receives the error too, after it has used the available bytes.
            }
        }
    }

    /// Reports the download progress of the current track, because network events are sent only a few times a second.
    func reportReceived() {
        guard let stream = tracks.current.pump?.networkInput else { return }
        let count = stream.receivedByteCount
        if count > tracks.current.progress.output.received {
            received(count, total: stream.length, ranges: stream.heldRanges, of: tracks.current)
        }
    }

    /// Records and reports the bytes of a track that have arrived.
    func received(_ count: Int64, total: Int64?, ranges: [Range<Int64>], of track: Track) {
        track.progress.output.received = count
        let isCurrent = track === tracks.current
        reporter.reportDownload(count, total: total, ranges: ranges, of: track, isCurrent: isCurrent)
    }
}
