import SyrinxByteStream

/// Reads the times of the fragments of an MP4 audio track from its boxes (ISO/IEC 14496-12), as they arrive.
struct FragmentTimes {
    /// The ID of the first audio track.
    private(set) var track: UInt32?
    /// Ticks of the track in a second.
    private(set) var timescale: Int64 = 0
    /// Ticks by which the edit list moves the start of the presentation.
    private(set) var shift: Int64 = 0
    /// The decode time of the first fragment since `beginSegment()`, in ticks.
    private(set) var firstTime: Int64?
    /// ID3 tags in event messages since the last `takeTags()`: the time in seconds, and the bytes.
    ///
    /// A negative time is relative to the next fragment.
    private(set) var tags: [(seconds: Double, isRelative: Bool, bytes: [UInt8])] = []

    /// The duration of the audio in all fragments so far, in seconds.
    private(set) var soundSeconds = 0.0

    private var head: [UInt8] = []
    /// The default sample duration in ticks, for fragments that state none.
    private var usualDuration: Int64 = 0
    /// The remaining bytes of the skipped box.
    private var remaining: Int64 = 0
    /// Bytes of the box that is being collected.
    private var wanted = 0

    /// The maximum size of a box; larger boxes are skipped.
    private static let largestBox = 1 << 20

    /// Reads the initialisation section.
    init(initialization: [UInt8]) {
        for box in MP4Box.boxes(in: initialization[...]) where box.kind == "moov" {
            let boxes = MP4Box.boxes(in: box.body)
            for trak in boxes where trak.kind == "trak" && track == nil { readTrack(trak.body) }
            guard let extends = boxes.first(where: { $0.kind == "mvex" }) else { continue }
            for trex in MP4Box.boxes(in: extends.body) where trex.kind == "trex" { readDefaults(trex.body) }
        }
    }

    private mutating func readDefaults(_ body: ArraySlice<UInt8>) {
        var reader = BoxReader(body)
        reader.skip(4)
        guard UInt32(truncatingIfNeeded: reader.number(4)) == track else { return }
        reader.skip(4)
        usualDuration = reader.number(4)
    }

    private mutating func readTrack(_ body: ArraySlice<UInt8>) {
        let boxes = MP4Box.boxes(in: body)
        guard let media = boxes.first(where: { $0.kind == "mdia" }).map({ MP4Box.boxes(in: $0.body) }),
            let handler = media.first(where: { $0.kind == "hdlr" })?.body, handler.count >= 12,
            handler.dropFirst(8).prefix(4).elementsEqual("soun".utf8),
            let header = boxes.first(where: { $0.kind == "tkhd" })?.body,
            let mediaHeader = media.first(where: { $0.kind == "mdhd" })?.body
        else { return }
        var reader = BoxReader(header)
        let version = reader.number(1)
        reader.skip(version == 1 ? 19 : 11)
        track = UInt32(truncatingIfNeeded: reader.number(4))
        reader = BoxReader(mediaHeader)
        let mediaVersion = reader.number(1)
        reader.skip(mediaVersion == 1 ? 19 : 11)
        timescale = reader.number(4)
        if let edits = boxes.first(where: { $0.kind == "edts" }).map({ MP4Box.boxes(in: $0.body) })?
            .first(where: { $0.kind == "elst" })?.body
        {
            readEdits(edits)
        }
    }

    private mutating func readEdits(_ body: ArraySlice<UInt8>) {
        var reader = BoxReader(body)
        let version = reader.number(1)
        reader.skip(3)
        let count = min(reader.number(4), 16)
        for _ in 0..<max(count, 0) {
            _ = reader.number(version == 1 ? 8 : 4)
            let time = version == 1 ? reader.number(8) : Int64(Int32(truncatingIfNeeded: reader.number(4)))
            reader.skip(4)
            if time >= 0 {
                shift = time
                return
            }
        }
    }

    /// Starts another segment.
    mutating func beginSegment() {
        head = []
        (remaining, wanted) = (0, 0)
        firstTime = nil
    }

    /// Returns the tags since the last call.
    mutating func takeTags() -> [(seconds: Double, isRelative: Bool, bytes: [UInt8])] {
        defer { tags = [] }
        return tags
    }

    /// The presentation time of the first fragment of the segment, in seconds.
    var firstSeconds: Double? {
        guard let firstTime, timescale > 0 else { return nil }
        return Double(max(firstTime.subtractingClamped(shift), 0)) / Double(timescale)
    }

    // MARK: Boxes as they pass

    /// Processes the next bytes of a segment.
    mutating func push(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        while place < bytes.count {
            if remaining > 0 {
                let count = Int(min(remaining, Int64(bytes.count - place)))
                // Bounded: no more than what is left of both.
                place += count
                remaining -= Int64(count)
                continue
            }
            let target = max(wanted, 16)
            // Bounded: `head` is shorter than `target`, and `place` lies before the end.
            let count = min(target - head.count, bytes.count - place)
            head += bytes[place..<place + count]
            place += count
            if head.count >= target { endOfBox() }
        }
        // A box without a body of 8 bytes may be the last.
        if wanted == 0, head.count >= 8, head.count < 16 { readSmallBox() }
    }

    private mutating func endOfBox() {
        if wanted > 0 {
            readBox(kind: MP4Box.kind(head[4..<8]), head[...])
            head = []
            wanted = 0
            return
        }
        let size = MP4Box.size(head[...])
        let kind = MP4Box.kind(head[4..<8])
        let isWanted = kind == "moof" || kind == "emsg"
        if let size, size < 16 {
            // The next box starts within the collected bytes.
            let rest = Array(head[max(Int(size), 8)...])
            head = rest
        } else if let size, isWanted, size <= Int64(Self.largestBox) {
            wanted = Int(size)
            if wanted == head.count { endOfBox() }
        } else {
            // A box without a size extends to the end.
            remaining = (size ?? .max).subtractingClamped(Int64(head.count))
            head = []
        }
    }

    private mutating func readSmallBox() {
        guard let size = MP4Box.size(head[...]), size <= Int64(head.count) else { return }
        head = Array(head[max(Int(size), 8)...])
    }

    private mutating func readBox(kind: String, _ bytes: ArraySlice<UInt8>) {
        guard let box = MP4Box.boxes(in: bytes).first else { return }
        if kind == "emsg" { return readEvent(box.body) }
        for fragment in MP4Box.boxes(in: box.body) where fragment.kind == "traf" {
            let boxes = MP4Box.boxes(in: fragment.body)
            guard let header = boxes.first(where: { $0.kind == "tfhd" })?.body else { continue }
            var reader = BoxReader(header)
            let flags = reader.number(4)
            let id = UInt32(truncatingIfNeeded: reader.number(4))
            guard track == nil || id == track else { continue }
            if flags & 1 != 0 { reader.skip(8) }
            if flags & 2 != 0 { reader.skip(4) }
            let duration = flags & 8 != 0 ? reader.number(4) : usualDuration
            for run in boxes where run.kind == "trun" { count(run.body, duration) }
            guard firstTime == nil, let time = boxes.first(where: { $0.kind == "tfdt" })?.body else { continue }
            reader = BoxReader(time)
            let version = reader.number(1)
            reader.skip(3)
            firstTime = reader.number(version == 1 ? 8 : 4)
        }
    }

    /// Counts the samples of a run; a sample without a stated duration lasts `duration` ticks.
    private mutating func count(_ run: ArraySlice<UInt8>, _ duration: Int64) {
        guard timescale > 0 else { return }
        var reader = BoxReader(run)
        let flags = reader.number(4)
        let count = reader.number(4)
        var ticks = 0.0
        if flags & 0x100 != 0 {
            if flags & 1 != 0 { reader.skip(4) }
            if flags & 4 != 0 { reader.skip(4) }
            let rest = 4 * [0x200, 0x400, 0x800].count { flags & $0 != 0 }
            for _ in 0..<min(count, Int64(reader.rest.count / 4)) {
                ticks += Double(reader.number(4))
                reader.skip(rest)
            }
        } else {
            ticks = Double(count) * Double(duration)
        }
        soundSeconds += ticks / Double(timescale)
    }

    /// Whether the bytes so far end within a box of known size.
    var isWithinBox: Bool { wanted > 0 || !head.isEmpty || remaining > 0 && remaining < Int64.max / 2 }

    /// Reads an event message that carries an ID3 tag.
    private mutating func readEvent(_ body: ArraySlice<UInt8>) {
        var reader = BoxReader(body)
        let version = reader.number(1)
        reader.skip(3)
        var (scale, time): (Int64, Int64) = (0, 0)
        if version == 1 {
            scale = reader.number(4)
            time = reader.number(8)
            reader.skip(8)
        }
        let scheme = reader.text()
        _ = reader.text()
        if version == 0 {
            scale = reader.number(4)
            time = reader.number(4)
            reader.skip(8)
        }
        guard scheme.lowercased().contains("id3"), scale > 0, tags.count < 100 else { return }
        tags.append((Double(time) / Double(scale), version == 0, Array(reader.rest)))
    }
}

/// A box of an MP4 file.
struct MP4Box {
    let kind: String
    let body: ArraySlice<UInt8>

    static func kind(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the stated size of a box, including its header; `nil` if the box extends to the end, or the size is
    /// invalid.
    static func size(_ head: ArraySlice<UInt8>) -> Int64? {
        var reader = BoxReader(head)
        let size = reader.number(4)
        if size == 1, head.count >= 16 {
            reader.skip(4)
            let large = reader.number(8)
            return large >= 16 ? large : nil
        }
        return size >= 8 ? size : nil
    }

    /// Returns the complete consecutive boxes in `bytes`.
    static func boxes(in bytes: ArraySlice<UInt8>) -> [MP4Box] {
        var boxes: [MP4Box] = []
        var rest = bytes
        while rest.count >= 8, boxes.count < 1_000 {
            let stated = size(rest) ?? Int64(rest.count)
            guard stated <= Int64(rest.count) else { break }
            let isLarge = rest.prefix(4).elementsEqual([0, 0, 0, 1])
            let box = rest.prefix(Int(stated))
            boxes.append(MP4Box(kind: kind(rest.dropFirst(4).prefix(4)), body: box.dropFirst(isLarge ? 16 : 8)))
            rest = rest.dropFirst(Int(stated))
        }
        return boxes
    }
}

/// Reads consecutive numbers of a box; after its end, it returns zeros.
struct BoxReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Reads a number of up to 8 bytes, of which the highest bit of 8 is dropped.
    mutating func number(_ count: Int) -> Int64 {
        let bytes = rest.prefix(count)
        rest = rest.dropFirst(count)
        guard bytes.count == count else { return 0 }
        return Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & UInt64(Int64.max))
    }

    mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

    /// Reads a text up to the zero that ends it.
    mutating func text() -> String {
        let bytes = rest.prefix { $0 != 0 }
        rest = rest.dropFirst(bytes.count + 1)  // Bounded: the number of bytes in memory.
        return String(decoding: bytes, as: UTF8.self)
    }
}
