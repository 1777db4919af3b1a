internal import CoreMedia
internal import Foundation
internal import SyrinxMediaCodec
internal import SyrinxStreaming

/// The playback state of an item.
struct PlayerItemState {
    var status = AVPlayerItem.Status.unknown
    var error: AVError?
    /// The duration in seconds; `nil` until it is known.
    var duration: Double?
    var isSeekable = false
    /// The seekable window of a live presentation, in seconds.
    var liveWindow: ClosedRange<Double>?
    /// The exact duration, computed from frames, if known.
    var exactDuration: CMTime?
    /// The parts that have arrived, in seconds.
    private(set) var loaded: [ClosedRange<Double>] = []
    /// The byte ranges that have arrived, and the size of the resource.
    private var held: [Range<Int64>] = []
    private var byteCount: Int64?
    /// The tags and the container at the time of opening.
    private(set) var tags: [String: String] = [:]
    private(set) var container = Container("")
    var isLikelyToKeepUp = false
    var isBufferEmpty = true
    var isBufferFull = false
    var timedMetadata: [AVMetadataItem]?
    /// Whether the item was heard since it was opened, or since the last seek.
    private var hasSounded = false
    /// Whether playback stalled because data has not arrived, and has not resumed.
    private var hasStalled = false

    /// The end time in seconds that was set by the program.
    var endTime: Double?

    /// The last seekable time, if known.
    var lastTime: Double? {
        guard let endTime else { return duration }
        return duration.map { min($0, endTime) } ?? endTime
    }

    /// The seekable range in seconds; `nil` if the item is not seekable.
    var seekable: ClosedRange<Double>? {
        guard isSeekable else { return nil }
        return duration.map { 0...max(0, $0) } ?? liveWindow
    }

    /// Notes that the item is open.
    mutating func opened(_ info: MediaInfo) {
        isSeekable = info.isSeekable
        (tags, container) = (info.tags, info.format)
        exactDuration = info.frameCount.flatMap { count in
            Int32(exactly: info.sampleRate).map { CMTime(value: count, timescale: $0) }
        }
        estimate(duration: info.duration)
        status = .readyToPlay
    }

    /// Notes the duration in seconds, or a better estimate of it.
    mutating func estimate(duration: Double?) {
        self.duration = duration
        if let exact = exactDuration, duration.map({ abs($0 - exact.seconds) > 1e-6 }) ?? true { exactDuration = nil }
        locate()
    }

    /// Notes that the item failed.
    mutating func fail(_ error: AVError) {
        (status, self.error) = (.failed, error)
        (isLikelyToKeepUp, isBufferEmpty) = (false, true)
    }

    /// Notes the byte ranges that have arrived.
    mutating func downloaded(total: Int64?, ranges: [Range<Int64>]) {
        (byteCount, held) = (total, ranges)
        isBufferFull =
            total.map { ranges.count == 1 && ranges[0].lowerBound <= 0 && ranges[0].upperBound >= $0 } ?? false
        locate()
    }

    /// Estimates the time ranges of the bytes that have arrived.
    private mutating func locate() {
        guard let byteCount, byteCount > 0, let duration else { return }
        let scale = duration / Double(byteCount)
        loaded = held.filter { !$0.isEmpty }.map { range in
            let start = min(max(0, Double(range.lowerBound) * scale), duration)
            return start...min(max(start, Double(range.upperBound) * scale), duration)
        }
    }

    /// Notes a seek: silence after it is not a stall.
    mutating func sought() { (hasSounded, hasStalled) = (false, false) }

    /// Notes a status of the streamer.
    /// - Returns: Whether playback has just stalled because data has not arrived.
    mutating func streamed(_ status: PlaybackStatus) -> Bool {
        switch status {
        case .playing:
            (isLikelyToKeepUp, isBufferEmpty, hasSounded, hasStalled) = (true, false, true, false)
        case .paused, .ended:
            if self.status == .readyToPlay, !hasStalled { (isLikelyToKeepUp, isBufferEmpty) = (true, false) }
        case .buffering:
            (isLikelyToKeepUp, isBufferEmpty) = (isBufferFull, !isBufferFull)
            if hasSounded {
                (hasSounded, hasStalled) = (false, true)
                return true
            }
        case .opening, .stopped, .failed: (isLikelyToKeepUp, isBufferEmpty) = (false, true)
        }
        return false
    }

    // MARK: Values of the item's properties

    var anyError: (any Error)? { error }

    var durationTime: CMTime { exactDuration ?? duration.map(CMTime.init(playerSeconds:)) ?? .indefinite }

    var loadedTimeRanges: [NSValue] { loaded.map { NSValue(timeRange: CMTimeRange($0)) } }

    var seekableTimeRanges: [NSValue] {
        guard let seekable else { return [] }
        let whole = duration == nil ? CMTimeRange(seekable) : CMTimeRange(start: .zero, duration: durationTime)
        return [NSValue(timeRange: whole)]
    }

    /// The properties of an item that can be observed.
    private static let properties: [ObservedProperty<AVPlayerItem, PlayerItemState>] = [
        ObservedProperty(\.error, \.anyError) { ($0.error == nil) != ($1.error == nil) },
        ObservedProperty(\.duration, \.durationTime) { $0.duration != $1.duration },
        ObservedProperty(\.loadedTimeRanges, \.loadedTimeRanges) { $0.loaded != $1.loaded },
        ObservedProperty(\.seekableTimeRanges, \.seekableTimeRanges) { $0.seekable != $1.seekable },
        ObservedProperty(\.isPlaybackBufferEmpty, \.isBufferEmpty),
        ObservedProperty(\.isPlaybackBufferFull, \.isBufferFull),
        ObservedProperty(\.isPlaybackLikelyToKeepUp, \.isLikelyToKeepUp),
        ObservedProperty(\.timedMetadata, \.timedMetadata) { old, new in
            old.timedMetadata?.map(\.stringValue) != new.timedMetadata?.map(\.stringValue)
        },
        ObservedProperty(\.status, \.status),
    ]

    /// Returns the properties of an item that differ from those of `old`.
    func changes(from old: PlayerItemState) -> [ObservedProperty<AVPlayerItem, PlayerItemState>] {
        Self.properties.filter { $0.differs(old, self) }
    }
}

/// The settings of an item.
struct PlayerItemSettings {
    weak var player: AVPlayer?
    /// The input of the item, created when first needed.
    var input: StreamingInput?
    /// Whether `input` is silence, because the item has video only.
    var isSilent = false
    var forwardBufferDuration = 0.0
    var algorithm = AVAudioTimePitchAlgorithm.timeDomain
    var audioMix: AVAudioMix?
    var startTime = CMTime.invalid
    var endTime = CMTime.invalid
    var reverseEndTime = CMTime.invalid
    var peakBitRate = 0.0
    var loadsWhilePaused = false
    var outputs: [AVPlayerItemOutput] = []
    /// The audio track that the program selected; `nil` lets the player choose.
    var selectedSound: SoundOption?
}

extension CMTime {
    /// Converts seconds to the resolution of players: one nanosecond.
    init(playerSeconds seconds: Double) { self.init(seconds: seconds, preferredTimescale: 1_000_000_000) }
}

extension CMTimeRange {
    /// Creates a range from seconds.
    init(_ seconds: ClosedRange<Double>) {
        self.init(start: CMTime(playerSeconds: seconds.lowerBound), end: CMTime(playerSeconds: seconds.upperBound))
    }
}
