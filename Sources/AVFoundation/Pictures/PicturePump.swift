internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Reads the pictures of a time range of a track as sample buffers, in display order.
///
/// It returns each picture that is shown within the range, at its own time: the first one may start before the range.
/// Use it on one thread at a time.
final class PicturePump {
    private let source: any PictureSource
    private let maker: PictureMaker
    private let range: CMTimeRange
    private var format: CMFormatDescription?
    private var isAtEnd = false

    init(_ source: any PictureSource, _ settings: PictureSettings, range: CMTimeRange) throws {
        self.source = source
        maker = PictureMaker(settings, name: source.name)
        self.range = range
        if range.start.isNumeric, range.start > .zero { try source.seek(to: range.start, orFrom: nil) }
    }

    /// Returns the next sample buffer; `nil` at the end.
    func next() throws -> CMSampleBuffer? {
        while !isAtEnd {
            guard let picture = try source.next(), picture.start < range.end else {
                isAtEnd = true
                break
            }
            guard picture.end > range.start || picture.start >= range.start else { continue }
            return try sample(picture)
        }
        return nil
    }

    private func sample(_ picture: DecodedPicture) throws -> CMSampleBuffer {
        let buffer = try maker.make(picture)
        if let format, CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: buffer) {
            return try sample(picture, buffer, format)
        }
        let made = try CMFormatDescription(imageBuffer: buffer)
        format = made
        return try sample(picture, buffer, made)
    }

    private func sample(_ picture: DecodedPicture, _ buffer: CVPixelBuffer, _ format: CMFormatDescription) throws
        -> CMSampleBuffer
    {
        try CMSampleBuffer(
            imageBuffer: buffer,
            formatDescription: format,
            sampleTiming: CMSampleTimingInfo(
                duration: picture.duration,
                presentationTimeStamp: picture.start,
                decodeTimeStamp: .invalid
            )
        )
    }
}

/// Reads the packets of a time range of a video track as sample buffers, in file order.
///
/// It starts with the packet that the decoder needs for the first picture of the range. Use it on one thread at a time.
final class PicturePacketPump {
    private let reader: VideoReader
    private let format: CMFormatDescription
    /// In ticks.
    private let range: Range<Int64>
    private var isAtEnd = false

    init(_ reader: VideoReader, _ format: CMFormatDescription, range: CMTimeRange) throws {
        self.reader = reader
        self.format = format
        self.range = range.ticks(reader.info)
        if self.range.lowerBound > reader.info.start { try reader.seekPacket(to: self.range.lowerBound) }
    }

    deinit { reader.stream.cancel() }

    /// Returns the next sample buffer; `nil` at the end.
    func next() throws -> CMSampleBuffer? {
        // Packets are in decoding order: a packet of the range may follow a packet after the range.
        while !isAtEnd {
            guard let packet = try reader.nextPacket(), packet.decodeTime ?? packet.start ?? 0 < range.upperBound else {
                isAtEnd = true
                break
            }
            if let start = packet.start, start >= range.upperBound { continue }
            return try sample(packet)
        }
        return nil
    }

    private func sample(_ packet: VideoPacket) throws -> CMSampleBuffer {
        let data = try CMBlockBuffer(length: packet.data.count, flags: .assureMemoryNow)
        try packet.data.withUnsafeBytes { try data.replaceDataBytes(with: $0) }
        let time = { (ticks: Int64?) in ticks.map(self.reader.info.time) ?? .invalid }
        let buffer = try CMSampleBuffer(
            dataBuffer: data,
            formatDescription: format,
            numSamples: 1,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: packet.duration > 0 ? reader.info.time(packet.duration) : .invalid,
                    presentationTimeStamp: time(packet.start),
                    decodeTimeStamp: time(packet.decodeTime)
                )
            ],
            sampleSizes: [packet.data.count]
        )
        if !packet.isKey { buffer.setFirstSampleAttachment(kCMSampleAttachmentKey_NotSync, true) }
        return buffer
    }
}

extension CMTimeRange {
    /// Returns the ticks of the range; the end may be infinite.
    fileprivate func ticks(_ info: VideoInfo) -> Range<Int64> {
        let first = start.isNumeric ? info.ticks(start) : .min
        let last = end.isNumeric ? info.ticks(end).addingClamped(info.time(info.ticks(end)) < end ? 1 : 0) : Int64.max
        return first..<max(first, last)
    }
}
