internal import SyrinxByteStream

/// Computes the frame of the recording at which each packet starts.
///
/// Containers state positions in different ways, some only approximately. Frame 0 is the first audible frame; the
/// frames of the encoder delay are negative.
struct PacketTimeline {
    enum Method: Equatable {
        /// The timestamps are exact to the frame.
        case timestamps
        /// There are no timestamps, but all packets are equally long, so they are counted.
        case counted
        /// Timestamps are rounded, for example to milliseconds, but all packets are equally long.
        case grid
        /// Timestamps are rounded, and packets differ in length.
        case rounded
        /// There are no timestamps, and packets differ in length.
        case missing
    }

    /// Whether the exact frame of a packet is known only to the reader, which counts decoded frames.
    var isCountedByReader: Bool { method == .rounded || method == .missing }

    /// The position of a packet on the timeline.
    struct Place: Equatable {
        var start: Int64?
        var frameCount: Int64?
        var endTrim: Int64
    }

    let method: Method
    /// The sample rate, in hertz.
    let sampleRate: Int64
    /// The duration of a tick of the timestamps, in seconds, as a fraction.
    let tick: (numerator: Int64, denominator: Int64)
    /// The timestamp of frame 0 (or, on a grid, of the first packet).
    let origin: Int64
    /// The number of frames per packet; 0 if packets differ.
    let framesPerPacket: Int64
    /// The number of frames before frame 0.
    let startSkip: Int64
    /// The range of frames that the encoder added at the end.
    let padding: Range<Int64>
    /// The unit of packet lengths, in frames, for codecs whose packets state their length; otherwise 0.
    var lengthUnit: Int64 = 0
    /// The number of frames that libavformat trims too many from the end.
    var endTrimExcess: Int64 = 0
    /// The number of the next packet, if packets are counted.
    private(set) var nextPacket: Int64 = 0
    /// Whether `nextPacket` was counted from the start, rather than estimated.
    private(set) var isExact = true
    /// The start of the packet after the last one, if its length was known.
    private var chain: Int64?

    init(
        method: Method,
        sampleRate: Int64,
        tick: (numerator: Int64, denominator: Int64),
        origin: Int64 = 0,
        framesPerPacket: Int64 = 0,
        startSkip: Int64 = 0,
        padding: Range<Int64> = 0..<0
    ) {
        self.method = method
        self.sampleRate = sampleRate
        self.tick = tick
        self.origin = origin
        self.framesPerPacket = framesPerPacket
        self.startSkip = startSkip
        self.padding = padding
    }

    /// Computes the position of the next packet.
    /// - Parameters:
    ///   - timestamp: The container's timestamp, in ticks; `nil` if it has none.
    ///   - duration: The duration in ticks; 0 if it is unknown.
    ///   - endTrim: The number of padding frames at the end of the packet, according to the container.
    mutating func place(timestamp: Int64?, duration: Int64, endTrim: Int64) -> Place {
        if method == .counted {
            let start = nextPacket.multipliedClamped(by: framesPerPacket)
            nextPacket = nextPacket.addingClamped(1)
            let cut = padding.clamped(to: start..<start.addingClamped(framesPerPacket)).count
            let heard = start >= padding.upperBound ? start.subtractingClamped(Int64(padding.count)) : start
            return Place(
                start: heard.subtractingClamped(startSkip),
                frameCount: framesPerPacket,
                endTrim: Int64(cut)
            )
        }
        let count = duration > 0 ? length(ofTicks: duration) : framesPerPacket > 0 ? framesPerPacket : nil
        var start = chain
        if let timestamp {
            let stated = frames(timestamp.subtractingClamped(origin))
            start = method == .grid ? snapped(stated) : stated.subtractingClamped(startSkip)
        }
        // No recording is longer than 2^60 frames; packets without a timestamp then stay at that position.
        chain = start.flatMap { start in count.map { min(start.addingClamped($0), 1 << 60) } }
        return Place(start: start, frameCount: count, endTrim: max(endTrim.subtractingClamped(endTrimExcess), 0))
    }

    /// Returns the number of frames of a packet that lasts `ticks` ticks, which is greater than 0.
    private func length(ofTicks ticks: Int64) -> Int64 {
        if lengthUnit > 0 { return max(nearestMultiple(of: lengthUnit, to: frames(ticks)), lengthUnit) }
        return framesPerPacket > 0 ? framesPerPacket : frames(ticks)
    }

    /// Returns the start of the packet that is nearest to a rounded timestamp.
    private func snapped(_ stated: Int64) -> Int64 {
        let step = lengthUnit > 0 ? lengthUnit : framesPerPacket
        return (step > 0 ? nearestMultiple(of: step, to: stated) : stated).subtractingClamped(startSkip)
    }

    private func nearestMultiple(of step: Int64, to frame: Int64) -> Int64 {
        let double = frame.multipliedClamped(by: 2).addingClamped(step)
        return double.floorDivided(by: step.multipliedClamped(by: 2)).multipliedClamped(by: step)
    }

    /// Records that the next packet is not adjacent to the last one, for example after a seek.
    mutating func breakOff() {
        chain = nil
    }

    /// Sets the number of the next packet.
    mutating func jump(toPacket packet: Int64, exactly: Bool) {
        nextPacket = packet
        isExact = exactly
    }

    /// Returns the number of the packet that contains `frame`, if packets are counted.
    func packet(holding frame: Int64) -> Int64 {
        guard framesPerPacket > 0 else { return 0 }
        var raw = frame.addingClamped(startSkip)
        if !padding.isEmpty, raw >= padding.lowerBound { raw = raw.addingClamped(Int64(padding.count)) }
        return max(raw, 0) / framesPerPacket
    }

    /// Returns the timestamp at or before `frame`.
    func timestamp(ofFrame frame: Int64) -> Int64 {
        let ticks = Double(frame) * Double(tick.denominator) / (Double(sampleRate) * Double(tick.numerator))
        return (Int64(exactly: ticks.rounded(.down)) ?? .max / 2).addingChecked(origin) ?? .max / 2
    }

    /// Returns the number of frames of a recording whose packets last `ticks` ticks.
    func frameCount(ofTicks ticks: Int64) -> Int64 {
        max(frames(ticks).subtractingClamped(startSkip), 0)
    }

    /// Returns the number of audible frames in `packets` packets, if packets are counted.
    func heardCount(ofPackets packets: Int64) -> Int64 {
        let all = packets.multipliedClamped(by: framesPerPacket)
        return max(all.subtractingClamped(startSkip).subtractingClamped(Int64(padding.count)), 0)
    }

    /// Converts ticks to the nearest number of frames.
    func frames(_ ticks: Int64) -> Int64 {
        let (high, low) = ticks.multipliedFullWidth(by: tick.numerator.multipliedClamped(by: sampleRate))
        // Nonsensical timestamps must not trap; no recording is longer than 2^60 frames.
        let most: Int64 = 1 << 60
        let product = Int64(bitPattern: low)
        guard high == (product < 0 ? -1 : 0), abs(product >> 1) < most else { return ticks < 0 ? -most : most }
        return min(max(product.addingClamped(tick.denominator / 2).floorDivided(by: tick.denominator), -most), most)
    }
}

extension Int64 {
    /// Returns the quotient, rounded toward negative infinity.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
