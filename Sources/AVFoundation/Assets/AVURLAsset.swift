internal import AVFAudio
internal import CoreMedia
public import Foundation
internal import SyrinxByteStream
internal import SyrinxHTTPStream
internal import SyrinxMediaCodec
internal import SyrinxStreaming

/// The media of a file, or of a resource on an HTTP or HTTPS server.
///
/// URLs with other schemes are requested from the delegate of `resourceLoader`.
///
/// ```swift
/// let asset = AVURLAsset(
///     url: url,
///     options: [
///         AVURLAssetPreferPreciseDurationAndTimingKey: true,
///         AVURLAssetHTTPHeaderFieldsKey: ["Authorization": "Bearer \(token)"],
///     ]
/// )
/// ```
open class AVURLAsset: AVAsset, @unchecked Sendable {
    // Unchecked: the loader guards the only mutable state.

    /// The URL of the resource.
    public let url: URL
    /// The object that requests resources with custom URL schemes from a delegate.
    public let resourceLoader: AVAssetResourceLoader
    private let options: AssetOptions
    private let loader = DescriptionLoader()

    /// Creates an asset for the resource at `url`, without opening it.
    /// - Parameters:
    ///   - url: A `file:`, `http:` or `https:` URL, or a URL that the delegate of `resourceLoader` supports.
    ///   - options: Options under the keys `AVURLAsset…Key`.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
        self.options = AssetOptions(options ?? [:])
        resourceLoader = AVAssetResourceLoader()
        super.init()
    }

    /// Creates an asset for the same resource, with the same options and delegate.
    private init(_ url: URL, _ options: AssetOptions, _ resourceLoader: AVAssetResourceLoader) {
        self.url = url
        self.options = options
        self.resourceLoader = resourceLoader
        super.init()
    }

    /// Returns a function that creates an asset for the same resource and does not retain this one.
    var remake: @Sendable () -> AVAsset {
        { [url, options, resourceLoader] in AVURLAsset(url, options, resourceLoader) }
    }

    /// The HTTP headers of requests, by name.
    var headers: [String: String] { options.headers }
    /// Whether the delegate of `resourceLoader` provides the bytes.
    var isDelegated: Bool { resourceLoader.makeStream(for: url) != nil }

    override var resource: URL? { url }
    override var descriptionStatus: (AVKeyValueStatus, AVError?) { loader.status }

    open override func cancelLoading() { loader.cancel() }

    override func describe() throws -> AssetDescription {
        try loader.value {
            do {
                return try makeDescription()
            } catch {
                throw AVError(error, url: url)
            }
        }
    }

    /// Opens another stream of the bytes.
    func makeStream() throws -> any ByteStream {
        if let stream = resourceLoader.makeStream(for: url) { return stream }
        return try StreamingInput.url(url).makeByteStream(network: network)
    }

    override func openSound(of track: AVAssetTrack) throws -> any SoundSource {
        do {
            return FileSoundSource(try MediaReader.open(makeStream()))
        } catch {
            throw AVError(error, url: url)
        }
    }

    override func openPackets(of track: AVAssetTrack) throws -> any PacketReading {
        do {
            return FilePacketReader(try MediaDemuxer.open(makeStream()))
        } catch {
            throw AVError(error, url: url)
        }
    }

    override func openPictures(of track: AVAssetTrack?) throws -> any PictureSource { try openPictures(beside: nil) }

    override func openPictures(beside player: AVPlayer?) throws -> any PictureSource {
        do {
            let stream = try openStream()
            // The player may have moved on to another item: segments are identified by their URLs.
            let pictures = try (stream as? HLSStream)?.openPictures { [weak player] in
                player?.core.streamer.presentation
            }
            if let pictures { return HLSPictures(pictures) }
            return FilePictures(try VideoReader.open(stream))
        } catch {
            throw AVError(error, url: url)
        }
    }

    override func openPicturePackets() throws -> VideoReader {
        do {
            return try VideoReader.open(makeStream())
        } catch {
            throw AVError(error, url: url)
        }
    }

    /// Opens the bytes, as HTTP Live Streaming if the response of the server is a playlist.
    /// - Parameter note: Called with the stream before it waits for a byte.
    private func openStream(_ note: (any ByteStream) -> Void = { _ in }) throws -> any ByteStream {
        let stream = try makeStream()
        note(stream)
        guard let resource = stream as? HTTPByteStream else { return stream }
        try resource.waitForResponse()
        return HLSStream(typed: resource, of: .url(url), network: network) ?? resource
    }

    private var network: HTTPByteStream.Options {
        var network = HTTPByteStream.Options()
        network.add(headers)
        return network
    }

    private func makeDescription() throws -> AssetDescription {
        let stream = try openStream(loader.reads)
        defer { stream.cancel() }
        let reader: any SampleReader
        do {
            // An HTTP Live Streaming presentation consists of many files, so it opens its own streams.
            reader = try StreamingInput.url(url).open(stream)
        } catch {
            return try describeSilent(stream, error)
        }
        let demuxer = (reader as? MediaReader)?.demuxer
        var info = reader.info
        let isBroadcast = (stream as? HTTPByteStream)?.isBroadcast == true
        if isBroadcast {
            (info.duration, info.durationIsExact, info.frameCount) = (nil, false, nil)
        } else if options.wantsExactDuration, !info.durationIsExact, demuxer != nil {
            let counting = try makeStream()
            loader.reads(counting)
            defer { counting.cancel() }
            let count = try MediaReader.countFrames(of: counting)
            info.frameCount = count
            info.duration = Double(count) / info.sampleRate
            info.durationIsExact = true
        }
        var description = try MediaSummary(info, demuxer?.magicCookie ?? [], demuxer?.artwork).description(for: self)
        description.soundOptions = (stream as? HLSStream)?.soundOptions ?? []
        description.isPresentation = stream is HLSStream && demuxer == nil
        if let tracks = demuxer?.soundTracks, tracks.count > 1 {
            description.soundOptions = SoundOption.options(of: tracks)
        }
        if !isBroadcast, let demuxer, demuxer.hasMovingPictures, let track = try pictureTrack(demuxer, number: 2) {
            description.add(track)
        }
        return description
    }

    /// Returns the description of a video without audio.
    /// - Parameter failure: The error of the audio demuxer, which is thrown if there is no video either.
    private func describeSilent(_ stream: any ByteStream, _ failure: SyrinxError) throws -> AssetDescription {
        guard failure.code == .notAudio || failure.code == .corrupt else { throw failure }
        let info: VideoInfo
        do {
            // A stream that cannot seek back to its start is requested again.
            info = try stream.isSeekable ? VideoReader.open(stream).info : describePictures()
        } catch let error as SyrinxError {
            throw error.code == .notVideo || error.code == failure.code ? failure : error
        }
        let track = try VideoSummary(info: info).track(of: self, number: 1, remake: remake)
        return AssetDescription(duration: track.timeRange.end, tracks: [track])
    }

    /// Returns the video track of a file with audio; `nil` if the video cannot be decoded.
    private func pictureTrack(_ demuxer: MediaDemuxer, number: CMPersistentTrackID) throws -> AVAssetTrack? {
        do {
            let info = try demuxer.describePictures() ?? describePictures()
            return try VideoSummary(info: info).track(of: self, number: number, remake: remake)
        } catch let error as SyrinxError where error.code.rawValue.hasPrefix("media.") {
            // The audio is playable without the video.
            return nil
        }
    }

    /// Describes the video with a second stream, when the bytes read for the audio do not suffice.
    private func describePictures() throws -> VideoInfo {
        let stream = try makeStream()
        loader.reads(stream)
        defer { stream.cancel() }
        return try VideoReader.open(stream).info
    }
}

/// The options of a URL asset.
private struct AssetOptions: Sendable {
    let wantsExactDuration: Bool
    /// By name, including `User-Agent`.
    let headers: [String: String]

    init(_ options: [String: Any]) {
        wantsExactDuration = Self.flag(options[AVURLAssetPreferPreciseDurationAndTimingKey])
        var headers = options[AVURLAssetHTTPHeaderFieldsKey] as? [String: String] ?? [:]
        if let agent = options[AVURLAssetHTTPUserAgentKey] as? String { headers["User-Agent"] = agent }
        self.headers = headers
    }

    private static func flag(_ value: Any?) -> Bool {
        value as? Bool ?? (value as? NSNumber)?.boolValue ?? false
    }
}

/// The tracks and metadata of a recording, as assets describe them.
struct MediaSummary {
    private let info: MediaInfo
    private let cookie: [UInt8]
    private let artwork: MediaPicture?

    init(_ info: MediaInfo, _ cookie: [UInt8], _ artwork: MediaPicture?) {
        self.info = info
        self.cookie = cookie
        self.artwork = artwork
    }

    func description(for asset: AVURLAsset) throws -> AssetDescription {
        let duration = duration
        let metadata = MetadataMapping(info.format.tagFormat)
        let track = AVAssetTrack(
            asset: asset,
            trackID: 1,
            mediaType: .audio,
            timeRange: CMTimeRange(start: .zero, duration: duration),
            formatDescriptions: [try formatDescription()],
            naturalTimeScale: timescale,
            estimatedDataRate: Float(info.bitRate ?? 0),
            byteCount: info.size ?? 0,
            remake: asset.remake
        )
        return AssetDescription(
            duration: duration,
            hasExactDuration: info.durationIsExact,
            tracks: [track],
            metadata: metadata.items(of: info.tags, artwork: artwork),
            metadataFormats: info.tags.isEmpty && artwork == nil ? [] : [metadata.format],
            chapters: info.chapters.map { chapter in
                AssetDescription.Chapter(
                    timeRange: CMTimeRange(start: time(chapter.start), end: time(chapter.end)),
                    title: chapter.title
                )
            },
            lyrics: info.tags["lyrics"]
        )
    }

    private var timescale: Int32 { Int32(clamped: info.sampleRate.rounded()) }

    private var duration: CMTime {
        if let count = info.frameCount { return CMTimeMake(value: count, timescale: timescale) }
        return info.duration.map { time($0) } ?? .indefinite
    }

    private func time(_ seconds: Double) -> CMTime {
        CMTimeMake(value: Int64(clamped: (seconds * Double(timescale)).rounded()), timescale: timescale)
    }

    private func formatDescription() throws -> CMFormatDescription {
        let layout = ChannelLayoutNames.layout(named: info.channelLayout, channelCount: info.channelCount)
        return try CMFormatDescription(
            audioStreamBasicDescription: info.streamDescription,
            layout: layout.map { ManagedAudioChannelLayout($0.layout) },
            magicCookie: cookie.isEmpty ? nil : Data(cookie)
        )
    }
}
