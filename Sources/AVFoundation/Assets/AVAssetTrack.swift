public import CoreMedia
public import Foundation

/// The ID of a track in its asset; 0 is not a valid ID.
public typealias CMPersistentTrackID = Int32
/// The invalid track ID.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// A track of an asset, with media of one type.
///
/// Its properties are available without loading once the track is loaded.
open class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // Unchecked: subclasses guard their mutable state; reading a weak reference is thread-safe.

    /// The asset; `nil` after it was deallocated.
    open private(set) weak var asset: AVAsset?
    /// The ID of the track in its asset.
    open var trackID: CMPersistentTrackID { number }
    /// The media type.
    open var mediaType: AVMediaType { kind }
    private let number: CMPersistentTrackID
    private let kind: AVMediaType
    private let range: CMTimeRange
    private let formats: [CMFormatDescription]
    private let timescale: CMTimeScale
    private let dataRate: Float
    private let byteCount: Int64
    private let pictures: PictureTraits?
    private let remake: (@Sendable () -> AVAsset)?

    init(
        asset: AVAsset?,
        trackID: CMPersistentTrackID,
        mediaType: AVMediaType,
        timeRange: CMTimeRange,
        formatDescriptions: [CMFormatDescription],
        naturalTimeScale: CMTimeScale,
        estimatedDataRate: Float = 0,
        byteCount: Int64 = 0,
        pictures: PictureTraits? = nil,
        remake: (@Sendable () -> AVAsset)? = nil
    ) {
        self.asset = asset
        number = trackID
        kind = mediaType
        range = timeRange
        formats = formatDescriptions
        timescale = naturalTimeScale
        dataRate = estimatedDataRate
        self.byteCount = byteCount
        self.pictures = pictures
        self.remake = remake
    }

    /// The asset, or a new asset for the same resource if that one was deallocated.
    var media: AVAsset? { asset ?? remake?() }

    /// The time range of the track in the asset.
    open var timeRange: CMTimeRange { range }
    /// The formats of the media, each a `CMFormatDescription`.
    open var formatDescriptions: [Any] { formats }
    /// The formats of the media.
    var descriptions: [CMFormatDescription] { formats }
    /// The timescale of the media; for audio, the sample rate.
    open var naturalTimeScale: CMTimeScale { timescale }
    /// The approximate data rate in bits per second; 0 if unknown.
    open var estimatedDataRate: Float { dataRate }
    /// The size of the media data in bytes; 0 if unknown.
    open var totalSampleDataLength: Int64 { byteCount }
    /// The display size of the video before `preferredTransform`; zero for audio.
    open var naturalSize: CGSize {
        if let pictures { return pictures.size }
        guard let size = descriptions.first?.dimensions else { return .zero }
        return CGSize(width: Double(size.width), height: Double(size.height))
    }
    /// The transform for displaying the video, such as a rotation for a camera that was held upright.
    open var preferredTransform: CGAffineTransform { pictures?.transform ?? .identity }
    /// The average frame rate in frames per second; 0 for audio, or if unknown.
    open var nominalFrameRate: Float { pictures?.frameRate ?? 0 }
    /// The minimum frame duration; invalid for audio, or if unknown.
    open var minFrameDuration: CMTime { pictures?.minFrameDuration ?? .invalid }
    /// The preferred volume: 1.
    open var preferredVolume: Float { 1 }
    /// Whether the track is enabled: always true.
    open var isEnabled: Bool { true }
    /// Whether the track can be played: always true.
    open var isPlayable: Bool { true }
    /// Whether the track can be decoded: always true.
    open var isDecodable: Bool { true }
    /// Whether the asset's own file contains the media: always true.
    open var isSelfContained: Bool { true }
    /// The language code: always `nil`.
    open var languageCode: String? { nil }
    /// The language tag: always `nil`.
    open var extendedLanguageTag: String? { nil }
    /// The metadata of the track itself: always empty.
    open var metadata: [AVMetadataItem] { [] }
    /// The metadata of the track itself with common keys: always empty.
    open var commonMetadata: [AVMetadataItem] { [] }
    /// The segments of the track: one that covers the whole track.
    open var segments: [AVAssetTrackSegment] { [AVAssetTrackSegment(range)] }

    /// Returns whether the track has a characteristic.
    open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        switch mediaCharacteristic {
        case .audible: mediaType == .audio
        case .visual: mediaType == .video
        default: false
        }
    }

    /// Returns the segment at a time of the track, or `nil`.
    open func segment(forTrackTime trackTime: CMTime) -> AVAssetTrackSegment? {
        segments.first { $0.timeMapping.target.containsTime(trackTime) }
    }

    /// Returns the media time that is presented at a time of the track; `invalid` outside all segments and in empty
    /// ones.
    open func samplePresentationTime(forTrackTime trackTime: CMTime) -> CMTime {
        guard let mapping = segment(forTrackTime: trackTime)?.timeMapping, !mapping.isEmpty else { return .invalid }
        return CMTimeMapTimeFromRangeToRange(trackTime, fromRange: mapping.target, toRange: mapping.source)
    }

    /// Returns `loaded`: the properties of a track are always available.
    open func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        .loaded
    }

    /// Calls `handler` in the background at once, because all properties are available.
    open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil)
    {
        loadingQueue.async { handler?() }
    }
}

/// A segment of a track: a time range of the track, and the media range that is presented in it.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
    // Unchecked: immutable after `init`.
    /// The media range, and the time range of the track that it fills.
    public let timeMapping: CMTimeMapping

    init(_ range: CMTimeRange) {
        timeMapping = CMTimeMapping(source: range, target: range)
    }

    init(_ mapping: CMTimeMapping) {
        timeMapping = mapping
    }

    /// Whether the segment is empty, so that no media is presented.
    open var isEmpty: Bool { timeMapping.isEmpty }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    /// The time range of the track in the asset.
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { AVAsyncProperty("timeRange") { $0.timeRange } }
    /// The formats of the media.
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
        AVAsyncProperty("formatDescriptions") { $0.descriptions }
    }
    /// The timescale of the media; for audio, the sample rate.
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
        AVAsyncProperty("naturalTimeScale") { $0.naturalTimeScale }
    }
    /// The approximate data rate in bits per second; 0 if unknown.
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("estimatedDataRate") { $0.estimatedDataRate }
    }
    /// The size of the media data in bytes; 0 if unknown.
    public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
        AVAsyncProperty("totalSampleDataLength") { $0.totalSampleDataLength }
    }
    /// The display size of the video; zero for audio.
    public static var naturalSize: AVAsyncProperty<Root, CGSize> { AVAsyncProperty("naturalSize") { $0.naturalSize } }
    /// The transform for displaying the video.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        AVAsyncProperty("preferredTransform") { $0.preferredTransform }
    }
    /// The average frame rate in frames per second.
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("nominalFrameRate") { $0.nominalFrameRate }
    }
    /// The minimum frame duration.
    public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty("minFrameDuration") { $0.minFrameDuration }
    }
    /// The preferred volume.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredVolume") { $0.preferredVolume }
    }
    /// Whether the track is enabled: always true.
    public static var isEnabled: AVAsyncProperty<Root, Bool> { AVAsyncProperty("enabled") { $0.isEnabled } }
    /// Whether the track can be played: always true.
    public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty("playable") { $0.isPlayable } }
    /// Whether the track can be decoded: always true.
    public static var isDecodable: AVAsyncProperty<Root, Bool> { AVAsyncProperty("decodable") { $0.isDecodable } }
    /// The language code.
    public static var languageCode: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("languageCode") { $0.languageCode }
    }
    /// The segments of the track.
    public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> {
        AVAsyncProperty("segments") { $0.segments }
    }
    /// The metadata of the track itself.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { AVAsyncProperty("metadata") { $0.metadata } }
}
