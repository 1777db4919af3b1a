internal import CoreAudioTypes
internal import Foundation
internal import Synchronization
internal import SyrinxByteStream

/// Presents the samples of a source as a CAF file of 32-bit floats, because players read files.
///
/// Random access: a read at any offset does not read earlier samples.
final class SoundByteStream: ByteStream, @unchecked Sendable {
    // Unchecked: one thread reads at a time; any thread may cancel the source.
    let name: String
    private let source: any SoundSource
    private let header: [UInt8]
    private let frameCount: Int64
    private let isCancelled = Atomic(false)
    private let channels: [UnsafeMutablePointer<Float>]
    /// Interleaved samples that start at frame `blockStart`.
    private var block: [Float] = []
    private var blockStart: Int64 = 0
    private var position: Int64 = -1

    /// The number of frames that are read from the source at a time.
    private static let blockFrames = 4096
    /// A higher limit would allow offsets to overflow.
    private static let maximumFrameCount: Int64 = 1 << 48

    /// Creates a stream of the first `frameCount` frames of `source`.
    init(_ source: any SoundSource, frameCount: Int64, name: String) {
        self.name = name
        self.source = source
        self.frameCount = min(max(0, frameCount), Self.maximumFrameCount)
        channels = (0..<source.channelCount).map { _ in .allocate(capacity: Self.blockFrames) }
        header = Self.makeHeader(source, frameCount: self.frameCount)
    }

    deinit { for channel in channels { channel.deallocate() } }

    var length: Int64? { Int64(header.count) + frameCount * frameSize }
    var isSeekable: Bool { true }
    var isRemote: Bool { false }
    var mimeType: String? { "audio/x-caf" }

    private var frameSize: Int64 { Int64(source.channelCount) * 4 }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        guard !isCancelled.load(ordering: .acquiring) else {
            throw SyrinxError(.cancelled, "reading was cancelled.", name: name)
        }
        guard offset >= 0, let length, offset < length, !buffer.isEmpty else { return 0 }
        if offset < header.count {
            let part = header[Int(offset)..<min(header.count, Int(offset) + buffer.count)]
            buffer.copyBytes(from: part)
            return part.count
        }
        let byte = offset - Int64(header.count)
        try load(frame: byte / frameSize)
        let start = Int(byte - blockStart * frameSize)
        return block.withUnsafeBytes { bytes in
            let part = bytes[min(start, bytes.count)..<min(start + buffer.count, bytes.count)]
            buffer.copyBytes(from: part)
            return part.count
        }
    }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        source.cancel()
    }

    /// Loads a block that contains `frame`.
    private func load(frame: Int64) throws(SyrinxError) {
        guard frame < blockStart || frame >= blockStart + Int64(block.count / channels.count) else { return }
        do {
            if position != frame { try source.seek(toFrame: frame) }
            let wanted = Int(min(Int64(Self.blockFrames), frameCount - frame))
            var count = try channels.withUnsafeBufferPointer { channels in
                guard let first = channels.baseAddress else { return 0 }
                return try source.read(into: first, frameCount: wanted)
            }
            if count == 0 {
                // The source ended before its stated duration.
                for channel in channels { channel.update(repeating: 0, count: wanted) }
                count = wanted
            }
            (position, blockStart) = (frame + Int64(count), frame)
            block = [Float](unsafeUninitializedCapacity: count * channels.count) { samples, size in
                for (index, channel) in channels.enumerated() {
                    for frame in 0..<count { samples[frame * channels.count + index] = channel[frame] }
                }
                size = count * channels.count
            }
        } catch {
            (position, block) = (-1, [])
            let failure = AVError(error, url: nil)
            throw SyrinxError(failure.reason, failure.message, name: name)
        }
    }

    /// Returns the header of a CAF file (Apple, "Core Audio Format Specification 1.0": file header, `desc` and `data`
    /// chunks).
    private static func makeHeader(_ source: any SoundSource, frameCount: Int64) -> [UInt8] {
        var bytes = Array("caff".utf8)
        func append<Value: FixedWidthInteger>(_ value: Value) {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }
        let channelCount = UInt32(source.channelCount)
        append(UInt16(1))
        append(UInt16(0))
        bytes += Array("desc".utf8)
        append(Int64(32))
        append(source.sampleRate.bitPattern)
        bytes += Array("lpcm".utf8)
        // Flags: floating point, little-endian.
        append(UInt32(3))
        append(channelCount * 4)
        append(UInt32(1))
        append(channelCount)
        append(UInt32(32))
        bytes += Array("data".utf8)
        append(4 + frameCount * Int64(channelCount) * 4)
        append(UInt32(0))
        return bytes
    }
}
