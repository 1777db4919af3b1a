/// An MP4 or 3GP file with one track of sound, whose table and edit list may state anything (ISO/IEC 14496-12).
struct MP4File {
    enum Codec {
        /// AAC of low complexity, 44,100 Hz, stereo.
        case aac
        /// AMR, narrow band.
        case amr
    }

    var codec = Codec.aac
    var samples: [[UInt8]]
    /// The ticks of each sample.
    var durations: [Int]
    /// The ticks of all samples, as the header of the media states them.
    var mediaDuration: Int?
    /// Ticks of the movie, and the tick of the media; −1 for a pause.
    var edits: [(duration: Int, start: Int)] = []
    /// The comment of iTunes.
    var gapless: String?

    static let movieScale = 1000
    private var rate: Int { codec == .aac ? 44_100 : 8000 }

    init(_ samples: [[UInt8]], _ durations: [Int], codec: Codec = .aac) {
        (self.samples, self.durations, self.codec) = (samples, durations, codec)
    }

    var bytes: [UInt8] {
        let type = box("ftyp", Array("M4A ".utf8) + number(0) + Array("M4A mp42isom".utf8))
        let data = box("mdat", samples.flatMap { $0 })
        let all = mediaDuration ?? durations.reduce(0, +)
        let movie = durations.reduce(0, +) * Self.movieScale / rate
        let header = full("mvhd", number(0) + number(0) + number(Self.movieScale) + number(movie) + zeros(80))
        let trackHeader = full("tkhd", number(0) + number(0) + number(1) + number(0) + number(movie) + zeros(60))
        let list = edits.flatMap { number($0.duration) + number($0.start) + number(0x10000) }
        let edit = edits.isEmpty ? [] : box("edts", full("elst", number(edits.count) + list))
        let mediaHeader = full("mdhd", number(0) + number(0) + number(rate) + number(all) + zeros(4))
        let handler = full("hdlr", number(0) + Array("soun".utf8) + zeros(13))
        let table = box("stbl", description + times + chunk + sizes + full("stco", number(1) + number(type.count + 8)))
        let media = box("mdia", mediaHeader + handler + box("minf", full("smhd", zeros(4)) + table))
        return type + data + box("moov", header + box("trak", trackHeader + edit + media) + tags)
    }

    private var description: [UInt8] {
        let front = zeros(6) + [0, 1] + zeros(8) + [0, codec == .aac ? 2 : 1, 0, 16] + zeros(4) + number(rate << 16)
        switch codec {
        case .aac:
            let config: [UInt8] = [5, 2, 0x12, 0x10]
            let decoder: [UInt8] = [4, UInt8(13 + config.count), 0x40, 0x15] + zeros(11) + config
            let all: [UInt8] = [3, UInt8(3 + decoder.count + 3), 0, 0, 0] + decoder + [6, 1, 2]
            return full("stsd", number(1) + box("mp4a", front + full("esds", all)))
        case .amr:
            return full(
                "stsd",
                number(1) + box("samr", front + box("damr", Array("test".utf8) + [0, 0x81, 0xFF, 0, 1]))
            )
        }
    }

    private var times: [UInt8] { full("stts", number(durations.count) + durations.flatMap { number(1) + number($0) }) }

    private var chunk: [UInt8] { full("stsc", number(1) + number(1) + number(samples.count) + number(1)) }

    private var sizes: [UInt8] {
        full("stsz", number(0) + number(samples.count) + samples.flatMap { number($0.count) })
    }

    private var tags: [UInt8] {
        guard let gapless else { return [] }
        let list = box("ilst", ITunesAtom.comment(name: "iTunSMPB", value: gapless))
        let handler = full("hdlr", number(0) + Array("mdirappl".utf8) + zeros(9))
        return box("udta", full("meta", handler + list))
    }

    private func full(_ kind: String, _ body: [UInt8]) -> [UInt8] { box(kind, number(0) + body) }

    private func box(_ kind: String, _ body: [UInt8]) -> [UInt8] { number(body.count + 8) + Array(kind.utf8) + body }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private func number(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
