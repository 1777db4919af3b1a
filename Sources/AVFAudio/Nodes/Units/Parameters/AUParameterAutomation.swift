import CoreAudioTypes

/// The step of an automation that a change of a parameter is.
public enum AUParameterAutomationEventType: UInt32, Sendable {
    /// A value.
    case value = 0
    /// A control has been taken hold of.
    case touch = 1
    /// A control has been let go.
    case release = 2
}

/// A change of a parameter, as a host records it.
public struct AUParameterAutomationEvent: Sendable {
    /// The host time of the change.
    public var hostTime: UInt64
    /// The address of the parameter.
    public var address: AUParameterAddress
    /// The value that it has been set to.
    public var value: AUValue
    /// The step of an automation that it is.
    public var eventType: AUParameterAutomationEventType
    /// Nothing.
    public var reserved: UInt64

    /// A change of a parameter.
    /// - Parameters:
    ///   - hostTime: The host time of the change.
    ///   - address: The address of the parameter.
    ///   - value: The value that it has been set to.
    ///   - eventType: The step of an automation that it is.
    ///   - reserved: Nothing.
    public init(
        hostTime: UInt64,
        address: AUParameterAddress,
        value: AUValue,
        eventType: AUParameterAutomationEventType,
        reserved: UInt64 = 0
    ) {
        (self.hostTime, self.address, self.value) = (hostTime, address, value)
        (self.eventType, self.reserved) = (eventType, reserved)
    }
}

/// A change of a parameter, without the step of an automation.
public struct AURecordedParameterEvent: Sendable {
    /// The host time of the change.
    public var hostTime: UInt64
    /// The address of the parameter.
    public var address: AUParameterAddress
    /// The value that it has been set to.
    public var value: AUValue

    /// A change of a parameter.
    /// - Parameters:
    ///   - hostTime: The host time of the change.
    ///   - address: The address of the parameter.
    ///   - value: The value that it has been set to.
    public init(hostTime: UInt64, address: AUParameterAddress, value: AUValue) {
        (self.hostTime, self.address, self.value) = (hostTime, address, value)
    }
}

/// Called with a number of changes and the changes, which are valid until it returns.
public typealias AUParameterAutomationObserver = @Sendable (Int, UnsafePointer<AUParameterAutomationEvent>) -> Void
/// Called with a number of changes and the changes, which are valid until it returns.
public typealias AUParameterRecordingObserver = @Sendable (Int, UnsafePointer<AURecordedParameterEvent>) -> Void

extension AUParameterNode {
    /// Adds an observer of all parameters below that gets the host time of each change, and the step of an automation that it is.
    ///
    /// Called with one change at a time, on the thread that makes it.
    /// - Returns: The token to remove it by; passed as the originator of a change, it keeps that change from the observer.
    @discardableResult
    public func token(byAddingParameterAutomationObserver observer: @escaping AUParameterAutomationObserver)
        -> AUParameterObserverToken
    {
        addObserver { event in withUnsafePointer(to: event) { observer(1, $0) } }
    }

    /// Adds an observer of all parameters below that gets the host time of each change.
    ///
    /// Called with one change at a time, on the thread that makes it. For values only, not for touches and releases.
    /// - Returns: The token to remove it by; passed as the originator of a change, it keeps that change from the observer.
    @discardableResult
    public func token(byAddingParameterRecordingObserver observer: @escaping AUParameterRecordingObserver)
        -> AUParameterObserverToken
    {
        addObserver { event in
            guard event.eventType == .value else { return }
            let recorded = AURecordedParameterEvent(
                hostTime: event.hostTime,
                address: event.address,
                value: event.value
            )
            withUnsafePointer(to: recorded) { observer(1, $0) }
        }
    }
}

extension AUParameterGroup {
    /// Returns the node of the group that has an identifier; `nil` if there is none.
    public func value(forKey key: String) -> Any? { children.first { $0.identifier == key } }

    /// Returns the node below the group at identifiers that are joined by dots; `nil` if there is none.
    public func value(forKeyPath keyPath: String) -> Any? {
        let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let node = parts.first.flatMap({ value(forKey: $0) }), parts.count > 1 else {
            return parts.first.flatMap { value(forKey: $0) }
        }
        return (node as? AUParameterGroup)?.value(forKeyPath: parts[1])
    }
}
