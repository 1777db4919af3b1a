import SyrinxByteStream
package import SyrinxMediaCodec

/// Decodes the video of a presentation that has an end, on the timeline of its audio.
///
/// It uses a separate loader. Use it on one thread at a time; any thread may call `cancel()`.
package final class HLSPictureReader {
    /// A picture with its display time, in seconds of the presentation.
    package struct Picture {
        package let frame: VideoFrame
        package let start: Double
        package internal(set) var end: Double
        /// The width of a pixel in relation to its height.
        package let pixelAspectRatio: VideoInfo.Fraction
    }

    /// The relation between the timestamps of some segments and the presentation.
    private struct Anchor {
        let stamp: Double
        let time: Double

        func time(at stamp: Double) -> Double {
            time + (stamp - self.stamp).remainder(dividingBy: SegmentContent.wrap)
        }
    }

    private struct Run {
        let bytes: HLSPictureBytes
        let reader: VideoReader
        let anchor: Anchor
    }

    /// The name of the presentation in messages.
    package let name: String
    private let loader: HLSLoader
    /// The clocks of the audio, if it has separate segments.
    private let soundClocks: [HLSTimebase.Clock]
    private var anchors: [HLSClockID: Anchor] = [:]
    /// The seconds from the start of a segment to its first picture.
    private var lead: Double?
    private var run: Run?
    private var lastPlan: HLSPlan?
    /// The next picture and the one after it, whose start is the end of the next picture.
    private var queue: [Picture] = []
    private var lastStart = -Double.infinity
    private var hasEnded = false
    /// The description of the video at the start.
    package private(set) var info: VideoInfo

    /// The maximum number of segments to try for a seek.
    private static let tries = 3
    /// The longest way ahead that is decoded and not jumped over, in seconds.
    private static let longestWay = 2.0
    /// Times are compared with this much latitude, in seconds.
    private static let latitude = 1e-6

    /// Opens the video at the start of the presentation.
    /// - Parameter soundClocks: The clocks of the audio, if it has separate segments.
    init(_ loader: HLSLoader, soundClocks: [HLSTimebase.Clock], name: String) throws(SyrinxError) {
        self.loader = loader
        self.soundClocks = soundClocks
        self.name = name
        guard let (bytes, reader) = try Self.open(loader, after: nil) else {
            throw SyrinxError(.empty, "The playlist has no segments.", name: name)
        }
        info = reader.info
        guard loader.window?.isLive == false else {
            throw SyrinxError(.unsupported, "The pictures of live streams cannot be shown.", name: name)
        }
        try begin(bytes, reader)
    }

    deinit { loader.cancel() }

    /// Breaks off, for good, a read that waits.
    package func cancel() { loader.cancel() }

    /// Whether the last returned picture is the last of the presentation.
    package var isAtEnd: Bool { hasEnded && queue.isEmpty }

    /// Returns the next picture; `nil` at the end.
    /// - Throws: The error that ends decoding; reading may succeed after a seek.
    package func next() throws(SyrinxError) -> Picture? {
        try fill()
        return queue.isEmpty ? nil : queue.removeFirst()
    }

    /// Seeks to the picture at a time in seconds; times outside of the video select the first or last picture.
    package func seek(to time: Double) throws(SyrinxError) {
        guard time.isFinite else { return }
        if let next = queue.first, next.start <= time, time - next.start < Self.longestWay {
            return try advance(to: time)
        }
        let window = loader.window
        // In the last segment, select its last picture.
        var wanted = min(max(time, window?.start ?? 0), (window?.end ?? .infinity) - 0.01)
        for attempt in 1...Self.tries {
            (run, queue, hasEnded, lastPlan, lastStart) = (nil, [], false, nil, -.infinity)
            loader.seek(to: wanted)
            try openNext()
            guard let plan = run?.bytes.first else { return }
            try fill()
            guard attempt < Self.tries, queue.first.map({ $0.start > time + Self.latitude }) ?? true,
                let before = loader.state.read({ $0.scheduler.predecessor(of: plan) })
            else { break }
            wanted = before.start + before.segment.duration / 2
        }
        try advance(to: time)
    }

    private func advance(to time: Double) throws(SyrinxError) {
        while true {
            try fill()
            guard queue.count > 1, queue[1].start <= time + Self.latitude else { return }
            queue.removeFirst()
        }
    }

    // MARK: Decoding

    private func fill() throws(SyrinxError) {
        while queue.count < 2, !hasEnded {
            guard let run else {
                try openNext()
                continue
            }
            guard let picture = try decode(run) else {
                lastPlan = run.bytes.hasFailed ? run.bytes.previous : run.bytes.plan
                self.run = nil
                continue
            }
            // After a change of rendition, some pictures repeat.
            guard picture.start > lastStart + Self.latitude else { continue }
            lastStart = picture.start
            if !queue.isEmpty { queue[queue.count - 1].end = picture.start }
            queue.append(picture)
        }
    }

    private func decode(_ run: Run) throws(SyrinxError) -> Picture? {
        do throws(SyrinxError) {
            guard let frame = try run.reader.next() else { return nil }
            let info = run.reader.info
            let start = run.anchor.time(at: info.seconds(frame.start.addingClamped(run.reader.origin)))
            return Picture(
                frame: frame,
                start: start,
                end: start + info.seconds(frame.duration),
                pixelAspectRatio: info.pixelAspectRatio
            )
        } catch {
            if error.isBreak { throw error }
            if !run.bytes.hasFailed { loader.failed(run.bytes.plan, after: run.bytes.previous, error) }
            return nil
        }
    }

    // MARK: Runs

    private func openNext() throws(SyrinxError) {
        guard let (bytes, reader) = try Self.open(loader, after: lastPlan) else {
            hasEnded = true
            return
        }
        try begin(bytes, reader)
    }

    /// Opens the run that follows on a segment.
    /// - Returns: `nil` at the end.
    private static func open(
        _ loader: HLSLoader,
        after previous: HLSPlan?
    ) throws(SyrinxError) -> (HLSPictureBytes, VideoReader)? {
        while let plan = try loader.peek() {
            loader.take(plan)
            do throws(SyrinxError) {
                let bytes = try HLSPictureBytes(loader, plan, after: previous)
                return (bytes, try VideoReader.open(bytes))
            } catch {
                if error.isBreak { throw error }
                loader.failed(plan, after: previous, error)
            }
        }
        return nil
    }

    private func begin(_ bytes: HLSPictureBytes, _ reader: VideoReader) throws(SyrinxError) {
        let clock = bytes.first.entry.clock
        let info = reader.info
        let first = info.seconds(info.start.addingClamped(reader.origin))
        let anchor = anchors[clock] ?? self.anchor(bytes.first.entry, reader, first)
        anchors[clock] = anchor
        lead = lead ?? (anchor.time(at: first) - bytes.first.entry.start)
        run = Run(bytes: bytes, reader: reader, anchor: anchor)
    }

    /// Returns the relation for a new clock: from the audio if possible, otherwise that of the first clock.
    private func anchor(_ entry: HLSWindow.Entry, _ reader: VideoReader, _ first: Double) -> Anchor {
        if reader.countsFromSound {
            return Anchor(stamp: reader.info.seconds(reader.origin), time: entry.start)
        }
        if let known = soundClocks.last(where: { $0.discontinuity == entry.segment.discontinuity }) {
            return Anchor(stamp: known.stamp, time: known.time)
        }
        return Anchor(stamp: first, time: entry.start + (lead ?? 0))
    }
}

extension HLSStream {
    /// Opens the video of the presentation.
    /// - Parameter playing: The presentation whose audio is being played, so that its segments can be shared.
    /// - Returns: The reader; `nil` if the bytes are not an HLS playlist.
    /// - Throws: `.notVideo` without video, `.unsupported` for a live presentation, and the errors of its playlists and
    ///   segments.
    package func openPictures(
        beside playing: @escaping @Sendable () -> HLSStream? = { nil }
    ) throws(SyrinxError) -> HLSPictureReader? {
        guard let (loader, sound) = try makePictureLoaders(beside: playing) else { return nil }
        var clocks: [HLSTimebase.Clock] = []
        do throws(SyrinxError) {
            if let sound { clocks = try HLSReader(sound, name: name).soundClocks }
        } catch {
            // Without its audio, the pictures are timed from their own start.
            if error.isBreak { throw error }
        }
        sound?.cancel()
        return try HLSPictureReader(loader, soundClocks: clocks, name: name)
    }
}
