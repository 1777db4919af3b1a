internal import SyrinxByteStream

/// Computes the media frame at which each packet of a table starts.
///
/// The durations in the table may be inexact: phones write those of their clock. If all packets decode to the same
/// number of frames, packets are counted; otherwise, the table is used.
struct MP4PacketClock {
    /// Packets in the table; 1 or more.
    let count: Int
    /// The number of frames that each packet decodes to; 0 if packets differ.
    let framesPerPacket: Int64
    /// Returns the ticks from the first packet to another one.
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
    ///   - lastDuration: The duration of the last packet in ticks; `nil` if the table does not state it.
    ///   - usualDuration: The duration in ticks of a packet without a stated one.
    ///   - statedTicks: The duration of the media in ticks, according to its header.
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

    /// Returns the first frame of a packet; for an index after the last packet, the end.
    func start(of packet: Int) -> Int64 {
        framesPerPacket > 0 ? Int64(packet).multipliedClamped(by: framesPerPacket) : frames(time(packet))
    }

    /// The frames that a packet decodes to.
    func span(of packet: Int) -> Range<Int64> {
        let start = start(of: packet)
        if framesPerPacket > 0 { return start..<start.addingClamped(framesPerPacket) }
        return start..<max(packet + 1 < count ? self.start(of: packet + 1) : frameCount, start)
    }

    /// Returns the packet that contains a frame; the nearest one for a frame outside.
    func packet(holding frame: Int64) -> Int {
        if framesPerPacket > 0 { return Int(clamping: min(max(frame, 0) / framesPerPacket, Int64(count - 1))) }
        return lastPacket { frames(time($0)) <= frame }
    }

    /// The maximum encoder delay in frames.
    private static let mostDelay: Int64 = 16384

    /// Returns the frame at a time of the media, at the corresponding position of its packet, regardless of its stated
    /// duration.
    func frame(at tick: Int64) -> Int64 {
        guard tick < ticks else { return frameCount }
        // A time this early is the encoder delay, which is a frame count.
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
