public import CoreMedia
internal import Foundation

extension AVPartialAsyncProperty where Root: AVAsset {
    private static func property<Value>(
        _ key: String,
        _ value: @escaping @Sendable (AssetDescription) -> Value
    ) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(key) { value(try $0.describe()) }
    }

    /// The duration; indefinite for a live broadcast.
    public static var duration: AVAsyncProperty<Root, CMTime> { property("duration", \.duration) }
    /// Whether the duration is exact.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
        property("providesPreciseDurationAndTiming", \.hasExactDuration)
    }
    /// The tracks.
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { property("tracks", \.tracks) }
    /// All metadata.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { property("metadata", \.metadata) }
    /// The metadata that have a common key.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        property("commonMetadata") { $0.metadata.filter { $0.commonKey != nil } }
    }
    /// The formats of the metadata.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        property("availableMetadataFormats", \.metadataFormats)
    }
    /// The languages of chapter titles.
    public static var availableChapterLocales: AVAsyncProperty<Root, [Locale]> {
        property("availableChapterLocales") { $0.chapters.isEmpty ? [] : [Locale(identifier: "und")] }
    }
    /// The lyrics of the song.
    public static var lyrics: AVAsyncProperty<Root, String?> { property("lyrics", \.lyrics) }
    /// Whether the asset has at least one playable track.
    public static var isPlayable: AVAsyncProperty<Root, Bool> { property("playable") { !$0.tracks.isEmpty } }
    /// Whether an `AVAssetReader` can read it.
    public static var isReadable: AVAsyncProperty<Root, Bool> { property("readable") { !$0.tracks.isEmpty } }
    /// Whether an `AVAssetExportSession` can export it.
    public static var isExportable: AVAsyncProperty<Root, Bool> { property("exportable", \.hasSound) }
    /// Whether its tracks can be inserted into a composition.
    public static var isComposable: AVAsyncProperty<Root, Bool> { property("composable", \.hasSound) }
    /// Whether the media are encrypted.
    public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
        property("hasProtectedContent") { _ in false }
    }
    /// The preferred playback rate: 1.
    public static var preferredRate: AVAsyncProperty<Root, Float> { property("preferredRate") { _ in 1 } }
    /// The preferred volume: 1.
    public static var preferredVolume: AVAsyncProperty<Root, Float> { property("preferredVolume") { _ in 1 } }
    /// The metadata item with the creation date.
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
        property("creationDate") { $0.metadata.first { $0.commonKey == .commonKeyCreationDate } }
    }
}
