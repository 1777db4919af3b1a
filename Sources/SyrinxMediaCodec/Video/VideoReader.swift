internal import CSyrinxFFmpeg
package import SyrinxByteStream

/// Decodes the video of a recording in presentation order, from any time on.
///
/// It holds two frames and the state of the codec. After a seek back it caches the frames that it passes, up to
/// `recentByteLimit`, so that further steps back need no decoding.
///
/// Use it from one thread at a time. Only the stream's `cancel()`, which interrupts a read, can be called from any
/// thread.
package final class VideoReader {
    /// The description of the video.
    package let info: VideoInfo
    private let container: VideoContainer
    private let decoder: VideoDecoder
    /// The next frame and the one after it, which determines the duration of the next.
    private var queue: [VideoFrame] = []
    private var hasReadAll = false
    private var hasDecoded = false
    /// The times of the last decoded frame.
    private var last: (start: Int64, duration: Int64)?
    /// The cached frames before the next.
    private var history = PictureHistory<VideoFrame>(byteLimit: 0)
    /// The number of sequential reads until the cache is dropped.
    private var keepsFor = 0

    /// The number of times that a seek starts earlier, each time four times farther, if it started too late.
    private static let attempts = 8
    /// The longest forward distance that is decoded instead of seeked over, in seconds.
    private static let longestWay = 20.0
    /// The same distance for containers without an index.
    private static let longestWayWithoutIndex = 2.0
    /// The average frame size, in bytes, below which frames of a program stream share packs of 2,048 bytes and their
    /// times.
    private static let smallestTimedPicture = 4096.0
    /// The longest recording with such frames, in seconds, that is decoded from its start.
    ///
    /// In longer ones, a seek can be off by one frame.
    private static let longestFromStart = 1800.0

    /// The number of sequential reads without a step back after which the cache is dropped.
    private static let patience = 64
    /// The `recentByteLimit` for programs that step back and forth: 34 frames of 1280 × 720.
    package static let usualRecentByteLimit = 48 << 20

    /// The maximum size of the cached frames after a seek back, in bytes.
    ///
    /// The default 0 disables the cache.
    package var recentByteLimit: Int {
        get { history.byteLimit }
        set { history = PictureHistory(byteLimit: newValue) }
    }

    /// The size of the cached frames in bytes.
    package var recentByteCount: Int { history.byteCount }

    /// Opens a recording and reads only enough to describe its video.
    /// - Throws: `SyrinxError`: `.notVideo` without video, `.unsupported` if frames are too large or the codec is
    ///   unknown, `.corrupt` or `.truncated` for damaged data, or the error of the stream.
    package static func open(_ stream: any ByteStream) throws(SyrinxError) -> VideoReader {
        try open(stream, stillFormat: nil)
    }

    static func open(_ stream: any ByteStream, stillFormat: String?) throws(SyrinxError) -> VideoReader {
        let container = try VideoContainer(stream: stream, stillFormat: stillFormat)
        let decoder = try VideoDecoder(container.stream, name: stream.name)
        guard let info = container.makeInfo() else { throw SyrinxError.outOfMemory(stream.name) }
        return VideoReader(container, decoder, info)
    }

    private init(_ container: VideoContainer, _ decoder: VideoDecoder, _ info: VideoInfo) {
        self.container = container
        self.decoder = decoder
        self.info = info
    }

    /// Whether the last frame has been returned.
    package var isAtEnd: Bool { hasReadAll && queue.isEmpty }

    /// The container timestamp of the start of the recording, in ticks, which is subtracted from frame times.
    package var origin: Int64 { container.origin }

    /// Whether times start at the first audio frame, because the recording has sound.
    package var countsFromSound: Bool { container.countsFromSound }

    /// The source stream.
    package var stream: any ByteStream { container.bridge.stream }

    /// Returns the next frame, or `nil` at the end or where the data is truncated.
    /// - Throws: `.corrupt` if no frame can be decoded, `.unsupported` if one is too large, or the error of the stream.
    ///   Reading can be retried after a seek.
    package func next() throws(SyrinxError) -> VideoFrame? {
        try fill()
        guard !queue.isEmpty else {
            if !hasDecoded { throw SyrinxError(.corrupt, "None of its pictures can be decoded.", name: stream.name) }
            return nil
        }
        if keepsFor > 0 {
            keepsFor -= 1
            if keepsFor == 0 { history.removeAll() }
        }
        return removeFirst()
    }

    /// Removes the next frame from the queue and caches it.
    private func removeFirst() -> VideoFrame {
        let frame = queue.removeFirst()
        if keepsFor > 0 { history.append(frame, start: frame.start, size: frame.byteCount) }
        return frame
    }

    /// Moves the cached frames from the one shown at a time back to the queue.
    /// - Returns: Whether that frame was in the cache.
    private func stepBack(to time: Int64) -> Bool {
        guard container.bridge.failure == nil else { return false }
        if let next = queue.first, time >= next.start { return false }
        // After the end, the last frame is shown.
        if queue.isEmpty, !hasReadAll { return false }
        let taken = history.take(from: time)
        queue.insert(contentsOf: taken, at: 0)
        return !taken.isEmpty
    }

    /// Seeks to the frame that is shown at a time in ticks, or to the first or last frame if the time is outside.
    /// - Throws: `.notSeekable` if the stream would have to seek back and cannot, or the error of the stream.
    package func seek(to time: Int64) throws(SyrinxError) {
        let isBack = last.map { time < $0.start } ?? false
        if isBack, history.byteLimit > 0 { keepsFor = Self.patience }
        if stepBack(to: time) { return }
        if !isWorthJumping(to: time) {
            try advance(to: time)
            return
        }
        try jump(before: time)
        try advance(to: time)
    }

    /// Seeks to a frame near a time in ticks that decodes faster than the frame shown at that time.
    /// - Parameter earliest: The earliest acceptable start. If the nearby frame starts earlier, the frame at `time` is
    ///   used.
    /// - Throws: The errors of `seek(to:)`.
    package func seek(to time: Int64, orFrom earliest: Int64) throws(SyrinxError) {
        guard info.isSeekable, !sharesTimes else { return try seek(to: time) }
        try jump(before: time)
        if queue.first.map({ $0.start < earliest }) ?? false { try advance(to: time) }
    }

    /// Seeks to the frame at or before a time that depends on the fewest other frames, and decodes it.
    private func jump(before time: Int64) throws(SyrinxError) {
        var target = time
        var step = max(info.ticks(1), 1)
        for attempt in 1...Self.attempts {
            // The last attempt begins at the start.
            let isLast = target <= info.start || attempt == Self.attempts
            try jump(to: isLast ? nil : target)
            try fill()
            if isLast || queue.first.map({ $0.start <= time }) ?? false { break }
            target = max(time.subtractingClamped(step), info.start)
            step = step.multipliedClamped(by: 4)
        }
    }

    /// Returns the next packet in file order, or `nil` at the end.
    ///
    /// Use a reader either for frames or for packets, not for both.
    package func nextPacket() throws(SyrinxError) -> VideoPacket? {
        guard let packet = try container.read() else { return nil }
        let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        return VideoPacket(
            data: Array(bytes),
            start: time(packet.pointee.pts),
            decodeTime: time(packet.pointee.dts),
            duration: max(packet.pointee.duration, 0),
            isKey: packet.pointee.flags & AV_PKT_FLAG_KEY != 0
        )
    }

    /// Seeks to the last packet from which the frame at a time in ticks can be decoded.
    package func seekPacket(to time: Int64) throws(SyrinxError) { try jump(to: time) }

    // MARK: Seeking

    private func isWorthJumping(to time: Int64) -> Bool {
        guard container.bridge.failure == nil else { return true }
        if let next = queue.first {
            if time < next.start { return true }
        } else if last != nil {
            // All frames up to the last have been returned.
            return true
        }
        let way = time.subtractingClamped(last?.start ?? info.start)
        guard way > 0, info.isSeekable, !sharesTimes else { return false }
        if info.seconds(way) > Self.longestWay { return true }
        return container.knowsKeyPacketAhead(of: time.addingClamped(container.origin))
            ?? (info.seconds(way) > Self.longestWayWithoutIndex)
    }

    /// Whether several frames share one container timestamp, so that the frame after a seek is ambiguous.
    private var sharesTimes: Bool {
        guard container.traits.haveTimesByPack, let size = info.size, let duration = info.duration,
            let rate = info.frameRate,
            info.seconds(duration) <= Self.longestFromStart
        else { return false }
        // Bounded: floating-point numbers.
        return Double(size) < info.seconds(duration) * rate.value * Self.smallestTimedPicture
    }

    /// Seeks to the last keyframe packet before a time, or to the first packet if the time is `nil`.
    ///
    /// It also seeks to the first packet if the frame after a seek would be ambiguous: such frames are small and decode
    /// fast.
    private func jump(to time: Int64?) throws(SyrinxError) {
        queue = []
        history.removeAll()
        (hasReadAll, last) = (false, nil)
        decoder.flush()
        // A failed search finds nothing, like a search too far ahead.
        if let time, !sharesTimes {
            _ = try container.seek(to: time.addingClamped(container.origin))
        } else {
            _ = try container.seekToStart()
        }
    }

    /// Drops frames until the next one is the frame shown at a time.
    private func advance(to time: Int64) throws(SyrinxError) {
        while true {
            try fill()
            guard queue.count > 1, queue[1].start <= time else { return }
            _ = removeFirst()
        }
    }

    // MARK: Decoding

    /// Decodes until the queue holds the next frame and the one after it, or the end is reached.
    private func fill() throws(SyrinxError) {
        while queue.count < 2, !hasReadAll {
            guard let frame = try decode() else {
                hasReadAll = true
                return
            }
            place(frame)
            if let before = queue.last { before.duration = frame.start.subtractingClamped(before.start) }
            queue.append(frame)
        }
    }

    /// Assigns a time to a frame; if it is not later than the previous frame, it follows that frame directly.
    private func place(_ frame: VideoFrame) {
        hasDecoded = true
        let stated = time(frame.frame.pointee.best_effort_timestamp)?.subtractingClamped(decodingLead)
        frame.duration = max(syrinx_frame_duration(frame.frame), 0)
        if frame.duration == 0 { frame.duration = usualDuration }
        let following = last.map { $0.start.addingClamped(max($0.duration, 1)) }
        if let stated, stated > last?.start ?? .min {
            frame.start = stated
        } else {
            frame.start = following ?? firstTime
        }
        last = (frame.start, frame.duration)
    }

    /// The number of ticks by which the container's times are too late, if its packets are in decoding order.
    ///
    /// The decoder returns a frame with the time of the packet that triggered it, which is later because of the frames
    /// that the decoder holds back.
    private var decodingLead: Int64 {
        container.traits.countInDecodingOrder ? usualDuration.multipliedClamped(by: Int64(decoder.delay)) : 0
    }

    /// The time of the first packet after a seek, for a frame without a timestamp.
    private var firstTime: Int64 { container.firstTime.map { $0.subtractingClamped(container.origin) } ?? info.start }

    private var usualDuration: Int64 {
        info.frameRate.map { max(info.ticks(1 / $0.value), 1) } ?? 1
    }

    private func time(_ timestamp: Int64) -> Int64? {
        timestamp == syrinx_no_timestamp() ? nil : timestamp.subtractingClamped(container.origin)
    }

    private func decode() throws(SyrinxError) -> VideoFrame? {
        while true {
            switch try decoder.receive() {
            case .frame(let frame): return frame
            case .ended: return nil
            case .damaged: continue
            case .needsPacket:
                // Skips a damaged packet.
                _ = try decoder.send(container.read())
            }
        }
    }
}
