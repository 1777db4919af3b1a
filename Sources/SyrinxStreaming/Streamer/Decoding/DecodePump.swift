import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec

/// The thread that pulls bytes, decodes them, and passes the samples on, as long as there is room.
///
/// It may wait for bytes for any time: no thread waits for it. One pump for each input, from opening to the end.
final class DecodePump: @unchecked Sendable {
    // Unchecked: what changes is touched under `lock` only; decoding is the thread's own.
    let settings: Settings
    let commands: PumpCommands
    let lock = NSLock()
    private var handover = ConverterHandover()
    private var heldFrames: HeldFrames?
    private var tail: FadeTail?
    private var wantedPace = 1.0
    private var mayReadAhead = false
    /// Bits a second of an input that is open; where it is not stated, that of its samples.
    private var bitRate: Double?
    /// As the input itself tells.
    private var statedBitRate: Double?
    /// The cover in the input, once that is open, and the one in the folder of the input, once it is found.
    private var covers: (own: MediaPicture??, folder: MediaPicture?) = (nil, nil)
    private var smartSpeed: SmartSpeed
    /// Shortens pauses, of what is not a broadcast; the thread's own.
    private var pauseFilter: PauseFilter?
    weak var host: (any DecodePumpHost)?
    /// The sounds of the input, and the change from one to another.
    var sounds: PumpSounds
    /// The measurement ahead of what is decoded, if there is one; under `lock`.
    var scan: LoudnessScan?

    /// Creates a pump, which begins with `run()`.
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

    /// Has an input that was opened ahead be decoded, with what the input before has handed over.
    /// - Parameter tail: The end of the input before, which is mixed into the start of this one.
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

    /// Asks, when the end has been reached, for what the converter still holds.
    /// - Parameter isLast: Whether the sound ends with it.
    func finish(isLast: Bool) { commands.finish(isLast: isLast) }

    /// Tells the pump how many decoded frames have not been played, and how many are wanted.
    func noteLevel(_ framesAhead: Double, of lead: DecodeLead) { commands.noteLevel(framesAhead, of: lead) }

    /// Tells the pump that frames have been taken from `held`.
    func noteTaken() { commands.noteTaken() }

    /// The decoded frames that wait to be scheduled, where the next input may fade in over them.
    var held: HeldFrames? { lock.withLock { heldFrames } }

    /// Gives `ratio` frames of a broadcast as one from now on; of nothing else.
    func setPace(_ ratio: Double) { lock.withLock { wantedPace = ratio } }

    /// Shortens the pauses by this strength in what is decoded from now on.
    func setSmartSpeed(_ strength: SmartSpeed) { lock.withLock { smartSpeed = strength } }

    /// The ratio that was set last.
    var pace: Double { lock.withLock { wantedPace } }

    /// The bytes of a live stream that have been decoded, and those that have arrived and have not; `nil` if it does not keep
    /// time.
    var broadcastBytes: (read: Int64, unread: Int64)? {
        networkStream?.broadcastBytes
    }

    /// The seconds of a live stream that have arrived and have not been decoded; `nil` for other inputs, and where the bit rate
    /// is not known.
    var broadcastAhead: Double? {
        guard let bytes = broadcastBytes, let rate = lock.withLock({ statedBitRate }), rate > 0 else { return nil }
        return Double(bytes.unread) * 8 / rate
    }

    /// The cover picture, once the input is open.
    var artwork: MediaPicture? { lock.withLock { covers.own.flatMap { $0 ?? covers.folder } } }

    /// Has as much fetched ahead as an outage may take, once the input is open: for when it is heard, or waits to be.
    func readAhead() {
        let isNew = lock.withLock {
            defer { mayReadAhead = true }
            return !mayReadAhead
        }
        if isNew { widenWindow() }
    }

    /// The stream, if it comes over the network.
    var networkStream: HTTPByteStream? { commands.stream as? HTTPByteStream }

    /// The input as one that comes over the network; `nil` if it does not.
    var networkInput: (any NetworkInput)? { commands.stream as? any NetworkInput }

    /// The stream, if it is a presentation of HTTP Live Streaming.
    var presentation: HLSStream? { commands.stream as? HLSStream }

    /// Whether the input is a broadcast, or a presentation that has no end yet.
    var isBroadcast: Bool { networkStream?.isBroadcast == true || presentation?.isLive == true }

    /// Whether all that a server without ranges has sent is at hand, to be read again from its start.
    var holdsFromStart: Bool {
        guard let stream = networkStream, !stream.isBroadcast else { return false }
        let ranges = stream.heldRanges
        return ranges.count == 1 && ranges[0].lowerBound == 0
    }

    /// Goes elsewhere, in seconds of the input.
    ///
    /// `count` is handed back with the samples from there. `goesBack` says that it lies before what was decoded last.
    func seek(to time: Double, count: Int, goesBack: Bool) {
        held?.move(toSeek: count)
        commands.requestSeek(to: time, count: count, goesBack: goesBack)
    }

    /// Takes back a seek that has not been carried out.
    func dropSeek() { commands.dropSeek() }

    /// Ends the thread and lets the input go, without waiting.
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

    /// Makes the source of the samples, from the start of the part on.
    /// - Returns: `nil` if the input is not wanted any more.
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

    /// Looks in the folder of the input for a cover, on another thread: a slow disk must not delay the sound.
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

    /// Bytes that are fetched ahead of what is read until something is heard: no more than may be of use by then.
    static let openingWindow = 64 << 10

    /// Seconds of sound that are fetched ahead later: as long as a train may be in a dead spot, or a router takes to come back.
    private static let outageSeconds = 600.0

    func widenWindow() {
        let (isWanted, bitRate) = lock.withLock { (mayReadAhead, self.bitRate) }
        guard isWanted, let bitRate else { return }
        presentation?.readAhead()
        networkStream?.readAhead(seconds: Self.outageSeconds, bytesPerSecond: bitRate / 8)
    }

    /// Frames of the first buffers after opening and after a seek, and how many of them there are.
    ///
    /// So sound begins when the least that is needed has come, which on a slow line is a matter of tenths of a second.
    private static let firstFrames: AVAudioFrameCount = 1024
    private static let firstBuffers = 16

    private func pump(_ source: SwitchedSource) throws {
        var count = 0
        var isAtEnd = false
        var position = source.readPosition
        var small = Self.firstBuffers
        let isBroadcast = isBroadcast
        // Where a presentation is heard from, it says itself.
        if presentation != nil, !commands.hasSeek { host?.pump(self, landedAt: source.readTime, seek: count) }
        let pacer = isBroadcast ? DriftResampler(format: source.readFormat) : nil
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
                    try source.seek(to: time)
                    position = source.readPosition
                    if presentation != nil { host?.pump(self, landedAt: source.readTime, seek: count) }
                    follow(source, jumps: true)
                } catch {
                    // Broken off for the next one.
                    if commands.isReadWanted { throw error }
                }
            case .changeSound: try changeSound(of: source)
            case .read:
                // A broadcast comes as fast as it is played: to wait for much of it at a time would be to run dry.
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
        // What was decoded before the failure is heard.
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

    /// Hands on what the converter still holds.
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

    /// Hands samples on with their pauses shortened, where that is wanted.
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
