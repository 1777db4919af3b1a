import AVFAudio
import Foundation
import SyrinxMediaCodec

/// Reports events of a streamer to its delegate and its listeners.
///
/// Used with the lock of the `PlaybackController` held.
final class StreamReporter {
    private let hub = EventHub<StreamingEvent>()
    weak var streamer: Streamer?
    weak var delegate: (any StreamingDelegate)?
    var delegateQueue = DispatchQueue.main
    /// Gets every event, under the lock; see `Streamer.open(_:andPlay:followedBy:observer:)`.
    var observer: (@Sendable (StreamingEvent) -> Void)?

    /// Returns a stream of all later events.
    func makeStream() -> AsyncStream<StreamingEvent> { hub.makeStream() }

    func send(_ event: StreamingEvent) {
        hub.send(event)
        observer?(event)
    }

    /// Reports an event of a track, at once or when the track becomes current.
    func send(_ event: StreamingEvent, of track: Track) {
        if !track.hold(event) { send(event) }
    }

    /// Reports the held events of `track`, which is now current.
    func sendHeldEvents(of track: Track) {
        for event in track.takeHeldEvents() { send(event) }
    }

    /// Reports the status; `time` is the position at which playback is or stops.
    func report(_ status: PlaybackStatus, time: TimeInterval) {
        send(.status(status, time: time))
        let state = StreamingState(status)
        tellDelegate { delegate, streamer in delegate.streamer(streamer, changedState: state) }
    }

    /// Reports the playback position.
    func report(position time: TimeInterval) {
        send(.position(time))
        tellDelegate { delegate, streamer in delegate.streamer(streamer, updatedCurrentTime: time) }
    }

    /// Reports the duration of a track, if it is known.
    func reportDuration(_ info: MediaInfo, of track: Track, isCurrent: Bool) {
        guard let duration = info.duration else { return }
        send(.duration(duration, isExact: info.durationIsExact), of: track)
        if isCurrent { tellDelegate(ofDuration: duration) }
    }

    /// Reports the bytes of a track that have arrived.
    func reportDownload(_ received: Int64, total: Int64?, ranges: [Range<Int64>], of track: Track, isCurrent: Bool) {
        send(.download(received: received, total: total, ranges: ranges), of: track)
        guard let total, total > 0, isCurrent else { return }
        let held = ranges.reduce(0) { $0 + $1.count }
        let share = Float(Double(max(Int64(held), min(received, total))) / Double(total))
        tellDelegate { delegate, streamer in
            guard let url = streamer.url else { return }
            delegate.streamer(streamer, updatedDownloadProgress: min(1, share), forURL: url)
        }
    }

    /// Reports a problem that does not stop playback.
    func warn(_ code: SyrinxError.Code, _ message: String, of track: Track) {
        send(.warning(SyrinxError(code, message, name: track.item?.input.name ?? "input")), of: track)
    }

    /// Reports that playing cannot go on.
    func report(_ failure: SyrinxError) {
        send(.failed(failure))
        tellDelegate { delegate, streamer in
            guard let url = streamer.url else { return }
            delegate.streamer(streamer, failedDownloadWithError: failure, forURL: url)
        }
    }

    /// Reports items that failed to open, each as if it had been its turn, up to the turn of `next`.
    func report(_ failed: [FailedItem], before next: StreamingItem) {
        for (index, item) in failed.enumerated() {
            send(.status(.opening, time: item.item.startTime))
            send(.advancing(to: index + 1 < failed.count ? failed[index + 1].item : next))
            report(item.failure)
            send(.status(.failed, time: item.item.startTime))
        }
    }

    /// Reports the totals of an input that has ended or was stopped.
    func report(_ totals: OutputCounters.Totals) {
        send(
            .ended(
                frameCount: totals.frameCount,
                underrunCount: totals.underrunCount,
                receivedByteCount: totals.receivedByteCount
            )
        )
    }

    func tellDelegate(ofDuration duration: TimeInterval) {
        tellDelegate { delegate, streamer in delegate.streamer(streamer, updatedDuration: duration) }
    }

    private func tellDelegate(_ body: @escaping @Sendable (any StreamingDelegate, Streamer) -> Void) {
        guard delegate != nil else { return }
        delegateQueue.deliver { [weak streamer] in
            guard let streamer, let delegate = streamer.delegate else { return }
            body(delegate, streamer)
        }
    }
}
