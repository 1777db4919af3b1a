internal import CoreMedia
internal import Foundation
internal import Synchronization
internal import SyrinxByteStream
internal import SyrinxMediaCodec
internal import SyrinxStreaming

// The item as an input of the player's streamer.
extension AVPlayerItem {
    /// The URL without its password.
    var uri: String? { url.map(Redaction.redact) }
    var url: URL? { (asset as? AVURLAsset)?.url }

    /// The end time in seconds; `nil` is the end of the item.
    var endSeconds: Double? { settings.withLock { $0.endTime.isNumeric ? $0.endTime.seconds : nil } }

    /// The input of the item, identical each time so that a streamer recognizes it; `nil` if streamers cannot open it.
    private var input: StreamingInput? {
        settings.withLock { settings in
            if settings.input == nil { settings.input = asset.streamingInput(settings.audioMix) }
            return settings.input
        }
    }

    /// Switches the item to silence of the duration of its video; blocks while the asset is opened.
    /// - Returns: Whether the item has video and was not silent already.
    func playInSilence() -> Bool {
        guard let silence = (asset as? AVURLAsset)?.silentInput() else { return false }
        return settings.withLock { settings in
            defer { (settings.input, settings.isSilent) = (silence, true) }
            return !settings.isSilent
        }
    }

    /// The volume envelope that a player applies to its output.
    var outputEnvelope: VolumeEnvelope? {
        asset.mixesTracks ? nil : audioMix?.inputParameters.first?.envelope
    }

    /// Sets the start time of a queued item, in seconds.
    func start(at seconds: Double) { settings.withLock { $0.startTime = CMTime(playerSeconds: seconds) } }

    /// Returns the item for a streamer's queue; `nil` if streamers cannot open it.
    /// - Parameter start: The start time in seconds; `nil` is the start time that was set before, or 0.
    func streamingItem(startingAt start: Double? = nil) -> StreamingItem? {
        guard let input = input else { return nil }
        let (startTime, endTime) = settings.withLock { ($0.startTime, $0.endTime) }
        var item = StreamingItem(
            input,
            startTime: start ?? (startTime.isNumeric ? startTime.seconds : 0),
            endTime: endTime.isNumeric ? endTime.seconds : nil,
            id: streamID
        )
        item.headers = (asset as? AVURLAsset)?.headers ?? [:]
        item.preference = soundPreference
        return item
    }

    /// Takes tags or titles that apply from `seconds` on, and the cover picture of the tags.
    func receive(_ fields: [String: String], at seconds: Double, artwork: MediaPicture?) {
        let (tags, container) = state.withLock { ($0.tags, $0.container) }
        // Fields that differ from the tags are later titles: those of a broadcast, or of the recordings in an Ogg
        // chain.
        let isTitle = fields != tags && !container.isChainable
        let items =
            isTitle
            ? MetadataMapping.items(ofBroadcast: fields)
            : MetadataMapping(container.tagFormat).items(of: fields, artwork: artwork)
        update { $0.timedMetadata = items }
        for output in outputs {
            (output as? AVPlayerItemMetadataOutput)?.push(items, at: CMTime(playerSeconds: seconds))
        }
    }
}

extension AVError {
    /// Returns the error of an item whose asset cannot be played.
    static func notPlayable(_ asset: AVAsset) -> AVError {
        AVError(
            .operationNotSupportedForAsset,
            .notPlayable,
            "a player cannot play an asset of the type \(type(of: asset)).",
            url: (asset as? AVURLAsset)?.url
        )
    }
}

extension ErrorCode {
    /// A player cannot play assets of this type.
    public static let notPlayable = ErrorCode(rawValue: "usage.notPlayable")
}
