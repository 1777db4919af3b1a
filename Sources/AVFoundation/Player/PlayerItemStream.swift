internal import CoreMedia
internal import Foundation
internal import Synchronization
internal import SyrinxByteStream
internal import SyrinxMediaCodec
internal import SyrinxStreaming

// The item as the streamer of a player plays it.
extension AVPlayerItem {
    /// The address, without a password.
    var uri: String? { url.map(Redaction.redact) }
    var url: URL? { (asset as? AVURLAsset)?.url }

    /// The time at which playing ends, in seconds; `nil` is the end.
    var endSeconds: Double? { settings.withLock { $0.endTime.isNumeric ? $0.endTime.seconds : nil } }

    /// The input of the item, the same each time, so that a streamer knows it again; `nil` if no streamer can open it.
    private var input: StreamingInput? {
        settings.withLock { settings in
            if settings.input == nil { settings.input = asset.streamingInput(settings.audioMix) }
            return settings.input
        }
    }

    /// Has the item play silence as long as its pictures last; blocks while the asset is opened.
    /// - Returns: Whether it has pictures, and does not play silence already.
    func playInSilence() -> Bool {
        guard let silence = (asset as? AVURLAsset)?.silentInput() else { return false }
        return settings.withLock { settings in
            defer { (settings.input, settings.isSilent) = (silence, true) }
            return !settings.isSilent
        }
    }

    /// The volume over time that a player applies to its output.
    var outputEnvelope: VolumeEnvelope? {
        asset.mixesTracks ? nil : audioMix?.inputParameters.first?.envelope
    }

    /// Sets the time to start at when the item's turn comes, in seconds.
    func start(at seconds: Double) { settings.withLock { $0.startTime = CMTime(playerSeconds: seconds) } }

    /// Returns the item for a streamer's queue; `nil` if no streamer can open it.
    /// - Parameter start: The time to start at, in seconds; `nil` is the one that has been set, or 0.
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

    /// Takes tags or titles that apply from `seconds` on, and the cover picture that belongs to the tags.
    func receive(_ fields: [String: String], at seconds: Double, artwork: MediaPicture?) {
        let (tags, container) = state.withLock { ($0.tags, $0.container) }
        // What differs from the tags comes later: the titles of a broadcast, or of the recordings of an Ogg chain.
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
    /// The error of an item whose asset a player cannot play.
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
