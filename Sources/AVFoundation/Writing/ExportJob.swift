internal import ByteStream
internal import CoreAudioTypes
internal import CoreMedia
internal import Foundation
internal import MediaCodec

/// The work of an export, on the thread that calls it.
struct ExportJob {
    let asset: AVAsset
    let url: URL
    let fileType: AVFileType
    let range: CMTimeRange
    let mix: AVAudioMix?
    let metadata: [AVMetadataItem]
    /// Whether the export has not been given up.
    let goesOn: () -> Bool
    /// Takes note of the share that is done.
    let advance: (Float) -> Void

    private static let chunk = 8192

    /// Encodes the sum of all tracks.
    /// - Returns: Whether the file is complete; false if the export was given up.
    func encode() throws -> Bool {
        let tracks = try asset.describe().tracks.filter { $0.mediaType == .audio }
        guard !tracks.isEmpty else { throw noSound }
        let source = try MixedSound(tracks, of: asset, mix: mix)
        let part = range.intersection(CMTimeRange(start: .zero, duration: source.duration))
        guard part.isValid, !part.isEmpty else {
            throw AVError(.operationNotAllowed, .badRange, "The range is none of the asset", url: asset.resource)
        }
        let frames = part.frames(source.sampleRate)
        let format = AudioStreamBasicDescription.planarFloat(source.sampleRate, source.channelCount)
        let sound = try ConvertedSound(source, to: format, frames: frames)
        var settings = MediaWriterSettings(container: "m4a", codec: .aac)
        (settings.tags, settings.artwork) = MetadataMapping.tags(of: metadata)
        settings.chapters = try chapters(in: part)
        let writer = try MediaWriter(
            path: FilePath(url) ?? FilePath(url.path),
            sampleRate: source.sampleRate,
            channelCount: source.channelCount,
            settings: settings
        )
        let memory = SampleMemory(format, capacity: Self.chunk)
        let channels = memory.list.indices.compactMap { memory.floats($0) }
        let total = part.duration.isNumeric ? part.duration.seconds * source.sampleRate : 0
        while case let count = try sound.read(into: memory.list, from: 0, count: Self.chunk), count > 0 {
            guard goesOn() else {
                writer.cancel()
                return false
            }
            try channels.withUnsafeBufferPointer { pointers in
                guard let base = pointers.baseAddress else { return }
                try writer.write(base, frameCount: count)
            }
            if total > 0 { advance(Float(Double(writer.frameCount) / total)) }
        }
        try writer.finish()
        return true
    }

    /// Copies the packets of the one track that there is.
    /// - Returns: Whether the file is complete; false if the export was given up.
    func copy() throws -> Bool {
        guard let asset = asset as? AVURLAsset, mix == nil else {
            let message = "Packets are copied of a file or resource only, and without a mix"
            throw AVError(.operationNotSupportedForAsset, .unsupported, message, url: asset.resource)
        }
        guard try asset.describe().tracks.contains(where: { $0.mediaType == .audio }) else { throw noSound }
        let demuxer = try MediaDemuxer.open(asset.makeStream())
        defer { demuxer.stream.cancel() }
        let containers: [AVFileType: String] = [.mp4: "mp4", .mov: "mov"]
        guard let container = containers[fileType] ?? fileType.container else { throw noSound }
        let copier = try PacketCopier(
            demuxer,
            to: FilePath(url) ?? FilePath(url.path),
            container: container,
            tags: MetadataMapping.tags(of: metadata).tags
        )
        let frames = range.frames(demuxer.info.sampleRate)
        if frames.lowerBound > 0 { try demuxer.seek(toFrame: frames.lowerBound) }
        var next: Int64 = 0
        while let packet = try demuxer.nextPacket() {
            guard goesOn() else {
                copier.cancel()
                return false
            }
            let frame = packet.startFrame ?? next
            guard frame < frames.upperBound else { break }
            next = frame.addingClamped(Int64(packet.frameCount ?? 0))
            // What a decoder needs before the range stays in front of it, and is not heard.
            guard next > frames.lowerBound || frame < 0 || frames.lowerBound == 0 else { continue }
            try copier.write(packet, at: frame.subtractingClamped(frames.lowerBound))
            if let count = demuxer.info.frameCount, count > 0 { advance(Float(Double(next) / Double(count))) }
        }
        try copier.finish()
        return true
    }

    private var noSound: AVError { AVError(.noSourceTrack, .noTrack, "The asset has no sound", url: asset.resource) }

    /// The chapters of a part, in seconds from its start.
    private func chapters(in part: CMTimeRange) throws -> [MediaChapter] {
        try asset.describe().chapters.compactMap { chapter in
            let common = chapter.timeRange.intersection(part)
            guard common.isValid, !common.isEmpty else { return nil }
            return MediaChapter(
                start: (common.start - part.start).seconds,
                end: (common.end - part.start).seconds,
                title: chapter.title
            )
        }
    }
}
