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
    init?(_ bridge: StreamBridge, sampleRate: Double) {
        guard let links = OggLinks(bridge) else { return nil }
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
                try open(number).seek(toFrame: Int64(Double(frame - links.found[number].frames.lowerBound) / scale))
                return true
            }
            number += 1
        }
        return false
    }

    /// Goes to the start of the recording behind the one in which the page at `offset` is.
    /// - Returns: False if there is none.
    func begin(behind offset: Int64) throws(MediaError) -> Bool {
        if links.isOfTheLast(offset) { return false }
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
        guard let bytes = links.nextBytes() else { return false }
        let demuxer: MediaDemuxer
        do throws(MediaError) {
            demuxer = try MediaDemuxer(stream: StreamPart(bridge.stream, bytes))
        } catch {
            // The rest is the stream's.
            let isOfContents = [.corrupt, .notAudio, .empty, .truncated, .unsupported].contains(error.code)
            if isOfContents { return false }
            throw error
        }
        guard let count = demuxer.info.frameCount else { return false }
        current = (links.found.count, demuxer)
        links.add(bytes, frameCount: Int64((Double(count) * scale).rounded()))
        return true
    }
}

extension MediaPacket {
    /// The packet as one of the chain in which its recording is.
    fileprivate func inChain(_ link: OggLinks.Link, scale: Double, beginsRecording: Bool) -> MediaPacket {
        let start = startFrame.map { Int64((Double($0) * scale).rounded()) }
        let delay = max(-(start ?? 0), 0)
        return MediaPacket(
            box: box,
            startFrame: start.map { link.frames.lowerBound + max($0, 0) },
            frameCount: frameCount.map { Int((Double($0) * scale).rounded()) },
            byteOffset: byteOffset.map { $0 + link.bytes.lowerBound },
            endTrim: Int((Double(endTrim) * scale).rounded()),
            // Frames before the first of this recording are the last of the one before.
            startTrim: Int(clamping: delay),
            lostBefore: lostBefore,
            beginsRecording: beginsRecording
        )
    }
}

extension MediaDemuxer {
    /// What the packets that come next are to be decoded by.
    var parameters: UnsafeMutablePointer<AVCodecParameters>? { chain?.parameters ?? format.stream.pointee.codecpar }

    /// Why the last read failed, if the stream did.
    var failure: ByteStreamError? { chain.map(\.failure) ?? format.bridge.failure }

    /// False if the recordings cannot be told apart, and the frames have to be counted from the start.
    func seekInChain(toFrame frame: Int64) throws(MediaError) -> Bool {
        guard let chain = chain ?? ChainReader(format.bridge, sampleRate: info.sampleRate),
            try chain.seek(toFrame: frame)
        else {
            self.chain = nil
            return false
        }
        self.chain = chain
        noteLength(of: chain)
        return true
    }

    /// Whether libavformat has come to the end of a recording in a chain, and could not go on: the next has another codec.
    func goOnInChain() throws(MediaError) -> Bool {
        guard notes.hasNoCommonClock, stream.isSeekable, lastOffsets.1 >= 0,
            let chain = ChainReader(format.bridge, sampleRate: info.sampleRate),
            try chain.begin(behind: lastOffsets.1)
        else { return false }
        self.chain = chain
        noteLength(of: chain)
        return true
    }

    private func noteLength(of chain: ChainReader) {
        if let count = chain.frameCount, info.frameCount == nil { setFrameCount(count) }
    }
}
