internal import AVFAudio
public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxStreaming

/// An asset in a player, with its playback state.
///
/// An item belongs to at most one player at a time. All properties may be used on any thread. Observers and
/// notifications are called on the main queue.
///
/// ```swift
/// let item = AVPlayerItem(url: url)
/// item.audioTimePitchAlgorithm = .timeDomain // for speech
/// item.forwardPlaybackEndTime = CMTime(seconds: 1800, preferredTimescale: 600)
/// let player = AVPlayer(playerItem: item)
/// player.rate = 1.5
/// ```
open class AVPlayerItem: NSObject, @unchecked Sendable {
    // Unchecked: locks guard the mutable state.

    /// The status of an item.
    public enum Status: Int, Sendable {
        /// The item has not been opened.
        case unknown = 0
        /// The item is open and can be played.
        case readyToPlay = 1
        /// The item cannot be played: see `error`.
        case failed = 2
    }

    /// The asset that the item plays.
    public let asset: AVAsset
    let state = Mutex(PlayerItemState())
    let settings = Mutex(PlayerItemSettings())
    let log = PlayerItemLog()
    /// The identity of the item in the queue of its player's streamer.
    let streamID = StreamingItem(.standardInput).id
    private let observers = KeyValueObservers<AVPlayerItem>()

    /// Creates an item for the media at `url`, without opening it.
    /// - Parameter url: A `file:`, `http:` or `https:` URL.
    public convenience init(url: URL) { self.init(asset: AVURLAsset(url: url)) }

    /// Creates an item for an asset, without opening it.
    /// - Parameters:
    ///   - asset: An `AVURLAsset` or an `AVComposition`; items of other assets fail with `usage.notPlayable`.
    ///   - keys: Ignored: the player loads the properties that it needs.
    public init(asset: AVAsset, automaticallyLoadedAssetKeys keys: [String]? = nil) {
        self.asset = asset
        super.init()
    }

    // MARK: State

    /// Whether the item can be played.
    open var status: Status { state.withLock { $0.status } }
    /// The error of a failed item.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// The duration; indefinite before the item is ready, and for a broadcast.
    open var duration: CMTime { state.withLock { $0.durationTime } }
    /// The tracks; empty until the item is ready.
    open var tracks: [AVPlayerItemTrack] {
        guard status == .readyToPlay else { return [] }
        return asset.tracks.map(AVPlayerItemTrack.init)
    }
    /// The time ranges that have arrived; for formats without an index, an estimate from the byte ranges.
    open var loadedTimeRanges: [NSValue] { state.withLock { $0 }.loadedTimeRanges }
    /// The seekable time ranges: the whole item once its duration is known, or the moving window of a live
    /// presentation.
    open var seekableTimeRanges: [NSValue] { state.withLock { $0 }.seekableTimeRanges }
    /// Whether playback is likely to continue without a stall.
    open var isPlaybackLikelyToKeepUp: Bool { state.withLock { $0.isLikelyToKeepUp } }
    /// Whether playback has stalled because data has not arrived.
    open var isPlaybackBufferEmpty: Bool { state.withLock { $0.isBufferEmpty } }
    /// Whether the whole resource has arrived.
    open var isPlaybackBufferFull: Bool { state.withLock { $0.isBufferFull } }
    /// The current titles of a broadcast; before the first title, the metadata of the file.
    open var timedMetadata: [AVMetadataItem]? { state.withLock { $0.timedMetadata } }
    /// The display size of the video, once the item is ready; zero without video.
    open var presentationSize: CGSize {
        guard status == .readyToPlay, let track = asset.tracks(withMediaType: .video).first else { return .zero }
        return CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform).size
    }
    /// Whether rates above 1 are supported.
    open var canPlayFastForward: Bool { status == .readyToPlay }
    /// Whether rates between 0 and 1 are supported.
    open var canPlaySlowForward: Bool { status == .readyToPlay }
    /// Whether negative rates are supported: always false.
    open var canPlayReverse: Bool { false }

    // MARK: Settings

    /// The duration, in seconds, that the player buffers ahead; 0, the default, lets the player choose.
    ///
    /// A change takes effect when the item is opened.
    open var preferredForwardBufferDuration: TimeInterval {
        get { settings.withLock { $0.forwardBufferDuration } }
        set { settings.withLock { $0.forwardBufferDuration = newValue.isFinite ? max(0, newValue) : 0 } }
    }
    /// The algorithm for rates other than 1; `timeDomain` by default.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { settings.withLock { $0.algorithm } }
        set {
            settings.withLock { $0.algorithm = newValue }
            player?.applySettings(of: self)
        }
    }
    /// The volumes over time; `nil` by default.
    ///
    /// For a file, the player updates the volume 50 times a second and ramps each change over 10 ms. For a composition,
    /// the volumes of its tracks are accurate to the sample; a change during playback reopens the item.
    open var audioMix: AVAudioMix? {
        get { settings.withLock { $0.audioMix } }
        set {
            settings.withLock { settings in
                settings.audioMix = newValue
                // The input of a composition contains the volumes in its samples.
                if asset.mixesTracks { settings.input = nil }
            }
            if asset.mixesTracks { player?.reopen(self) } else { player?.applySettings(of: self) }
        }
    }
    /// The time at which playback ends; the default, `invalid`, is the end of the item.
    ///
    /// A change during playback reopens the item.
    open var forwardPlaybackEndTime: CMTime {
        get { settings.withLock { $0.endTime } }
        set {
            settings.withLock { $0.endTime = newValue }
            player?.reopen(self)
        }
    }
    /// The end time of reverse playback; has no effect.
    open var reversePlaybackEndTime: CMTime {
        get { settings.withLock { $0.reverseEndTime } }
        set { settings.withLock { $0.reverseEndTime = newValue } }
    }
    /// The maximum bit rate in bits per second; has no effect.
    open var preferredPeakBitRate: Double {
        get { settings.withLock { $0.peakBitRate } }
        set { settings.withLock { $0.peakBitRate = newValue } }
    }
    /// Whether a paused live stream uses the network; has no effect, because the player reads ahead while paused.
    open var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
        get { settings.withLock { $0.loadsWhilePaused } }
        set { settings.withLock { $0.loadsWhilePaused = newValue } }
    }

    // MARK: Time

    /// Returns the playback position; zero if the item is not the current one of a player.
    open func currentTime() -> CMTime { player?.time(of: self) ?? .zero }

    /// Seeks to `time`; see `AVPlayer.seek(to:completionHandler:)`.
    ///
    /// If the item is not the current one of a player, its playback will start at `time`.
    open func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        if let player { return player.seek(self, to: time, completion: completionHandler) }
        if time.isNumeric { start(at: time.seconds) }
        if let completionHandler { DispatchQueue.main.deliver { completionHandler(time.isNumeric) } }
    }

    /// Seeks to `time` exactly, regardless of the tolerances; see `AVPlayer.seek(to:completionHandler:)`.
    open func seek(
        to time: CMTime,
        toleranceBefore: CMTime,
        toleranceAfter: CMTime,
        completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) { seek(to: time, completionHandler: completionHandler) }

    /// Seeks to `time` and returns when the seek has completed.
    ///
    /// At the top level of a `main.swift`, outside of every function, the compiler prefers the method without `async`
    /// and warns that `await` has no effect. There, use the result: `let finished: Bool = await item.seek(to: time)`.
    /// - Returns: Whether the seek completed; false if another seek or item replaced it.
    @discardableResult
    public func seek(to time: CMTime) async -> Bool {
        await withCheckedContinuation { done in seek(to: time) { done.resume(returning: $0) } }
    }

    /// Cancels a pending seek: its completion handler receives false.
    open func cancelPendingSeeks() { player?.cancelSeek(of: self) }

    // MARK: Outputs and logs

    /// The outputs of the item.
    open var outputs: [AVPlayerItemOutput] { settings.withLock { $0.outputs } }

    /// Adds an output; adding it again has no effect.
    open func add(_ output: AVPlayerItemOutput) {
        let isNew = settings.withLock { settings in
            let isNew = !settings.outputs.contains { $0 === output }
            if isNew { settings.outputs.append(output) }
            return isNew
        }
        if isNew { output.attach(self) }
    }

    /// Removes an output.
    open func remove(_ output: AVPlayerItemOutput) {
        let isOwn = settings.withLock { settings in
            let isOwn = settings.outputs.contains { $0 === output }
            settings.outputs.removeAll { $0 === output }
            return isOwn
        }
        if isOwn { output.attach(nil) }
    }

    /// Returns the log of transfers; `nil` before the first transfer.
    open func accessLog() -> AVPlayerItemAccessLog? { log.accessLog }

    /// Returns the log of failures, including failures that were recovered; `nil` before the first failure.
    open func errorLog() -> AVPlayerItemErrorLog? { log.errorLog }

    // MARK: Observing

    /// Calls `changeHandler` on the main queue at each change of a property, until the returned observation is
    /// deallocated.
    ///
    /// ```swift
    /// let observation = item.observe(\.status) { item, _ in
    ///     if item.status == .failed { print(item.error ?? "failed") }
    /// }
    /// ```
    /// - Parameters:
    ///   - keyPath: `status`, `error`, `duration`, `loadedTimeRanges`, `seekableTimeRanges`, a buffering flag, or
    ///     `timedMetadata`.
    ///   - options: The values that the handler receives. With `initial`, the handler is also called once at once, on
    ///     the calling thread.
    ///   - changeHandler: Receives the item and the change.
    open func observe<Value>(
        _ keyPath: any KeyPath<AVPlayerItem, Value> & Sendable,
        options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (AVPlayerItem, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { observers.add(self, keyPath, options, changeHandler) }

    /// Changes the state and reports the changes to observers.
    func update(_ change: (inout PlayerItemState) -> Void) {
        state.withLock { state in
            let old = state
            change(&state)
            let reports = observers.reports(of: state.changes(from: old), from: old, to: state)
            guard !reports.isEmpty else { return }
            // Under the lock, so that two changes are reported in their order.
            DispatchQueue.main.deliver { for report in reports { report(self) } }
        }
    }

    /// The player of the item.
    var player: AVPlayer? {
        get { settings.withLock { $0.player } }
        set { settings.withLock { $0.player = newValue } }
    }
}

extension AVPlayerItem: NSCopying {
    /// Returns an unopened item for the same asset with the same settings.
    /// - Parameter zone: Ignored.
    public func copy(with zone: NSZone? = nil) -> Any { makeCopy() }

    func makeCopy() -> AVPlayerItem {
        let copy = AVPlayerItem(asset: asset)
        var settings = settings.withLock { $0 }
        (settings.player, settings.outputs, settings.input) = (nil, [], nil)
        let copied = settings
        copy.settings.withLock { $0 = copied }
        return copy
    }
}

/// A track of an item.
open class AVPlayerItemTrack: NSObject, @unchecked Sendable {
    // Unchecked: a lock guards the only mutable property.

    /// The track of the asset.
    public let assetTrack: AVAssetTrack?
    private let enabled = Mutex(true)

    init(_ track: AVAssetTrack) { assetTrack = track }

    /// Whether the track is enabled; has no effect, because a player plays the first audio track.
    open var isEnabled: Bool {
        get { enabled.withLock { $0 } }
        set { enabled.withLock { $0 = newValue } }
    }
}
