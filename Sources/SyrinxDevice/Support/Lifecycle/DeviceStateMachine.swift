/// Which calls make sense when: the state of a device, without the device.
struct DeviceStateMachine: Equatable, Sendable {
    /// The state of a device.
    enum State: Equatable, Sendable {
        case closed
        case open(DeviceFormat)
        case running(DeviceFormat)
        case paused(DeviceFormat)
    }

    /// The effect of a call, which in some states is none.
    enum Action: Equatable {
        case perform
        case nothing
    }

    private(set) var state = State.closed

    /// The settled format, if there is one.
    var format: DeviceFormat? {
        switch state {
        case .closed: nil
        case .open(let format), .running(let format), .paused(let format): format
        }
    }

    /// Whether `start` has been called and `stop` has not.
    var isStarted: Bool {
        switch state {
        case .closed, .open: false
        case .running, .paused: true
        }
    }

    /// Throws if the device may not be opened now.
    func willOpen(_ device: String) throws(DeviceError) {
        if isStarted {
            throw DeviceError(.deviceUnavailable, "it is running: call stop() before open()", device: device)
        }
    }

    /// The format is settled.
    mutating func opened(_ format: DeviceFormat) { state = .open(format) }

    /// Throws if the device may not be started now.
    /// - Returns: The format to start with.
    func willStart(_ device: String) throws(DeviceError) -> DeviceFormat {
        switch state {
        case .open(let format): return format
        case .closed: throw DeviceError(.unsupportedFormat, "call open() before start()", device: device)
        case .running, .paused: throw DeviceError(.deviceUnavailable, "it is running already", device: device)
        }
    }

    /// The device runs.
    mutating func started() {
        if case .open(let format) = state { state = .running(format) }
    }

    /// The sound is to be held.
    mutating func pause() -> Action {
        guard case .running(let format) = state else { return .nothing }
        state = .paused(format)
        return .perform
    }

    /// The sound is to go on.
    mutating func resume() -> Action {
        guard case .paused(let format) = state else { return .nothing }
        state = .running(format)
        return .perform
    }

    /// The sound is to end; the format stays settled.
    mutating func stop() -> Action {
        switch state {
        case .closed, .open: return .nothing
        case .running(let format), .paused(let format):
            state = .open(format)
            return .perform
        }
    }
}
