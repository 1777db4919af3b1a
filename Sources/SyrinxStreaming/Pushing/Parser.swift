public import AVFAudio
import CoreAudioTypes
public import Foundation
import SyrinxByteStream
package import SyrinxMediaCodec

/// Finds the packets of audio in bytes that are pushed in, in pieces of any size.
///
/// It keeps all that it is given, so that a `Reader` can go back: for a stream of any length use `Streamer`, which does not.
/// All methods may be called from any thread. Pieces that two threads push are taken in one after the other; their order is for the
/// program to decide.
public final class Parser: Parsing, PushDemuxerDelegate, @unchecked Sendable {
    // Unchecked: what changes is touched under `lock` only.
    private let lock = NSLock()
    /// Held while bytes are taken in: the demultiplexer takes those of one thread at a time.
    private let pushing = NSLock()
    private var mutable = Mutable()
    private let demuxer = PushDemuxer(name: "pushed bytes", isSeekable: true, threadName: "syrinx.parser")

    private struct Mutable {
        var info: MediaInfo?
        /// Kept, because callers hold on to its stream description.
        var format: AVAudioFormat?
        var packets: [(Data, AudioStreamPacketDescription?)] = []
        var starts: [Int64] = []
        var frames: Int64 = 0
        var isComplete = false
        var failure: SyrinxError?
    }

    /// A parser that has seen nothing yet.
    public init() {}

    /// The bytes that have been pushed.
    var bytes: PushByteStream { demuxer.bytes }

    // MARK: In

    /// Takes the next bytes in.
    ///
    /// When it returns, all packets that are whole in what has been given are in `packets`.
    /// - Throws: `ParserError` if the bytes are not audio.
    public func parse(data: Data) throws {
        pushing.withLock { data.withUnsafeBytes { demuxer.push($0, for: self) } }
        try check()
    }

    /// Says that there are no more bytes, so that the last packets become known.
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

    // MARK: Found by the demultiplexer

    /// Records the format.
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

    /// Records a packet.
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

    /// Records that all packets have been found.
    package func ended(_ demuxer: MediaDemuxer) { complete(demuxer.info, failure: nil) }

    /// Records why no more packets can be found.
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

    // MARK: Out

    private var info: MediaInfo? { lock.withLock { mutable.info } }

    /// The format of the packets, as soon as it is known.
    public var dataFormat: AVAudioFormat? { lock.withLock { mutable.format } }

    /// The length in seconds, as soon as it is known: of the container, or once all has been parsed of the packets.
    public var duration: TimeInterval? {
        guard let info else { return nil }
        if let duration = info.duration { return duration }
        return lock.withLock {
            mutable.isComplete && mutable.frames > 0 ? Double(mutable.frames) / info.sampleRate : nil
        }
    }

    /// Whether there will be no more packets.
    public var isParsingComplete: Bool { lock.withLock { mutable.isComplete } }

    /// The packets found so far, with their descriptions (`nil` where all packets are alike, as in PCM).
    public var packets: [(Data, AudioStreamPacketDescription?)] { lock.withLock { mutable.packets } }

    /// The number of all packets, as soon as it is known.
    public var totalPacketCount: AVAudioPacketCount? {
        if isParsingComplete { return AVAudioPacketCount(clamping: lock.withLock { mutable.packets.count }) }
        guard let info, let frames = totalFrameCount, info.streamDescription.mFramesPerPacket > 0 else { return nil }
        return frames.dividedRoundingUp(by: info.streamDescription.mFramesPerPacket)
    }

    /// The number of all frames, as soon as it is known.
    public var totalFrameCount: AVAudioFrameCount? {
        guard let info else { return nil }
        if let exact = info.frameCount { return AVAudioFrameCount(clamping: exact) }
        return duration.map { AVAudioFrameCount(clamped: ($0 * info.sampleRate).rounded()) }
    }

    /// The frame at a time, or `nil` before the format is known.
    public func frameOffset(forTime time: TimeInterval) -> AVAudioFramePosition? {
        guard let info, time.isFinite else { return nil }
        return AVAudioFramePosition(clamped: (max(0, time) * info.sampleRate).rounded())
    }

    /// The packet that holds a frame, or `nil` before the format is known.
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

    /// The time of a frame, or `nil` before the format is known.
    public func timeOffset(forFrame frame: AVAudioFrameCount) -> TimeInterval? {
        info.map { Double(frame) / $0.sampleRate }
    }

    /// The first frame of a packet.
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
