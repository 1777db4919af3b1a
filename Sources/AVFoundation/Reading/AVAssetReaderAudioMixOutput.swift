internal import AVFAudio
internal import CoreAudioTypes
internal import CoreMedia
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The mix of several audio tracks, each with its volume.
open class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {
    // Unchecked: `audioMix` is set before reading starts.

    /// The tracks.
    public let audioTracks: [AVAssetTrack]
    /// The format of the samples; unspecified properties default to interleaved 32-bit float.
    public let audioSettings: [String: Any]?
    /// The volumes of the tracks; tracks without parameters have volume 1.
    ///
    /// Set it before reading starts.
    open var audioMix: AVAudioMix?

    /// Creates an output of mixed tracks.
    /// - Parameters:
    ///   - audioTracks: Audio tracks of the asset that is read. The reader refuses an empty list and tracks of other
    ///     assets.
    ///   - audioSettings: The linear PCM format of the samples. With `nil`, samples are interleaved 32-bit float, with
    ///     the sample rate of the first track and the largest channel count of all tracks.
    public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
        self.audioTracks = audioTracks
        self.audioSettings = audioSettings
        super.init()
    }

    override func refusal(by reader: AVAssetReader) -> AVError? {
        let known = (try? reader.asset.describe())?.tracks ?? []
        let areKnown = audioTracks.allSatisfy { track in
            track.mediaType == .audio && known.contains { $0.trackID == track.trackID && $0.mediaType == .audio }
        }
        guard !audioTracks.isEmpty, areKnown else {
            let message = "The tracks of the mix are not audio tracks of the reader's asset"
            return AVError(.noSourceTrack, .noTrack, message, url: reader.asset.resource)
        }
        return nil
    }

    override func start(_ range: CMTimeRange, asset: AVAsset) throws {
        let source = try MixedSound(audioTracks, of: asset, mix: audioMix)
        var settings = audioSettings ?? [:]
        if settings[AVLinearPCMIsFloatKey] == nil, settings[AVLinearPCMBitDepthKey] == nil {
            settings[AVLinearPCMIsFloatKey] = true
            settings[AVLinearPCMBitDepthKey] = 32
        }
        let description: AudioStreamBasicDescription
        do throws(PCMSettings.Refusal) {
            description =
                try PCMSettings(settings, sampleRate: source.sampleRate, channelCount: source.channelCount).description
        } catch {
            throw AVError(.operationNotAllowed, .badSettings, error.sentence, url: asset.resource)
        }
        let bounded = range.intersection(CMTimeRange(start: .zero, duration: source.duration))
        let pump = try SoundPump(source, to: description, range: bounded)
        begin({ try pump.next() }, cancel: { source.cancel() })
    }
}

/// The sum of tracks, each with its volume, at the sample rate of the first and with the largest channel count.
///
/// Use it on one thread at a time.
final class MixedSound: SoundSource {
    let sampleRate: Double
    let channelCount: Int
    /// The end of the last track.
    let duration: CMTime
    private let sources: [(source: any SoundSource, envelope: VolumeEnvelope)]
    private var sounds: [ConvertedSound?] = []
    private let memory: SampleMemory
    private let planes: FloatPlanes<Float>
    private var position: Int64 = 0

    private static let chunk = 4096

    init(_ tracks: [AVAssetTrack], of asset: AVAsset, mix: AVAudioMix?) throws {
        sources = try tracks.map { (try asset.openSound(of: $0), mix?.envelope(of: $0.trackID) ?? VolumeEnvelope()) }
        sampleRate = sources.first?.source.sampleRate ?? 44100
        channelCount = sources.map(\.source.channelCount).max() ?? 2
        duration = tracks.map(\.timeRange.end).filter(\.isNumeric).max() ?? .positiveInfinity
        memory = SampleMemory(.planarFloat(sampleRate, channelCount), capacity: Self.chunk)
        planes = FloatPlanes(channelCount: channelCount, capacity: Self.chunk)
        try seek(toFrame: 0)
    }

    func seek(toFrame frame: Int64) throws {
        position = max(frame, 0)
        let time = Double(position) / sampleRate
        sounds = try sources.map { source, _ in
            let first = Int64(clamped: (time * source.sampleRate).rounded())
            if first == 0 { try source.seek(toFrame: 0) }
            return try ConvertedSound(source, to: .planarFloat(sampleRate, channelCount), frames: first..<Int64.max)
        }
    }

    func read(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) throws -> Int {
        let wanted = min(frameCount, Self.chunk)
        for channel in 0..<channelCount { channels[channel].update(repeating: 0, count: wanted) }
        var longest = 0
        for (index, sound) in sounds.enumerated() {
            guard let sound else { continue }
            let count = try sound.read(into: memory.list, from: 0, count: wanted)
            if count < wanted { sounds[index] = nil }
            longest = max(longest, count)
            add(count, at: sources[index].envelope, to: channels)
        }
        position = position.addingClamped(Int64(longest))
        return longest
    }

    private func add(
        _ count: Int,
        at envelope: VolumeEnvelope,
        to channels: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        for channel in 0..<channelCount {
            if let samples = memory.floats(channel) { planes.channels[channel].update(from: samples, count: count) }
        }
        envelope.apply(
            to: UnsafePointer(planes.channels),
            channelCount: channelCount,
            frameCount: count,
            firstFrame: position,
            sampleRate: sampleRate
        )
        for channel in 0..<channelCount {
            for frame in 0..<count { channels[channel][frame] += planes.channels[channel][frame] }
        }
    }

    func cancel() { for (source, _) in sources { source.cancel() } }
}
