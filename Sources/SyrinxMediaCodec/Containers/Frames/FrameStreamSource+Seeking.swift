internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Seeking by counting packets, in streams of MPEG audio or AAC frames.
extension FrameStreamSource {
    /// The number of packets of a remote stream that are read rather than skipped: about 30 KB.
    private static let remoteReach: Int64 = 64

    /// Continues at the packet that contains `frame`, or at an earlier one that its decoder needs.
    func seekByCount(toFrame frame: Int64) throws(SyrinxError) {
        // After a failed read, libavformat would continue at another position.
        let isBroken = try clearFailure()
        let want = max(timing.packet(holding: frame).subtractingClamped(prerollPackets), 0)
        let here = timing.nextPacket - (pending == nil ? 0 : 1)
        let reach = stream.isRemote && stream.isSeekable ? Self.remoteReach : .max / 4
        if !isBroken, timing.isExact, want >= here, want - here <= reach { return try skip(toPacket: want) }
        guard stream.isSeekable else { throw cannotGoBack }
        let entry = index.entry(atOrBefore: want) ?? (packet: 0, offset: firstOffset)
        if want - entry.packet <= max(reach, index.stride) {
            try go(to: entry)
            return try skip(toPacket: want)
        }
        let told = info.duration ?? 0
        if hasUnevenRate(around: want) {
            if try readOn(toPacket: want, from: entry) { return }
            lookAround()
        }
        try guess(
            packet: want,
            holding: frame,
            // Bounded: in floating point.
            isWithinSound: Double(frame) < max(told, info.duration ?? 0) * info.sampleRate
        )
    }

    private func skip(toPacket packet: Int64) throws(SyrinxError) {
        while timing.nextPacket - (pending == nil ? 0 : 1) < packet {
            guard try nextPacket() != nil else { return }
        }
    }

    private func go(to entry: (packet: Int64, offset: Int64)) throws(SyrinxError) {
        try jump(toOffset: entry.offset)
        timing.jump(toPacket: entry.packet, exactly: true)
    }

    // MARK: By what is at hand

    /// Reads up to an exact packet, as far as that does not block.
    /// - Returns: False if the packet was not reached.
    private func readOn(toPacket want: Int64, from entry: (packet: Int64, offset: Int64)) throws(SyrinxError) -> Bool {
        let end = stream.firstMissing(from: entry.offset)
        guard min(estimate.offset(ofPacket: want), stream.length ?? .max) < end else { return false }
        try go(to: entry)
        while timing.nextPacket < want {
            guard lastOffsets.1 < end - Self.margin else { return false }
            guard try nextPacket() != nil else { return true }
        }
        return true
    }

    /// Bytes that libavformat may read beyond a packet.
    private static let margin: Int64 = 8192

    // MARK: By a guess

    /// Seeks to the estimated position of a packet.
    /// - Parameter isWithinSound: Whether `frame` is within the stated duration: then some audio is played even if the
    ///   duration was too long.
    private func guess(packet want: Int64, holding frame: Int64, isWithinSound: Bool) throws(SyrinxError) {
        let estimate = self.estimate
        let latest = survey.map { Int64(clamped: $0.packetCount - Self.lastPackets) } ?? .max
        let isTooLate = isWithinSound && want > latest
        let last = max((stream.length ?? .max) - 1, 0)
        let offset = estimate.offset(ofPacket: isTooLate ? latest : want)
        try jump(toOffset: min(max(offset.subtractingClamped(1), firstOffset), last))
        timing.jump(toPacket: want, exactly: false)
        guard let packet = try nextPacket() else { return }
        // The actual start of the packet gives a better estimate of its number.
        let begun = min(estimate.packet(at: packet.byteOffset ?? 0), timing.packet(holding: frame))
        let number = isTooLate ? want : begun
        timing.jump(toPacket: number, exactly: false)
        let place = timing.place(timestamp: nil, duration: 0, endTrim: 0)
        pending = MediaPacket(
            box: packet.box,
            startFrame: place.start,
            frameCount: packet.frameCount,
            byteOffset: packet.byteOffset,
            endTrim: Int(place.endTrim),
            startTrim: 0,
            lostBefore: 0,
            lostFrames: 0,
            endPosition: nil,
            beginsRecording: false,
            tags: nil
        )
    }

    /// The minimum number of packets that remain to be played: one second.
    private static let lastPackets = 40.0

    private var estimate: PacketEstimate {
        var estimate = PacketEstimate(firstOffset: firstOffset, bytesPerPacket: 0)
        if let survey {
            estimate.survey = survey
            return estimate
        }
        let size = Double(max((stream.length ?? 0) - firstOffset, 0))
        if let xing, let packets = xing.packetCount, packets > 0 {
            let bytes = xing.byteCount.map(Double.init) ?? size
            estimate.bytesPerPacket = bytes / Double(packets)
            if !xing.isConstant, let table = xing.table {
                estimate.table = (table, Double(packets), bytes, Double(format.soundOffset))
            } else {
                // The nominal size is exact to one padding byte. FFmpeg writes the header into a frame with another bit
                // rate.
                let nominal = [xing.frame.bytesPerPacket, firstHeader?.bytesPerPacket].compactMap(\.self)
                let mean = estimate.bytesPerPacket
                // Bounded: in floating point.
                estimate.bytesPerPacket = nominal.first { abs($0 / mean - 1) < 0.02 } ?? mean
            }
            return estimate
        }
        // A constant rate is nominal, to within one padding byte; a measurement over a few packets is less precise.
        if let nominal = firstHeader?.bytesPerPacket, measured.map({ abs($0 / nominal - 1) < 0.01 }) ?? true {
            estimate.bytesPerPacket = nominal
        } else if let measured {
            estimate.bytesPerPacket = measured
        } else if let duration = info.duration, duration > 0 {
            let packets = duration * Double(timing.sampleRate) / Double(timing.framesPerPacket)
            estimate.bytesPerPacket = size / max(packets, 1)
        }
        return estimate
    }

    private var firstHeader: MPEGFrameHeader? { MPEGFrameHeader(format.bridge.watched[...]) }

    /// Bytes of a packet, of all that have been seen.
    private var measured: Double? {
        guard let last = index.entries.last, last.packet > 0 else { return nil }
        return Double(last.offset - firstOffset) / Double(last.packet)
    }

    // MARK: By a look

    /// Whether arithmetic cannot find a packet, according to the known packets and the bytes around it.
    private func hasUnevenRate(around packet: Int64) -> Bool {
        if let xing, xing.packetCount != nil { return !xing.isConstant }
        guard survey == nil, let header = firstHeader else { return true }
        // Bounded: in floating point.
        if let measured, abs(measured / header.bytesPerPacket - 1) >= 0.01 { return true }
        let offset = estimate.offset(ofPacket: packet)
        guard let length = stream.length else { return false }
        guard offset < length - BitRateSampler.lookSize else { return true }
        // A local look is free, and a remote seek would go there anyway.
        let part = offset.subtractingClamped(firstOffset) / Self.evenPlaces
        let places = (1...Self.evenPlaces).map { $0 == Self.evenPlaces ? offset : firstOffset.addingClamped(part * $0) }
        for place in places
        where place == offset || stream.firstMissing(from: place) >= place.addingClamped(Int64(Self.firstLook)) {
            let run = FrameRun(format.bridge.read(at: place, count: Self.firstLook), like: header)
            if let run, run.bitRate != header.bitRate { return true }
        }
        return false
    }

    /// The number of positions with equal frame sizes that indicate a constant rate.
    private static let evenPlaces: Int64 = 16
    /// The number of bytes that libavformat reads at once.
    private static let firstLook = 4096

    /// Samples the distribution of audio in the file, if nothing else states it.
    private func lookAround() {
        guard survey == nil, xing?.packetCount == nil, let header = firstHeader, let end = stream.length
        else { return }
        var isComplete = true
        let survey = BitRateSampler(
            start: firstOffset,
            known: index.entries.last ?? (0, firstOffset),
            end: end,
            like: header,
            look: { offset, count in
                let bytes = format.bridge.read(at: offset, count: Int(count))
                isComplete = isComplete && bytes.count == min(Int(count), Int(clamping: end - offset))
                return bytes
            }
        )
        // Another seek, or the network, has interrupted sampling.
        guard isComplete else { return }
        self.survey = survey
        noteEstimate(packets: survey.packetCount)
    }
}
