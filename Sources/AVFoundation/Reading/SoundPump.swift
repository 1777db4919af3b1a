internal import CoreAudioTypes
internal import CoreMedia
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Reads a part of an audio source, converted to another format, as sample buffers.
///
/// Use it on one thread at a time.
final class SoundPump {
    /// The maximum number of frames in a sample buffer.
    static let framesPerBuffer = 8192

    private let sound: ConvertedSound
    private let format: CMFormatDescription
    private let memory: SampleMemory
    private var given: Int64 = 0
    private let start: CMTime

    /// - Parameter range: The part of the source; its duration may be infinite.
    init(_ source: any SoundSource, to output: AudioStreamBasicDescription, range: CMTimeRange) throws {
        let duration = range.duration
        let isBounded = duration.isNumeric && range.end.isNumeric
        sound = try ConvertedSound(
            source,
            to: output,
            frames: range.frames(source.sampleRate),
            limit: isBounded ? Int64(clamped: (duration.seconds * output.mSampleRate).rounded()) : .max
        )
        format = try CMFormatDescription(audioStreamBasicDescription: output)
        memory = SampleMemory(output, capacity: Self.framesPerBuffer)
        start = CMTimeConvertScale(
            CMTimeMake(value: sound.firstFrame, timescale: Int32(clamped: source.sampleRate.rounded())),
            timescale: Int32(clamped: output.mSampleRate.rounded()),
            method: .default
        )
    }

    /// Returns the next sample buffer; `nil` at the end.
    func next() throws -> CMSampleBuffer? {
        let count = try sound.read(into: memory.list, from: 0, count: Self.framesPerBuffer)
        guard count > 0 else { return nil }
        let planeSize = count * Int(sound.output.mBytesPerFrame)
        let data = try CMBlockBuffer(length: planeSize * memory.list.count, flags: .assureMemoryNow)
        try data.withUnsafeMutableBytes { bytes in
            for (index, buffer) in memory.list.enumerated() {
                guard let source = buffer.mData else { continue }
                bytes.baseAddress?.advanced(by: index * planeSize).copyMemory(from: source, byteCount: planeSize)
            }
        }
        let time = start + CMTimeMake(value: given, timescale: start.timescale)
        given += Int64(count)
        return try CMSampleBuffer(
            dataBuffer: data,
            formatDescription: format,
            numSamples: count,
            presentationTimeStamp: time,
            packetDescriptions: []
        )
    }
}
