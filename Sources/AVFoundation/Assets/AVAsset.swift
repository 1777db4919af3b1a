public import CoreMedia
public import Foundation
internal import SyrinxMediaCodec

/// Media with a duration and tracks: a file or resource, or a composition of parts of others.
///
/// Nothing is opened until a property is asked for. The properties block until they are known, and give what an asset without
/// tracks would have if it cannot be opened; `load` throws then. Any thread may use an asset.
open class AVAsset: NSObject, AVAsynchronousKeyValueLoading, AVAssetMaking, @unchecked Sendable {
    // Unchecked: subclasses guard what changes.

    /// An asset of which a subclass says what it is.
    override init() {}

    /// Opens the asset and returns what it is; blocks.
    func describe() throws -> AssetDescription { AssetDescription(duration: .zero, tracks: []) }

    /// The state of opening, and the error of a failure.
    var descriptionStatus: (AVKeyValueStatus, AVError?) { (.loaded, nil) }

    /// Opens the sound of a track for reading.
    func openSound(of track: AVAssetTrack) throws -> any SoundSource {
        throw AVError(.noSourceTrack, .noTrack, "The asset has no such track")
    }

    /// Opens the packets of a track for reading.
    func openPackets(of track: AVAssetTrack) throws -> any PacketReading {
        throw AVError(.noSourceTrack, .noTrack, "The asset has no packets of that track")
    }

    /// Opens the moving pictures of a track for reading; `nil` for those that are shown.
    func openPictures(of track: AVAssetTrack?) throws -> any PictureSource {
        let message = "The moving pictures of an asset of the type \(type(of: self)) cannot be read"
        throw AVError(.operationNotSupportedForAsset, .noTrack, message, url: resource)
    }

    /// Opens the moving pictures that are shown, beside a player of the asset.
    func openPictures(beside player: AVPlayer?) throws -> any PictureSource { try openPictures(of: nil) }

    /// Opens the packets of the moving pictures for reading.
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
    /// The languages of chapter titles: one that is not determined, if there are chapters.
    open var availableChapterLocales: [Locale] { known.chapters.isEmpty ? [] : [Locale(identifier: "und")] }
    /// The words of the song.
    open var lyrics: String? { known.lyrics }
    /// The speed at which the asset is to be played: 1.
    open var preferredRate: Float { 1 }
    /// The volume at which the asset is to be played: 1.
    open var preferredVolume: Float { 1 }
    /// Whether anything can be heard or seen.
    open var isPlayable: Bool { !known.tracks.isEmpty }
    /// Whether an `AVAssetReader` can read it.
    open var isReadable: Bool { isPlayable }
    /// Whether an `AVAssetExportSession` can export it: whether it has sound.
    open var isExportable: Bool { known.hasSound }
    /// Whether its tracks can be inserted into a composition: whether it has any.
    open var isComposable: Bool { !known.tracks.isEmpty }
    /// Whether the media are encrypted: false, as those cannot be opened.
    open var hasProtectedContent: Bool { false }
    /// The size of the first track of pictures.
    open var naturalSize: CGSize {
        known.tracks.first { $0.mediaType == .video }?.naturalSize ?? .zero
    }
    /// The item that tells when the media were made.
    open var creationDate: AVMetadataItem? { known.metadata.first { $0.commonKey == .commonKeyCreationDate } }

    /// Returns the track of this number, if there is one.
    open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        known.tracks.first { $0.trackID == trackID }
    }

    /// Returns the tracks of a kind of media.
    open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        known.tracks.filter { $0.mediaType == mediaType }
    }

    /// Returns the tracks that have a property.
    open func tracks(withMediaCharacteristic characteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
        known.tracks.filter { $0.hasMediaCharacteristic(characteristic) }
    }

    /// Returns the metadata of a format.
    open func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        known.metadata.filter { $0.keySpace == format.keySpace }
    }

    /// Returns the chapters, each with its title as an item; the languages do not matter, as files do not state that of titles.
    open func chapterMetadataGroups(bestMatchingPreferredLanguages languages: [String]) -> [AVTimedMetadataGroup] {
        known.chapters.map(AVTimedMetadataGroup.init(chapter:))
    }

    /// Returns the chapters, each with its title as an item.
    open func chapterMetadataGroups(
        withTitleLocale locale: Locale,
        containingItemsWithCommonKeys commonKeys: [AVMetadataKey]?
    ) -> [AVTimedMetadataGroup] { chapterMetadataGroups(bestMatchingPreferredLanguages: []) }

    /// Cancels the loading that is under way, which then fails with `AVError.operationCancelled`.
    ///
    /// It has no effect on an asset that is loaded, or that nothing has asked for yet.
    open func cancelLoading() {}

    // MARK: Loading in the background

    /// Returns the state of the property of this name, and why it has failed if it has.
    open func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        let (status, error) = descriptionStatus
        outError?.pointee = error.map { $0 as NSError }
        return status
    }

    /// Loads properties in the background, and calls `completionHandler` when they are there or have failed.
    open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil)
    {
        loadingQueue.async {
            // A failure is the state of the properties from then on.
            _ = try? self.describe()
            handler?()
        }
    }

    /// Loads the track of this number, if there is one.
    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
        try await load(.tracks).first { $0.trackID == trackID }
    }

    /// Loads the tracks of a kind of media.
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try await load(.tracks).filter { $0.mediaType == mediaType }
    }

    /// Loads the tracks that have a property.
    public func loadTracks(withMediaCharacteristic characteristic: AVMediaCharacteristic) async throws -> [AVAssetTrack]
    {
        try await load(.tracks).filter { $0.hasMediaCharacteristic(characteristic) }
    }

    /// Loads the metadata of a format.
    public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        try await load(.metadata).filter { $0.keySpace == format.keySpace }
    }

    /// Loads the chapters, each with its title as an item.
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

/// Makes an asset of a URL, which is an `AVURLAsset`.
///
/// A class cannot choose the class of what its initialisers make; those of a protocol can.
public protocol AVAssetMaking {}

extension AVAssetMaking where Self: AVAsset {
    /// An asset of the resource at `url`.
    public static func asset(with url: URL) -> AVAsset { AVURLAsset(url: url) }
}

extension AVAssetMaking {
    /// An asset of the resource at `url`, which is an `AVURLAsset`.
    public init(url: URL) {
        let asset = AVURLAsset(url: url)
        guard let asset = asset as? Self else {
            preconditionFailure("\(Self.self) is not made of a URL; AVAsset and AVURLAsset are.")
        }
        self = asset
    }
}
