public import CoreMedia
public import Foundation
internal import Synchronization
public import SyrinxDevice
public import SyrinxStreaming

/// Plays the audio of an item, which may be a file or an HTTP resource, while it downloads.
///
/// ```swift
/// let player = AVPlayer(url: URL(string: "https://example.com/episode.mp3")!)
/// player.play()
/// dispatchMain()
/// ```
///
/// All methods may be called on any thread. Notifications, property observers, and time observers without a queue are
/// called on the main queue. A program without a run loop must run that queue with `dispatchMain()` or
/// `RunLoop.main.run()`.
open class AVPlayer: NSObject, @unchecked Sendable {
    // Unchecked: locks guard the mutable state.

    /// The streamer that plays the items; a program may set its pitch and effects.
    ///
    /// The player itself controls its items, rate, volume and position.
    public let streamer: TimePitchStreamer
    let core: PlayerCore

    /// Creates a player without an item, on the default output device.
    public convenience override init() { self.init(device: nil) }

    /// Creates a player for the media at `url`; playback starts with `play()`.
    /// - Parameter url: A `file:`, `http:` or `https:` URL.
    public convenience init(url: URL) { self.init(playerItem: AVPlayerItem(url: url)) }

    /// Creates a player for an item; playback starts with `play()`.
    /// - Parameter item: The item, or `nil`.
    public convenience init(playerItem item: AVPlayerItem?) {
        self.init(device: nil)
        replaceCurrentItem(with: item)
    }

    /// Creates a player without an item, on a specific output device.
    /// - Parameter device: The output device; `nil` is the default output device.
    public convenience init(device: (any OutputDevice)?) { self.init(device: device, actionAtItemEnd: .pause) }

    init(device: (any OutputDevice)?, actionAtItemEnd: ActionAtItemEnd) {
        streamer = TimePitchStreamer(device: device)
        core = PlayerCore(streamer, actionAtItemEnd: actionAtItemEnd)
        super.init()
        core.player = self
    }

    deinit { core.shutDown() }

    // MARK: Items

    /// The current item.
    open var currentItem: AVPlayerItem? { core.state.currentItem }

    /// Replaces the current item and keeps the rate; `nil` stops playback.
    /// - Parameter item: The new item. An item of another player is ignored.
    open func replaceCurrentItem(with item: AVPlayerItem?) {
        guard item.map(mayTake) ?? true, item !== currentItem || item == nil else { return }
        core.replaceItems { items in items = item.map { [$0] + items.dropFirst() } ?? [] }
    }

    /// Whether an item belongs to no player, or to this one.
    func mayTake(_ item: AVPlayerItem) -> Bool { item.player.map { $0 === self } ?? true }

    // MARK: Transport

    /// Starts playback at `defaultRate`; at the end of an item, it has no effect until a seek.
    open func play() { rate = defaultRate }

    /// Pauses playback.
    open func pause() { rate = 0 }

    /// The requested playback rate: 0 is paused, 1/32…32 plays; 0 by default.
    ///
    /// The rate stays above 0 while the player waits: see `timeControlStatus`. Negative rates pause playback.
    open var rate: Float {
        get { core.state.rate }
        set { core.setRate(newValue) }
    }

    /// The rate of `play()`; 1 by default.
    open var defaultRate: Float {
        get { core.state.defaultRate }
        set { core.change { $0.defaultRate = newValue.isFinite ? newValue : 1 } }
    }

    /// Starts playback at a rate; equivalent to setting `rate`, which also waits only for the first audio.
    open func playImmediately(atRate rate: Float) { core.setRate(rate) }

    /// Starts playback at a rate, from a time of the item, at a host time.
    /// - Parameters:
    ///   - rate: The rate, as for `rate`.
    ///   - itemTime: The time in the item; `invalid` is the current time.
    ///   - hostClockTime: The start time on the clock `CMClockGetHostTimeClock()`; `invalid` is now. A timer starts
    ///     playback, with an accuracy of a few milliseconds.
    open func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
        if itemTime.isNumeric { seek(to: itemTime) }
        let delay = hostClockTime.isNumeric ? (hostClockTime - CMClockGetTime(CMClockGetHostTimeClock())).seconds : 0
        guard delay > 0 else { return core.setRate(rate) }
        core.setRate(0)
        DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + min(delay, 1e6)) { [weak core] in
            core?.setRate(rate)
        }
    }

    /// Whether playback waits for data after a stall, and then continues; true by default.
    ///
    /// If this is false, a stall sets the rate to 0.
    open var automaticallyWaitsToMinimizeStalling: Bool {
        get { core.state.waitsToMinimizeStalling }
        set { core.change { $0.waitsToMinimizeStalling = newValue } }
    }

    /// The action at the end of an item; `pause` by default, `advance` for an `AVQueuePlayer`.
    open var actionAtItemEnd: ActionAtItemEnd {
        get { core.state.actionAtItemEnd }
        set { core.setActionAtItemEnd(newValue) }
    }

    // MARK: Sound

    /// The volume, 0…1; 1 by default.
    open var volume: Float {
        get { core.state.volume }
        set {
            core.change { $0.volume = newValue.isFinite ? min(max(0, newValue), 1) : 0 }
            core.applyVolume()
        }
    }

    /// Whether the output is muted while playback continues; false by default.
    open var isMuted: Bool {
        get { core.state.isMuted }
        set {
            core.change { $0.isMuted = newValue }
            core.applyVolume()
        }
    }

    // MARK: State

    /// Whether the player is ready to play.
    open var status: Status { core.state.status }
    /// The error of the player: always `nil`, because items fail and players do not.
    open var error: (any Error)? { nil }
    /// Whether the player plays, waits or is paused.
    open var timeControlStatus: TimeControlStatus { core.state.timeControlStatus }
    /// The reason why the player waits; `nil` if it does not wait.
    open var reasonForWaitingToPlay: WaitingReason? { core.state.reasonForWaiting }
    /// Whether external playback is allowed: always false; setting it has no effect.
    open var allowsExternalPlayback: Bool {
        get { false }
        set {}
    }
    /// Whether playback prevents display sleep: always false; setting it has no effect.
    open var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { false }
        set {}
    }

    /// Returns the playback position in the current item; during a seek, its target.
    open func currentTime() -> CMTime { CMTime(playerSeconds: core.time) }

    func time(of item: AVPlayerItem) -> CMTime { item === currentItem ? currentTime() : .zero }
    func applySettings(of item: AVPlayerItem) { core.applySettings(of: item) }
    func reopen(_ item: AVPlayerItem) { core.reopen(item) }

    func changeSound(of item: AVPlayerItem) { core.changeSound(of: item) }

    // MARK: Observing

    /// Calls `changeHandler` on the main queue at each change of a property, until the returned observation is
    /// deallocated.
    ///
    /// ```swift
    /// let observation = player.observe(\.timeControlStatus, options: [.initial, .new]) { player, _ in
    ///     print(player.timeControlStatus == .playing ? "playing" : "not playing")
    /// }
    /// ```
    /// - Parameters:
    ///   - keyPath: `rate`, `timeControlStatus`, `reasonForWaitingToPlay`, `currentItem`, `status`, `volume`,
    ///     `isMuted`, `defaultRate`, or a setting.
    ///   - options: The values that the handler receives. With `initial`, the handler is also called once at once, on
    ///     the calling thread.
    ///   - changeHandler: Receives the player and the change.
    open func observe<Value>(
        _ keyPath: any KeyPath<AVPlayer, Value> & Sendable,
        options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (AVPlayer, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { core.observers.add(self, keyPath, options, changeHandler) }

    /// Calls observers of changes; on the main queue.
    func report(_ reports: [@Sendable (AVPlayer) -> Void], hasNewRate: Bool) {
        for report in reports { report(self) }
        if hasNewRate { NotificationCenter.default.post(name: Self.rateDidChangeNotification, object: self) }
    }
}
