public import AVFAudio
import CoreAudioTypes
public import Foundation
import SyrinxByteStream
package import SyrinxMediaCodec

/// Parses audio packets from bytes that the program pushes, in pieces of any size.
///
/// The parser keeps all bytes, so that a `Reader` can seek back. For a stream of unlimited length, use `Streamer`,
/// which has bounded memory.
///
/// ```swift
/// let parser = Parser()
/// let file = try FileHandle(forReadingFrom: url)
/// while let bytes = try file.read(upToCount: 65_536), !bytes.isEmpty {
///     try parser.parse(data: bytes)
///     if let format = parser.dataFormat { print(format.sampleRate, parser.packets.count) }
/// }
/// try parser.finish()
/// ```
///
/// All methods may be called from any thread. Calls from two threads are serialized; the program decides about their
/// order.
public final class Parser: Parsing, PushDemuxerDelegate, @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state.
    private let lock = NSLock()
    /// Held while bytes are parsed: the demultiplexer accepts one thread at a time.
    private let pushing = NSLock()
    private var mutable = Mutable()
    private let demuxer = PushDemuxer(name: "pushed bytes", isSeekable: true, threadName: "syrinx.parser")

    private struct Mutable {
        var info: MediaInfo?
        /// Kept alive, because callers keep pointers to its stream description.
        var format: AVAudioFormat?
        var packets: [(Data, AudioStreamPacketDescription?)] = []
        var starts: [Int64] = []
        var frames: Int64 = 0
        var isComplete = false
        var failure: SyrinxError?
    }

    /// Creates a parser without data.
    public init() {}

    /// The bytes that were pushed so far.
    var bytes: PushByteStream { demuxer.bytes }

    // MARK: Input

    /// Parses the next bytes.
    ///
    /// When the call returns, `packets` contains every packet that is complete so far.
    /// - Throws: `ParserError` if the bytes are not audio.
    public func parse(data: Data) throws {
        pushing.withLock { data.withUnsafeBytes { demuxer.push($0, for: self) } }
        try check()
    }

    /// Signals the end of the data, so that the last packets are parsed.
    /// - Throws: `ParserError` if the bytes are not audio.
    public func finish() throws {
        pushing.withLock {
            demuxer.begin(for: self)
            demuxer.finish()
        }
        try check()
    }

    private func check() throws {
        if let failure = lock.withLock({ mutable.failure }) { throw ParserError.failedToParseBytes(failure) }
    }

    // MARK: Events of the demultiplexer

    /// Stores the format.
    package func opened(_ demuxer: MediaDemuxer) {
        let info = demuxer.info
        var description = info.streamDescription
        let channels = description.mChannelsPerFrame
        let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels)
        let format = AVAudioFormat(streamDescription: &description, channelLayout: channels > 2 ? layout : nil)
        lock.withLock {
            mutable.info = info
            mutable.format = format
        }
    }

    /// Stores a packet.
    package func found(_ packet: MediaPacket, by demuxer: MediaDemuxer) {
        let info = demuxer.info
        let format = info.streamDescription
        let description = AudioStreamPacketDescription(
            mStartOffset: 0,
            mVariableFramesInPacket: format.mFramesPerPacket == 0 ? UInt32(clamping: packet.frameCount ?? 0) : 0,
            mDataByteSize: UInt32(clamping: packet.byteCount)
        )
        lock.withLock {
            mutable.info = info
            mutable.starts.append(packet.startFrame ?? mutable.frames)
            mutable.packets.append(
                (Data(packet.data), format.mFormatID == kAudioFormatLinearPCM ? nil : description)
            )
            mutable.frames = mutable.frames.addingClamped(Int64(packet.frameCount ?? 0))
        }
    }

    /// Notes that all packets have been parsed.
    package func ended(_ demuxer: MediaDemuxer) { complete(demuxer.info, failure: nil) }

    /// Stores the error that ended parsing.
    package func failed(_ error: SyrinxError) {
        complete(nil, failure: error.code == .cancelled ? nil : error)
    }

    private func complete(_ info: MediaInfo?, failure: SyrinxError?) {
        lock.withLock {
            mutable.info = info ?? mutable.info
            mutable.failure = failure
            mutable.isComplete = true
        }
    }

    // MARK: Output

    private var info: MediaInfo? { lock.withLock { mutable.info } }

    /// The format of the packets; `nil` until it is known.
    public var dataFormat: AVAudioFormat? { lock.withLock { mutable.format } }

    /// The duration in seconds; `nil` until it is known.
    ///
    /// It is read from the container, or computed from the packets when parsing is complete.
    public var duration: TimeInterval? {
        guard let info else { return nil }
        if let duration = info.duration { return duration }
        return lock.withLock {
            mutable.isComplete && mutable.frames > 0 ? Double(mutable.frames) / info.sampleRate : nil
        }
    }

    /// Whether parsing is complete, so that no more packets follow.
    public var isParsingComplete: Bool { lock.withLock { mutable.isComplete } }

    /// The packets parsed so far, with their descriptions; a description is `nil` for PCM, whose packets are all alike.
    public var packets: [(Data, AudioStreamPacketDescription?)] { lock.withLock { mutable.packets } }

    /// The total number of packets; `nil` until it is known.
    public var totalPacketCount: AVAudioPacketCount? {
        if isParsingComplete { return AVAudioPacketCount(clamping: lock.withLock { mutable.packets.count }) }
        guard let info, let frames = totalFrameCount, info.streamDescription.mFramesPerPacket > 0 else { return nil }
        return frames.dividedRoundingUp(by: info.streamDescription.mFramesPerPacket)
    }

    /// The total number of frames; `nil` until it is known.
    public var totalFrameCount: AVAudioFrameCount? {
        guard let info else { return nil }
        if let exact = info.frameCount { return AVAudioFrameCount(clamping: exact) }
        return duration.map { AVAudioFrameCount(clamped: ($0 * info.sampleRate).rounded()) }
    }

    /// Returns the frame at a time in seconds, or `nil` before the format is known.
    public func frameOffset(forTime time: TimeInterval) -> AVAudioFramePosition? {
        guard let info, time.isFinite else { return nil }
        return AVAudioFramePosition(clamped: (max(0, time) * info.sampleRate).rounded())
    }

    /// Returns the index of the packet that contains a frame, or `nil` before the format is known.
    public func packetOffset(forFrame frame: AVAudioFramePosition) -> AVAudioPacketCount? {
        guard let info else { return nil }
        let known = lock.withLock { () -> Int? in
            guard let last = mutable.starts.last, frame < last else { return nil }
            return mutable.starts.firstIndex(above: frame) - 1
        }
        if let known { return AVAudioPacketCount(clamping: max(0, known)) }
        let perPacket = AVAudioFramePosition(max(1, info.streamDescription.mFramesPerPacket))
        return AVAudioPacketCount(clamping: max(0, frame) / perPacket)
    }

    /// Returns the time of a frame in seconds, or `nil` before the format is known.
    public func timeOffset(forFrame frame: AVAudioFrameCount) -> TimeInterval? {
        info.map { Double(frame) / $0.sampleRate }
    }

    /// Returns the first frame of a packet.
    func frameOffset(forPacket packet: AVAudioPacketCount) -> AVAudioFramePosition? {
        guard let info else { return nil }
        let known = lock.withLock { Int(packet) < mutable.starts.count ? mutable.starts[Int(packet)] : nil }
        return known ?? AVAudioFramePosition(packet) * AVAudioFramePosition(info.streamDescription.mFramesPerPacket)
    }
}

extension [Int64] {
    /// The first index of an element above `value` in a sorted array, by bisection.
    fileprivate func firstIndex(above value: Int64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > value { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
