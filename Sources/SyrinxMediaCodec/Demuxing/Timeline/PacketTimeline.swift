internal import SyrinxByteStream

/// Says at which frame of the recording each packet begins.
///
/// Containers tell it in three ways, and some only nearly. Frame 0 is the first one that is heard: what lies before it is
/// the encoder's delay, and has negative numbers.
struct PacketTimeline {
    enum Method: Equatable {
        /// The timestamps are exact to the frame.
        case timestamps
        /// There are none, but all packets are equally long: they are counted.
        case counted
        /// They are rounded, to milliseconds for example, but all packets are equally long.
        case grid
        /// They are rounded, and that is all there is.
        case rounded
        /// There are none, and packets differ in length.
        case missing
    }

    /// Whether only the reader, which counts what it decodes, knows the frame of a packet exactly.
    var isCountedByReader: Bool { method == .rounded || method == .missing }

    /// The position of a packet on the timeline.
    struct Place: Equatable {
        var start: Int64?
        var frameCount: Int64?
        var endTrim: Int64
    }

    let method: Method
    /// Frames per second.
    let sampleRate: Int64
    /// Seconds of a tick of the timestamps, as a fraction.
    let tick: (numerator: Int64, denominator: Int64)
    /// The timestamp of frame 0 (or, on a grid, of the first packet).
    let origin: Int64
    /// Frames in each packet; 0 where they differ.
    let framesPerPacket: Int64
    /// Frames before frame 0.
    let startSkip: Int64
    /// The range of frames that the encoder added at the end.
    let padding: Range<Int64>
    /// The frames of which each packet has a multiple, for a codec whose packets state their own lengths; 0 for others.
    var lengthUnit: Int64 = 0
    /// By so much libavformat cuts too much off the end.
    var endTrimExcess: Int64 = 0
    /// The number of the next packet, where they are counted.
    private(set) var nextPacket: Int64 = 0
    /// Whether `nextPacket` has been counted all the way, or comes from a guess.
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

    /// Places the packet that follows.
    /// - Parameters:
    ///   - timestamp: In ticks, as the container has it.
    ///   - duration: In ticks; 0 if not known.
    ///   - endTrim: What the container says is padding at its end.
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
        // Beyond 2^60 frames there is no recording; what has no timestamp follows there for ever.
        chain = start.flatMap { start in count.map { min(start.addingClamped($0), 1 << 60) } }
        return Place(start: start, frameCount: count, endTrim: max(endTrim.subtractingClamped(endTrimExcess), 0))
    }

    /// The frames of a packet of which the container says that it lasts so many ticks, more than 0.
    private func length(ofTicks ticks: Int64) -> Int64 {
        if lengthUnit > 0 { return max(nearestMultiple(of: lengthUnit, to: frames(ticks)), lengthUnit) }
        return framesPerPacket > 0 ? framesPerPacket : frames(ticks)
    }

    /// The start of the packet that a rounded timestamp means.
    private func snapped(_ stated: Int64) -> Int64 {
        let step = lengthUnit > 0 ? lengthUnit : framesPerPacket
        return (step > 0 ? nearestMultiple(of: step, to: stated) : stated).subtractingClamped(startSkip)
    }

    private func nearestMultiple(of step: Int64, to frame: Int64) -> Int64 {
        let double = frame.multipliedClamped(by: 2).addingClamped(step)
        return double.floorDivided(by: step.multipliedClamped(by: 2)).multipliedClamped(by: step)
    }

    /// Records that the next packet does not follow the last one, as after a seek.
    mutating func breakOff() {
        chain = nil
    }

    /// Says that the next packet is number `packet`.
    mutating func jump(toPacket packet: Int64, exactly: Bool) {
        nextPacket = packet
        isExact = exactly
    }

    /// The packet that holds frame `frame`, where packets are counted.
    func packet(holding frame: Int64) -> Int64 {
        guard framesPerPacket > 0 else { return 0 }
        var raw = frame.addingClamped(startSkip)
        if !padding.isEmpty, raw >= padding.lowerBound { raw = raw.addingClamped(Int64(padding.count)) }
        return max(raw, 0) / framesPerPacket
    }

    /// The timestamp at or before frame `frame`.
    func timestamp(ofFrame frame: Int64) -> Int64 {
        let ticks = Double(frame) * Double(tick.denominator) / (Double(sampleRate) * Double(tick.numerator))
        return (Int64(exactly: ticks.rounded(.down)) ?? .max / 2).addingChecked(origin) ?? .max / 2
    }

    /// The length in frames of a recording whose packets span `ticks`.
    func frameCount(ofTicks ticks: Int64) -> Int64 {
        max(frames(ticks).subtractingClamped(startSkip), 0)
    }

    /// The frames that are heard of so many packets, where packets are counted.
    func heardCount(ofPackets packets: Int64) -> Int64 {
        let all = packets.multipliedClamped(by: framesPerPacket)
        return max(all.subtractingClamped(startSkip).subtractingClamped(Int64(padding.count)), 0)
    }

    /// Ticks as frames, to the nearest.
    func frames(_ ticks: Int64) -> Int64 {
        let (high, low) = ticks.multipliedFullWidth(by: tick.numerator.multipliedClamped(by: sampleRate))
        // A timestamp of nonsense must not trap: beyond 2^60 frames there is no recording.
        let most: Int64 = 1 << 60
        let product = Int64(bitPattern: low)
        guard high == (product < 0 ? -1 : 0), abs(product >> 1) < most else { return ticks < 0 ? -most : most }
        return min(max(product.addingClamped(tick.denominator / 2).floorDivided(by: tick.denominator), -most), most)
    }
}

extension Int64 {
    /// The quotient rounded down, also below zero.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
