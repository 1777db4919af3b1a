import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec

/// A thread that reads bytes, decodes them, and passes the samples on while the output has space.
///
/// It may wait for bytes for any time; no other thread waits for it. There is one pump for each input, from opening to
/// its end.
final class DecodePump: @unchecked Sendable {
    // Unchecked: `lock` guards the mutable state; only the thread decodes.
    let settings: Settings
    let commands: PumpCommands
    let lock = NSLock()
    private var handover = ConverterHandover()
    private var heldFrames: HeldFrames?
    private var tail: FadeTail?
    private var wantedPace = 1.0
    private var mayReadAhead = false
    /// The bit rate of an open input; if it is not stated, that of its samples.
    private var bitRate: Double?
    /// The bit rate that the input states.
    private var statedBitRate: Double?
    /// The cover in the input, once it is open, and the cover in its folder, once it is found.
    private var covers: (own: MediaPicture??, folder: MediaPicture?) = (nil, nil)
    private var smartSpeed: SmartSpeed
    /// Shortens pauses, except in broadcasts; used by the thread only.
    private var pauseFilter: PauseFilter?
    weak var host: (any DecodePumpHost)?
    /// The audio tracks of the input, and the switch between them.
    var sounds: PumpSounds
    /// The measurement ahead of decoding, if there is one; guarded by `lock`.
    var scan: LoudnessScan?
    private var followed: BroadcastFollower?
    /// Whether a seek in a broadcast made playback lag behind the live sound.
    private var hasShifted = false

    /// Creates a pump; `run()` starts it.
    init(_ settings: Settings, host: any DecodePumpHost) {
        self.settings = settings
        commands = PumpCommands(mayStart: !settings.isAhead, end: settings.end)
        smartSpeed = settings.smartSpeed
        sounds = PumpSounds(settings.preference)
        self.host = host
    }

    var input: StreamingInput { settings.input }
    var name: String { settings.input.name }

    // MARK: Control, from any thread

    func run() {
        let thread = Thread { [self] in
            work()
            commands.setFinished()
        }
        thread.name = "syrinx.pump"
        thread.start()
    }

    /// Starts decoding an input that was opened ahead, with the converter of the previous input.
    /// - Parameter tail: The end of the previous input, which is mixed into the start of this one.
    func start(continuing conversion: Conversion? = nil, fadingOut tail: FadeTail? = nil) {
        lock.withLock {
            handover.inherited = conversion
            self.tail = tail
        }
        commands.start()
    }

    /// Hands the converter over to an input that follows without a gap, if that has the same format.
    ///
    /// For when the end has been reached.
    func handOver(to next: MediaInfo) -> ConverterHandover.Outcome {
        lock.withLock { handover.handOver(to: next) }
    }

    /// Drains the converter after the end was reached.
    /// - Parameter isLast: Whether playback ends after it.
    func finish(isLast: Bool) { commands.finish(isLast: isLast) }

    /// Reports the number of decoded frames that were not played, and the number of wanted frames.
    func noteLevel(_ framesAhead: Double, of lead: DecodeLead) { commands.noteLevel(framesAhead, of: lead) }

    /// Tells the pump that frames have been taken from `held`.
    func noteTaken() { commands.noteTaken() }

    /// The decoded frames that wait to be scheduled, where the next input may fade in over them.
    var held: HeldFrames? { lock.withLock { heldFrames } }

    /// Sets the playback ratio of a broadcast: the input frames for each output frame; has no effect on other inputs.
    func setPace(_ ratio: Double) { lock.withLock { wantedPace = ratio } }

    /// Sets the strength with which pauses are shortened in newly decoded audio.
    func setSmartSpeed(_ strength: SmartSpeed) { lock.withLock { smartSpeed = strength } }

    /// The ratio that was set last.
    var pace: Double { lock.withLock { wantedPace } }

    /// The number of bytes of a broadcast that were decoded, and of those that have arrived but were not decoded; `nil`
    /// if it does not keep time.
    var broadcastBytes: (read: Int64, unread: Int64)? {
        lock.withLock { hasShifted } ? nil : networkStream?.broadcastBytes
    }

    /// The seconds of a broadcast that have arrived but were not decoded; `nil` for other inputs, or if the bit rate is
    /// unknown.
    var broadcastAhead: Double? {
        guard let bytes = broadcastBytes, let rate = lock.withLock({ statedBitRate }), rate > 0 else { return nil }
        return Double(bytes.unread) * 8 / rate
    }

    /// The cover picture, once the input is open.
    var artwork: MediaPicture? { lock.withLock { covers.own.flatMap { $0 ?? covers.folder } } }

    /// Switches to the large fetch-ahead window, for an open input that is played or about to be.
    func readAhead() {
        let isNew = lock.withLock {
            defer { mayReadAhead = true }
            return !mayReadAhead
        }
        if isNew { widenWindow() }
    }

    /// The HTTP stream, for a network input.
    var networkStream: HTTPByteStream? { commands.stream as? HTTPByteStream }

    /// The input as a network input; `nil` for other inputs.
    var networkInput: (any NetworkInput)? { commands.stream as? any NetworkInput }

    /// The stream, if it is a presentation of HTTP Live Streaming.
    var presentation: HLSStream? { commands.stream as? HLSStream }

    /// Whether the input is a broadcast, or a presentation that has no end yet.
    var isBroadcast: Bool { networkStream?.isBroadcast == true || presentation?.isLive == true }

    /// The frames of a broadcast that have arrived; `nil` for other inputs.
    var follower: BroadcastFollower? { lock.withLock { followed } }

    /// Whether all that a server without ranges has sent is at hand, to be read again from its start.
    var holdsFromStart: Bool {
        guard let stream = networkStream, !stream.isBroadcast else { return false }
        let ranges = stream.heldRanges
        return ranges.count == 1 && ranges[0].lowerBound == 0
    }

    /// Seeks to a time in seconds.
    ///
    /// `count` is returned with the samples from there. `goesBack` states whether the target precedes the last decoded
    /// samples.
    func seek(to time: Double, count: Int, goesBack: Bool) {
        held?.move(toSeek: count)
        commands.requestSeek(to: time, count: count, goesBack: goesBack)
    }

    /// Cancels a pending seek.
    func dropSeek() { commands.dropSeek() }

    /// Cancels the thread and releases the input, without waiting.
    func cancel() {
        commands.end()
        lock.withLock { sounds.change }?.cancel()
        endMeasuring()
    }

    /// Waits for the thread to end.
    func join(timeout: TimeInterval) { commands.join(timeout: timeout) }

    // MARK: The thread

    private func work() {
        do {
            try decode()
        } catch {
            guard !commands.hasEnded else { return }
            // The network's warnings are reported before the failure that they led to.
            networkInput?.flushEvents()
            host?.pump(self, failed: error)
        }
        commands.stream?.cancel()
        lock.withLock { sounds.change }?.cancel()
    }

    private func decode() throws {
        if settings.isListenedTo { findFolderCover() }
        guard let reader = try openSound() else { return }
        let part = InputPart(
            start: isBroadcast ? 0 : settings.start,
            end: commands.endOfPart,
            isRequired: settings.requiresStart,
            of: reader.info
        )
        if settings.isAhead {
            if !isBroadcast { try part.seekToStart(reader, name: name) }
            host?.pump(self, prepared: asHeard(reader.info))
            guard commands.waitForStart() else { return }
        }
        guard let source = try makeSource(reader, part) else { return }
        commands.setOpened()
        try pump(source)
    }

    /// Creates the source of the samples, starting at the start of the part.
    /// - Returns: The source; `nil` if the input is no longer needed.
    private func makeSource(_ reader: any SampleReader, _ part: InputPart) throws -> SwitchedSource? {
        // Where a seek waits, the start is not played from.
        let playsStart = !commands.hasSeek
        if playsStart { try part.check(reader, name: name) }
        guard let format = try host?.pump(self, opened: asHeard(reader.info)) else { return nil }
        let picture = (reader as? MediaReader)?.demuxer.artwork
        waitForMeasurement()
        lock.withLock {
            covers.own = .some(picture)
            noteBitRate(reader.info)
        }
        if let stream = networkStream, stream.isBroadcast {
            let follower = BroadcastFollower(stream)
            lock.withLock { followed = follower }
        }
        if isBroadcast || !settings.isListenedTo { readAhead() }
        widenWindow()
        if playsStart { try part.seekToStart(reader, name: name) }
        let inherited = lock.withLock { handover.takeInherited() }
        let source = try PCMSource(reader, readFormat: format, continuing: inherited)
        source.finishesByItself = false
        if !isBroadcast {
            holdFrames(of: source.readFormat)
            pauseFilter = PauseFilter(source.readFormat)
        }
        let switched = SwitchedSource(source)
        switched.end = part.endTime
        return switched
    }

    /// Searches the folder of the input for a cover on another thread, because a slow disk must not delay playback.
    private func findFolderCover() {
        guard let path = input.url.flatMap({ FilePath($0) }) else { return }
        DispatchQueue.global(qos: .utility).async { [weak self] in
            guard let self, let found = FolderCover.picture(beside: path) else { return }
            lock.withLock { covers.folder = found }
        }
    }

    /// Takes note of the bit rate; under `lock`.
    func noteBitRate(_ info: MediaInfo) {
        statedBitRate = info.bitRate.map(Double.init)
        bitRate = statedBitRate ?? 16 * info.sampleRate * Double(info.channelCount)
    }

    /// Holds decoded frames back, if inputs overlap.
    private func holdFrames(of format: AVAudioFormat) {
        let capacity = Int(clamped: settings.fadeDuration * format.sampleRate)
        lock.withLock {
            guard capacity > 0 || tail != nil else { return }
            heldFrames = HeldFrames(format, capacity: capacity, seek: 0, fadingOut: tail)
            tail = nil
        }
    }

    /// Returns the description without a length for a live stream, whose first bytes describe a file that is being sent.
    private func asHeard(_ info: MediaInfo) -> MediaInfo {
        guard isBroadcast else { return info }
        var info = info
        (info.duration, info.durationIsExact, info.frameCount) = (nil, false, nil)
        return info
    }

    /// The number of bytes to fetch ahead until playback starts: no more than may be needed by then.
    static let openingWindow = 64 << 10

    /// The seconds of audio to fetch ahead during playback, which bridge a tunnel or the restart of a router.
    private static let outageSeconds = 600.0

    func widenWindow() {
        let (isWanted, bitRate) = lock.withLock { (mayReadAhead, self.bitRate) }
        guard isWanted, let bitRate else { return }
        presentation?.readAhead()
        networkStream?.readAhead(seconds: Self.outageSeconds, bytesPerSecond: bitRate / 8)
    }

    /// The size in frames of the first buffers after opening and after a seek, and their number.
    ///
    /// Playback starts as soon as the minimum has arrived, which saves tenths of a second on a slow network.
    private static let firstFrames: AVAudioFrameCount = 1024
    private static let firstBuffers = 16

    private func pump(_ source: SwitchedSource) throws {
        var count = 0
        var isAtEnd = false
        var position = source.readPosition
        var small = Self.firstBuffers
        let isBroadcast = isBroadcast
        // A presentation decides its start position itself.
        if presentation != nil, !commands.hasSeek { host?.pump(self, landedAt: source.readTime, seek: count) }
        var pacer = isBroadcast ? DriftResampler(format: source.readFormat) : nil
        while true {
            switch commands.nextJob(isAtEnd: isAtEnd, holding: held) {
            case .end: return
            case .finish(let isLast):
                try finish(source, isLast: isLast, seek: count, &position)
            case .seek(let time, let newCount):
                count = newCount
                isAtEnd = false
                held?.move(toSeek: newCount)
                pauseFilter?.move()
                if lock.withLock({ handover.takeBack() }) { _ = source.takeConversion() }
                small = Self.firstBuffers
                source.end = commands.endOfPart
                do {
                    if let shifted = try shifted(to: time, source) {
                        source.replace(with: shifted.source, at: shifted.time)
                        pacer = DriftResampler(format: source.readFormat)
                        lock.withLock { hasShifted = true }
                        host?.pump(self, landedAt: shifted.time, seek: count)
                    } else {
                        try source.seek(to: time)
                    }
                    position = source.readPosition
                    if presentation != nil { host?.pump(self, landedAt: source.readTime, seek: count) }
                    follow(source, jumps: true)
                } catch {
                    // Interrupted by the next seek.
                    if commands.isReadWanted { throw error }
                }
            case .changeSound: try changeSound(of: source)
            case .read:
                // A broadcast arrives at playback speed: waiting for large buffers would cause underruns.
                let frames =
                    small > 0 || isBroadcast ? min(Self.firstFrames, settings.readBufferSize) : settings.readBufferSize
                isAtEnd = try read(frames, source, pacer, seek: count, &position)
                small = max(small - 1, 0)
                follow(source)
                guard isAtEnd else { continue }
                pauseFilter?.end { deliver($0, seek: count) }
                held?.appendRestOfTail(seek: count)
                lock.withLock { handover.left = source.conversion }
                // The network's warnings are reported before the end that they led to.
                networkInput?.flushEvents()
                host?.pump(self, reachedEnd: source.readFrames, seek: count)
            }
        }
    }

    private func read(
        _ frames: AVAudioFrameCount,
        _ source: SwitchedSource,
        _ pacer: DriftResampler?,
        seek count: Int,
        _ position: inout Int64
    ) throws -> Bool {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: source.readFormat, frameCapacity: frames) else {
            throw ReaderError.unsupportedReadFormat
        }
        var failure: (any Error)?
        var isLast = false
        do {
            while buffer.frameLength < frames, commands.isReadWanted {
                let count = try pacer?.read(into: buffer, from: source, ratio: pace) ?? source.read(into: buffer)
                guard count > 0 else {
                    isLast = true
                    break
                }
            }
        } catch {
            failure = error
        }
        for sound in source.takeMissing() { host?.pump(self, lacks: sound) }
        guard commands.isReadWanted else { return false }
        // Samples decoded before the failure are played.
        if buffer.frameLength > 0 {
            pass(buffer, seek: count)
            host?.pump(self, decoded: buffer, position: position, seek: count)
        }
        position += Int64(buffer.frameLength)
        if let failure {
            pauseFilter?.end { deliver($0, seek: count) }
            throw failure
        }
        host?.pump(self, learned: asHeard(source.info), tags: source.tags, seek: count)
        return isLast
    }

    /// Passes on the frames that the converter holds.
    private func finish(_ source: SwitchedSource, isLast: Bool, seek count: Int, _ position: inout Int64) throws {
        try source.finish()
        var isThrough = false
        repeat {
            guard let buffer = AVAudioPCMBuffer(pcmFormat: source.readFormat, frameCapacity: Self.firstFrames) else {
                throw ReaderError.unsupportedReadFormat
            }
            isThrough = try source.read(into: buffer) == 0
            guard commands.isReadWanted else { return }
            if !isThrough || isLast { deliver(buffer, isLast: isThrough, seek: count) }
            if !isThrough { host?.pump(self, decoded: buffer, position: position, seek: count) }
            position += Int64(buffer.frameLength)
        } while !isThrough
        if !isLast { host?.pump(self, finished: count) }
    }

    /// Hands samples on: to be scheduled, or to be held until they are.
    private func deliver(_ buffer: AVAudioPCMBuffer, isLast: Bool, seek count: Int) {
        if let held {
            held.append(buffer, seek: count)
            host?.pump(self, held: buffer, isLast: isLast, seek: count)
        } else {
            host?.pump(self, read: buffer, isLast: isLast, seek: count)
        }
    }

    /// Passes samples on, with shortened pauses if enabled.
    private func pass(_ buffer: AVAudioPCMBuffer, seek count: Int) {
        guard let pauseFilter else { return deliver(buffer, isLast: false, seek: count) }
        pauseFilter.pass(buffer, lock.withLock { smartSpeed.pauseLengths }) { deliver($0, seek: count) }
    }

    private func deliver(_ output: PauseFilter.Output, seek count: Int) {
        switch output {
        case .cut(let cut): host?.pump(self, leftOut: cut, seek: count)
        case .buffer(let buffer): deliver(buffer, isLast: false, seek: count)
        }
    }
}
