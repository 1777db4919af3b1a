internal import CSyrinxFFmpeg
package import SyrinxByteStream

/// Decodes the moving pictures of a recording, in the order in which they are shown, from any time on.
///
/// It holds two pictures and what the codec needs. After a seek back it keeps those that it passes, up to `recentByteLimit`, so that
/// further steps back cost no decoding. One thread at a time, but the stream's `cancel()`, which breaks off a read, may be called by any.
package final class VideoReader {
    /// The description of the pictures.
    package let info: VideoInfo
    private let container: VideoContainer
    private let decoder: VideoDecoder
    /// The next picture and the one after it, which says how long the next is shown.
    private var queue: [VideoFrame] = []
    private var hasReadAll = false
    private var hasDecoded = false
    /// The picture decoded last.
    private var last: (start: Int64, duration: Int64)?
    /// The pictures before the next.
    private var history = PictureHistory<VideoFrame>(byteLimit: 0)
    /// The pictures that will be given in order before the history is no longer kept.
    private var keepsFor = 0

    /// A seek that starts too late starts earlier so many times, each four times further.
    private static let attempts = 8
    /// The longest way ahead that is decoded and not jumped over, in seconds.
    private static let longestWay = 20.0
    /// The same where the container has no index.
    private static let longestWayWithoutIndex = 2.0
    /// Pictures of a program stream that take fewer bytes on average share packs, of 2,048 bytes each, and their times.
    private static let smallestTimedPicture = 4096.0
    /// The longest recording of such pictures that is decoded from its start, in seconds: in longer ones a seek may miss by a picture.
    private static let longestFromStart = 1800.0

    /// Pictures that are given in order, without a step back, until the history is dropped.
    private static let patience = 64
    /// The bytes that `recentByteLimit` is set to for programs that go back and forth: 34 pictures of 1280 × 720.
    package static let usualRecentByteLimit = 48 << 20

    /// The bytes of pictures that are kept after a seek back; 0 by default, which keeps none.
    package var recentByteLimit: Int {
        get { history.byteLimit }
        set { history = PictureHistory(byteLimit: newValue) }
    }

    /// The bytes of the pictures that are kept.
    package var recentByteCount: Int { history.byteCount }

    /// Opens a recording, and reads as little of it as tells what its pictures are.
    /// - Throws: `SyrinxError`: `.notVideo` without pictures, `.unsupported` if they are too large or of an unknown codec.
    ///   Damaged bytes are `.corrupt` or `.truncated`, and an error of the stream keeps its code.
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

    /// Whether the picture that was given last is the last of all.
    package var isAtEnd: Bool { hasReadAll && queue.isEmpty }

    /// The timestamp of the recording's start in the container, in ticks, which the times of pictures leave out.
    package var origin: Int64 { container.origin }

    /// Whether the recording has sound, whose first frame is its start.
    package var countsFromSound: Bool { container.countsFromSound }

    /// The stream that the pictures come from.
    package var stream: any ByteStream { container.bridge.stream }

    /// Returns the next picture; `nil` at the end, which is also where the bytes are cut off.
    /// - Throws: `.corrupt` if not one picture can be decoded, `.unsupported` if one is too large, or the error of the stream.
    ///   Reading may be tried again after a seek.
    package func next() throws(SyrinxError) -> VideoFrame? {
        try fill()
        guard !queue.isEmpty else {
            if !hasDecoded { throw SyrinxError(.corrupt, "Not one of its pictures can be decoded.", name: stream.name) }
            return nil
        }
        if keepsFor > 0 {
            keepsFor -= 1
            if keepsFor == 0 { history.removeAll() }
        }
        return removeFirst()
    }

    /// Takes out the next picture, which becomes a recent one.
    private func removeFirst() -> VideoFrame {
        let frame = queue.removeFirst()
        if keepsFor > 0 { history.append(frame, start: frame.start, size: frame.byteCount) }
        return frame
    }

    /// Puts the recent pictures from the one that is shown at a time on back before the next.
    /// - Returns: Whether that one has been kept.
    private func stepBack(to time: Int64) -> Bool {
        guard container.bridge.failure == nil else { return false }
        if let next = queue.first, time >= next.start { return false }
        // Behind the last picture of all, that one is shown.
        if queue.isEmpty, !hasReadAll { return false }
        let taken = history.take(from: time)
        queue.insert(contentsOf: taken, at: 0)
        return !taken.isEmpty
    }

    /// Goes to the picture that is shown at a time in ticks; to the first before the first, and to the last behind the last.
    /// - Throws: `.notSeekable` if it lies behind and the stream cannot go back, or the error of the stream.
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

    /// Goes to a picture near a time in ticks that is decoded faster than the one that is shown then.
    /// - Parameter earliest: If that picture begins earlier, it is the one that is shown at `time`.
    /// - Throws: As `seek(to:)`.
    package func seek(to time: Int64, orFrom earliest: Int64) throws(SyrinxError) {
        guard info.isSeekable, !sharesTimes else { return try seek(to: time) }
        try jump(before: time)
        if queue.first.map({ $0.start < earliest }) ?? false { try advance(to: time) }
    }

    /// Goes to the picture, at or before a time, that is decoded with the fewest others, and decodes it.
    private func jump(before time: Int64) throws(SyrinxError) {
        var target = time
        var step = max(info.ticks(1), 1)
        for attempt in 1...Self.attempts {
            // At last from the very start.
            let isLast = target <= info.start || attempt == Self.attempts
            try jump(to: isLast ? nil : target)
            try fill()
            if isLast || queue.first.map({ $0.start <= time }) ?? false { break }
            target = max(time.subtractingClamped(step), info.start)
            step = step.multipliedClamped(by: 4)
        }
    }

    /// Returns the next packet in the order of the container; `nil` at the end.
    ///
    /// Pictures and packets cannot both be read by one reader.
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

    /// Goes to the last packet from which the picture at a time in ticks can be decoded.
    package func seekPacket(to time: Int64) throws(SyrinxError) { try jump(to: time) }

    // MARK: Seeking

    private func isWorthJumping(to time: Int64) -> Bool {
        guard container.bridge.failure == nil else { return true }
        if let next = queue.first {
            if time < next.start { return true }
        } else if last != nil {
            // Those up to the last have been given.
            return true
        }
        let way = time.subtractingClamped(last?.start ?? info.start)
        guard way > 0, info.isSeekable, !sharesTimes else { return false }
        if info.seconds(way) > Self.longestWay { return true }
        return container.knowsKeyPacketAhead(of: time.addingClamped(container.origin))
            ?? (info.seconds(way) > Self.longestWayWithoutIndex)
    }

    /// Whether several pictures share one time of the container: after a jump it is not known which of them has come.
    private var sharesTimes: Bool {
        guard container.traits.haveTimesByPack, let size = info.size, let duration = info.duration,
            let rate = info.frameRate,
            info.seconds(duration) <= Self.longestFromStart
        else { return false }
        // Bounded: floating-point numbers.
        return Double(size) < info.seconds(duration) * rate.value * Self.smallestTimedPicture
    }

    /// Goes to the last packet before a time that can be decoded without those before it; `nil` for the first packet of all.
    ///
    /// It goes there too where a jump would not tell which picture it has led to: such pictures are small, and decoded fast.
    private func jump(to time: Int64?) throws(SyrinxError) {
        queue = []
        history.removeAll()
        (hasReadAll, last) = (false, nil)
        decoder.flush()
        // A failed search finds nothing, as a search too far ahead does.
        if let time, !sharesTimes {
            _ = try container.seek(to: time.addingClamped(container.origin))
        } else {
            _ = try container.seekToStart()
        }
    }

    /// Drops pictures until the next is the one shown at a time.
    private func advance(to time: Int64) throws(SyrinxError) {
        while true {
            try fill()
            guard queue.count > 1, queue[1].start <= time else { return }
            _ = removeFirst()
        }
    }

    // MARK: Decoding

    /// Decodes until the next picture and the one after it are there, or the end.
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

    /// Gives a picture its time; one that is not later than the picture before follows on it.
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

    /// The ticks by which a container of packets in decoding order states every picture too late.
    ///
    /// The picture that a packet makes the decoder give is stated to begin with that packet, which is later by the pictures that the
    /// decoder holds back.
    private var decodingLead: Int64 {
        container.traits.countInDecodingOrder ? usualDuration.multipliedClamped(by: Int64(decoder.delay)) : 0
    }

    /// The time of the first packet after a jump, for a picture without one.
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
                // A damaged packet is passed over.
                _ = try decoder.send(container.read())
            }
        }
    }
}
