import SyrinxByteStream
import SyrinxMediaCodec

/// The bytes of consecutive segments as one stream: of one rendition, clock and initialization section.
///
/// One thread reads it, forward only. It ends before a segment that does not belong to the run.
final class HLSRunStream: FormattedByteStream, @unchecked Sendable {
    // Unchecked: used by the thread that decodes only.

    /// Tags that apply from a time on.
    struct Mark {
        /// The time in seconds of the segments' clock; `nil` if only the playlist states a time.
        let clock: Double?
        /// The time in seconds since the start of the run, according to the playlist.
        let elapsed: Double
        let tags: [String: String]
    }

    private let loader: HLSLoader
    /// The segment that the run began with.
    let first: HLSPlan
    /// The segment that is read.
    private(set) var plan: HLSPlan
    /// The segment that was read before it.
    private(set) var previous: HLSPlan?
    private var bytes: HLSSegmentBytes?
    private var overlap: HLSSegmentBytes?
    private var content: SegmentContent
    private var pending: [UInt8] = []
    private var pendingOffset: Int64 = 0
    private var elapsed = 0.0
    private let initialization: [UInt8]?
    /// The duration in seconds of the audio in the run, without audio for fading out; `nil` if it cannot be measured.
    private(set) var soundSeconds: Double?
    private var marks: [Mark] = []
    private var isAtEnd = false
    /// Whether the segment that was read last could not be read to its end.
    private(set) var hasFailed = false

    /// The number of bytes within which a segment must contain audio.
    private static let patience = 4 << 20

    let name: String
    var length: Int64? { nil }
    var isSeekable: Bool { false }
    var isRemote: Bool { true }
    var mimeType: String? { nil }

    /// Opens the run that starts with `plan`, which was already taken, and reads up to its first sample.
    init(_ loader: HLSLoader, _ plan: HLSPlan, after previous: HLSPlan?) throws(SyrinxError) {
        self.loader = loader
        self.plan = plan
        self.previous = previous
        first = plan
        name = StreamingInput.url(plan.segment.resource.url).name
        if let section = plan.segment.initialization {
            initialization = try loader.bytes(of: section)
        } else {
            initialization = nil
        }
        content = SegmentContent(initialization: initialization, name: name)
        bytes = try loader.bytes(of: plan)
        noteSegment()
        var count = 0
        while !content.isPlaced, count < Self.patience {
            let piece = try bytes?.next() ?? []
            count += piece.count
            try push(piece)
            if piece.isEmpty { break }
        }
        guard content.format != nil else {
            throw SyrinxError(
                .notAudio,
                "the segment has no sound that can be decoded: it may have pictures only",
                name: name
            )
        }
    }

    /// libavformat's name of the format.
    var format: String? { content.format }
    /// The time of the first sample by the clock of the segments, in seconds.
    var firstSeconds: Double? { content.firstSeconds }
    /// Whether the current bytes are only needed for fading out, because another rendition follows.
    var isOverlapping: Bool { overlap != nil }

    /// Returns the tags since the last call.
    func takeMarks() -> [Mark] {
        defer { marks = [] }
        return marks
    }

    func cancel() {
        if let overlap { loader.close(overlap) }
        overlap = nil
        isAtEnd = true
    }

    // MARK: Reading

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        while true {
            let start = offset.subtractingClamped(pendingOffset)
            guard start >= 0 else { throw .notSeekable(name: name, offset: offset) }
            if start < Int64(pending.count) {
                let count = min(buffer.count, pending.count - Int(start))
                pending.withUnsafeBytes { source in
                    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[Int(start)..<Int(start) + count]))
                }
                dropPending(before: offset)
                return count
            }
            guard !isAtEnd, !buffer.isEmpty else { return 0 }
            try readOn()
        }
    }

    /// The number of bytes kept behind the reader, so that the start can be read again.
    private static let keptBytes: Int64 = 16 << 10

    private func dropPending(before offset: Int64) {
        let old = offset.subtractingClamped(Self.keptBytes).subtractingClamped(pendingOffset)
        guard old > Self.keptBytes else { return }
        pending.removeFirst(Int(clamping: old))
        pendingOffset = pendingOffset.addingClamped(old)
    }

    private func readOn() throws(SyrinxError) {
        let piece: [UInt8]
        do throws(SyrinxError) {
            piece = try (overlap ?? bytes)?.next() ?? []
            // Behind a part the segment may go on.
            if !piece.isEmpty || plan.segment.part == nil || overlap != nil { try push(piece) }
        } catch {
            guard !error.isBreak else { throw error }
            return fail(error)
        }
        if piece.isEmpty { try endSegment() }
    }

    private func fail(_ error: SyrinxError) {
        isAtEnd = true
        guard overlap == nil else { return }
        hasFailed = true
        loader.failed(plan, after: previous, error)
    }

    private func push(_ piece: [UInt8]) throws(SyrinxError) {
        try content.push(piece)
        pending += content.takeBytes()
        for tag in content.takeTags() { marks.append(Mark(clock: tag.seconds, elapsed: elapsed, tags: tag.tags)) }
    }

    /// Goes on with the next segment, if it belongs to the run.
    private func endSegment() throws(SyrinxError) {
        guard overlap == nil else {
            isAtEnd = true
            return
        }
        if plan.segment.part != nil, content.isCutOff {
            // What follows would be taken for its rest.
            let message = "a part of the segment ends early: all of the segment is fetched once it is complete"
            return fail(SyrinxError(.connectionLost, message, name: name))
        }
        loader.played(plan)
        do throws(SyrinxError) {
            var following = try loader.peek()
            while let part = following, part.segment.part != nil, part.joint == .continuous {
                if try part.goesOn(within: plan) ? goOn(with: part) : canOpen(part) { break }
                following = try loader.peek()
            }
            // The bytes of parts form a continuous segment, without their own tables and times.
            if following?.id == plan.id { return }
            if plan.segment.part != nil { try endPart() }
            guard let next = following else {
                isAtEnd = true
                return
            }
            elapsed += plan.segment.duration
            switch next.joint {
            case .continuous:
                let isWhole = !content.isCutOff
                guard isWhole, try goesOn(with: next) else {
                    isAtEnd = true
                    return
                }
                loader.take(next)
                previous = plan
                plan = next
                content.beginSegment()
                noteSegment()
                try open(next)
            case .switched:
                soundSeconds = content.soundSeconds
                overlap = try loader.overlap(after: plan)
                content.beginSegment()
                if overlap == nil { isAtEnd = true }
            case .first, .initialized, .discontinuity, .jump, .resumed: isAtEnd = true
            }
        } catch {
            guard !error.isBreak else { throw error }
            // The reader requests the next segment itself and receives the error.
            isAtEnd = true
        }
    }

    /// Ends the segment of which the last part has been read.
    private func endPart() throws(SyrinxError) {
        try push([])
    }

    /// Returns whether the first part of another segment can be opened; if not, an alternative is tried.
    private func canOpen(_ next: HLSPlan) throws(SyrinxError) -> Bool {
        do throws(SyrinxError) {
            _ = try loader.bytes(of: next)
            return true
        } catch {
            guard !error.isBreak else { throw error }
            loader.failed(next, after: plan, error)
            return false
        }
    }

    /// Continues with the next part of the current segment.
    /// - Returns: `false` if it cannot be opened and an alternative should be tried.
    private func goOn(with next: HLSPlan) throws(SyrinxError) -> Bool {
        let head: [UInt8]
        let opened: HLSSegmentBytes
        do throws(SyrinxError) {
            opened = try loader.bytes(of: next)
            head = try opened.next()
            guard content.goesOn(with: head) else {
                let message =
                    "the server sent something else in place of a part of a segment: all of the segment is fetched instead"
                throw SyrinxError(.notAudio, message, name: opened.stream.name)
            }
        } catch {
            guard !error.isBreak else { throw error }
            loader.failed(next, after: plan, error)
            return false
        }
        elapsed += plan.segment.duration
        loader.take(next)
        previous = plan
        plan = next
        bytes = opened
        do throws(SyrinxError) {
            try push(head)
        } catch {
            fail(error)
        }
        return true
    }

    /// The tolerance in seconds between two segments: timestamps are rounded, and frame headers may be miscounted.
    private static let tolerance = 0.15

    /// Returns whether the audio of the next segment starts where that of this segment ends.
    ///
    /// If audio is missing or repeated, the reader has to place the next segment by its time.
    private func goesOn(with next: HLSPlan) throws(SyrinxError) -> Bool {
        do throws(SyrinxError) {
            let bytes = try loader.bytes(of: next)
            var start = SegmentContent(
                initialization: initialization,
                name: StreamingInput.url(next.segment.resource.url).name
            )
            var count = 0
            while !start.isPlaced, count < Self.patience {
                let piece = try bytes.next()
                count += piece.count
                try start.push(piece)
                if piece.isEmpty { break }
            }
            guard start.format == content.format else { return false }
            guard let end = content.endSeconds, let begin = start.firstSeconds else { return true }
            let distance = (begin - end).remainder(dividingBy: SegmentContent.wrap)
            return abs(distance) <= Self.tolerance
        } catch {
            guard !error.isBreak else { throw error }
            loader.failed(next, after: plan, error)
            return false
        }
    }

    private func open(_ next: HLSPlan) throws(SyrinxError) {
        do throws(SyrinxError) {
            bytes = try loader.bytes(of: next)
        } catch {
            guard !error.isBreak else { throw error }
            isAtEnd = true
            hasFailed = true
            loader.failed(next, after: previous, error)
        }
    }

    private func noteSegment() {
        var tags = HLSTitle.tags(plan.segment.title)
        if let date = plan.segment.date, plan.id == first.id { tags["date_time"] = HLSDate.text(of: date) }
        if !tags.isEmpty { marks.append(Mark(clock: nil, elapsed: elapsed, tags: tags)) }
    }
}

/// The titles that stations write into `EXTINF`.
enum HLSTitle {
    /// Returns the tags for a title: plain text, or attributes such as `title="…",artist="…"`.
    static func tags(_ title: String?) -> [String: String] {
        guard let title, !title.isEmpty else { return [:] }
        guard title.contains("=\"") else { return ["title": title] }
        let attributes = HLSAttributes(title[...])
        var tags: [String: String] = [:]
        for name in ["title", "artist", "album"] {
            if let value = attributes[name] ?? attributes[name.uppercased()], !value.isEmpty { tags[name] = value }
        }
        return tags
    }
}

extension SyrinxError {
    /// Whether reading was broken off from outside.
    var isBreak: Bool { code == .cancelled || code == .interrupted }
}
