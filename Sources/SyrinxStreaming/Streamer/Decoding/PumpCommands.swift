import Foundation
import SyrinxByteStream

/// The commands to a pump: any thread gives them, and the pump's thread waits for them.
final class PumpCommands: @unchecked Sendable {
    // Unchecked: everything that changes is touched under `condition` only.

    /// The next thing for the pump to do.
    enum Job {
        case end
        case seek(time: Double, count: Int)
        case read
        case finish(isLast: Bool)
        /// Another sound of the input is wanted, or is at hand.
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
    /// Set when what the converter still holds is asked for: whether the sound ends with it.
    private var finishing: Bool?
    private var hasSoundNews = false
    private var spacing = SeekRateLimiter()

    init(mayStart: Bool, end: Double?) { (self.mayStart, endTime) = (mayStart, end) }

    // MARK: From any thread

    /// Has an input that was opened ahead be decoded.
    func start() { change { mayStart = true } }

    /// Asks for what the converter still holds.
    func finish(isLast: Bool) { change { finishing = isLast } }

    /// Tells the pump that another sound is wanted, or is at hand.
    func noteSound() { change { hasSoundNews = true } }

    /// Tells the pump that a measurement has ended.
    func noteMeasurement() { change {} }

    /// Tells the pump that held frames have been taken.
    func noteTaken() { change {} }

    /// Has the pump decode on until the output has enough, and rest until that is nearly used up.
    /// - Parameters:
    ///   - framesAhead: Decoded frames that have not been played.
    ///   - lead: The frames that are wanted.
    func noteLevel(_ framesAhead: Double, of lead: DecodeLead) {
        condition.withLock {
            let hungry = framesAhead < (isHungry ? lead.frameCount : lead.refillCount)
            guard hungry != isHungry else { return }
            isHungry = hungry
            condition.broadcast()
        }
    }

    /// Asks for a seek, in place of one that has not been carried out.
    func requestSeek(to time: Double, count: Int, goesBack: Bool) {
        change {
            seek = (time, count)
            finishing = nil
            isHungry = true
            // What is being waited for is not wanted any more: but where reading goes forward only, all of it is.
            if isOpened, let used, used.isSeekable || goesBack { used.setInterrupted(true) }
        }
    }

    /// The time in the input at which decoding ends, from the next seek on; `nil` for its end.
    var endOfPart: Double? {
        get { condition.withLock { endTime } }
        set { condition.withLock { endTime = newValue } }
    }

    /// Takes back a seek that has not been carried out.
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

    /// Records the stream that seeks and the end interrupt.
    /// - Returns: Whether the input is still wanted.
    func use(_ stream: any ByteStream) -> Bool {
        condition.withLock {
            used = stream
            return !isEnded
        }
    }

    /// The stream that is read, once there is one.
    var stream: (any ByteStream)? { condition.withLock { used } }

    /// Records that decoding begins: from now on seeks interrupt reading.
    func setOpened() { condition.withLock { isOpened = true } }

    /// Records that the thread ends.
    func setFinished() { change { hasFinished = true } }

    /// Whether the pump has been ended.
    var hasEnded: Bool { condition.withLock { isEnded } }

    /// Whether a seek waits to be carried out.
    var hasSeek: Bool { condition.withLock { seek != nil } }

    /// Whether what is being read is still wanted.
    var isReadWanted: Bool { condition.withLock { !isEnded && seek == nil } }

    /// Waits until the input before has been decoded.
    /// - Returns: Whether this one is still wanted.
    func waitForStart() -> Bool {
        condition.withLock {
            while !mayStart, !isEnded { condition.wait() }
            return !isEnded
        }
    }

    /// Waits as long as a measurement goes on that has to come first, and the pump has not been ended.
    /// - Parameter isMeasuring: Asked again after each `noteMeasurement()`; it must not call this object.
    func wait(while isMeasuring: () -> Bool) {
        condition.withLock {
            while !isEnded, isMeasuring() { condition.wait() }
        }
    }

    /// Waits for the next job.
    /// - Parameters:
    ///   - isAtEnd: Whether the input has been decoded to its end.
    ///   - held: The frames that are decoded ahead besides, if there are to be some.
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
