import AVFoundation
import SyrinxTestSupport
import Testing

/// Files that the tests of assets read and write.
struct AssetFiles {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    func url(_ name: String) -> URL { scratch.url(name) }

    /// Writes samples to a WAV file of floats.
    func wav(_ name: String, _ channels: [[Float]], sampleRate: Double = 44_100) throws -> URL {
        let url = scratch.url(name)
        let format = try #require(
            AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: UInt32(channels.count))
        )
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        let frameCount = channels[0].count
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(frameCount)))
        buffer.frameLength = buffer.frameCapacity
        for (channel, samples) in channels.enumerated() {
            buffer.floatChannelData?[channel].update(from: samples, count: samples.count)
        }
        try file.write(from: buffer)
        file.close()
        return url
    }

    /// Encodes a file with `ffmpeg`.
    func encode(_ source: URL, to name: String, _ options: [String] = []) throws -> URL {
        let url = scratch.url(name)
        try FFmpeg.run(["-i", source.path] + options + [url.path])
        return url
    }

    /// Noise in two channels, which differ.
    static func stereoNoise(_ frameCount: Int, seed: UInt64 = 1) -> [[Float]] {
        [whiteNoise(frameCount: frameCount, seed: seed), whiteNoise(frameCount: frameCount, seed: seed + 100)]
    }
}

/// The settings of 32-bit floats, interleaved.
var floatSettings: [String: Any] {
    [
        AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: false,
    ]
}

extension CMTime {
    /// A time in frames.
    static func frames(_ count: Int64, _ rate: Int32 = 44_100) -> CMTime { CMTime(value: count, timescale: rate) }
}

extension CMTimeRange {
    /// A range in frames.
    static func frames(_ start: Int64, count: Int64, _ rate: Int32 = 44_100) -> CMTimeRange {
        CMTimeRange(start: .frames(start, rate), duration: .frames(count, rate))
    }
}

extension CMSampleBuffer {
    /// A buffer of floats, interleaved, that begins at `frame`.
    static func floats(_ channels: [[Float]], at frame: Int64, sampleRate: Double = 44_100) throws -> CMSampleBuffer {
        let format = try #require(
            AVAudioFormat(
                commonFormat: .pcmFormatFloat32,
                sampleRate: sampleRate,
                channels: UInt32(channels.count),
                interleaved: true
            )
        )
        let count = channels[0].count
        let samples = (0..<count).flatMap { index in channels.map { $0[index] } }
        let data = try CMBlockBuffer(length: samples.count * 4, flags: .assureMemoryNow)
        try samples.withUnsafeBytes { try data.replaceDataBytes(with: $0) }
        return try CMSampleBuffer(
            dataBuffer: data,
            formatDescription: format.formatDescription,
            numSamples: count,
            presentationTimeStamp: .frames(frame, Int32(sampleRate)),
            packetDescriptions: []
        )
    }

    /// The bytes of the buffer.
    var bytes: [UInt8] {
        get throws {
            let data = try #require(dataBuffer)
            var bytes = [UInt8](repeating: 0, count: data.dataLength)
            try bytes.withUnsafeMutableBytes { try data.copyDataBytes(to: $0) }
            return bytes
        }
    }

    /// The bytes of the buffer as samples of a type.
    func samples<Sample: BitwiseCopyable>(_ type: Sample.Type) throws -> [Sample] {
        try bytes.withUnsafeBytes { Array($0.bindMemory(to: type)) }
    }
}

/// Reads a track, the first by default, as floats; one array for each channel.
func readSound(
    of asset: AVAsset,
    _ track: AVAssetTrack? = nil,
    range: CMTimeRange? = nil,
    settings: [String: Any] = [:]
) throws -> [[Float]] {
    let reader = try AVAssetReader(asset: asset)
    let track = try track ?? #require(asset.tracks(withMediaType: .audio).first)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: floatSettings.merging(settings) { $1 })
    if let range { reader.timeRange = range }
    return try readSound(reader, output)
}

/// Reads an output to its end.
func readSound(_ reader: AVAssetReader, _ output: AVAssetReaderOutput) throws -> [[Float]] {
    #expect(reader.canAdd(output))
    reader.add(output)
    guard reader.startReading() else { throw try #require(reader.error) }
    var samples: [Float] = []
    var channelCount = 1
    while let buffer = output.copyNextSampleBuffer() {
        channelCount = Int(buffer.formatDescription?.audioStreamBasicDescription?.mChannelsPerFrame ?? 1)
        samples += try buffer.samples(Float.self)
    }
    if let error = reader.error { throw error }
    #expect(reader.status == .completed)
    return deinterleave(samples, channelCount: channelCount)
}

/// Waits until `condition` holds, without a thread of the tasks that it may wait for.
///
/// Tasks get a thread when other tests let theirs go, which takes minutes where all of them run beside each other.
func wait(for condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(900)
    while !condition() {
        try #require(ContinuousClock.now < end)
        try await Task.sleep(for: .milliseconds(1))
    }
}
