internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Decodes the video of an item ahead of its playback position, on its own thread.
///
/// It reads the asset a second time, independent of the player, and holds a few pictures. Any thread may call the
/// methods.
final class PictureFeed: @unchecked Sendable {
    // Unchecked: the monitor guards the mutable state; only the thread uses the source, except for `cancel()`.
    private struct State {
        var schedule = PictureSchedule<CVPixelBuffer>()
        /// Whether the thread is running, or failed permanently.
        var isRunning = false
        /// Whether the thread ended because the bytes were not available.
        var hasLostStream = false
        var isCancelled = false
        var source: (any PictureSource)?
    }

    /// Handlers for events; called on the decoding thread.
    struct Events: Sendable {
        /// Called when a picture was decoded.
        var decoded: @Sendable () -> Void
        /// Called when decoding failed permanently.
        var failed: @Sendable (AVError) -> Void
    }

    private let asset: AVAsset
    /// Returns the player of the asset.
    private let player: @Sendable () -> AVPlayer?
    private let settings: PictureSettings
    private let events: Events
    private let state = Monitor(State())

    init(
        _ asset: AVAsset,
        _ settings: PictureSettings,
        events: Events,
        player: @escaping @Sendable () -> AVPlayer? = { nil }
    ) {
        self.asset = asset
        self.player = player
        self.settings = settings
        self.events = events
    }

    /// Requests the picture for a time in seconds, and those after it.
    func want(_ time: Double) { change { $0.want(time) } }

    /// Discards the held pictures after a jump of the position.
    ///
    /// After a network failure, decoding starts again.
    func jump(to time: Double) {
        state.update { state in
            if state.hasLostStream { (state.isRunning, state.hasLostStream) = (false, false) }
        }
        change { $0.jump(to: time) }
    }

    /// Returns whether a picture that was not taken yet is held for a time.
    func hasNew(at time: Double) -> Bool {
        state.read { state in state.schedule.entry(at: time).map { state.schedule.isNew($0) } ?? false }
    }

    /// Returns the picture for a time, and its start time.
    func take(at time: Double) -> (CVPixelBuffer, start: Double)? {
        state.read { state in
            guard let entry = state.schedule.entry(at: time) else { return nil }
            state.schedule.take(entry)
            return (entry.picture, entry.start)
        }
    }

    /// The number of held pictures.
    var heldCount: Int { state.read { $0.schedule.entries.count } }

    /// Stops decoding permanently.
    func cancel() {
        state.update { state in
            state.isCancelled = true
            state.source?.cancel()
        }
    }

    private func change(_ body: (inout PictureSchedule<CVPixelBuffer>) -> Void) {
        let starts = state.update { state in
            body(&state.schedule)
            defer { state.isRunning = true }
            return !state.isRunning && !state.isCancelled
        }
        guard starts else { return }
        let thread = Thread { [self] in run() }
        thread.name = "syrinx.pictures"
        thread.start()
    }

    // MARK: The thread

    private func run() {
        do {
            let source = try asset.openPictures(beside: player())
            defer { source.cancel() }
            let isCancelled = state.update { state in
                state.source = source
                return state.isCancelled
            }
            if !isCancelled { try feed(source, PictureMaker(settings, name: source.name)) }
        } catch {
            let failure = AVError(error, url: asset.resource)
            let isCancelled = state.update { state in
                state.hasLostStream = !failure.reason.rawValue.hasPrefix("media.")
                return state.isCancelled
            }
            if !isCancelled { events.failed(failure) }
        }
    }

    private func feed(_ source: any PictureSource, _ maker: PictureMaker) throws {
        while true {
            let next = state.wait { state -> (PictureSchedule<CVPixelBuffer>.Step, jumps: Int)?? in
                if state.isCancelled { return .some(nil) }
                let step = state.schedule.nextStep()
                return step == .wait ? nil : (step, state.schedule.jumps)
            }
            guard let (step, jumps) = next else { return }
            switch step {
            case .wait: break
            case .seek(let time): try source.seek(to: CMTime(playerSeconds: time), orFrom: nil)
            case .decode(let time):
                guard let picture = try source.next() else {
                    state.update { $0.schedule.end(afterJumps: jumps) }
                    continue
                }
                let (start, end) = (picture.start.seconds, picture.end.seconds)
                if end <= time, !source.isAtEnd {
                    // The picture is too late to be shown.
                    state.update { $0.schedule.pass(end, afterJumps: jumps) }
                    continue
                }
                let buffer = try maker.make(picture)
                state.update { $0.schedule.add(buffer, from: start, to: end, afterJumps: jumps) }
                events.decoded()
            }
        }
    }
}
