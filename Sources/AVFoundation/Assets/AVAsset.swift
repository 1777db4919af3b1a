public import CoreMedia
public import Foundation
internal import SyrinxMediaCodec

/// A media resource with a duration and tracks: a file, an HTTP resource or a composition.
///
/// The asset opens its resource when a property is first read. The synchronous properties block until their value is
/// known. If opening fails, they return the values of an asset without tracks, whereas `load` throws the error. Any
/// thread may use an asset.
///
/// ```swift
/// let asset = AVURLAsset(url: URL(fileURLWithPath: "song.m4a"))
/// let (duration, tracks, metadata) = try await asset.load(.duration, .tracks, .commonMetadata)
/// let title = metadata.first { $0.commonKey == .commonKeyTitle }?.stringValue
/// print(title ?? "untitled", duration.seconds, tracks.count)
/// ```
open class AVAsset: NSObject, AVAsynchronousKeyValueLoading, AVAssetMaking, @unchecked Sendable {
    // Unchecked: subclasses guard their mutable state.

    /// Creates an asset whose subclass provides the description.
    override init() {}

    /// Opens the asset and returns its description; blocks.
    func describe() throws -> AssetDescription { AssetDescription(duration: .zero, tracks: []) }

    /// The loading state, and the error if loading failed.
    var descriptionStatus: (AVKeyValueStatus, AVError?) { (.loaded, nil) }

    /// Opens the sound of a track for reading.
    func openSound(of track: AVAssetTrack) throws -> any SoundSource {
        throw AVError(.noSourceTrack, .noTrack, "The asset has no such track")
    }

    /// Opens the packets of a track for reading.
    func openPackets(of track: AVAssetTrack) throws -> any PacketReading {
        throw AVError(.noSourceTrack, .noTrack, "The asset has no packets of that track")
    }

    /// Opens the video of a track for reading; `nil` selects the track that a player would show.
    func openPictures(of track: AVAssetTrack?) throws -> any PictureSource {
        let message = "The moving pictures of an asset of the type \(type(of: self)) cannot be read"
        throw AVError(.operationNotSupportedForAsset, .noTrack, message, url: resource)
    }

    /// Opens the displayed video track, next to a player of the same asset.
    func openPictures(beside player: AVPlayer?) throws -> any PictureSource { try openPictures(of: nil) }

    /// Opens the packets of the video track for reading.
    func openPicturePackets() throws -> VideoReader {
        let message = "The moving pictures of an asset of the type \(type(of: self)) cannot be read as packets"
        throw AVError(.operationNotSupportedForAsset, .noTrack, message, url: resource)
    }

    /// The resource of the asset, if it has one.
    var resource: URL? { nil }

    private var known: AssetDescription { (try? describe()) ?? AssetDescription(duration: .zero, tracks: []) }

    // MARK: Properties that block

    /// The duration; indefinite for a live broadcast.
    open var duration: CMTime { known.duration }
    /// Whether the duration is exact.
    open var providesPreciseDurationAndTiming: Bool { known.hasExactDuration }
    /// The tracks.
    open var tracks: [AVAssetTrack] { known.tracks }
    /// All metadata.
    open var metadata: [AVMetadataItem] { known.metadata }
    /// The metadata that have a common key.
    open var commonMetadata: [AVMetadataItem] { known.metadata.filter { $0.commonKey != nil } }
    /// The formats of the metadata.
    open var availableMetadataFormats: [AVMetadataFormat] { known.metadataFormats }
    /// The languages of the chapter titles: undetermined (`und`), if there are chapters.
    open var availableChapterLocales: [Locale] { known.chapters.isEmpty ? [] : [Locale(identifier: "und")] }
    /// The lyrics of the song.
    open var lyrics: String? { known.lyrics }
    /// The preferred playback rate: 1.
    open var preferredRate: Float { 1 }
    /// The preferred volume: 1.
    open var preferredVolume: Float { 1 }
    /// Whether the asset has at least one track.
    open var isPlayable: Bool { !known.tracks.isEmpty }
    /// Whether an `AVAssetReader` can read it.
    open var isReadable: Bool { isPlayable }
    /// Whether an `AVAssetExportSession` can export it, that is, whether it has an audio track.
    open var isExportable: Bool { known.hasSound }
    /// Whether its tracks can be inserted into a composition, that is, whether it has tracks.
    open var isComposable: Bool { !known.tracks.isEmpty }
    /// Whether the media is encrypted: always false, because encrypted media cannot be opened.
    open var hasProtectedContent: Bool { false }
    /// The size of the first video track in pixels; zero if there is none.
    open var naturalSize: CGSize {
        known.tracks.first { $0.mediaType == .video }?.naturalSize ?? .zero
    }
    /// The metadata item with the creation date.
    open var creationDate: AVMetadataItem? { known.metadata.first { $0.commonKey == .commonKeyCreationDate } }

    /// Returns the track with this ID, or `nil`.
    open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        known.tracks.first { $0.trackID == trackID }
    }

    /// Returns the tracks of a media type.
    ///
    /// Blocks until the tracks are known. Empty if there are none, or if the asset cannot be opened.
    open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        known.tracks.filter { $0.mediaType == mediaType }
    }

    /// Returns the tracks with a characteristic, such as `audible`.
    open func tracks(withMediaCharacteristic characteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
        known.tracks.filter { $0.hasMediaCharacteristic(characteristic) }
    }

    /// Returns the metadata items of a format.
    open func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        known.metadata.filter { $0.keySpace == format.keySpace }
    }

    /// Returns the chapters, each with its title as an item.
    ///
    /// The languages are ignored, because files do not state the languages of chapter titles.
    open func chapterMetadataGroups(bestMatchingPreferredLanguages languages: [String]) -> [AVTimedMetadataGroup] {
        known.chapters.map(AVTimedMetadataGroup.init(chapter:))
    }

    /// Returns the chapters, each with its title as an item.
    open func chapterMetadataGroups(
        withTitleLocale locale: Locale,
        containingItemsWithCommonKeys commonKeys: [AVMetadataKey]?
    ) -> [AVTimedMetadataGroup] { chapterMetadataGroups(bestMatchingPreferredLanguages: []) }

    /// Cancels loading in progress, which then fails with `AVError.operationCancelled`.
    ///
    /// Has no effect if the asset is already loaded, or if loading has not started.
    open func cancelLoading() {}

    // MARK: Asynchronous loading

    /// Returns the loading state of the property `key`, and its error if loading failed.
    open func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        let (status, error) = descriptionStatus
        outError?.pointee = error.map { $0 as NSError }
        return status
    }

    /// Loads properties in the background, then calls `handler`, also after a failure.
    open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil)
    {
        loadingQueue.async {
            // The error is available from `statusOfValue(forKey:error:)`.
            _ = try? self.describe()
            handler?()
        }
    }

    /// Loads the track with this ID; returns `nil` if the asset has none.
    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
        try await load(.tracks).first { $0.trackID == trackID }
    }

    /// Loads the tracks of a media type.
    ///
    /// ```swift
    /// if let video = try await asset.loadTracks(withMediaType: .video).first {
    ///     print(video.naturalSize, video.nominalFrameRate)
    /// }
    /// ```
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try await load(.tracks).filter { $0.mediaType == mediaType }
    }

    /// Loads the tracks with a characteristic, such as `audible`.
    public func loadTracks(withMediaCharacteristic characteristic: AVMediaCharacteristic) async throws -> [AVAssetTrack]
    {
        try await load(.tracks).filter { $0.hasMediaCharacteristic(characteristic) }
    }

    /// Loads the metadata items of a format.
    public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        try await load(.metadata).filter { $0.keySpace == format.keySpace }
    }

    /// Loads the chapters, each with its title as an item.
    ///
    /// ```swift
    /// for chapter in try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"]) {
    ///     print(chapter.timeRange.start.seconds, chapter.items.first?.stringValue ?? "")
    /// }
    /// ```
    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages languages: [String]
    ) async throws -> [AVTimedMetadataGroup] {
        _ = try await load(.availableChapterLocales)
        return chapterMetadataGroups(bestMatchingPreferredLanguages: languages)
    }

    /// Loads the chapters, each with its title as an item.
    public func loadChapterMetadataGroups(
        withTitleLocale locale: Locale,
        containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = []
    ) async throws -> [AVTimedMetadataGroup] {
        try await loadChapterMetadataGroups(bestMatchingPreferredLanguages: [])
    }
}

/// The initializer `init(url:)` of `AVAsset`, which creates an `AVURLAsset`.
///
/// An initializer of a class cannot return a subclass; an initializer of a protocol extension can.
public protocol AVAssetMaking {}

extension AVAssetMaking where Self: AVAsset {
    /// Returns an asset for the resource at `url`.
    public static func asset(with url: URL) -> AVAsset { AVURLAsset(url: url) }
}

extension AVAssetMaking {
    /// Creates an asset for the resource at `url`, which is an `AVURLAsset`.
    public init(url: URL) {
        let asset = AVURLAsset(url: url)
        guard let asset = asset as? Self else {
            preconditionFailure("\(Self.self) is not made of a URL; AVAsset and AVURLAsset are.")
        }
        self = asset
    }
}
