import CoreAudioTypes

/// The kind of an automation event.
public enum AUParameterAutomationEventType: UInt32, Sendable {
    /// The value has changed.
    case value = 0
    /// The user has started to move a control.
    case touch = 1
    /// The user has released a control.
    case release = 2
}

/// An automation event, in the form that a host records.
public struct AUParameterAutomationEvent: Sendable {
    /// The host time of the change.
    public var hostTime: UInt64
    /// The address of the parameter.
    public var address: AUParameterAddress
    /// The new value.
    public var value: AUValue
    /// The kind of the event: a value, a touch or a release.
    public var eventType: AUParameterAutomationEventType
    /// Unused.
    public var reserved: UInt64

    /// Creates an event.
    /// - Parameters:
    ///   - hostTime: The host time of the change.
    ///   - address: The address of the parameter.
    ///   - value: The new value.
    ///   - eventType: The kind of the event.
    ///   - reserved: Unused.
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

/// A recorded change of a parameter, without the kind of the event.
public struct AURecordedParameterEvent: Sendable {
    /// The host time of the change.
    public var hostTime: UInt64
    /// The address of the parameter.
    public var address: AUParameterAddress
    /// The new value.
    public var value: AUValue

    /// Creates an event.
    /// - Parameters:
    ///   - hostTime: The host time of the change.
    ///   - address: The address of the parameter.
    ///   - value: The new value.
    public init(hostTime: UInt64, address: AUParameterAddress, value: AUValue) {
        (self.hostTime, self.address, self.value) = (hostTime, address, value)
    }
}

/// A function that receives a number of changes and a pointer to them, which is valid during the call.
public typealias AUParameterAutomationObserver = @Sendable (Int, UnsafePointer<AUParameterAutomationEvent>) -> Void
/// A function that receives a number of changes and a pointer to them, which is valid during the call.
public typealias AUParameterRecordingObserver = @Sendable (Int, UnsafePointer<AURecordedParameterEvent>) -> Void

extension AUParameterNode {
    /// Adds an observer of all parameters in this group, which receives the host time and the kind of each change.
    ///
    /// Called with one change at a time, on the thread that makes the change.
    /// - Returns: A token to remove the observer. Pass it as the originator of a change to exclude this observer.
    @discardableResult
    public func token(byAddingParameterAutomationObserver observer: @escaping AUParameterAutomationObserver)
        -> AUParameterObserverToken
    {
        addObserver { event in withUnsafePointer(to: event) { observer(1, $0) } }
    }

    /// Adds an observer of all parameters in this group, which receives the host time of each change of a value.
    ///
    /// Called with one change at a time, on the thread that makes the change. Touches and releases are not reported.
    /// - Returns: A token to remove the observer. Pass it as the originator of a change to exclude this observer.
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
    /// Returns the child with an identifier; `nil` if there is none.
    public func value(forKey key: String) -> Any? { children.first { $0.identifier == key } }

    /// Returns the node at a path of identifiers joined by dots; `nil` if there is none.
    public func value(forKeyPath keyPath: String) -> Any? {
        let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let node = parts.first.flatMap({ value(forKey: $0) }), parts.count > 1 else {
            return parts.first.flatMap { value(forKey: $0) }
        }
        return (node as? AUParameterGroup)?.value(forKeyPath: parts[1])
    }
}
