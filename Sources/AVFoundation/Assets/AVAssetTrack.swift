public import CoreMedia
public import Foundation

/// The number of a track in its asset; 0 stands for none.
public typealias CMPersistentTrackID = Int32
/// The number of no track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// One kind of media of an asset.
///
/// Its properties are known as soon as the track is.
open class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // Unchecked: what changes does so in subclasses, which guard it; a weak reference may be read by any thread.

    /// The asset; `nil` once it is gone.
    open private(set) weak var asset: AVAsset?
    /// The number of the track in its asset.
    open var trackID: CMPersistentTrackID { number }
    /// The kind of media.
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

    /// The asset, or one of the same resource if that is gone.
    var media: AVAsset? { asset ?? remake?() }

    /// The part of the asset that the track fills.
    open var timeRange: CMTimeRange { range }
    /// The formats of the media, each a `CMFormatDescription`.
    open var formatDescriptions: [Any] { formats }
    /// The formats of the media.
    var descriptions: [CMFormatDescription] { formats }
    /// The timescale of the media: of sound the frames of a second.
    open var naturalTimeScale: CMTimeScale { timescale }
    /// Bits of a second, about; 0 if that is not known.
    open var estimatedDataRate: Float { dataRate }
    /// Bytes of the file; 0 if that is not known.
    open var totalSampleDataLength: Int64 { byteCount }
    /// The size of the pictures as they are shown, before `preferredTransform`; zero for sound.
    open var naturalSize: CGSize {
        if let pictures { return pictures.size }
        guard let size = descriptions.first?.dimensions else { return .zero }
        return CGSize(width: Double(size.width), height: Double(size.height))
    }
    /// The transformation by which the pictures are to be shown: a rotation, for those of a camera that was held upright.
    open var preferredTransform: CGAffineTransform { pictures?.transform ?? .identity }
    /// Pictures of a second on average; 0 for sound, and if that is not known.
    open var nominalFrameRate: Float { pictures?.frameRate ?? 0 }
    /// The least duration of a picture; invalid for sound, and if that is not known.
    open var minFrameDuration: CMTime { pictures?.minFrameDuration ?? .invalid }
    /// The volume at which the track is to be played: 1.
    open var preferredVolume: Float { 1 }
    /// Whether the track is to be played: true.
    open var isEnabled: Bool { true }
    /// Whether the track can be played.
    open var isPlayable: Bool { true }
    /// Whether the track can be decoded.
    open var isDecodable: Bool { true }
    /// Whether the media are in the asset itself: true.
    open var isSelfContained: Bool { true }
    /// The language, which is not known.
    open var languageCode: String? { nil }
    /// The language tag, which is not known.
    open var extendedLanguageTag: String? { nil }
    /// The metadata of the track alone: none.
    open var metadata: [AVMetadataItem] { [] }
    /// The metadata of the track alone that have a common key: none.
    open var commonMetadata: [AVMetadataItem] { [] }
    /// The parts of which the track is made: one that is all of it.
    open var segments: [AVAssetTrackSegment] { [AVAssetTrackSegment(range)] }

    /// Returns whether the track has a property.
    open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        switch mediaCharacteristic {
        case .audible: mediaType == .audio
        case .visual: mediaType == .video
        default: false
        }
    }

    /// Returns the segment that fills a time of the track, if there is one.
    open func segment(forTrackTime trackTime: CMTime) -> AVAssetTrackSegment? {
        segments.first { $0.timeMapping.target.containsTime(trackTime) }
    }

    /// Returns the time of the media that is presented at a time of the track; `invalid` if there is none.
    open func samplePresentationTime(forTrackTime trackTime: CMTime) -> CMTime {
        guard let mapping = segment(forTrackTime: trackTime)?.timeMapping, !mapping.isEmpty else { return .invalid }
        return CMTimeMapTimeFromRangeToRange(trackTime, fromRange: mapping.target, toRange: mapping.source)
    }

    /// Returns the state of a property: loaded.
    open func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        .loaded
    }

    /// Calls `completionHandler`, as all properties are there.
    open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil)
    {
        loadingQueue.async { handler?() }
    }
}

/// A part of a track: a range of its time, and the range of media that fills it.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.
    /// The range of media, and the range of the track that it fills.
    public let timeMapping: CMTimeMapping

    init(_ range: CMTimeRange) {
        timeMapping = CMTimeMapping(source: range, target: range)
    }

    init(_ mapping: CMTimeMapping) {
        timeMapping = mapping
    }

    /// Whether nothing fills the range.
    open var isEmpty: Bool { timeMapping.isEmpty }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    /// The part of the asset that the track fills.
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { AVAsyncProperty("timeRange") { $0.timeRange } }
    /// The formats of the media.
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
        AVAsyncProperty("formatDescriptions") { $0.descriptions }
    }
    /// The timescale of the media.
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
        AVAsyncProperty("naturalTimeScale") { $0.naturalTimeScale }
    }
    /// Bits of a second, about.
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("estimatedDataRate") { $0.estimatedDataRate }
    }
    /// Bytes of the file.
    public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
        AVAsyncProperty("totalSampleDataLength") { $0.totalSampleDataLength }
    }
    /// The size of the pictures.
    public static var naturalSize: AVAsyncProperty<Root, CGSize> { AVAsyncProperty("naturalSize") { $0.naturalSize } }
    /// The transformation by which the pictures are to be shown.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        AVAsyncProperty("preferredTransform") { $0.preferredTransform }
    }
    /// Pictures of a second.
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("nominalFrameRate") { $0.nominalFrameRate }
    }
    /// The least duration of a picture.
    public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty("minFrameDuration") { $0.minFrameDuration }
    }
    /// The volume at which the track is to be played.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredVolume") { $0.preferredVolume }
    }
    /// Whether the track is to be played.
    public static var isEnabled: AVAsyncProperty<Root, Bool> { AVAsyncProperty("enabled") { $0.isEnabled } }
    /// Whether the track can be played.
    public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty("playable") { $0.isPlayable } }
    /// Whether the track can be decoded.
    public static var isDecodable: AVAsyncProperty<Root, Bool> { AVAsyncProperty("decodable") { $0.isDecodable } }
    /// The language.
    public static var languageCode: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("languageCode") { $0.languageCode }
    }
    /// The parts of which the track is made.
    public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> {
        AVAsyncProperty("segments") { $0.segments }
    }
    /// The metadata of the track alone.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { AVAsyncProperty("metadata") { $0.metadata } }
}
