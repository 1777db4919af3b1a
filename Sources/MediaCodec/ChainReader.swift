internal import ByteStream
internal import CFFmpeg

/// Reads a chain of Ogg from any place on, one recording after the other, each as a file of its own.
///
/// libavformat reads on from one to the next, but for a seek it takes the positions of all for those of one.
///
/// One thread at a time.
final class ChainReader {
    private let bridge: StreamBridge
    private let sampleRate: Double
    private var links: OggLinks
    private var current: (number: Int, demuxer: MediaDemuxer)?
    /// Whether the next packet is the first of another recording than the one before.
    private var begins = false

    /// - Parameter sampleRate: Of the first, by which all frames are counted.
    /// - Returns: `nil` if it does not end as a chain does.
    init?(_ bridge: StreamBridge, sampleRate: Double) throws(MediaError) {
        bridge.sideFailure = nil
        guard let links = OggLinks(bridge) else {
            if let failure = bridge.sideFailure { throw MediaError(failure) }
            return nil
        }
        self.bridge = bridge
        self.links = links
        self.sampleRate = sampleRate
    }

    /// The frames of all, if all have been found.
    var frameCount: Int64? { links.areAllFound ? links.found.last?.frames.upperBound : nil }
    var parameters: UnsafeMutablePointer<AVCodecParameters>? { current?.demuxer.parameters }
    var failure: ByteStreamError? { current?.demuxer.failure }

    /// Goes to a packet from which the sound at `frame` can be decoded; beyond the end, to the end.
    /// - Returns: Whether all recordings up to there could be found.
    func seek(toFrame frame: Int64) throws(MediaError) -> Bool {
        begins = false
        var number = 0
        while try has(number) {
            let isLast = links.areAllFound && number == links.found.count - 1
            if frame < links.found[number].frames.upperBound || isLast {
                let demuxer = try open(number)
                try demuxer.seek(toFrame: (frame - links.found[number].frames.lowerBound).scaled(by: 1 / scale))
                return true
            }
            number += 1
        }
        return false
    }

    /// Goes to the start of the recording behind the one in which the page at `offset` is.
    /// - Returns: False if there is none.
    func begin(behind offset: Int64) throws(MediaError) -> Bool {
        bridge.sideFailure = nil
        let isOfTheLast = links.isOfTheLast(offset)
        try check(bridge)
        if isOfTheLast { return false }
        var number = 0
        while try has(number), links.found[number].bytes.upperBound <= offset { number += 1 }
        guard number < links.found.count, !links.areAllFound || number < links.found.count - 1 else { return false }
        try goOn(from: number)
        return true
    }

    /// - Throws: Also `.corrupt` if a recording that follows is none that can be read.
    func nextPacket() throws(MediaError) -> MediaPacket? {
        while let (number, demuxer) = current {
            if let packet = try demuxer.nextPacket() {
                defer { begins = false }
                return packet.inChain(links.found[number], scale: scale, beginsRecording: begins)
            }
            if links.areAllFound, number == links.found.count - 1 { return nil }
            try goOn(from: number)
        }
        return nil
    }

    private func goOn(from number: Int) throws(MediaError) {
        guard try has(number + 1) else {
            let offset = links.found[number].bytes.upperBound
            let message = "The recording that begins at byte \(offset) of this chain cannot be read."
            throw MediaError(.corrupt, message, name: bridge.stream.name)
        }
        try open(number + 1).seek(toFrame: 0)
        begins = true
    }

    /// Frames of the chain in one of the recording that is open.
    private var scale: Double { sampleRate / (current?.demuxer.info.sampleRate ?? sampleRate) }

    private func open(_ number: Int) throws(MediaError) -> MediaDemuxer {
        if let current, current.number == number { return current.demuxer }
        let demuxer = try MediaDemuxer(stream: StreamPart(bridge.stream, links.found[number].bytes))
        current = (number, demuxer)
        return demuxer
    }

    private func has(_ number: Int) throws(MediaError) -> Bool {
        if number < links.found.count { return true }
        return try findNext()
    }

    /// Finds the recording behind those that are known, and opens it.
    private func findNext() throws(MediaError) -> Bool {
        bridge.sideFailure = nil
        let bytes = links.nextBytes()
        try check(bridge)
        guard let bytes else { return false }
        let demuxer: MediaDemuxer
        do throws(MediaError) {
            demuxer = try MediaDemuxer(stream: StreamPart(bridge.stream, bytes))
        } catch {
            // The rest is the stream's.
            let isOfContents = [.corrupt, .notAudio, .empty, .truncated, .unsupported].contains(error.code)
            if isOfContents { return false }
            throw error
        }
        try check(demuxer.format.bridge)
        let count = demuxer.info.frameCount.map { $0.scaled(by: sampleRate / demuxer.info.sampleRate) }
        guard let count, links.add(bytes, frameCount: count) else { return false }
        current = (links.found.count - 1, demuxer)
        return true
    }

    /// What the stream has failed with is no sign of what is in it.
    private func check(_ bridge: StreamBridge) throws(MediaError) {
        guard let failure = bridge.sideFailure else { return }
        bridge.sideFailure = nil
        throw MediaError(failure)
    }
}

extension MediaPacket {
    /// The packet as one of the chain in which its recording is.
    fileprivate func inChain(_ link: OggLinks.Link, scale: Double, beginsRecording: Bool) -> MediaPacket {
        let start = startFrame.map { $0.scaled(by: scale) }
        let delay = max(-(start ?? 0), 0)
        return MediaPacket(
            box: box,
            startFrame: start.map { link.frames.lowerBound + max($0, 0) },
            frameCount: frameCount.map { Int(Int64($0).scaled(by: scale)) },
            byteOffset: byteOffset.map { $0 + link.bytes.lowerBound },
            endTrim: Int(Int64(endTrim).scaled(by: scale)),
            // Frames before the first of this recording are the last of the one before.
            startTrim: Int(clamping: delay),
            lostBefore: lostBefore,
            beginsRecording: beginsRecording
        )
    }
}

extension Int64 {
    /// Frames of one rate as those of another; no more than 2^60 either way, which no recording has.
    fileprivate func scaled(by factor: Double) -> Int64 {
        guard factor != 1 else { return self }
        let scaled = (Double(self) * factor).rounded()
        return Int64(Swift.min(Swift.max(scaled, -0x1p60), 0x1p60))
    }
}

extension MediaDemuxer {
    /// Of a chain that is being read one recording after the other.
    var chain: ChainReader? { isInChain ? knownChain : nil }

    /// What the packets that come next are to be decoded by.
    var parameters: UnsafeMutablePointer<AVCodecParameters>? { chain?.parameters ?? format.stream.pointee.codecpar }

    /// Why the last read failed, if the stream did.
    var failure: ByteStreamError? { chain.map(\.failure) ?? format.bridge.failure }

    /// False if the recordings cannot be told apart, and the frames have to be counted from the start.
    func seekInChain(toFrame frame: Int64) throws(MediaError) -> Bool {
        guard let chain = try findChain() else { return false }
        isInChain = try chain.seek(toFrame: frame)
        noteLength(of: chain)
        return isInChain
    }

    /// Whether libavformat has come to the end of a recording in a chain, and could not go on: the next has another codec.
    func goOnInChain() throws(MediaError) -> Bool {
        guard notes.hasNoCommonClock, stream.isSeekable, lastOffsets.1 >= 0, let chain = try findChain() else {
            return false
        }
        isInChain = try chain.begin(behind: lastOffsets.1)
        noteLength(of: chain)
        return isInChain
    }

    private func findChain() throws(MediaError) -> ChainReader? {
        if knownChain == nil { knownChain = try ChainReader(format.bridge, sampleRate: info.sampleRate) }
        return knownChain
    }

    private func noteLength(of chain: ChainReader) {
        if let count = chain.frameCount, info.frameCount == nil { setFrameCount(count) }
    }
}
