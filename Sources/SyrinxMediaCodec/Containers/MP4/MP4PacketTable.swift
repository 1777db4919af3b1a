internal import SyrinxByteStream

/// The places and times of the packets of a long MP4 file, in two bytes a packet; libavformat's index has 24.
///
/// `MP4TableReader.read()` fills it.
struct MP4PacketTable {
    /// One packet.
    struct Packet: Equatable {
        var offset: Int64
        var size: Int
        /// The time since the first packet, in ticks of the track.
        var time: Int64
        /// The duration in ticks; for the last packet, as the table states it.
        var duration: Int64
    }

    /// A run of consecutive packets.
    private struct Run {
        var packet: Int
        var offset: Int64
    }

    /// Packets of the same duration.
    private struct DurationRun {
        var packet: Int
        var time: Int64
        var duration: Int64
    }

    /// The interval of packets whose offsets are stored.
    private static let interval = 64
    /// The number of runs of either kind beyond which libavformat's index is as small.
    private static let maximumRunCount = 1 << 17

    /// The number of packets.
    var count: Int { sizes.count }
    /// The bytes of all packets.
    private(set) var byteCount: Int64 = 0
    private let sizes: [UInt16]
    private var runs: [Run] = []
    private var durationRuns: [DurationRun] = []
    private var offsets: [Int64] = []
    private var placedCount = 0
    private var nextOffset: Int64 = -1

    /// Creates a table of packets with known sizes only.
    init(sizes: [UInt16]) {
        self.sizes = sizes
        offsets.reserveCapacity(sizes.count / Self.interval + 1)
    }

    // MARK: Filling

    /// Sets the positions of the next packets, which are consecutive.
    /// - Parameters:
    ///   - packets: The number of packets; at least 1.
    ///   - offset: The offset of the first packet in the file.
    /// - Returns: False if there are fewer packets, or the numbers are out of range.
    mutating func append(chunkOf packets: Int, at offset: Int64) -> Bool {
        guard packets > 0, packets <= sizes.count - placedCount, offset >= 0, offset < 1 << 60 else { return false }
        if offset != nextOffset { runs.append(Run(packet: placedCount, offset: offset)) }
        guard runs.count <= Self.maximumRunCount else { return false }
        var place = offset
        // No overflow: there are at most as many packets as sizes, each below 64 KiB, and the offset is below 1 << 60.
        for packet in placedCount..<placedCount + packets {
            if packet % Self.interval == 0 { offsets.append(place) }
            place += Int64(sizes[packet])
        }
        byteCount = byteCount.addingClamped(place - offset)
        placedCount += packets
        nextOffset = place
        return true
    }

    /// Sets the duration of the next packets.
    /// - Parameters:
    ///   - packets: The number of packets, which may exceed the remaining ones; at least 1.
    ///   - duration: The duration of each in ticks.
    /// - Returns: False if the numbers are out of range.
    mutating func append(durationOf packets: Int64, _ duration: Int64) -> Bool {
        guard packets > 0, 1..<1 << 31 ~= duration, durationRuns.count < Self.maximumRunCount else { return false }
        durationRuns.append(DurationRun(packet: timedCount, time: ticks, duration: duration))
        let timed = Int(clamping: Int64(timedCount).addingClamped(packets))
        ticks = ticks.addingClamped(packets.multipliedClamped(by: duration))
        timedCount = timed
        return ticks < 1 << 60
    }

    private var timedCount = 0
    /// The ticks of all packets that durations have been stated for.
    private(set) var ticks: Int64 = 0

    /// Whether each packet has a place and a time.
    var isComplete: Bool { placedCount == sizes.count && !durationRuns.isEmpty && !sizes.isEmpty }

    // MARK: Looking up

    /// Returns a packet.
    /// - Parameter index: Its number, less than the number of all packets.
    subscript(index: Int) -> Packet {
        Packet(
            offset: offset(of: index),
            size: Int(sizes[index]),
            time: time(of: index),
            duration: durationRuns[durationRuns.placeOfLast { $0.packet <= index }].duration
        )
    }

    /// Returns the time of a packet, in ticks of the track, from its first packet on.
    func time(of index: Int) -> Int64 {
        let run = durationRuns[durationRuns.placeOfLast { $0.packet <= index }]
        // Bounded: the ticks of all are.
        return run.time + Int64(index - run.packet) * run.duration
    }

    /// Returns the index of the last packet that starts at or before a time; the first one if there is none.
    /// - Parameter time: The time in ticks of the track, from its first packet.
    func index(at time: Int64) -> Int {
        let run = durationRuns[durationRuns.placeOfLast { $0.time <= time }]
        let ahead = max(time.subtractingClamped(run.time), 0) / run.duration
        return Int(clamping: min(Int64(count) - 1, Int64(run.packet).addingClamped(ahead)))
    }

    private func offset(of index: Int) -> Int64 {
        let run = runs[runs.placeOfLast { $0.packet <= index }]
        let near = index / Self.interval * Self.interval
        let (start, offset) = near >= run.packet ? (near, offsets[index / Self.interval]) : (run.packet, run.offset)
        return sizes[start..<index].reduce(offset) { $0 + Int64($1) }
    }
}

extension Array {
    /// The index of the last element that meets a condition, which those before it meet too; 0 if none does.
    fileprivate func placeOfLast(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return Swift.max(low - 1, 0)
    }
}
