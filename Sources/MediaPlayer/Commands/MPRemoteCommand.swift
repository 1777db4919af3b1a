public import Foundation

/// The result of handling a command.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    case success = 0
    case noSuchContent = 100
    case noActionableNowPlayingItem = 110
    case deviceNotFound = 120
    case commandFailed = 200
}

/// A command that media keys and panels send to the program.
open class MPRemoteCommand: @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state.
    private let lock = NSLock()
    private var targets: [(token: NSObject, handler: (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus)] = []
    private var isAllowed = true

    init() {}

    /// Whether the command is enabled; `true` by default.
    ///
    /// The desktop offers the command while it is enabled and has a handler.
    open var isEnabled: Bool {
        get { lock.withLock { isAllowed } }
        set {
            lock.withLock { isAllowed = newValue }
            MPNowPlayingInfoCenter.default().report()
        }
    }

    /// Adds a handler, which is called on the main queue.
    /// - Returns: A token for ``removeTarget(_:)``.
    open func addTarget(handler: @escaping (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus) -> Any {
        let token = NSObject()
        lock.withLock { targets.append((token, handler)) }
        MPNowPlayingInfoCenter.default().report()
        return token
    }

    /// Removes a handler.
    /// - Parameter target: The token that `addTarget` returned; `nil` removes all handlers.
    open func removeTarget(_ target: Any?) {
        let token = target as? NSObject
        lock.withLock { targets.removeAll { target == nil || $0.token === token } }
        MPNowPlayingInfoCenter.default().report()
    }

    /// Whether the command is enabled and has a handler.
    var isAvailable: Bool { lock.withLock { isAllowed && !targets.isEmpty } }

    /// Sends an event to the handlers, on the main queue.
    ///
    /// As an operation, so that a handler may post a notification to an observer with the queue `.main`: in a block of
    /// the main queue Foundation would wait for that queue for ever if the program has an asynchronous `main`.
    func send(_ event: MPRemoteCommandEvent) {
        OperationQueue.main.addOperation { [self] in
            let handlers = lock.withLock { isAllowed ? targets.map(\.handler) : [] }
            for handler in handlers where handler(event) == .success { return }
        }
    }
}

/// A command that skips by an interval.
open class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {
    // Unchecked: the class adds only state guarded by its own lock.
    private let intervals = NSLock()
    private var preferred: [NSNumber] = [10]

    /// The preferred intervals in seconds; default 10.
    ///
    /// MPRIS allows any interval, so an event contains the interval that was requested.
    open var preferredIntervals: [NSNumber] {
        get { intervals.withLock { preferred } }
        set { intervals.withLock { preferred = newValue } }
    }
}

/// A command that seeks to a position.
open class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {}

/// A command that changes the rate.
open class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {
    // Unchecked: the class adds only state guarded by its own lock.
    private let rates = NSLock()
    private var supported: [NSNumber] = [1]

    /// The playback rates that the program supports; default 1.
    ///
    /// The desktop may still request others.
    open var supportedPlaybackRates: [NSNumber] {
        get { rates.withLock { supported } }
        set { rates.withLock { supported = newValue } }
    }
}

/// The repeat mode that a command requests.
public enum MPRepeatType: Int, Sendable {
    case off = 0
    case one = 1
    case all = 2
}

/// The shuffle mode that a command requests.
public enum MPShuffleType: Int, Sendable {
    case off = 0
    case items = 1
    case collections = 2
}

/// A command that changes the repeat mode.
open class MPChangeRepeatModeCommand: MPRemoteCommand, @unchecked Sendable {
    // Unchecked: the class adds only state guarded by its own lock.
    private let mode = NSLock()
    private var current = MPRepeatType.off

    /// The current repeat mode; `off` by default.
    open var currentRepeatType: MPRepeatType {
        get { mode.withLock { current } }
        set {
            mode.withLock { current = newValue }
            MPNowPlayingInfoCenter.default().report()
        }
    }
}

/// A command that changes the shuffle mode.
open class MPChangeShuffleModeCommand: MPRemoteCommand, @unchecked Sendable {
    // Unchecked: the class adds only state guarded by its own lock.
    private let mode = NSLock()
    private var current = MPShuffleType.off

    /// The current shuffle mode; `off` by default.
    open var currentShuffleType: MPShuffleType {
        get { mode.withLock { current } }
        set {
            mode.withLock { current = newValue }
            MPNowPlayingInfoCenter.default().report()
        }
    }
}
