internal import SyrinxByteStream

/// The density of MPEG audio frames in a file of variable bit rate without a table, from samples at a few places.
struct BitRateSampler {
    /// Bytes of a look: the frames of some tenths of a second.
    static let lookSize: Int64 = 8192
    /// Looks at a file, each of them a request: with four, a place is found to within some hundredths of the length.
    private static let lookCount: Int64 = 4

    /// From the start to the end, in ascending order: the frame that begins at an offset, about.
    let nodes: [(packet: Double, offset: Double)]

    /// Looks at what lies behind the last place that is known.
    /// - Parameter look: Reads so many bytes at an offset, or fewer.
    init(
        start: Int64,
        known: (packet: Int64, offset: Int64),
        end: Int64,
        like header: MPEGFrameHeader,
        look: (_ offset: Int64, _ count: Int64) -> [UInt8]
    ) {
        var nodes = [(packet: 0.0, offset: Double(start))]
        if known.packet > 0 { nodes.append((Double(known.packet), Double(known.offset))) }
        var packet = Double(known.packet)
        var bytesPerPacket = header.bytesPerPacket
        let from = min(known.offset, end)
        for piece in 1...Self.lookCount {
            let part = end.subtractingClamped(from) / Self.lookCount
            let low = from.addingClamped(part.multipliedClamped(by: piece - 1))
            let high = piece == Self.lookCount ? end : from.addingClamped(part.multipliedClamped(by: piece))
            let middle = low.addingClamped(max(high.subtractingClamped(low).subtractingClamped(Self.lookSize) / 2, 0))
            if let run = FrameRun(look(middle, Self.lookSize), like: header) { bytesPerPacket = run.bytesPerPacket }
            packet += Double(high - low) / bytesPerPacket
            nodes.append((packet, Double(high)))
        }
        self.nodes = nodes
    }

    /// All frames, about.
    var packetCount: Double { nodes.last?.packet ?? 0 }
}

/// Frames that follow each other in a piece of a file.
struct FrameRun {
    let bytesPerPacket: Double
    /// The bit rate in bits a second, if it is that of all of them.
    let bitRate: Int?

    /// Finds the frames of the same kind as `header`; `nil` if no three follow each other.
    init?(_ bytes: [UInt8], like header: MPEGFrameHeader) {
        for start in bytes.indices {
            var end = start
            var rates: [Int] = []
            while end + 4 <= bytes.count, let next = MPEGFrameHeader(bytes[end...]), next.isSameKind(as: header) {
                rates.append(next.bitRate)
                end += next.byteCount
            }
            guard rates.count >= 3 else { continue }
            bytesPerPacket = Double(end - start) / Double(rates.count)
            bitRate = rates.allSatisfy { $0 == rates[0] } ? rates[0] : nil
            return
        }
        return nil
    }
}

extension MPEGFrameHeader {
    /// Whether one stream may have both.
    func isSameKind(as other: MPEGFrameHeader) -> Bool {
        isVersion1 == other.isVersion1 && layer == other.layer && sampleRate == other.sampleRate
    }
}
