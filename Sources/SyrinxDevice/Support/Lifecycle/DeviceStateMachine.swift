/// The state of a device, which determines which calls are valid.
struct DeviceStateMachine: Equatable, Sendable {
    /// The state of a device.
    enum State: Equatable, Sendable {
        case closed
        case open(DeviceFormat)
        case running(DeviceFormat)
        case paused(DeviceFormat)
    }

    /// The effect of a call in the current state.
    enum Action: Equatable {
        case perform
        case nothing
    }

    private(set) var state = State.closed

    /// The negotiated format, if the device is open.
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

    /// Throws an error if the device must not be opened now.
    func willOpen(_ device: String) throws(DeviceError) {
        if isStarted {
            throw DeviceError(.deviceUnavailable, "it is running: call stop() before open()", device: device)
        }
    }

    /// Records that the device is open.
    mutating func opened(_ format: DeviceFormat) { state = .open(format) }

    /// Throws an error if the device must not be started now.
    /// - Returns: The format to start with.
    func willStart(_ device: String) throws(DeviceError) -> DeviceFormat {
        switch state {
        case .open(let format): return format
        case .closed: throw DeviceError(.unsupportedFormat, "call open() before start()", device: device)
        case .running, .paused: throw DeviceError(.deviceUnavailable, "it is running already", device: device)
        }
    }

    /// Records that the device is running.
    mutating func started() {
        if case .open(let format) = state { state = .running(format) }
    }

    /// Records a pause, and returns whether the device must act.
    mutating func pause() -> Action {
        guard case .running(let format) = state else { return .nothing }
        state = .paused(format)
        return .perform
    }

    /// Records the end of a pause, and returns whether the device must act.
    mutating func resume() -> Action {
        guard case .paused(let format) = state else { return .nothing }
        state = .running(format)
        return .perform
    }

    /// Records that the device stops, keeping its format, and returns whether the device must act.
    mutating func stop() -> Action {
        switch state {
        case .closed, .open: return .nothing
        case .running(let format), .paused(let format):
            state = .open(format)
            return .perform
        }
    }
}
