internal import ByteStream
internal import CoreVideo
internal import Foundation
internal import MediaCodec

/// Decodes the pictures of an item ahead of its clock, on a thread of its own.
///
/// It reads the asset a second time, beside the player, and holds a few pictures. Any thread may call it.
final class PictureFeed: @unchecked Sendable {
    // Unchecked: what changes is behind the monitor's lock; the reader is the thread's own, and its stream is cancelled by any.
    private struct State {
        var schedule = PictureSchedule<CVPixelBuffer>()
        /// Whether the thread has been started and has not failed in a way that another try may mend.
        var isRunning = false
        /// Whether the thread has ended because the bytes could not be had.
        var hasLostStream = false
        var isCancelled = false
        var stream: (any ByteStream)?
    }

    /// Events of the thread, which it calls.
    struct Events: Sendable {
        /// A picture has been decoded.
        var decoded: @Sendable () -> Void
        /// Decoding has failed for good.
        var failed: @Sendable (AVError) -> Void
    }

    private let asset: AVAsset
    private let settings: PictureSettings
    private let events: Events
    private let state = Monitor(State())

    init(_ asset: AVAsset, _ settings: PictureSettings, events: Events) {
        self.asset = asset
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
        let stream = state.update { state in
            state.isCancelled = true
            return state.stream
        }
        stream?.cancel()
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
            let reader = try asset.openPictures()
            defer { reader.stream.cancel() }
            let isCancelled = state.update { state in
                state.stream = reader.stream
                return state.isCancelled
            }
            if !isCancelled { try feed(reader, PictureMaker(settings, reader)) }
        } catch {
            let failure = AVError(error, url: asset.resource)
            let isCancelled = state.update { state in
                state.hasLostStream = !failure.reason.rawValue.hasPrefix("media.")
                return state.isCancelled
            }
            if !isCancelled { events.failed(failure) }
        }
    }

    private func feed(_ reader: VideoReader, _ maker: PictureMaker) throws {
        let info = reader.info
        while true {
            let next = state.wait { state -> (PictureSchedule<CVPixelBuffer>.Step, jumps: Int)?? in
                if state.isCancelled { return .some(nil) }
                let step = state.schedule.nextStep()
                return step == .wait ? nil : (step, state.schedule.jumps)
            }
            guard let (step, jumps) = next else { return }
            switch step {
            case .wait: break
            case .seek(let time): try reader.seek(to: info.ticks(time))
            case .decode(let time):
                guard let frame = try reader.next() else {
                    state.update { $0.schedule.end(afterJumps: jumps) }
                    continue
                }
                let (start, end) = (info.seconds(frame.start), info.seconds(frame.end))
                if end <= time, !reader.isAtEnd {
                    // Too late to be shown.
                    state.update { $0.schedule.pass(end, afterJumps: jumps) }
                    continue
                }
                let picture = try maker.make(frame)
                state.update { $0.schedule.add(picture, from: start, to: end, afterJumps: jumps) }
                events.decoded()
            }
        }
    }
}
