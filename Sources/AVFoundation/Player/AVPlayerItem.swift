internal import AVFAudio
public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxStreaming

/// An asset that a player plays, and the state of playing it.
///
/// An item belongs to one player at a time. All properties may be used on any thread; observers and notifications are called on
/// the main queue.
open class AVPlayerItem: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind locks.

    /// Whether an item can be played.
    public enum Status: Int, Sendable {
        /// It has not been opened.
        case unknown = 0
        /// It has been opened.
        case readyToPlay = 1
        /// It cannot be played: see `error`.
        case failed = 2
    }

    /// The media to play.
    public let asset: AVAsset
    let state = Mutex(PlayerItemState())
    let settings = Mutex(PlayerItemSettings())
    let log = PlayerItemLog()
    /// The identity of the item in the queue of a streamer.
    let streamID = StreamingItem(.standardInput).id
    private let observers = KeyValueObservers<AVPlayerItem>()

    /// An item of the media at `url`; nothing is opened.
    /// - Parameter url: A `file:`, `http:` or `https:` URL.
    public convenience init(url: URL) { self.init(asset: AVURLAsset(url: url)) }

    /// An item of an asset; nothing is opened.
    /// - Parameters:
    ///   - asset: An `AVURLAsset` or an `AVComposition`; items of others fail when they are to be played (`usage.notPlayable`).
    ///   - keys: Accepted for programs that give it: what playing needs is loaded when the item is opened.
    public init(asset: AVAsset, automaticallyLoadedAssetKeys keys: [String]? = nil) {
        self.asset = asset
        super.init()
    }

    // MARK: State

    /// Whether the item can be played.
    open var status: Status { state.withLock { $0.status } }
    /// The reason why the item cannot be played, or not on.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// The duration; indefinite before the item is ready, and for a broadcast.
    open var duration: CMTime { state.withLock { $0.durationTime } }
    /// The tracks, once the item is ready.
    open var tracks: [AVPlayerItemTrack] {
        guard status == .readyToPlay else { return [] }
        return asset.tracks.map(AVPlayerItemTrack.init)
    }
    /// The parts that have arrived, in time, estimated from the bytes where the format has no index of them.
    open var loadedTimeRanges: [NSValue] { state.withLock { $0 }.loadedTimeRanges }
    /// The parts that can be sought to: all, once the duration is known, or the window of a live presentation, which moves on as
    /// it is played.
    open var seekableTimeRanges: [NSValue] { state.withLock { $0 }.seekableTimeRanges }
    /// Whether it will probably play on without a stall.
    open var isPlaybackLikelyToKeepUp: Bool { state.withLock { $0.isLikelyToKeepUp } }
    /// Whether it has stalled because data has not arrived.
    open var isPlaybackBufferEmpty: Bool { state.withLock { $0.isBufferEmpty } }
    /// Whether all of it has arrived.
    open var isPlaybackBufferFull: Bool { state.withLock { $0.isBufferFull } }
    /// The titles that hold now, of a broadcast; those of the file before the first.
    open var timedMetadata: [AVMetadataItem]? { state.withLock { $0.timedMetadata } }
    /// The size at which its pictures are shown, once the item is ready; zero if it has none.
    open var presentationSize: CGSize {
        guard status == .readyToPlay, let track = asset.tracks(withMediaType: .video).first else { return .zero }
        return CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform).size
    }
    /// Whether rates over 1 are possible.
    open var canPlayFastForward: Bool { status == .readyToPlay }
    /// Whether rates between 0 and 1 are possible.
    open var canPlaySlowForward: Bool { status == .readyToPlay }
    /// Whether negative rates are possible: false.
    open var canPlayReverse: Bool { false }

    // MARK: Settings

    /// The seconds to hold ahead of what is heard; 0, the default, is the player's own choice.
    ///
    /// Takes effect when the item is opened.
    open var preferredForwardBufferDuration: TimeInterval {
        get { settings.withLock { $0.forwardBufferDuration } }
        set { settings.withLock { $0.forwardBufferDuration = newValue.isFinite ? max(0, newValue) : 0 } }
    }
    /// The algorithm for rates other than 1; default `timeDomain`.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { settings.withLock { $0.algorithm } }
        set {
            settings.withLock { $0.algorithm = newValue }
            player?.applySettings(of: self)
        }
    }
    /// The volumes over time; default none.
    ///
    /// The volume of a file is set fifty times a second, each change ramped over 10 ms. The volumes of a composition's tracks are
    /// exact to the sample; to set them while it plays opens the item again.
    open var audioMix: AVAudioMix? {
        get { settings.withLock { $0.audioMix } }
        set {
            settings.withLock { settings in
                settings.audioMix = newValue
                // That of a composition has its volumes in its samples.
                if asset.mixesTracks { settings.input = nil }
            }
            if asset.mixesTracks { player?.reopen(self) } else { player?.applySettings(of: self) }
        }
    }
    /// The time at which playing ends; the default, `invalid`, is the end.
    ///
    /// A change while it plays opens the item again.
    open var forwardPlaybackEndTime: CMTime {
        get { settings.withLock { $0.endTime } }
        set {
            settings.withLock { $0.endTime = newValue }
            player?.reopen(self)
        }
    }
    /// Accepted for programs that set it: nothing is played in reverse.
    open var reversePlaybackEndTime: CMTime {
        get { settings.withLock { $0.reverseEndTime } }
        set { settings.withLock { $0.reverseEndTime = newValue } }
    }
    /// Accepted for programs that set it, in bits per second; 0 is no limit.
    open var preferredPeakBitRate: Double {
        get { settings.withLock { $0.peakBitRate } }
        set { settings.withLock { $0.peakBitRate = newValue } }
    }
    /// Accepted for programs that set it: reading ahead goes on in a pause.
    open var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
        get { settings.withLock { $0.loadsWhilePaused } }
        set { settings.withLock { $0.loadsWhilePaused = newValue } }
    }

    // MARK: Time

    /// The time that is heard; zero if the item is not the current one of a player.
    open func currentTime() -> CMTime { player?.time(of: self) ?? .zero }

    /// Goes to `time`; see `AVPlayer.seek(to:)`.
    ///
    /// An item that is not the current one of a player starts there when its turn comes.
    open func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        if let player { return player.seek(self, to: time, completion: completionHandler) }
        if time.isNumeric { start(at: time.seconds) }
        if let completionHandler { DispatchQueue.main.deliver { completionHandler(time.isNumeric) } }
    }

    /// Goes to `time`, whatever the tolerance exactly; see `AVPlayer.seek(to:)`.
    open func seek(
        to time: CMTime,
        toleranceBefore: CMTime,
        toleranceAfter: CMTime,
        completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) { seek(to: time, completionHandler: completionHandler) }

    /// Goes to `time`, and returns when it has arrived.
    ///
    /// At the top level of a `main.swift`, outside of every function, the compiler chooses the method without `async` wherever that fits,
    /// and warns that `await` has no effect. There, ask for the result: `let hasArrived: Bool = await player.seek(to: time)`.
    /// - Returns: Whether it arrived there, and was not passed over for another seek.
    @discardableResult
    public func seek(to time: CMTime) async -> Bool {
        await withCheckedContinuation { done in seek(to: time) { done.resume(returning: $0) } }
    }

    /// Gives up a seek under way: its completion handler gets false.
    open func cancelPendingSeeks() { player?.cancelSeek(of: self) }

    // MARK: Outputs and logs

    /// The outputs of the item.
    open var outputs: [AVPlayerItemOutput] { settings.withLock { $0.outputs } }

    /// Adds an output, unless it has been added.
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

    /// Returns the transfers so far; `nil` before the first.
    open func accessLog() -> AVPlayerItemAccessLog? { log.accessLog }

    /// Returns the failures so far, also those that were got over; `nil` before the first.
    open func errorLog() -> AVPlayerItemErrorLog? { log.errorLog }

    // MARK: Observing

    /// Calls `changeHandler` on the main queue at each change of a property, until the observation is let go.
    /// - Parameters:
    ///   - keyPath: `status`, `error`, `duration`, `loadedTimeRanges`, `seekableTimeRanges`, a buffering flag, or `timedMetadata`.
    ///   - options: The values that the handler gets. With `initial` it is called at once, on this thread.
    ///   - changeHandler: Gets the item and the change.
    open func observe<Value>(
        _ keyPath: any KeyPath<AVPlayerItem, Value> & Sendable,
        options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (AVPlayerItem, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { observers.add(self, keyPath, options, changeHandler) }

    /// Changes the state, and reports what has changed.
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

    /// The player that the item belongs to.
    var player: AVPlayer? {
        get { settings.withLock { $0.player } }
        set { settings.withLock { $0.player = newValue } }
    }
}

extension AVPlayerItem: NSCopying {
    /// Returns an item of the same asset with the same settings, which has not been opened.
    /// - Parameter zone: Not used.
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
    // Unchecked: the one thing that changes is behind a lock.

    /// The track of the asset.
    public let assetTrack: AVAssetTrack?
    private let enabled = Mutex(true)

    init(_ track: AVAssetTrack) { assetTrack = track }

    /// Accepted for programs that set it: a player plays the first track of sound.
    open var isEnabled: Bool {
        get { enabled.withLock { $0 } }
        set { enabled.withLock { $0 = newValue } }
    }
}
