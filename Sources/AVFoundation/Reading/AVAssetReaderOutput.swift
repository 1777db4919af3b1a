internal import AVFAudio
public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// An output of an asset reader: a track, or a mix of several.
///
/// Use one of its subclasses.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {
    // Unchecked: `reader` is set once, before reading starts; the rest is behind a lock.

    weak var reader: AVAssetReader?

    /// Gives the next buffer; `nil` at the end.
    typealias Pull = () throws -> CMSampleBuffer?

    private struct Pump: ~Copyable {
        var pull: Pull?
        var cancel: (() -> Void)?
        var isAtEnd = false
    }

    private let lock = NSLock()
    private var pump = Pump()
    private let interrupt = Mutex<Interrupt?>(nil)

    private struct Interrupt: @unchecked Sendable {
        // Unchecked: what it calls may be called by any thread.
        let call: () -> Void
    }

    override init() {}

    /// The kind of media.
    open var mediaType: AVMediaType { .audio }
    /// Whether buffers are the caller's own, which they always are.
    open var alwaysCopiesSampleData = true
    /// Whether other parts can be read after the first; false.
    open var supportsRandomAccess = false

    /// Reads the next sample buffer; blocks.
    /// - Returns: `nil` when all has been read, or when the reader was cancelled or has failed: its `status` tells.
    open func copyNextSampleBuffer() -> CMSampleBuffer? {
        lock.lock()
        defer { lock.unlock() }
        guard let reader, reader.status == .reading, !pump.isAtEnd, let pull = pump.pull else { return nil }
        do {
            if let buffer = try pull() { return reader.status == .reading ? buffer : nil }
            pump.isAtEnd = true
            pump.pull = nil
            reader.finish()
        } catch {
            reader.fail(error)
        }
        return nil
    }

    /// The reason why a reader cannot have this output.
    func refusal(by reader: AVAssetReader) -> AVError? { nil }

    /// Opens what is read.
    func start(_ range: CMTimeRange, asset: AVAsset) throws {}

    /// Sets what is read, and how to break off a read that waits.
    func begin(_ pull: @escaping Pull, cancel: @escaping () -> Void) {
        lock.withLock { pump.pull = pull }
        interrupt.withLock { $0 = Interrupt(call: cancel) }
    }

    /// Breaks off a read that waits.
    func cancel() { interrupt.withLock { $0 }?.call() }
}

/// The sound or the moving pictures of one track, decoded or as packets.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
    // Unchecked: nothing changes after `init`.

    /// The track.
    public let track: AVAssetTrack
    /// The format of the samples or pixels; `nil` for packets as they lie in the file.
    public let outputSettings: [String: Any]?

    /// An output of a track.
    /// - Parameters:
    ///   - track: A track of the asset that is read.
    ///   - outputSettings: Of sound, `AVFormatIDKey` of linear PCM and the keys `AVLinearPCM…`, `AVSampleRateKey` and
    ///     `AVNumberOfChannelsKey`: what is left out is as in the track. Of pictures, `kCVPixelBufferPixelFormatTypeKey`, or
    ///     `420v` where it is left out, and width and height to scale to. `nil` for packets.
    public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
        self.track = track
        self.outputSettings = outputSettings
        super.init()
    }

    /// The kind of media of the track.
    open override var mediaType: AVMediaType { track.mediaType }

    override func refusal(by reader: AVAssetReader) -> AVError? {
        let known = (try? reader.asset.describe())?.tracks ?? []
        guard known.contains(where: { $0 === track || $0.trackID == track.trackID && $0.mediaType == track.mediaType })
        else {
            return AVError(
                .noSourceTrack,
                .noTrack,
                "The track belongs to another asset than the reader's",
                url: reader.asset.resource
            )
        }
        guard let outputSettings else { return nil }
        if track.mediaType == .video { return pictureRefusal(outputSettings, url: reader.asset.resource) }
        return settingsRefusal(outputSettings, url: reader.asset.resource)
    }

    private func pictureRefusal(_ settings: [String: Any], url: URL?) -> AVError? {
        do throws(PictureSettings.Refusal) {
            _ = try PictureSettings(settings)
            return nil
        } catch {
            return AVError(.operationNotAllowed, .badSettings, error.sentence, url: url)
        }
    }

    private func settingsRefusal(_ settings: [String: Any], url: URL?) -> AVError? {
        do throws(PCMSettings.Refusal) {
            _ = try PCMSettings(settings, sampleRate: 44100, channelCount: 2)
            return nil
        } catch {
            return AVError(.operationNotAllowed, .badSettings, error.sentence, url: url)
        }
    }

    override func start(_ range: CMTimeRange, asset: AVAsset) throws {
        if track.mediaType == .video { return try startPictures(range, asset: asset) }
        guard let outputSettings else { return try startPackets(range, asset: asset) }
        let source = try asset.openSound(of: track)
        do throws(PCMSettings.Refusal) {
            let settings = try PCMSettings(
                outputSettings,
                sampleRate: source.sampleRate,
                channelCount: source.channelCount
            )
            try begin(source, settings, range)
        } catch {
            throw AVError(.operationNotAllowed, .badSettings, error.sentence, url: asset.resource)
        }
    }

    private func begin(_ source: any SoundSource, _ settings: PCMSettings, _ range: CMTimeRange) throws(PCMSettings
        .Refusal)
    {
        do {
            let pump = try SoundPump(source, to: settings.description, range: range)
            begin({ try pump.next() }, cancel: { source.cancel() })
        } catch {
            throw PCMSettings.Refusal(sentence: error.localizedDescription)
        }
    }

    private func startPictures(_ range: CMTimeRange, asset: AVAsset) throws {
        if let outputSettings {
            let source = try asset.openPictures(of: track)
            let pump = try PicturePump(source, PictureSettings(outputSettings), range: range)
            return begin({ try pump.next() }, cancel: { source.cancel() })
        }
        guard let format = track.descriptions.first else {
            throw AVError(
                .noSourceTrack,
                .noTrack,
                "The track has no format description, so its packets cannot be written",
                url: asset.resource
            )
        }
        let reader = try asset.openPicturePackets()
        let stream = reader.stream
        let pump = try PicturePacketPump(reader, format, range: range)
        begin({ try pump.next() }, cancel: { stream.cancel() })
    }

    private func startPackets(_ range: CMTimeRange, asset: AVAsset) throws {
        let source = try asset.openPackets(of: track)
        let known = track.descriptions.first
        let format = try known ?? CMFormatDescription(audioStreamBasicDescription: source.streamDescription)
        let pump = try PacketPump(source, format, range: range)
        begin({ try pump.next() }, cancel: { source.cancel() })
    }
}
