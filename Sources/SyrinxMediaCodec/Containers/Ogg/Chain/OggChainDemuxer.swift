internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Reads an Ogg chain from any position, one recording after the other, each like a separate file.
///
/// libavformat continues from one recording to the next, but its seeks treat all granule positions as those of one
/// recording. It stops if the next recording has another codec, or damaged headers.
///
/// Use it on one thread at a time.
final class OggChainDemuxer {
    /// The current recording, or several that libavformat treats as one.
    private struct Current {
        let source: PacketSource
        let offset: Int64
        /// Its index, if it is one of the found recordings.
        let number: Int?
        /// Whether no second recording has started within it: positions of a second one do not apply.
        var isFirst = true
    }

    private let bridge: AVIOBridge
    private let sampleRate: Double
    private var links: OggChainIndex?
    private var current: Current?
    /// Whether the next packet is the first of another recording.
    private var begins = false
    /// The audio missing before the next packet: unreadable recordings, and the end of a readable one.
    private var lost = MissingAudio()

    /// The maximum number of pages to search for the start of a recording: more than an hour of unreadable audio.
    private static let mostPages = 100_000
    /// The maximum number of consecutive unreadable recordings in a real chain.
    private static let mostLost = 100

    /// - Parameter sampleRate: Of the first, by which all frames are counted.
    init(_ bridge: AVIOBridge, sampleRate: Double) {
        self.bridge = bridge
        self.sampleRate = sampleRate
    }

    /// The frames of all, if all have been found.
    var frameCount: Int64? { links.flatMap { $0.areAllFound ? $0.found.last?.frames.upperBound : nil } }
    var parameters: UnsafeMutablePointer<AVCodecParameters>? { current?.source.parameters }
    var failure: SyrinxError? { current?.source.failure }
    /// The tags of the recording that is read.
    var tags: [String: String]? { current?.source.info.tags }
    /// Whether the positions of the current recording have no gaps unless data is lost.
    var statesEveryGap: Bool { current.map { $0.number != nil && $0.source.traits.statesEveryGap } ?? false }

    // MARK: Length

    /// The maximum number of recordings to find before playback starts: each takes a dozen reads.
    private static let mostMeasured = 100

    /// Whether all recordings found so far have the rate of the first.
    private(set) var hasOneRate = true

    /// Finds all recordings, unless there are too many.
    func measure() throws(SyrinxError) {
        var number = 0
        while number < Self.mostMeasured, links?.areAllFound != true, try link(number) != nil { number += 1 }
        current = nil
    }

    // MARK: Seeking

    /// Whether a frame was in pages that are lost, at the start of the recording that is read.
    func isInLostFront(_ frame: Int64) -> Bool {
        guard let current, let link = current.number.flatMap({ links?.found[$0] }) else { return false }
        return current.source.isInMissingStart(frame.subtractingClamped(link.frames.lowerBound).scaled(by: 1 / scale))
    }

    /// Seeks to a packet from which the audio at `frame` can be decoded; clamped to the end.
    /// - Returns: Whether all recordings up to there were found.
    func seek(toFrame frame: Int64) throws(SyrinxError) -> Bool {
        begins = false
        lost = MissingAudio()
        var number = 0
        while let link = try link(number) {
            let isLast = links?.areAllFound == true && number + 1 == links?.found.count
            if frame < link.frames.upperBound || isLast {
                let source = try open(link, number)
                let place = frame.subtractingClamped(link.frames.lowerBound).scaled(by: 1 / scale)
                try source.seek(toFrame: place.subtractingClamped(resamplerPreroll))
                return true
            }
            number += 1
        }
        return false
    }

    private func open(_ link: OggChainIndex.Link, _ number: Int) throws(SyrinxError) -> PacketSource {
        if let current, current.number == number { return current.source }
        return try open(SubrangeByteStream(bridge.stream, link.bytes), at: link.bytes.lowerBound, number)
    }

    private func open(_ part: SubrangeByteStream, at offset: Int64, _ number: Int?) throws(SyrinxError)
        -> PacketSource
    {
        let source = try PacketSource.open(part)
        source.readsOnIntoOtherCodecs = false
        current = Current(source: source, offset: offset, number: number)
        return source
    }

    /// - Returns: `nil` if there is no such recording, or its length is unknown.
    private func link(_ number: Int) throws(SyrinxError) -> OggChainIndex.Link? {
        if let known = links?.found, number < known.count { return known[number] }
        bridge.sideFailure = nil
        if links == nil { links = OggChainIndex(bridge) }
        let bytes = links?.nextBytes()
        try check()
        guard let bytes,
            let source = try unlessDamaged(SubrangeByteStream(bridge.stream, bytes), at: bytes.lowerBound, number)
        else { return nil }
        if let failure = source.format.bridge.sideFailure {
            current = nil
            throw failure
        }
        let count = source.info.frameCount.map { $0.scaled(by: scale) } ?? (source.pending == nil ? 0 : nil)
        guard let count, links?.add(bytes, frameCount: count) == true else {
            current = nil
            return nil
        }
        if scale != 1 { hasOneRate = false }
        return links?.found[number]
    }

    /// - Returns: `nil` if the part is not a recording, or its start is damaged.
    private func unlessDamaged(
        _ part: SubrangeByteStream,
        at offset: Int64,
        _ number: Int? = nil
    ) throws(SyrinxError) -> PacketSource? {
        do throws(SyrinxError) {
            return try open(part, at: offset, number)
        } catch {
            // The rest is the stream's.
            let isOfContents = [.corrupt, .notAudio, .empty, .truncated, .unsupported].contains(error.code)
            if isOfContents { return nil }
            throw error
        }
    }

    // MARK: Reading

    func nextPacket() throws(SyrinxError) -> MediaPacket? {
        while let current {
            if let packet = try current.source.nextPacket() {
                defer { (begins, lost) = (false, MissingAudio()) }
                if packet.beginsRecording { self.current?.isFirst = false }
                return inChain(packet, of: self.current ?? current)
            }
            let missing = current.source.takeMissingEnd()
            lost.count = lost.count.addingClamped(missing.count)
            lost.add(missing.frames.scaled(by: scale))
            guard try begin(behind: current.offset.addingClamped(max(current.source.lastOffsets.1, 0))) else {
                return nil
            }
        }
        return nil
    }

    /// Moves to the start of the first readable recording after the page at `offset`.
    /// - Returns: False if there is none.
    func begin(behind offset: Int64) throws(SyrinxError) -> Bool {
        var place = offset
        while let start = try nextStart(behind: place) {
            let source = try unlessDamaged(SubrangeByteStream(bridge.stream, from: start), at: start)
            let isWanted = try source.map { source throws(SyrinxError) in try isSound(source, at: start) } ?? false
            if !isWanted { lost.count += 1 }
            // A forward-only stream cannot seek back: reading continues with the next recording that libavformat has
            // found.
            begins = isWanted || source != nil && !bridge.stream.isSeekable
            if begins { return true }
            current = nil
            if lost.count > Self.mostLost { throw tooManyLost }
            place = start
        }
        return false
    }

    private var tooManyLost: SyrinxError {
        let message = "More than \(Self.mostLost) recordings of this chain cannot be read, one after the other."
        return SyrinxError(.corrupt, message, name: bridge.stream.name)
    }

    /// Returns whether the audio of a part belongs to its start: with damaged headers, libavformat finds the next
    /// recording.
    private func isSound(_ source: PacketSource, at start: Int64) throws(SyrinxError) -> Bool {
        bridge.sideFailure = nil
        let page = OggPage(bridge.read(at: start.addingClamped(source.firstOffset), count: OggPage.largestHeader))
        try check()
        return page.map { OggChain.firstSerials(in: source.format.bridge.head).contains($0.serial) } ?? false
    }

    /// Returns the audio missing at the end, and resets it.
    func takeLost() -> MissingAudio {
        defer { lost = MissingAudio() }
        return lost
    }

    /// Searches the pages after the one at `offset` for the first that starts a stream of another recording.
    private func nextStart(behind offset: Int64) throws(SyrinxError) -> Int64? {
        bridge.sideFailure = nil
        let finder = OggPageFinder(bridge: bridge, length: bridge.stream.length ?? .max / 2)
        var place = offset
        var isBehindStart = false
        for _ in 0..<Self.mostPages where place < finder.length {
            guard case .page(let page, let bytes) = finder.first(in: place..<finder.length, where: { _ in true }) else {
                break
            }
            // Streams of one recording start next to each other.
            if page.isBeginning, isBehindStart || bytes.lowerBound > place { return bytes.lowerBound }
            if !page.isBeginning { isBehindStart = true }
            place = bytes.upperBound
        }
        // In a forward-only stream the pages have passed; if libavformat has reached the end, there are no more.
        if bridge.sideFailure?.code == .notSeekable, bridge.hasSeenEnd { return nil }
        try check()
        return nil
    }

    /// The number of frames before the target at which resampling must start to produce the same samples as from the
    /// start.
    private var resamplerPreroll: Int64 {
        guard let rate = current?.source.timing.sampleRate, case let own = Int64(clamped: sampleRate), rate != own
        else {
            return 0
        }
        return .alignment(from: rate, to: own) + Self.resamplerReach * max(rate / max(own, 1), 1)
    }

    /// More than libswresample looks back at, in frames of the lower rate.
    private static let resamplerReach: Int64 = 512

    /// The number of frames of the chain for each frame of the current recording.
    private var scale: Double { sampleRate / (current?.source.info.sampleRate ?? sampleRate) }

    /// Converts a packet of a recording to one of the chain.
    private func inChain(_ packet: MediaPacket, of current: Current) -> MediaPacket {
        let start = packet.startFrame
        let link = current.number.flatMap { links?.found[$0] }
        let place = link.flatMap { link in start.map { (start: link.frames.lowerBound, position: $0) } }
        // Frames before the first one of this recording are the last of the one before.
        let delay = current.isFirst ? max(Int64(0).subtractingClamped(start ?? 0), 0) : 0
        return MediaPacket(
            box: packet.box,
            // An unmeasured recording follows the one before it.
            startFrame: place.map { $0.start.addingClamped(max($0.position.scaled(by: scale), 0)) },
            inRecording: place,
            frameCount: packet.frameCount.map { Int(clamping: Int64($0).scaled(by: scale)) },
            byteOffset: packet.byteOffset.map { $0.addingClamped(current.offset) },
            endTrim: packet.endTrim,
            startTrim: max(packet.startTrim, Int(clamping: delay)),
            lostBefore: packet.lostBefore.addingClamped(lost.count),
            lostFrames: min(packet.lostFrames.scaled(by: scale).addingClamped(lost.frames), 1 << 60),
            endPosition: packet.endPosition,
            beginsRecording: begins || packet.beginsRecording,
            tags: begins ? current.source.info.tags : packet.tags
        )
    }

    /// Throws the stream's error, which is independent of its contents.
    private func check() throws(SyrinxError) {
        guard let failure = bridge.sideFailure else { return }
        bridge.sideFailure = nil
        throw failure
    }
}

extension Int64 {
    /// Converts frames of one rate to another; the result is clamped to ±2^60.
    func scaled(by factor: Double) -> Int64 {
        guard factor != 1 else { return self }
        let scaled = (Double(self) * factor).rounded()
        return Int64(clamped: Swift.min(Swift.max(scaled, -0x1p60), 0x1p60))
    }
}
