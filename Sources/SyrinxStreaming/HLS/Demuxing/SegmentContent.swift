import SyrinxByteStream
import SyrinxMediaCodec

/// Converts the bytes of segments of one kind to a continuous stream for libavformat, and records their times.
///
/// It extracts the audio of transport streams, and removes the tags of packed audio (RFC 8216, 3).
struct SegmentContent {
    private enum Kind {
        case unknown
        case transport(TransportStreamDemuxer)
        case packed(PackedAudio)
        case fragmented(FragmentTimes)
    }

    private var kind = Kind.unknown
    private let initialization: [UInt8]?
    private var head: [UInt8] = []
    private let name: String
    /// The bytes for libavformat, since the last `takeBytes()`.
    private var bytes: [UInt8] = []
    /// The tags since the last `takeTags()`, with their times in seconds of the segments' clock; without a time they
    /// apply at once.
    private var tags: [(seconds: Double?, tags: [String: String])] = []
    /// The time of the first sample by the clock of the segments, in seconds.
    private(set) var firstSeconds: Double?
    /// The same of the segment that is read.
    private(set) var segmentSeconds: Double?
    private var hasSound = false
    private var counter: SoundFrameCounter?
    /// The duration in seconds of the audio so far, and of the audio before the current segment.
    private var counted = 0.0
    private var countedBefore = 0.0

    /// The period in seconds of the timestamps of transport streams.
    static let wrap = Double(1 << 33) / 90_000

    /// - Parameters:
    ///   - initialization: The initialization section, if the segments have one.
    ///   - name: The name of the first segment in messages.
    init(initialization: [UInt8]?, name: String) {
        self.initialization = initialization
        self.name = name
    }

    /// libavformat's name of the format; `nil` until it is known.
    var format: String? {
        switch kind {
        case .unknown: nil
        case .transport(let demuxer): demuxer.codec?.format
        case .packed(let audio): audio.format
        case .fragmented: "mov"
        }
    }

    /// Whether the time of the first sample is known, or cannot become known.
    var isPlaced: Bool {
        switch kind {
        case .unknown: false
        case .transport(let demuxer): demuxer.firstStamp != nil && hasSound
        case .packed(let audio): audio.isPastTag && hasSound
        case .fragmented(let times): times.firstTime != nil
        }
    }

    /// The duration in seconds of the audio so far, according to its frame headers; `nil` for unsupported formats.
    var soundSeconds: Double? {
        switch kind {
        case .unknown: nil
        case .transport, .packed: counter.map { _ in counted }
        case .fragmented: counted
        }
    }

    /// The end of the current segment's audio so far, in seconds of the segments' clock.
    var endSeconds: Double? {
        guard let segmentSeconds, let soundSeconds else { return nil }
        return segmentSeconds + soundSeconds - countedBefore
    }

    /// Whether the segment ended within a box, so that the following bytes would be parsed as part of it.
    var isCutOff: Bool {
        if case .fragmented(let times) = kind { return times.isWithinBox }
        return false
    }

    /// Returns whether `head` can be the start of another part of the current segment.
    func goesOn(with head: [UInt8]) -> Bool {
        switch kind {
        case .transport: Self.isTransport(head)
        case .fragmented: Self.isFragmented(head)
        case .packed, .unknown: head.first != UInt8(ascii: "<")
        }
    }

    mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func takeTags() -> [(seconds: Double?, tags: [String: String])] {
        defer { tags = [] }
        return tags
    }

    // MARK: Segments

    /// Starts another segment.
    mutating func beginSegment() {
        segmentSeconds = nil
        countedBefore = counted
        counter?.beginSegment()
        switch kind {
        case .unknown: break
        case .transport(var demuxer):
            demuxer.beginSegment()
            kind = .transport(demuxer)
        case .packed(var audio):
            audio.beginSegment()
            kind = .packed(audio)
        case .fragmented(var times):
            times.beginSegment()
            kind = .fragmented(times)
        }
    }

    /// Adds bytes of a segment; an empty array ends it.
    /// - Throws: `media.notAudio` or `media.unsupported` for content that cannot be played.
    mutating func push(_ piece: [UInt8]) throws(SyrinxError) {
        if case .unknown = kind {
            head += piece
            guard head.count >= 400 || piece.isEmpty else { return }
            let all = head
            head = []
            try begin(all)
            return try take(all)
        }
        try take(piece)
    }

    private mutating func begin(_ head: [UInt8]) throws(SyrinxError) {
        // The initialization section may be meant for segments of another kind.
        let first = Self.isTransport(head) ? head : initialization ?? head
        if Self.isTransport(first) {
            var demuxer = TransportStreamDemuxer()
            if let initialization, Self.isTransport(initialization) {
                initialization.withUnsafeBytes { demuxer.push($0) }
            }
            kind = .transport(demuxer)
        } else if Self.isFragmented(first) {
            kind = .fragmented(FragmentTimes(initialization: initialization ?? head))
            bytes += initialization ?? []
        } else if let audio = PackedAudio(head) {
            kind = .packed(audio)
        } else {
            let text = String(decoding: head.prefix(16), as: UTF8.self).lowercased()
            let what =
                text.hasPrefix("webvtt")
                ? "subtitles" : head.isEmpty ? "nothing" : DocumentKind.name(of: head) ?? "data of an unknown kind"
            throw SyrinxError(
                .notAudio,
                "the server sent \(what) in place of a segment of the stream: try again later",
                name: name
            )
        }
    }

    static func isTransport(_ head: [UInt8]) -> Bool {
        head.first == 0x47 && (head.count < 189 || head[188] == 0x47)
    }

    static func isFragmented(_ head: [UInt8]) -> Bool {
        head.count >= 8
            && ["ftyp", "styp", "moof", "sidx", "moov", "emsg", "prft", "free"].contains(MP4Box.kind(head[4..<8]))
    }

    private mutating func take(_ piece: [UInt8]) throws(SyrinxError) {
        switch kind {
        case .unknown: break
        case .transport(var demuxer):
            kind = .unknown
            piece.isEmpty ? demuxer.endSegment() : piece.withUnsafeBytes { demuxer.push($0) }
            try check(demuxer, isAtEnd: piece.isEmpty)
            let sound = demuxer.takeSound()
            count(sound, of: demuxer.codec?.format)
            bytes += sound
            note(start: demuxer.firstStamp.map { Double($0) / 90_000 })
            for tag in demuxer.takeTags() { note(tag.bytes, at: Double(tag.stamp) / 90_000) }
            kind = .transport(demuxer)
        case .packed(var audio):
            kind = .unknown
            let sound = audio.push(piece)
            count(sound, of: audio.format)
            bytes += sound
            note(start: audio.stamp.map { Double($0) / 90_000 })
            for texts in audio.takeTags() { tags.append((audio.stamp.map { Double($0) / 90_000 }, texts)) }
            kind = .packed(audio)
        case .fragmented(var times):
            kind = .unknown
            piece.withUnsafeBytes { times.push($0) }
            bytes += piece
            counted = times.soundSeconds
            note(start: times.firstSeconds)
            for tag in times.takeTags() {
                let base = tag.isRelative ? times.firstSeconds ?? firstSeconds : 0
                note(tag.bytes, at: base.map { $0 + tag.seconds })
            }
            kind = .fragmented(times)
        }
    }

    private mutating func note(start seconds: Double?) {
        segmentSeconds = segmentSeconds ?? seconds
        firstSeconds = firstSeconds ?? seconds
    }

    private mutating func count(_ sound: [UInt8], of format: String?) {
        if counter == nil, let format { counter = SoundFrameCounter(format: format) }
        if !sound.isEmpty { hasSound = true }
        counter?.push(sound)
        counted = counter?.seconds ?? 0
    }

    private mutating func note(_ tag: [UInt8], at seconds: Double?) {
        guard let texts = ID3v2Tag(tag)?.list.texts, !texts.isEmpty else { return }
        tags.append((seconds, texts))
    }

    private func check(_ demuxer: TransportStreamDemuxer, isAtEnd: Bool) throws(SyrinxError) {
        if demuxer.isScrambled {
            throw SyrinxError(
                .unsupported,
                "the sound of the stream is encrypted in a way that is not supported: play it with the sender's own player",
                name: name
            )
        }
        if demuxer.lacksSound || isAtEnd && demuxer.codec == nil {
            throw SyrinxError(
                .notAudio,
                "the stream has no sound that can be decoded: it may have pictures only",
                name: name
            )
        }
    }
}

/// A segment of packed audio: frames without a container, after an ID3 tag with their time.
struct PackedAudio {
    /// libavformat's name of the frames.
    let format: String
    /// The timestamp of the first sample of the segment, in ticks of 90 kHz.
    private(set) var stamp: Int64?
    /// Whether the tags at the start of the segment have been read.
    private(set) var isPastTag = false
    private var head: [UInt8] = []
    private var tags: [[String: String]] = []

    private static let largestTag = 4 << 20

    /// Creates the frames of a segment that starts with `head`; returns `nil` for other content.
    init?(_ head: [UInt8]) {
        var rest = head[...]
        while let size = ID3v2Tag.size(of: rest), rest.count > size { rest = rest.dropFirst(size) }
        guard let format = Self.format(of: rest) else { return nil }
        self.format = format
    }

    private static func format(of head: ArraySlice<UInt8>) -> String? {
        let bytes = Array(head.prefix(6))
        // A long tag hides the frames after it, which are usually AAC.
        if bytes.starts(with: "ID3".utf8) { return "aac" }
        guard bytes.count >= 6 else { return nil }
        if bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 { return "aac" }
        if bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 { return "mp3" }
        if bytes[0] == 0x0B, bytes[1] == 0x77 { return bytes[5] >> 3 > 10 ? "eac3" : "ac3" }
        if bytes[0] == 0x56, bytes[1] & 0xE0 == 0xE0 { return "loas" }
        return nil
    }

    mutating func beginSegment() {
        isPastTag = false
        stamp = nil
        head = []
    }

    mutating func takeTags() -> [[String: String]] {
        defer { tags = [] }
        return tags
    }

    /// Processes the next bytes of the segment (empty at its end) and returns the frames.
    mutating func push(_ piece: [UInt8]) -> [UInt8] {
        guard !isPastTag else { return piece }
        head += piece
        while let size = ID3v2Tag.size(of: head) {
            guard head.count >= size || piece.isEmpty || head.count > Self.largestTag else { return [] }
            if let tag = ID3v2Tag(head) {
                stamp = stamp ?? tag.stamp
                let texts = tag.list.texts
                if !texts.isEmpty { tags.append(texts) }
            }
            head.removeFirst(min(size, head.count))
        }
        guard head.count >= 10 || piece.isEmpty else { return [] }
        isPastTag = true
        defer { head = [] }
        return head
    }
}
