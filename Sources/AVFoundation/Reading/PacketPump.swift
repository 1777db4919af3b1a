internal import CoreAudioTypes
internal import CoreMedia
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Reads the packets of a part of a recording as sample buffers.
///
/// Use it on one thread at a time.
final class PacketPump {
    /// The maximum number of packets in a sample buffer.
    private static let packetsPerBuffer = 64
    private let source: any PacketReading
    private let description: AudioStreamBasicDescription
    private let format: CMFormatDescription
    private let timescale: Int32
    private let endFrame: Int64
    private var isAtEnd = false
    private var nextFrame: Int64?

    init(_ source: any PacketReading, _ format: CMFormatDescription, range: CMTimeRange) throws {
        self.source = source
        self.format = format
        description = source.streamDescription
        timescale = Int32(clamped: description.mSampleRate.rounded())
        let first = Int64(clamped: (max(range.start.seconds, 0) * description.mSampleRate).rounded())
        let end = range.end
        endFrame = end.isNumeric ? Int64(clamped: (end.seconds * description.mSampleRate).rounded()) : .max
        if first > 0 { try source.seek(toFrame: first) }
    }

    /// Returns the next sample buffer; `nil` at the end.
    func next() throws -> CMSampleBuffer? {
        guard !isAtEnd else { return nil }
        var bytes: [UInt8] = []
        var packets: [AudioStreamPacketDescription] = []
        var start: Int64?
        let isPCM = description.mFormatID == kAudioFormatLinearPCM
        while packets.count < (isPCM ? 1 : Self.packetsPerBuffer) {
            guard let packet = try source.next(), packet.startFrame ?? 0 < endFrame else {
                isAtEnd = true
                break
            }
            start = start ?? packet.startFrame ?? nextFrame ?? 0
            let frames = packet.frameCount ?? 0
            nextFrame = (packet.startFrame ?? nextFrame ?? 0).addingClamped(Int64(frames))
            packets.append(
                AudioStreamPacketDescription(
                    mStartOffset: Int64(bytes.count),
                    mVariableFramesInPacket: UInt32(clamping: frames),
                    mDataByteSize: UInt32(clamping: packet.byteCount)
                )
            )
            packet.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        guard let start, !bytes.isEmpty else { return nil }
        let data = try CMBlockBuffer(length: bytes.count, flags: .assureMemoryNow)
        try bytes.withUnsafeBytes { try data.replaceDataBytes(with: $0) }
        let width = Int(description.mBytesPerFrame)
        let buffer = try CMSampleBuffer(
            dataBuffer: data,
            formatDescription: format,
            numSamples: isPCM && width > 0 ? bytes.count / width : packets.count,
            presentationTimeStamp: CMTimeMake(value: start, timescale: timescale),
            packetDescriptions: isPCM ? [] : packets
        )
        if start < 0 { try trim(buffer, -start) }
        return buffer
    }

    /// Attaches the number of frames, added by the encoder at the start, that must not be played.
    private func trim(_ buffer: CMSampleBuffer, _ frames: Int64) throws {
        let time = CMTimeMinimum(CMTimeMake(value: frames, timescale: timescale), buffer.duration)
        guard let dictionary = CMTimeCopyAsDictionary(time, allocator: nil) else { return }
        buffer.attachments[kCMSampleBufferAttachmentKey_TrimDurationAtStart] = .shouldPropagate(dictionary)
    }
}
