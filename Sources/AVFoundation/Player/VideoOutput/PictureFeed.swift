internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Decodes the pictures of an item ahead of its clock, on a thread of its own.
///
/// It reads the asset a second time, beside the player, and holds a few pictures. Any thread may call it.
final class PictureFeed: @unchecked Sendable {
    // Unchecked: what changes is behind the monitor's lock; the source is the thread's own but for `cancel()`.
    private struct State {
        var schedule = PictureSchedule<CVPixelBuffer>()
        /// Whether the thread has been started and has not failed in a way that another try may mend.
        var isRunning = false
        /// Whether the thread has ended because the bytes could not be had.
        var hasLostStream = false
        var isCancelled = false
        var source: (any PictureSource)?
    }

    /// Events of the thread, which it calls.
    struct Events: Sendable {
        /// A picture has been decoded.
        var decoded: @Sendable () -> Void
        /// Decoding has failed for good.
        var failed: @Sendable (AVError) -> Void
    }

    private let asset: AVAsset
    /// The player of the asset.
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

    /// Asks for the picture of a time, in seconds, and those after it.
    func want(_ time: Double) { change { $0.want(time) } }

    /// Drops the pictures that are held, as time has jumped.
    ///
    /// After a failure of the network this tries again.
    func jump(to time: Double) {
        state.update { state in
            if state.hasLostStream { (state.isRunning, state.hasLostStream) = (false, false) }
        }
        change { $0.jump(to: time) }
    }

    /// Whether there is a picture for a time that has not been given yet.
    func hasNew(at time: Double) -> Bool {
        state.read { state in state.schedule.entry(at: time).map { state.schedule.isNew($0) } ?? false }
    }

    /// Returns the picture for a time, and the time at which it begins.
    func take(at time: Double) -> (CVPixelBuffer, start: Double)? {
        state.read { state in
            guard let entry = state.schedule.entry(at: time) else { return nil }
            state.schedule.take(entry)
            return (entry.picture, entry.start)
        }
    }

    /// The number of pictures that are held.
    var heldCount: Int { state.read { $0.schedule.entries.count } }

    /// Stops for good.
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
                    // Too late to be shown.
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
