internal import AVFAudio
public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// An output of an asset reader: a track, or a mix of several.
///
/// Use one of the subclasses.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {
    // Unchecked: `reader` is set once, before reading starts; a lock guards the rest.

    weak var reader: AVAssetReader?

    /// Returns the next buffer; `nil` at the end.
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
        // Unchecked: the called function is thread-safe.
        let call: () -> Void
    }

    override init() {}

    /// The kind of media.
    open var mediaType: AVMediaType { .audio }
    /// Whether the caller owns the returned buffers, which is always the case.
    open var alwaysCopiesSampleData = true
    /// Whether other time ranges can be read after the first; false.
    open var supportsRandomAccess = false

    /// Reads the next sample buffer; blocks.
    /// - Returns: `nil` at the end, or if the reader was cancelled or has failed; check its `status`.
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

    /// Returns the error if a reader cannot use this output.
    func refusal(by reader: AVAssetReader) -> AVError? { nil }

    /// Opens the source of the output.
    func start(_ range: CMTimeRange, asset: AVAsset) throws {}

    /// Sets the function that reads buffers, and the function that cancels a blocked read.
    func begin(_ pull: @escaping Pull, cancel: @escaping () -> Void) {
        lock.withLock { pump.pull = pull }
        interrupt.withLock { $0 = Interrupt(call: cancel) }
    }

    /// Cancels a blocked read.
    func cancel() { interrupt.withLock { $0 }?.call() }
}

/// The audio or video of one track, decoded or as packets.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
    // Unchecked: immutable after `init`.

    /// The track.
    public let track: AVAssetTrack
    /// The format of the samples or pixels; `nil` reads packets as stored in the file.
    public let outputSettings: [String: Any]?

    /// Creates an output of a track.
    /// - Parameters:
    ///   - track: A track of the asset that is read.
    ///   - outputSettings: For audio, `AVFormatIDKey` with linear PCM, the keys `AVLinearPCM…`, `AVSampleRateKey` and
    ///     `AVNumberOfChannelsKey`; the defaults are those of the track. For video, `kCVPixelBufferPixelFormatTypeKey`
    ///     (default `420v`), width and height. `nil` for packets.
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
