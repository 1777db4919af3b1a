internal import SyrinxByteStream

/// The density of MPEG audio frames in a file of variable bit rate without a table, from samples at a few places.
struct BitRateSampler {
    /// The size of a sample in bytes: frames of a few tenths of a second.
    static let lookSize: Int64 = 8192
    /// The number of samples, each of which is a request: with four, a position is found to within a few percent of the
    /// length.
    private static let lookCount: Int64 = 4

    /// The samples in ascending order: file offsets, and the approximate numbers of the packets that start there.
    let nodes: [(packet: Double, offset: Double)]

    /// Samples the file after the last known position.
    /// - Parameter look: Reads a number of bytes at an offset, or fewer.
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

/// Consecutive frames in a part of a file.
struct FrameRun {
    let bytesPerPacket: Double
    /// The bit rate in bits per second, if all frames have the same.
    let bitRate: Int?

    /// Finds frames of the same kind as `header`; returns `nil` unless three of them are consecutive.
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
    /// Returns whether one stream may contain both.
    func isSameKind(as other: MPEGFrameHeader) -> Bool {
        isVersion1 == other.isVersion1 && layer == other.layer && sampleRate == other.sampleRate
    }
}
