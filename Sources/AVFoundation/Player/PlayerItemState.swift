internal import CoreMedia
internal import Foundation
internal import SyrinxMediaCodec
internal import SyrinxStreaming

/// The state of playing an item.
struct PlayerItemState {
    var status = AVPlayerItem.Status.unknown
    var error: AVError?
    /// Seconds; `nil` while it is not known.
    var duration: Double?
    var isSeekable = false
    /// The part of a live presentation that can be gone to, in seconds.
    var liveWindow: ClosedRange<Double>?
    /// The duration in frames, where it is known exactly.
    var exactDuration: CMTime?
    /// The parts that have arrived, in seconds.
    private(set) var loaded: [ClosedRange<Double>] = []
    /// The bytes that have arrived, and their number in all.
    private var held: [Range<Int64>] = []
    private var byteCount: Int64?
    /// The tags and the container, as they were when the item was opened.
    private(set) var tags: [String: String] = [:]
    private(set) var container = Container("")
    var isLikelyToKeepUp = false
    var isBufferEmpty = true
    var isBufferFull = false
    var timedMetadata: [AVMetadataItem]?
    /// Whether the item has been heard since it was opened or sought in.
    private var hasSounded = false
    /// Whether sound has stopped because data has not arrived, and has not gone on.
    private var hasStalled = false

    /// The time at which playing ends before the end, in seconds.
    var endTime: Double?

    /// The last time that can be sought to, if it is known.
    var lastTime: Double? {
        guard let endTime else { return duration }
        return duration.map { min($0, endTime) } ?? endTime
    }

    /// The part that can be gone to, in seconds; `nil` for none.
    var seekable: ClosedRange<Double>? {
        guard isSeekable else { return nil }
        return duration.map { 0...max(0, $0) } ?? liveWindow
    }

    /// Reports that the media is known.
    mutating func opened(_ info: MediaInfo) {
        isSeekable = info.isSeekable
        (tags, container) = (info.tags, info.format)
        exactDuration = info.frameCount.flatMap { count in
            Int32(exactly: info.sampleRate).map { CMTime(value: count, timescale: $0) }
        }
        estimate(duration: info.duration)
        status = .readyToPlay
    }

    /// Reports the duration, in seconds, which may be known better later.
    mutating func estimate(duration: Double?) {
        self.duration = duration
        if let exact = exactDuration, duration.map({ abs($0 - exact.seconds) > 1e-6 }) ?? true { exactDuration = nil }
        locate()
    }

    /// Reports that the item cannot be played, or not on.
    mutating func fail(_ error: AVError) {
        (status, self.error) = (.failed, error)
        (isLikelyToKeepUp, isBufferEmpty) = (false, true)
    }

    /// Reports bytes that have arrived.
    mutating func downloaded(total: Int64?, ranges: [Range<Int64>]) {
        (byteCount, held) = (total, ranges)
        isBufferFull =
            total.map { ranges.count == 1 && ranges[0].lowerBound <= 0 && ranges[0].upperBound >= $0 } ?? false
        locate()
    }

    /// Estimates the times of the bytes that have arrived.
    private mutating func locate() {
        guard let byteCount, byteCount > 0, let duration else { return }
        let scale = duration / Double(byteCount)
        loaded = held.filter { !$0.isEmpty }.map { range in
            let start = min(max(0, Double(range.lowerBound) * scale), duration)
            return start...min(max(start, Double(range.upperBound) * scale), duration)
        }
    }

    /// Reports a seek, after which silence is no stall.
    mutating func sought() { (hasSounded, hasStalled) = (false, false) }

    /// Reports a status of the streamer.
    /// - Returns: Whether this is a stall: sound has stopped because data has not arrived.
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

    // MARK: As properties of an item

    var anyError: (any Error)? { error }

    var durationTime: CMTime { exactDuration ?? duration.map(CMTime.init(playerSeconds:)) ?? .indefinite }

    var loadedTimeRanges: [NSValue] { loaded.map { NSValue(timeRange: CMTimeRange($0)) } }

    var seekableTimeRanges: [NSValue] {
        guard let seekable else { return [] }
        let whole = duration == nil ? CMTimeRange(seekable) : CMTimeRange(start: .zero, duration: durationTime)
        return [NSValue(timeRange: whole)]
    }

    /// The properties of an item that observers can name.
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
    /// The item's input, once it has been needed.
    var input: StreamingInput?
    /// Whether `input` is silence, as the item has pictures only.
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
    /// The sound that the program has selected; `nil` leaves the choice to the player.
    var selectedSound: SoundOption?
}

extension CMTime {
    /// Seconds as players report them, to the nanosecond.
    init(playerSeconds seconds: Double) { self.init(seconds: seconds, preferredTimescale: 1_000_000_000) }
}

extension CMTimeRange {
    /// A range of seconds.
    init(_ seconds: ClosedRange<Double>) {
        self.init(start: CMTime(playerSeconds: seconds.lowerBound), end: CMTime(playerSeconds: seconds.upperBound))
    }
}
