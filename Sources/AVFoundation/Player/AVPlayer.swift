public import CoreMedia
public import Foundation
internal import Synchronization
public import SyrinxDevice
public import SyrinxStreaming

/// Plays the sound of an item: a file, or anything on an HTTP server, while it arrives.
///
/// All methods may be called on any thread. Notifications, observers of properties, and time observers without a queue are called
/// on the main queue, so a program without a run loop has to run it: `dispatchMain()`, or `RunLoop.main.run()`.
open class AVPlayer: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind locks.

    /// The streamer that plays: its pitch and effects are free for the program to set.
    ///
    /// Items, rate, volume and time are the player's.
    public let streamer: TimePitchStreamer
    let core: PlayerCore

    /// A player without an item, on the system's own output.
    public convenience override init() { self.init(device: nil) }

    /// A player of the media at `url`; nothing is heard before `play()`.
    /// - Parameter url: A `file:`, `http:` or `https:` URL.
    public convenience init(url: URL) { self.init(playerItem: AVPlayerItem(url: url)) }

    /// A player of an item; nothing is heard before `play()`.
    /// - Parameter item: The item, or `nil` for none yet.
    public convenience init(playerItem item: AVPlayerItem?) {
        self.init(device: nil)
        replaceCurrentItem(with: item)
    }

    /// A player without an item, on a device of the program's choice.
    /// - Parameter device: The device; `nil` is the system's own output.
    public convenience init(device: (any OutputDevice)?) { self.init(device: device, actionAtItemEnd: .pause) }

    init(device: (any OutputDevice)?, actionAtItemEnd: ActionAtItemEnd) {
        streamer = TimePitchStreamer(device: device)
        core = PlayerCore(streamer, actionAtItemEnd: actionAtItemEnd)
        super.init()
        core.player = self
    }

    deinit { core.shutDown() }

    // MARK: Items

    /// The item that is played.
    open var currentItem: AVPlayerItem? { core.state.currentItem }

    /// Plays another item from now on, at the rate that is set; `nil` stops.
    /// - Parameter item: The item; one that belongs to another player is refused, and the current one goes on.
    open func replaceCurrentItem(with item: AVPlayerItem?) {
        guard item.map(mayTake) ?? true, item !== currentItem || item == nil else { return }
        core.replaceItems { items in items = item.map { [$0] + items.dropFirst() } ?? [] }
    }

    /// Whether an item is free, or this player's own.
    func mayTake(_ item: AVPlayerItem) -> Bool { item.player.map { $0 === self } ?? true }

    // MARK: Transport

    /// Plays at `defaultRate`; without effect at the end of an item until a seek.
    open func play() { rate = defaultRate }

    /// Stands still.
    open func pause() { rate = 0 }

    /// The wanted rate: 0 stands still, 1/32…32 plays; default 0.
    ///
    /// It is not 0 while the player waits: see `timeControlStatus`. Negative rates stand still.
    open var rate: Float {
        get { core.state.rate }
        set { core.setRate(newValue) }
    }

    /// The rate of `play()`; default 1.
    open var defaultRate: Float {
        get { core.state.defaultRate }
        set { core.change { $0.defaultRate = newValue.isFinite ? newValue : 1 } }
    }

    /// Plays at a rate; as setting `rate`, since no more is waited for than the first sound needs.
    open func playImmediately(atRate rate: Float) { core.setRate(rate) }

    /// Plays at a rate, from a time of the item, at a time of the host.
    /// - Parameters:
    ///   - rate: The rate, as for `rate`.
    ///   - itemTime: The time in the item; `invalid` is the present one.
    ///   - hostClockTime: The time of `CMClockGetHostTimeClock()` to begin at; `invalid` is now. A timer starts it, within
    ///     some milliseconds.
    open func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
        if itemTime.isNumeric { seek(to: itemTime) }
        let delay = hostClockTime.isNumeric ? (hostClockTime - CMClockGetTime(CMClockGetHostTimeClock())).seconds : 0
        guard delay > 0 else { return core.setRate(rate) }
        core.setRate(0)
        DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + min(delay, 1e6)) { [weak core] in
            core?.setRate(rate)
        }
    }

    /// Whether a stall waits for data and goes on by itself; default true.
    ///
    /// With false a stall sets the rate to 0.
    open var automaticallyWaitsToMinimizeStalling: Bool {
        get { core.state.waitsToMinimizeStalling }
        set { core.change { $0.waitsToMinimizeStalling = newValue } }
    }

    /// The action at the end of an item; default `pause`, and `advance` of an `AVQueuePlayer`.
    open var actionAtItemEnd: ActionAtItemEnd {
        get { core.state.actionAtItemEnd }
        set { core.setActionAtItemEnd(newValue) }
    }

    // MARK: Sound

    /// The volume, 0…1; default 1.
    open var volume: Float {
        get { core.state.volume }
        set {
            core.change { $0.volume = newValue.isFinite ? min(max(0, newValue), 1) : 0 }
            core.applyVolume()
        }
    }

    /// Whether nothing is heard while time goes on; default false.
    open var isMuted: Bool {
        get { core.state.isMuted }
        set {
            core.change { $0.isMuted = newValue }
            core.applyVolume()
        }
    }

    // MARK: State

    /// Whether the player can be used.
    open var status: Status { core.state.status }
    /// The reason why the player cannot be used: always `nil`, as items fail and players do not.
    open var error: (any Error)? { nil }
    /// Whether it plays, waits, or is paused.
    open var timeControlStatus: TimeControlStatus { core.state.timeControlStatus }
    /// The reason for waiting; `nil` unless it waits.
    open var reasonForWaitingToPlay: WaitingReason? { core.state.reasonForWaiting }
    /// Accepted for programs that set it: nothing is played elsewhere.
    open var allowsExternalPlayback: Bool {
        get { false }
        set {}
    }
    /// Accepted for programs that set it.
    open var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { false }
        set {}
    }

    /// The time in the current item that is heard; the target of a seek from the moment it is asked for.
    open func currentTime() -> CMTime { CMTime(playerSeconds: core.time) }

    func time(of item: AVPlayerItem) -> CMTime { item === currentItem ? currentTime() : .zero }
    func applySettings(of item: AVPlayerItem) { core.applySettings(of: item) }
    func reopen(_ item: AVPlayerItem) { core.reopen(item) }

    func changeSound(of item: AVPlayerItem) { core.changeSound(of: item) }

    // MARK: Observing

    /// Calls `changeHandler` on the main queue at each change of a property, until the observation is let go.
    /// - Parameters:
    ///   - keyPath: `rate`, `timeControlStatus`, `reasonForWaitingToPlay`, `currentItem`, `status`, `volume`, `isMuted`,
    ///     `defaultRate`, or a setting.
    ///   - options: The values that the handler gets. With `initial` it is called at once, on this thread.
    ///   - changeHandler: Gets the player and the change.
    open func observe<Value>(
        _ keyPath: any KeyPath<AVPlayer, Value> & Sendable,
        options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (AVPlayer, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { core.observers.add(self, keyPath, options, changeHandler) }

    /// Calls the observers of a change; on the main queue.
    func report(_ reports: [@Sendable (AVPlayer) -> Void], hasNewRate: Bool) {
        for report in reports { report(self) }
        if hasNewRate { NotificationCenter.default.post(name: Self.rateDidChangeNotification, object: self) }
    }
}
