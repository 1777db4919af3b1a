/// Splits the bytes of a broadcast at the boundaries of its frames: MPEG audio, AAC in ADTS, or pages of Ogg.
///
/// Pure. The units contain every byte from the first frame on, in order: joined, they are the input.
/// A damaged stretch is a unit without a duration.
///
///     var splitter = StreamSplitter()
///     for unit in splitter.push(bytes) { write(unit.bytes) }
package struct StreamSplitter: Sendable {
    /// The kind of the frames.
    package enum Format: String, Sendable {
        case mpeg, adts, ogg
    }

    /// A frame, the header of an Ogg stream, or a stretch between frames.
    package struct Unit: Equatable, Sendable {
        /// The bytes as they came.
        package var bytes: [UInt8]
        /// The length in seconds; 0 for a header and for a damaged stretch.
        package var duration = 0.0
        /// Whether a recording can begin with it: false for a damaged stretch.
        package var isFrame = true
        /// The header of an Ogg stream, if the unit is one.
        package var head: OggStreamHead?
    }

    /// Bytes without a frame that are passed on together.
    static let largestGap = 16_384
    /// Frames that have to follow on each other before the format is certain.
    private static let certainty = 3

    /// The format; `nil` until frames were found.
    package private(set) var format: Format?
    /// The ending of a file for the frames, such as `mp3`; `nil` until it is known.
    package var pathExtension: String? {
        switch format {
        case .mpeg: layer == 3 ? "mp3" : layer == 2 ? "mp2" : "mp1"
        case .adts: "aac"
        case .ogg: pages.codec?.pathExtension ?? "ogg"
        case nil: nil
        }
    }

    /// The number of bytes that are held, because their unit is not complete.
    package var unfinishedByteCount: Int { buffer.count + pages.heldByteCount }

    private var buffer: [UInt8] = []
    /// The bytes at the start of the buffer in which no frame begins.
    private var scanned = 0
    private var isInStep = false
    private var hasBegun = false
    private var layer = 3
    private var pages = OggPageReader()

    /// Creates a splitter that finds out the format by itself.
    package init() {}

    /// Returns the units that end in the next bytes.
    package mutating func push(_ bytes: some Collection<UInt8>) -> [Unit] {
        buffer += bytes
        var units: [Unit] = []
        var (start, place) = (0, scanned)
        scan: while place < buffer.count {
            switch look(at: place) {
            case .frame(let frame, let format):
                self.format = format
                if place > start, hasBegun { units.append(Unit(bytes: Array(buffer[start..<place]), isFrame: false)) }
                take(frame, at: place, &units)
                place += frame.size
                (start, isInStep, hasBegun) = (place, true, true)
            case .nothing:
                place += 1
                isInStep = false
                guard place - start >= Self.largestGap else { continue }
                if hasBegun { units.append(Unit(bytes: Array(buffer[start..<place]), isFrame: false)) }
                start = place
            case .tooShort: break scan
            }
        }
        buffer.removeFirst(start)
        scanned = place - start
        return units
    }

    /// Returns the frame that ends with the last byte, on which no other follows.
    package mutating func finish() -> [Unit] {
        guard isInStep, scanned == 0, let format, case .frame(let frame, _) = header(at: 0, format),
            frame.size <= buffer.count
        else { return [] }
        var units: [Unit] = []
        take(frame, at: 0, &units)
        buffer.removeFirst(frame.size)
        return units
    }

    private mutating func take(_ frame: Frame, at place: Int, _ units: inout [Unit]) {
        let bytes = Array(buffer[place..<place + frame.size])
        guard format == .ogg, let page = OggPage(bytes) else {
            layer = frame.layer
            units.append(Unit(bytes: bytes, duration: frame.duration))
            return
        }
        units += pages.read(page, bytes)
    }

    // MARK: Looking for a frame

    private struct Frame: Equatable {
        /// Bytes with the header.
        var size: Int
        /// In seconds.
        var duration: Double
        /// The properties that do not change within a stream.
        var layer = 0
        var sampleRate = 0
        /// Whether two frames are of one stream.
        func follows(_ other: Frame) -> Bool { (layer, sampleRate) == (other.layer, other.sampleRate) }
    }

    private enum Look {
        case frame(Frame, Format)
        case nothing
        case tooShort
    }

    /// The bytes of the longest header of a frame.
    private static let headerSize = 7

    private func look(at place: Int) -> Look {
        let formats: [Format] = format.map { [$0] } ?? [.ogg, .adts, .mpeg]
        var isShort = false
        for format in formats {
            switch run(from: place, format) {
            case .frame(let frame, _): return .frame(frame, format)
            case .tooShort: isShort = true
            case .nothing: break
            }
        }
        return isShort ? .tooShort : .nothing
    }

    /// Looks for a frame on which as many others follow as certainty needs.
    private func run(from place: Int, _ format: Format) -> Look {
        var (next, first): (Int, Frame?) = (place, nil)
        // A page of Ogg has a mark of its own.
        let count = format == .ogg || isInStep ? 2 : Self.certainty
        for _ in 0..<count {
            switch header(at: next, format) {
            case .nothing: return .nothing
            case .tooShort: return .tooShort
            case .frame(let frame, _):
                if let first, !frame.follows(first) { return .nothing }
                first = first ?? frame
                next += frame.size
            }
        }
        guard let first else { return .nothing }
        return .frame(first, format)
    }

    private func header(at place: Int, _ format: Format) -> Look {
        guard place < buffer.count else { return .tooShort }
        let first: UInt8 = format == .ogg ? UInt8(ascii: "O") : 0xFF
        guard buffer[place] == first else { return .nothing }
        switch format {
        case .ogg:
            let bytes = buffer[place..<min(place + 5, buffer.count)]
            guard OggPage.mark.starts(with: bytes.prefix(4)) else { return .nothing }
            guard let page = OggPage(buffer, at: place) else {
                return buffer.count - place < OggPage.largestHeader ? .tooShort : .nothing
            }
            return .frame(Frame(size: page.end - place, duration: 0), .ogg)
        case .adts:
            guard buffer.count - place >= Self.headerSize else { return .tooShort }
            guard let frame = Self.adts(buffer[place..<place + Self.headerSize]) else { return .nothing }
            return .frame(frame, .adts)
        case .mpeg:
            guard buffer.count - place >= Self.headerSize else { return .tooShort }
            guard let header = MPEGFrameHeader(buffer[place..<place + 4]), header.byteCount > 4 else { return .nothing }
            let duration = Double(header.framesPerPacket) / Double(header.sampleRate)
            let frame = Frame(
                size: header.byteCount,
                duration: duration,
                layer: header.layer,
                sampleRate: header.sampleRate
            )
            return .frame(frame, .mpeg)
        }
    }

    /// The sample rates of ISO/IEC 14496-3.
    private static let adtsRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    private static func adts(_ bytes: ArraySlice<UInt8>) -> Frame? {
        let header = Array(bytes)
        guard header[0] == 0xFF, header[1] & 0xF6 == 0xF0 else { return nil }
        let rate = Int(header[2] >> 2 & 15)
        let size = Int(header[3] & 3) << 11 | Int(header[4]) << 3 | Int(header[5] >> 5)
        guard adtsRates.indices.contains(rate), size > headerSize else { return nil }
        let samples = 1024 * (Int(header[6] & 3) + 1)
        return Frame(size: size, duration: Double(samples) / Double(adtsRates[rate]), sampleRate: adtsRates[rate])
    }
}
