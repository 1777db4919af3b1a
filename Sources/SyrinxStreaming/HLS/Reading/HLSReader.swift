import SyrinxByteStream
import SyrinxMediaCodec

/// Decodes an HLS presentation as one recording, with all segments on one timeline.
///
/// At a change of rendition, both renditions are decoded briefly and crossfaded; other transitions have no gap. Reads
/// block. Use it on one thread at a time; `HLSStream` interrupts and cancels it.
final class HLSReader: SampleReader {
    let loader: HLSLoader
    let name: String
    let format: HLSRun.Format
    private var description: MediaInfo
    private(set) var run: HLSRun?
    /// The run that is being faded to.
    private var fade: HLSFade?
    /// The segment that was read last, of a run that is over.
    private(set) var last: HLSPlan?
    private(set) var clocks: [HLSClockID: HLSAnchor] = [:]
    /// The silence in place of missing segments.
    private var silence: HLSSilence
    /// The audio that is missing in the presentation.
    var missing = HLSMissing()
    private var hasEnded = false
    /// Whether reading was broken off, so that the run cannot go on.
    private var isBroken = false
    private var marks = HLSMarks()
    private var formerCorruptCount = 0

    private(set) var position: Int64 = 0
    private(set) var tags: [String: String] = [:]
    var endsWhereCutOff = false
    var keepsEndPadding = false
    var shortfall: SyrinxError? { nil }
    var artwork: MediaPicture? { nil }

    /// The maximum gap or overlap in seconds, in a live presentation, for which timestamps are followed.
    private static let longestGap = 30.0

    /// Opens a presentation at its default start, and decodes the first samples.
    init(_ loader: HLSLoader, name: String) throws(SyrinxError) {
        self.loader = loader
        self.name = name
        let opened = try Self.openFirst(loader, name)
        format = HLSRun.Format(opened.reader.info)
        description = opened.reader.info
        description.format = Container("hls")
        description.isSeekable = true
        description.size = nil
        description.tags = [:]
        (description.frameCount, description.duration, description.durationIsExact) = (nil, nil, false)
        run = opened
        silence = HLSSilence(sampleRate: format.sampleRate)
        let (plan, start) = (opened.stream.first, frame(at: opened.stream.first.entry.start))
        begin(opened, at: start)
        // If the first segments are missing, the presentation starts with silence.
        position = start.subtractingClamped(silence.add(frame(at: plan.silence - plan.hole.gap)))
        // The gaps of the playlist are no part of this silence.
        let length = seconds(at: start.subtractingClamped(position))
        missing.note(at: seconds(at: position), lasting: length, HLSHole(losses: plan.hole.losses))
        noteMarks(of: opened)
        tags = marks.take(upTo: position, tags)
        description.tags = tags
    }

    private static func openFirst(_ loader: HLSLoader, _ name: String) throws(SyrinxError) -> HLSRun {
        while true {
            guard let plan = try loader.peek() else {
                throw SyrinxError(.empty, HLSText.noSegments, name: name)
            }
            loader.take(plan)
            if let run = try open(loader, plan, after: nil, in: nil) { return run }
        }
    }

    /// Opens the run that starts with a segment.
    /// - Returns: The run; `nil` if opening failed and another segment should be tried.
    private static func open(
        _ loader: HLSLoader,
        _ plan: HLSPlan,
        after previous: HLSPlan?,
        in format: HLSRun.Format?
    ) throws(SyrinxError) -> HLSRun? {
        do throws(SyrinxError) {
            let stream = try HLSRunStream(loader, plan, after: previous)
            return try HLSRun(stream, in: format)
        } catch {
            if error.isBreak { throw error }
            loader.failed(plan, after: previous, error)
            return nil
        }
    }

    // MARK: Description

    var info: MediaInfo {
        var info = description
        guard info.frameCount == nil, let window = loader.window, !window.isLive else { return info }
        info.duration = window.end - window.start
        return info
    }

    var isAtEnd: Bool { hasEnded && silence.pending == 0 }
    var concealedFrameCount: Int64 { silence.frameCount }
    var corruptPacketCount: Int { formerCorruptCount.addingClamped(run?.corruptPacketCount ?? 0) }

    func frame(at seconds: Double) -> Int64 { Int64(clamped: (seconds * format.sampleRate).rounded()) }
    func seconds(at frame: Int64) -> Double { Double(frame) / format.sampleRate }

    // MARK: Reading

    func read(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) throws(SyrinxError) -> Int {
        guard frameCount > 0 else { return 0 }
        if isBroken { try seek(toFrame: position) }
        do throws(SyrinxError) {
            return try readOn(into: channels, frameCount)
        } catch {
            isBroken = true
            throw error
        }
    }

    private func readOn(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ frameCount: Int
    ) throws(SyrinxError) -> Int {
        while true {
            tags = marks.take(upTo: position, tags)
            let wanted = Int(min(Int64(frameCount), marks.next.map { $0.subtractingClamped(position) } ?? .max))
            if silence.pending > 0 {
                let count = min(wanted, Int(clamping: silence.pending))
                for channel in 0..<format.channelCount { channels[channel].update(repeating: 0, count: count) }
                silence.take(count)
                return advance(by: count)
            }
            guard let run else {
                if hasEnded { return 0 }
                try openNext()
                continue
            }
            if run.stream.isOverlapping, fade == nil { try openFade(from: run) }
            if let fade {
                let count = try fade.read(into: channels, frameCount: wanted)
                silence.noteSound(count)
                if fade.isOver {
                    noteHole(in: fade)
                    replaceRun(with: fade.next)
                }
                if count > 0 { return advance(by: count) }
                continue
            }
            let count = try read(run, into: channels, wanted)
            silence.noteSound(count)
            noteMarks(of: run)
            if count > 0 { return advance(by: count) }
            endRun()
        }
    }

    /// Reads samples of a run; a run that cannot be decoded returns none.
    private func read(
        _ run: HLSRun,
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ frameCount: Int
    ) throws(SyrinxError) -> Int {
        do throws(SyrinxError) {
            return try run.read(into: channels, frameCount: frameCount)
        } catch {
            if error.isBreak { throw error }
            if !run.stream.hasFailed { loader.failed(run.stream.plan, after: run.stream.previous, error) }
            return 0
        }
    }

    /// Moves the timeline by a number of frames, before anything has been read.
    func move(by frames: Int64) {
        position = position.addingClamped(frames)
        if let run {
            run.start = run.start.addingClamped(frames)
            run.position = run.position.addingClamped(frames)
        }
        clocks = clocks.mapValues { $0.moved(by: frames) }
        marks.move(by: frames)
    }

    private func advance(by count: Int) -> Int {
        position = position.addingClamped(Int64(count))
        return count
    }

    private func endRun() {
        guard let run else { return }
        formerCorruptCount = corruptPacketCount
        last = run.stream.hasFailed ? run.stream.previous : run.stream.plan
        run.stream.cancel()
        self.run = nil
    }

    private func replaceRun(with next: HLSRun) {
        endRun()
        fade = nil
        run = next
        noteMarks(of: next)
    }

    // MARK: The next run

    /// Opens the run that follows, and places it.
    private func openNext() throws(SyrinxError) {
        guard let plan = try loader.peek() else { return end() }
        loader.take(plan)
        guard let next = try Self.open(loader, plan, after: last, in: format) else { return }
        run = next
        guard let next = run else { return }
        try place(next, at: start(of: next))
        noteMarks(of: next)
    }

    private func end() {
        hasEnded = true
        noteHoleAtEnd(from: position)
        guard let window = loader.window, !window.isLive else { return }
        description.frameCount = position
        description.duration = seconds(at: position)
        description.durationIsExact = true
    }

    /// Returns the start frame of the run that follows.
    private func start(of next: HLSRun) -> Int64 {
        let plan = next.stream.first
        switch plan.joint {
        case .jump: return position
        case .discontinuity where loader.window?.isLive == true: return position
        case .resumed: return timed(next) ?? min(frame(at: plan.entry.start), position)
        case .first, .continuous, .initialized, .discontinuity, .switched:
            return timed(next) ?? position.addingClamped(frame(at: plan.silence))
        }
    }

    /// Returns the start frame of a run according to its clock; `nil` if it is unknown.
    private func timed(_ next: HLSRun) -> Int64? {
        guard let anchor = clocks[next.stream.first.entry.clock], let first = next.stream.firstSeconds else {
            return nil
        }
        let start = anchor.frame(at: first, near: position, sampleRate: format.sampleRate)
        let distance = abs(seconds(at: start.subtractingClamped(position)))
        return distance <= Self.longestGap + next.stream.first.segment.duration ? start : nil
    }

    /// Places a run on the timeline: overlapping frames are dropped, and missing ones are silent.
    private func place(_ next: HLSRun, at start: Int64) throws(SyrinxError) {
        let plan = next.stream.first
        var start = start
        noteHole(before: next, at: start)
        if start > position {
            let gap = start.subtractingClamped(position)
            let isMissing = loader.window?.isLive != true && seconds(at: gap) <= plan.silence + Self.longestGap
            start = position.addingClamped(isMissing ? silence.add(gap) : 0)
        }
        begin(next, at: start)
        let movesAll = plan.joint == .jump
        if movesAll { clocks = clocks.filter { $0.key == plan.entry.clock } }
        loader.found(plan, at: seconds(at: start), movesAll: movesAll)
        if start < position, try !next.skip(to: position) { endRun() }
    }

    private func begin(_ next: HLSRun, at start: Int64) {
        next.start = start
        next.position = start
        guard let first = next.stream.firstSeconds else { return }
        if clocks.count > 1_000 { clocks = [:] }
        clocks[next.stream.first.entry.clock] = HLSAnchor(seconds: first, frame: start, grid: next.grid)
    }

    /// Opens the new rendition while the old one can still be read.
    private func openFade(from run: HLSRun) throws(SyrinxError) {
        guard let plan = try loader.peek(), plan.joint == .switched else { return run.stream.cancel() }
        loader.take(plan)
        guard let next = try Self.open(loader, plan, after: run.stream.plan, in: format) else {
            return run.stream.cancel()
        }
        let start =
            timed(next) ?? run.stream.soundSeconds.map { run.start.addingClamped(frame(at: $0)) } ?? position
        begin(next, at: start)
        loader.found(plan, at: seconds(at: start), movesAll: false)
        fade = HLSFade(
            from: run,
            to: next,
            at: position,
            sampleRate: format.sampleRate,
            channelCount: format.channelCount
        )
    }

    // MARK: Tags

    private func noteMarks(of run: HLSRun) {
        for mark in run.stream.takeMarks() {
            var time = run.start.addingClamped(frame(at: mark.elapsed))
            if let clock = mark.clock, let anchor = clocks[run.stream.first.entry.clock] {
                time = anchor.frame(at: clock, near: time, sampleRate: format.sampleRate)
            }
            marks.add(mark.tags, at: time)
        }
    }

    // MARK: Seeking

    func seek(toFrame frame: Int64) throws(SyrinxError) {
        isBroken = true
        let target = reachable(frame)
        endRun()
        fade = nil
        silence.drop()
        hasEnded = false
        last = nil
        marks = HLSMarks()
        if let window = loader.window, !window.isLive, target >= self.frame(at: window.end) {
            loader.seek(to: window.end)
            position = target
            isBroken = false
            return end(at: target)
        }
        try land(at: target)
        isBroken = false
    }

    private func end(at frame: Int64) {
        hasEnded = true
        noteHoleAtEnd(from: frame)
    }

    /// Returns the seekable frame nearest to `frame`.
    private func reachable(_ frame: Int64) -> Int64 {
        guard let window = loader.window else { return max(frame, 0) }
        let first = self.frame(at: window.start)
        let last =
            window.isLive ? self.frame(at: window.liveEdge) : description.frameCount ?? self.frame(at: window.end)
        return min(max(frame, first), max(last, first))
    }

    /// Seconds before the target that are decoded, so that the decoder is right by then.
    private static let prerollSeconds = 0.25
    /// The maximum number of segments to try for a seek.
    private static let tries = 5

    private func land(at target: Int64) throws(SyrinxError) {
        var wanted = max(seconds(at: target) - Self.prerollSeconds, loader.window?.start ?? 0)
        for attempt in 0..<Self.tries {
            loader.seek(to: wanted)
            guard let next = try openSought() else {
                position = target
                return end(at: target)
            }
            let plan = next.stream.first
            position = frame(at: plan.entry.start)
            let start = timed(next) ?? position
            begin(next, at: start)
            run = next
            loader.found(plan, at: seconds(at: start), movesAll: false)
            let end = start.addingClamped(frame(at: plan.segment.duration))
            let isLast = attempt == Self.tries - 1
            if start > target, !isLast, let before = loader.state.read({ $0.scheduler.predecessor(of: plan) }) {
                wanted = before.start + before.segment.duration / 2
            } else if end.addingClamped(frame(at: plan.segment.duration)) < target, !isLast {
                wanted = seconds(at: target)
            } else {
                position = target
                if !plan.hole.losses.isEmpty { noteHole(before: next, at: start) }
                position = max(target, start)
                noteMarks(of: next)
                if try !next.skip(to: position) { endRun() }
                return
            }
            endRun()
        }
    }

    private func openSought() throws(SyrinxError) -> HLSRun? {
        while let plan = try loader.peek() {
            loader.take(plan)
            if let run = try Self.open(loader, plan, after: nil, in: format) { return run }
        }
        return nil
    }
}
