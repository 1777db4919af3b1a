internal import SyrinxByteStream

/// Says at which frame of its media each packet of a table begins.
///
/// The durations in the table need not add up: phones write those of their clock. Where all packets decode to as many frames they
/// are counted; elsewhere the table has to do.
struct MP4PacketClock {
    /// Packets in the table; 1 or more.
    let count: Int
    /// Frames that each packet decodes to; 0 where they differ.
    let framesPerPacket: Int64
    /// Ticks from the first packet to another.
    let time: (_ packet: Int) -> Int64
    /// Ticks as frames.
    let frames: (_ ticks: Int64) -> Int64
    /// The frames of all packets; the last may have padding of the encoder, which is not counted.
    private(set) var frameCount: Int64 = 0
    /// The ticks of all packets.
    private(set) var ticks: Int64 = 0
    /// The ticks of all packets by the table alone, which may have none for the last.
    let tableTicks: Int64

    /// - Parameters:
    ///   - lastDuration: The ticks of the last packet; `nil` if the table has none for it.
    ///   - usualDuration: The ticks of a packet of which that is not known.
    ///   - statedTicks: The duration of the media by its header.
    init(
        count: Int,
        framesPerPacket: Int64,
        lastDuration: Int64?,
        usualDuration: Int64,
        statedTicks: Int64?,
        time: @escaping (_ packet: Int) -> Int64,
        frames: @escaping (_ ticks: Int64) -> Int64
    ) {
        (self.count, self.framesPerPacket, self.time, self.frames) = (count, framesPerPacket, time, frames)
        let last = time(count - 1)
        let end = last.addingClamped(max(lastDuration ?? usualDuration, 0))
        tableTicks = last.addingClamped(max(lastDuration ?? 0, 0))
        // Encoders state their padding in either place.
        ticks = statedTicks.map { $0 > last && $0 < end ? $0 : end } ?? end
        frameCount = max(frames(ticks), 1)
        // The times are looked through only if the last packet may be cut short.
        guard framesPerPacket > 0, case let all = start(of: count), frameCount >= all || !isRegular else { return }
        frameCount = all
    }

    /// Whether the times agree with the counted frames, to a tick.
    private var isRegular: Bool {
        let tolerance = frames(1)
        return (0..<count).allSatisfy { packet in
            frames(time(packet)).subtractingClamped(start(of: packet)).magnitude <= tolerance
        }
    }

    /// The first frame of a packet, or of one behind the last.
    func start(of packet: Int) -> Int64 {
        framesPerPacket > 0 ? Int64(packet).multipliedClamped(by: framesPerPacket) : frames(time(packet))
    }

    /// The frames that a packet decodes to.
    func span(of packet: Int) -> Range<Int64> {
        let start = start(of: packet)
        if framesPerPacket > 0 { return start..<start.addingClamped(framesPerPacket) }
        return start..<max(packet + 1 < count ? self.start(of: packet + 1) : frameCount, start)
    }

    /// The packet that holds a frame; the nearest one for a frame outside.
    func packet(holding frame: Int64) -> Int {
        if framesPerPacket > 0 { return Int(clamping: min(max(frame, 0) / framesPerPacket, Int64(count - 1))) }
        return lastPacket { frames(time($0)) <= frame }
    }

    /// Encoders put fewer frames than this before the sound.
    private static let mostDelay: Int64 = 16384

    /// The frame at a time of the media, of which each packet has its part, whatever the table says how long it is.
    func frame(at tick: Int64) -> Int64 {
        guard tick < ticks else { return frameCount }
        // So early it is the encoder's delay, which is a count.
        if case let delay = frames(tick), delay < Self.mostDelay { return min(max(delay, 0), frameCount) }
        let packet = lastPacket { time($0) <= tick }
        let inside = frames(max(tick.subtractingClamped(time(packet)), 0))
        let most = framesPerPacket > 0 ? min(inside, framesPerPacket) : inside
        return min(start(of: packet).addingClamped(most), frameCount)
    }

    private func lastPacket(where isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }
}
