import SyrinxByteStream
import SyrinxMediaCodec

/// Turns the bytes of segments of one kind into those that libavformat reads one after the other, and notes their times.
///
/// It passes on the sound of transport streams, and packed audio without its tags (RFC 8216, 3).
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
    /// Tags and their times in seconds by the clock of the segments, since the last `takeTags()`; without a time they begin now.
    private var tags: [(seconds: Double?, tags: [String: String])] = []
    /// The time of the first sample by the clock of the segments, in seconds.
    private(set) var firstSeconds: Double?
    /// The same of the segment that is read.
    private(set) var segmentSeconds: Double?
    private var hasSound = false
    private var counter: SoundFrameCounter?
    /// The seconds of sound that have come, and those that had before the segment that is read.
    private var counted = 0.0
    private var countedBefore = 0.0

    /// Seconds after which the timestamps of transport streams begin anew.
    static let wrap = Double(1 << 33) / 90_000

    /// - Parameters:
    ///   - initialization: The initialisation section, if the segments have one.
    ///   - name: The name of the first segment in messages.
    init(initialization: [UInt8]?, name: String) {
        self.initialization = initialization
        self.name = name
    }

    /// libavformat's name of the format, once it is known.
    var format: String? {
        switch kind {
        case .unknown: nil
        case .transport(let demuxer): demuxer.codec?.format
        case .packed(let audio): audio.format
        case .fragmented: "mov"
        }
    }

    /// Whether the time of the first sample is known, or never will be.
    var isPlaced: Bool {
        switch kind {
        case .unknown: false
        case .transport(let demuxer): demuxer.firstStamp != nil && hasSound
        case .packed(let audio): audio.isPastTag && hasSound
        case .fragmented(let times): times.firstTime != nil
        }
    }

    /// The seconds of sound that have come, by the headers of its frames; `nil` if these are not known.
    var soundSeconds: Double? {
        switch kind {
        case .unknown: nil
        case .transport, .packed: counter.map { _ in counted }
        case .fragmented: counted
        }
    }

    /// The time by the clock of the segments at which the sound ends that has come of this one, in seconds.
    var endSeconds: Double? {
        guard let segmentSeconds, let soundSeconds else { return nil }
        return segmentSeconds + soundSeconds - countedBefore
    }

    /// Whether the segment has ended within a box, so that what follows would be taken for its rest.
    var isCutOff: Bool {
        if case .fragmented(let times) = kind { return times.isWithinBox }
        return false
    }

    /// Whether bytes can be the beginning of another part of the segment that is read.
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

    /// Begins another segment.
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

    /// Takes the next bytes of a segment; none at its end.
    /// - Throws: `media.notAudio` or `media.unsupported` for what cannot be played.
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
        // A section may have been meant for segments of another kind only.
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

/// A segment of packed audio: frames without a container, behind an ID3 tag with their time.
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

    /// The frames of a segment that begins with `head`; `nil` if these are no frames.
    init?(_ head: [UInt8]) {
        var rest = head[...]
        while let size = ID3v2Tag.size(of: rest), rest.count > size { rest = rest.dropFirst(size) }
        guard let format = Self.format(of: rest) else { return nil }
        self.format = format
    }

    private static func format(of head: ArraySlice<UInt8>) -> String? {
        let bytes = Array(head.prefix(6))
        // A long tag hides what comes behind it, which is AAC as a rule.
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

    /// Takes the next bytes of the segment, none at its end, and returns the frames.
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
