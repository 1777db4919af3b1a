internal import CoreAudioTypes
internal import CoreMedia
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The work of an export, performed on the calling thread.
struct ExportJob {
    let asset: AVAsset
    let url: URL
    let fileType: AVFileType
    let range: CMTimeRange
    let mix: AVAudioMix?
    let metadata: [AVMetadataItem]
    /// Returns whether the export was not cancelled.
    let goesOn: () -> Bool
    /// Reports the progress, 0…1.
    let advance: (Float) -> Void

    private static let chunk = 8192

    /// Encodes the mix of all tracks.
    /// - Returns: Whether the file is complete; false if the export was cancelled.
    func encode() throws -> Bool {
        let tracks = try asset.describe().tracks.filter { $0.mediaType == .audio }
        guard !tracks.isEmpty else { throw noSound }
        let source = try MixedSound(tracks, of: asset, mix: mix)
        let part = range.intersection(CMTimeRange(start: .zero, duration: source.duration))
        guard part.isValid, !part.isEmpty else {
            throw AVError(.operationNotAllowed, .badRange, "The time range lies outside the asset", url: asset.resource)
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

    /// Copies the packets of the only track.
    /// - Returns: Whether the file is complete; false if the export was cancelled.
    func copy() throws -> Bool {
        guard let asset = asset as? AVURLAsset, mix == nil else {
            let message = "Packets can only be copied from a file or resource, and without a mix"
            throw AVError(.operationNotSupportedForAsset, .unsupported, message, url: asset.resource)
        }
        guard try asset.describe().tracks.contains(where: { $0.mediaType == .audio }) else { throw noSound }
        let demuxer = try MediaDemuxer.open(asset.makeStream())
        defer { demuxer.stream.cancel() }
        let containers: [AVFileType: String] = [.mp4: "mp4", .mov: "mov"]
        guard let container = containers[fileType] ?? fileType.container else { throw noSound }
        let all = range.frames(demuxer.info.sampleRate)
        let end = demuxer.info.durationIsExact ? demuxer.info.frameCount ?? .max : .max
        let part = all.lowerBound..<max(all.lowerBound, min(all.upperBound, end))
        if part.lowerBound > 0 { try demuxer.seek(toFrame: part.lowerBound) }
        var cut = CopiedPart(part, PacketCopier.means(demuxer, container: container))
        var start = CopyStart(tags: MetadataMapping.tags(of: metadata).tags, container: container, url: url)
        var lengths = PacketLengths()
        var upcoming = try demuxer.nextPacket()
        while let packet = upcoming {
            guard goesOn() else {
                start.copier?.cancel()
                return false
            }
            upcoming = try demuxer.nextPacket()
            let frames = lengths.frames(of: packet, before: upcoming)
            guard let span = cut.place(start: packet.startFrame, count: frames, padding: packet.endTrim) else { break }
            try start.write(packet, span, cut, of: demuxer)
            if let count = demuxer.info.frameCount, count > 0 { advance(Float(Double(span.start) / Double(count))) }
        }
        guard let copier = start.copier else {
            throw AVError(.operationNotAllowed, .badRange, "The time range lies outside the asset", url: asset.resource)
        }
        try copier.finish()
        return true
    }

    private var noSound: AVError { AVError(.noSourceTrack, .noTrack, "The asset has no sound", url: asset.resource) }

    /// Returns the chapters within a part, in seconds from its start.
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

/// Determines the frame counts of packets; some containers state only the packets' start frames.
private struct PacketLengths {
    private var last = 0

    /// Returns the frame count of a packet: the stated one, otherwise the distance to the next packet.
    ///
    /// The last packet is assumed to be as long as the one before.
    mutating func frames(of packet: MediaPacket, before next: MediaPacket?) -> Int {
        if let stated = packet.frameCount { return stated }
        if let start = packet.startFrame, let end = next?.startFrame {
            last = Int(clamping: max(end.subtractingClamped(start), 0))
        }
        return last
    }
}

/// The start of a copy: packets are held until the first audible one, because a file states in advance how many frames
/// to skip.
private struct CopyStart {
    let tags: [String: String]
    let container: String
    let url: URL
    /// The copier, once copying has started.
    private(set) var copier: PacketCopier?
    private var held: [(packet: MediaPacket, span: CopiedPart.Span)] = []

    /// The maximum number of held packets: no decoder needs more packets before the first audible one.
    private static let mostHeld = 64

    init(tags: [String: String], container: String, url: URL) {
        (self.tags, self.container, self.url) = (tags, container, url)
    }

    mutating func write(
        _ packet: MediaPacket,
        _ span: CopiedPart.Span,
        _ cut: CopiedPart,
        of demuxer: MediaDemuxer
    ) throws {
        let begin = cut.range.lowerBound
        if let copier {
            if cut.isHeard(span) { try copier.write(packet, at: span.start.subtractingClamped(begin), span) }
            return
        }
        held.append((packet, span))
        guard cut.isHeard(span) else {
            if held.count > Self.mostHeld { held.removeFirst() }
            return
        }
        let kept = held.suffix(cut.leadCount(held.map(\.span)))
        held = []
        guard let first = kept.first else { return }
        let new = try PacketCopier(
            demuxer,
            to: FilePath(url) ?? FilePath(url.path),
            container: container,
            tags: tags,
            lead: cut.lead(of: first.span)
        )
        copier = new
        // In a format that cannot skip frames, the copy starts with the first packet.
        let origin = cut.means == .wholePackets ? first.span.start : begin
        for (packet, span) in kept { try new.write(packet, at: span.start.subtractingClamped(origin), span) }
    }
}
