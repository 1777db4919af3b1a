import Foundation
import SyrinxByteStream

/// The commands for a pump: any thread issues them, and the pump's thread waits for them.
final class PumpCommands: @unchecked Sendable {
    // Unchecked: everything that changes is touched under `condition` only.

    /// The next thing for the pump to do.
    enum Job {
        case end
        case seek(time: Double, count: Int)
        case read
        case finish(isLast: Bool)
        /// Another audio track is requested or ready.
        case changeSound
    }

    private let condition = NSCondition()
    private var used: (any ByteStream)?
    private var isEnded = false
    private var isOpened = false
    private var hasFinished = false
    private var isHungry = true
    private var seek: (time: Double, count: Int)?
    /// Whether an input that is opened ahead may be decoded.
    private var mayStart: Bool
    private var endTime: Double?
    /// Set when the converter has to be drained: whether playback ends after it.
    private var finishing: Bool?
    private var hasSoundNews = false
    private var spacing = SeekRateLimiter()

    init(mayStart: Bool, end: Double?) { (self.mayStart, endTime) = (mayStart, end) }

    // MARK: From any thread

    /// Starts to decode an input that was opened ahead.
    func start() { change { mayStart = true } }

    /// Requests that the converter is drained.
    func finish(isLast: Bool) { change { finishing = isLast } }

    /// Notes that another audio track is requested or ready.
    func noteSound() { change { hasSoundNews = true } }

    /// Tells the pump that a measurement has ended.
    func noteMeasurement() { change {} }

    /// Tells the pump that held frames have been taken.
    func noteTaken() { change {} }

    /// Makes the pump decode until the output has enough frames, then rest until they are nearly used up.
    /// - Parameters:
    ///   - framesAhead: The number of decoded frames that were not played.
    ///   - lead: The number of wanted frames.
    func noteLevel(_ framesAhead: Double, of lead: DecodeLead) {
        condition.withLock {
            let hungry = framesAhead < (isHungry ? lead.frameCount : lead.refillCount)
            guard hungry != isHungry else { return }
            isHungry = hungry
            condition.broadcast()
        }
    }

    /// Requests a seek, and replaces a pending one.
    func requestSeek(to time: Double, count: Int, goesBack: Bool) {
        change {
            seek = (time, count)
            finishing = nil
            isHungry = true
            // Interrupts the current read, which is obsolete; a forward-only input needs all of its bytes.
            if isOpened, let used, used.isSeekable || goesBack { used.setInterrupted(true) }
        }
    }

    /// The time in the input at which decoding ends, from the next seek on; `nil` for its end.
    var endOfPart: Double? {
        get { condition.withLock { endTime } }
        set { condition.withLock { endTime = newValue } }
    }

    /// Cancels a pending seek.
    func dropSeek() {
        condition.withLock {
            guard seek != nil else { return }
            seek = nil
            used?.setInterrupted(false)
        }
    }

    /// Ends the pump and cancels its stream, without waiting.
    func end() {
        let stream = condition.withLock {
            isEnded = true
            condition.broadcast()
            return used
        }
        stream?.cancel()
    }

    /// Waits for the pump's thread to end.
    func join(timeout: TimeInterval) {
        let limit = Date(timeIntervalSinceNow: timeout)
        condition.withLock {
            while !hasFinished, condition.wait(until: limit) {}
        }
    }

    private func change(_ body: () -> Void) {
        condition.withLock {
            body()
            condition.broadcast()
        }
    }

    // MARK: From the pump's thread

    /// Stores the stream that seeks and the end interrupt.
    /// - Returns: Whether the input is still needed.
    func use(_ stream: any ByteStream) -> Bool {
        condition.withLock {
            used = stream
            return !isEnded
        }
    }

    /// The current stream, once it exists.
    var stream: (any ByteStream)? { condition.withLock { used } }

    /// Notes that decoding starts: from now on, seeks interrupt reads.
    func setOpened() { condition.withLock { isOpened = true } }

    /// Records that the thread ends.
    func setFinished() { change { hasFinished = true } }

    /// Whether the pump has been ended.
    var hasEnded: Bool { condition.withLock { isEnded } }

    /// Whether a seek waits to be carried out.
    var hasSeek: Bool { condition.withLock { seek != nil } }

    /// Whether the current read is still needed.
    var isReadWanted: Bool { condition.withLock { !isEnded && seek == nil } }

    /// Waits until the previous input is decoded.
    /// - Returns: Whether this input is still needed.
    func waitForStart() -> Bool {
        condition.withLock {
            while !mayStart, !isEnded { condition.wait() }
            return !isEnded
        }
    }

    /// Waits for a required measurement, until it ends or the pump is cancelled.
    /// - Parameter isMeasuring: Called again after each `noteMeasurement()`; it must not call this object.
    func wait(while isMeasuring: () -> Bool) {
        condition.withLock {
            while !isEnded, isMeasuring() { condition.wait() }
        }
    }

    /// Waits for the next job.
    /// - Parameters:
    ///   - isAtEnd: Whether the input was decoded to its end.
    ///   - held: The buffer of held frames to fill too, if there is one.
    func nextJob(isAtEnd: Bool, holding held: HeldFrames?) -> Job {
        condition.withLock {
            while true {
                if isEnded { return .end }
                if let next = seek {
                    let delay = used?.isRemote == true ? spacing.delay(at: ProcessInfo.processInfo.systemUptime) : 0
                    if delay > 0 {
                        _ = condition.wait(until: Date(timeIntervalSinceNow: delay))
                        continue
                    }
                    seek = nil
                    used?.setInterrupted(false)
                    return .seek(time: next.time, count: next.count)
                }
                if hasSoundNews {
                    hasSoundNews = false
                    return .changeSound
                }
                if isAtEnd, let isLast = finishing {
                    finishing = nil
                    return .finish(isLast: isLast)
                }
                if isHungry || held?.hasRoom == true, !isAtEnd { return .read }
                condition.wait()
            }
        }
    }
}
