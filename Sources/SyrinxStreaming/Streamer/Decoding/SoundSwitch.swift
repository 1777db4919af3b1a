import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// Opens an input again with another audio track, and decodes it next to the current one until the pump can switch.
///
/// It reads on its own thread. The pump reports its position, and takes over the samples.
final class SoundSwitch: @unchecked Sendable {
    // Unchecked: `condition` guards the mutable state. The thread owns `opened` and `ahead` until they are ready; then
    // the pump owns them.

    /// The other track, when it is ready.
    struct Taken {
        let sound: OpenedSound
        let source: PCMSource
        /// Decoded frames, starting at the requested frame.
        let ahead: PlanarFIFO<Float>
        /// The frame of the read format that `source` began with.
        let start: Int64
    }

    /// The answer to a pump that wants to switch.
    enum Answer {
        case notYet
        case failed(any Error)
        case taken(Taken)
    }

    private enum Phase {
        case working
        case ready
        case failed(any Error)
        case over
    }

    /// Opens the input; its argument receives the stream, and returns whether it is still needed.
    typealias Opening = @Sendable ((any ByteStream) -> Bool) throws -> OpenedSound?

    private let open: Opening
    private let readFormat: AVAudioFormat
    /// Seconds of the input at which reading ends; `nil` for its end.
    private let end: Double?
    private let onChange: @Sendable () -> Void
    private let condition = NSCondition()
    private var phase = Phase.working
    private var stream: (any ByteStream)?
    /// The position of the pump, in frames of the read format.
    private var wanted: Int64
    private var opened: (sound: OpenedSound, source: PCMSource)?
    private var ahead: PlanarFIFO<Float>
    /// The first frame of `source`, and the first frame of `ahead`.
    private var sourceStart: Int64 = 0
    private var aheadStart: Int64 = 0
    /// The position of the pump at the last seek; the frames may start later if an exact seek is impossible.
    private var placedFor: Int64 = 0
    /// Whether `ahead` has the last frames of all.
    private var hasEnded = false

    /// The seconds to decode ahead of the pump, which continues meanwhile.
    private static let aheadDuration = 0.3
    /// Seconds before the pump's place that are decoded and dropped: a converter is right by then.
    private static let leadDuration = 0.01
    /// Seconds up to which it is read on rather than sought.
    private static let longestWay = 2.0

    /// - Parameters:
    ///   - readFormat: The format of the samples.
    ///   - position: The position of the pump, in frames of that format.
    ///   - end: The time at which reading ends, in seconds; `nil` is the end.
    ///   - open: Opens the input with the other track, on the thread.
    ///   - onChange: Called on the thread, under a lock, when the answer of `take(at:)` has changed.
    init(
        _ readFormat: AVAudioFormat,
        at position: Int64,
        end: Double?,
        open: @escaping Opening,
        onChange: @escaping @Sendable () -> Void
    ) {
        self.readFormat = readFormat
        self.end = end
        self.open = open
        self.onChange = onChange
        wanted = position
        ahead = PlanarFIFO(channelCount: Int(readFormat.channelCount))
    }

    // MARK: From any thread

    func run() {
        let thread = Thread { [self] in work() }
        thread.name = "syrinx.sound"
        thread.start()
    }

    /// Notes the position of the pump.
    /// - Parameter jumps: Whether the position is that of a seek, so that the current read is obsolete.
    func follow(_ frame: Int64, jumps: Bool) {
        let interrupted = condition.withLock { () -> (any ByteStream)? in
            guard frame != wanted else { return nil }
            wanted = frame
            condition.broadcast()
            return jumps && opened != nil ? stream : nil
        }
        interrupted?.setInterrupted(true)
    }

    /// Gives up, without waiting.
    func cancel() {
        let stream = condition.withLock { () -> (any ByteStream)? in
            if case .over = phase { return nil }
            phase = .over
            condition.broadcast()
            return self.stream
        }
        stream?.cancel()
    }

    /// Returns the other track, starting at the pump's position, if it is ready.
    func take(at frame: Int64) -> Answer {
        condition.withLock {
            switch phase {
            case .failed(let error): return .failed(error)
            case .working, .over: return .notYet
            case .ready: break
            }
            wanted = frame
            guard let opened, isAtHand else {
                phase = .working
                condition.broadcast()
                return .notYet
            }
            dropBefore(frame)
            phase = .over
            condition.broadcast()
            return .taken(Taken(sound: opened.sound, source: opened.source, ahead: ahead, start: sourceStart))
        }
    }

    // MARK: The thread

    /// Whether the frames of a fade follow from the pump's place on.
    private var isAtHand: Bool {
        let offset = wanted.subtractingClamped(aheadStart)
        let needed = offset.addingClamped(Int64(SwitchedSource.fadeFrames(readFormat)))
        return offset >= 0 && Int64(ahead.count) >= needed
    }

    private func dropBefore(_ frame: Int64) {
        let count = frame.subtractingClamped(aheadStart)
        guard count > 0 else { return }
        let dropped = ahead.take(Int(clamping: count)) { _, _, _ in }
        aheadStart = aheadStart.addingClamped(Int64(dropped))
    }

    private func work() {
        do {
            guard let sound = try open({ self.use($0) }) else { return }
            let source = try PCMSource(sound.reader, readFormat: readFormat)
            source.endFrame = InputPart.endFrame(end, of: sound.reader.info)
            source.finishesByItself = false
            condition.withLock { opened = (sound, source) }
            var isPlaced = false
            while let target = next() {
                do {
                    try advance(source, to: target, &isPlaced)
                } catch {
                    guard isInterruption(error) else { throw error }
                    sound.stream.setInterrupted(false)
                    isPlaced = false
                }
            }
        } catch {
            fail(error)
        }
    }

    private func use(_ stream: any ByteStream) -> Bool {
        condition.withLock {
            self.stream = stream
            if case .over = phase { return false }
            return true
        }
    }

    private func isInterruption(_ error: any Error) -> Bool {
        SyrinxError(error, name: "").code == .interrupted
    }

    private func fail(_ error: any Error) {
        let stream = condition.withLock { () -> (any ByteStream)? in
            guard case .working = phase else { return nil }
            phase = .failed(error)
            onChange()
            return self.stream
        }
        stream?.cancel()
    }

    /// Waits until frames are needed.
    /// - Returns: The pump's position; `nil` if the track was taken over or is no longer needed.
    private func next() -> Int64? {
        condition.withLock {
            while true {
                if case .over = phase { return nil }
                dropBefore(wanted)
                let isEnough = hasEnded || ahead.count >= Int(clamped: Self.aheadDuration * readFormat.sampleRate)
                let isEarly = wanted < aheadStart
                guard isEnough, isEarly ? wanted >= placedFor : isAtHand else {
                    phase = .working
                    return wanted
                }
                if case .working = phase, !isEarly {
                    phase = .ready
                    onChange()
                }
                condition.wait()
            }
        }
    }

    /// Decodes a few more frames, at another position if the pump has jumped.
    private func advance(_ source: PCMSource, to target: Int64, _ isPlaced: inout Bool) throws {
        let rate = readFormat.sampleRate
        let way = target.subtractingClamped(aheadStart.addingClamped(Int64(ahead.count)))
        let isBehind = target < aheadStart && target < placedFor
        if !isPlaced || isBehind || way > Int64(clamped: Self.longestWay * rate) {
            let seconds = max(Double(target) / rate - Self.leadDuration, 0)
            try source.seek(toFrame: Int64(clamped: (seconds * source.info.sampleRate).rounded(.down)))
            ahead.clear()
            (sourceStart, aheadStart) = (source.readPosition, source.readPosition)
            (placedFor, hasEnded, isPlaced) = (target, false, true)
        }
        guard let buffer = AVAudioPCMBuffer(pcmFormat: readFormat, frameCapacity: 4096) else {
            throw ReaderError.unsupportedReadFormat
        }
        guard try source.read(into: buffer) > 0 else {
            if !hasEnded, isAtHand {
                hasEnded = true
                return
            }
            let message = "The other audio track has already ended at this time, so the previous one continues."
            throw SyrinxError(.soundUnavailable, message, name: stream?.name ?? "input")
        }
        guard let channels = buffer.floatChannelData else { return }
        let count = Int(buffer.frameLength)
        ahead.append(count) { targets in
            for channel in 0..<Int(readFormat.channelCount) {
                targets[channel].update(from: channels[channel], count: count)
            }
            return count
        }
    }
}
