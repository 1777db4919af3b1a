internal import CoreMedia
internal import Foundation
internal import Synchronization
internal import SyrinxByteStream
internal import SyrinxStreaming

/// The duration, the tracks and the metadata of an asset.
struct AssetDescription: Sendable {
    var duration: CMTime
    var hasExactDuration = true
    var tracks: [AVAssetTrack]
    var metadata: [AVMetadataItem] = []
    var metadataFormats: [AVMetadataFormat] = []
    var chapters: [Chapter] = []
    var lyrics: String?
    /// The audio tracks to select from, if there are several.
    var soundOptions: [SoundOption] = []

    /// Whether the asset is an HTTP Live Streaming presentation, whose video is not a track.
    var isPresentation = false

    /// Adds a track; extends the duration to its end if necessary.
    mutating func add(_ track: AVAssetTrack) {
        tracks.append(track)
        let end = track.timeRange.end
        if end.isNumeric, duration.isNumeric { duration = CMTimeMaximum(duration, end) }
    }

    /// Whether there is an audio track.
    var hasSound: Bool { tracks.contains { $0.mediaType == .audio } }

    /// A named part of the asset.
    struct Chapter: Sendable {
        var timeRange: CMTimeRange
        var title: String?
    }
}

/// Opens an asset once, at the first request.
final class DescriptionLoader: Sendable {
    private enum State: Sendable {
        case idle
        case loading
        case loaded(AssetDescription)
        case failed(AVError)
    }

    /// The stream from which the asset is being loaded.
    private struct Reading {
        var stream: (any ByteStream)?
        var isCancelled = false
    }

    private let state = Monitor<State>(.idle)
    private let reading = Mutex(Reading())

    /// Returns the description: creates it, or waits for another thread that creates it.
    func value(_ make: () throws -> AssetDescription) throws -> AssetDescription {
        let known = state.wait { state -> Result<AssetDescription?, AVError>? in
            switch state {
            case .idle:
                state = .loading
                return .success(nil)
            case .loading: return nil
            case .loaded(let description): return .success(description)
            case .failed(let error): return .failure(error)
            }
        }
        if let description = try known.get() { return description }
        defer { reading.withLock { $0 = Reading() } }
        do {
            let made = try make()
            state.update { $0 = .loaded(made) }
            return made
        } catch {
            let failure = AVError(error, url: nil)
            state.update { $0 = .failed(failure) }
            throw failure
        }
    }

    /// Stores the stream that `make` reads, so that `cancel()` can cancel it.
    func reads(_ stream: any ByteStream) {
        let isCancelled = reading.withLock { reading in
            reading.stream = stream
            return reading.isCancelled
        }
        if isCancelled { stream.cancel() }
    }

    /// Cancels loading in progress.
    func cancel() {
        guard case .loading = state.read({ $0 }) else { return }
        let stream = reading.withLock { reading in
            reading.isCancelled = true
            return reading.stream
        }
        stream?.cancel()
    }

    /// The loading state, and the error if loading failed.
    var status: (AVKeyValueStatus, AVError?) {
        state.read { state in
            switch state {
            case .idle: (.unknown, nil)
            case .loading: (.loading, nil)
            case .loaded: (.loaded, nil)
            case .failed(let error): (error.code == .operationCancelled ? .cancelled : .failed, error)
            }
        }
    }
}
