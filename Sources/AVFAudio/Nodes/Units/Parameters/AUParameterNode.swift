public import CoreAudioTypes
public import Foundation
import Synchronization

/// A value of a parameter.
public typealias AUValue = Float
/// The address of a parameter, unique in its tree.
public typealias AUParameterAddress = UInt64
/// A token that identifies an observer for its removal.
public typealias AUParameterObserverToken = UnsafeMutableRawPointer
/// A function that receives the address and the new value of a changed parameter.
public typealias AUParameterObserver = @Sendable (AUParameterAddress, AUValue) -> Void
/// A function that receives a parameter and its new value.
public typealias AUImplementorValueObserver = @Sendable (AUParameter, AUValue) -> Void
/// A function that returns the value of a parameter.
public typealias AUImplementorValueProvider = @Sendable (AUParameter) -> AUValue
/// A function that returns the text for a value of a parameter.
///
/// If the pointer is `nil`, the function uses the current value of the parameter.
public typealias AUImplementorStringFromValueCallback = @Sendable (AUParameter, UnsafePointer<AUValue>?) -> String
/// A function that returns the parameter value for a text.
public typealias AUImplementorValueFromStringCallback = @Sendable (AUParameter, String) -> AUValue

/// A parameter, or a group of them, in the tree of a unit.
///
/// Callable from any thread except the render thread.
open class AUParameterNode: NSObject, @unchecked Sendable {
    // Unchecked: the lock guards all mutable state.

    /// The state that the lock guards.
    private struct State: Sendable {
        weak var parent: AUParameterGroup?
        /// By the address that their token is.
        var observers: [UInt: @Sendable (AUParameterAutomationEvent) -> Void] = [:]
        var valueObserver: AUImplementorValueObserver?
        var valueProvider: AUImplementorValueProvider?
        var textProvider: AUImplementorStringFromValueCallback?
        var valueParser: AUImplementorValueFromStringCallback?
    }

    private let state = Mutex(State())

    /// The name for use in programs, unique among the siblings of the node.
    public let identifier: String
    /// The display name.
    public let displayName: String

    init(identifier: String, displayName: String) {
        self.identifier = identifier
        self.displayName = displayName
    }

    /// The identifiers on the path from the root to the node, without the root, joined by dots.
    open var keyPath: String {
        guard let parent, !(parent is AUParameterTree) else { return identifier }
        return "\(parent.keyPath).\(identifier)"
    }

    var parent: AUParameterGroup? {
        get { state.withLock { $0.parent } }
        set { state.withLock { $0.parent = newValue } }
    }

    /// The observer that is called when a parameter of this node is set, on the thread that sets it; by default that of
    /// the parent.
    ///
    /// A unit passes the value to its kernel here.
    open var implementorValueObserver: AUImplementorValueObserver? {
        get { state.withLock { $0.valueObserver } ?? parent?.implementorValueObserver }
        set { state.withLock { $0.valueObserver = newValue } }
    }

    /// A function that returns the value of a parameter in this subtree; by default that of the parent, or else the
    /// last set value.
    open var implementorValueProvider: AUImplementorValueProvider? {
        get { state.withLock { $0.valueProvider } ?? parent?.implementorValueProvider }
        set { state.withLock { $0.valueProvider = newValue } }
    }

    /// A function that returns the text of a value; by default that of the parent, or else the number or name of the
    /// value.
    open var implementorStringFromValueCallback: AUImplementorStringFromValueCallback? {
        get { state.withLock { $0.textProvider } ?? parent?.implementorStringFromValueCallback }
        set { state.withLock { $0.textProvider = newValue } }
    }

    /// A function that returns the value for a text; by default that of the parent, or else one that reads a number or
    /// a value's name.
    open var implementorValueFromStringCallback: AUImplementorValueFromStringCallback? {
        get { state.withLock { $0.valueParser } ?? parent?.implementorValueFromStringCallback }
        set { state.withLock { $0.valueParser = newValue } }
    }

    /// Adds an observer of all parameters below, called on the thread that changes a value.
    /// - Returns: The token to remove it by; passed as the originator of a change, it keeps that change from the
    ///   observer.
    @discardableResult
    open func token(byAddingParameterObserver observer: @escaping AUParameterObserver) -> AUParameterObserverToken {
        addObserver { observer($0.address, $0.value) }
    }

    /// Adds an observer of all changes below, and returns its token.
    func addObserver(_ observer: @escaping @Sendable (AUParameterAutomationEvent) -> Void) -> AUParameterObserverToken {
        // The address of a separate byte is unique as long as the observer exists.
        let token = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        let key = UInt(bitPattern: token)
        state.withLock { $0.observers[key] = observer }
        return token
    }

    /// Removes an observer.
    ///
    /// It may be called once more by a change that another thread makes meanwhile.
    open func removeParameterObserver(_ token: AUParameterObserverToken) {
        let key = UInt(bitPattern: token)
        if state.withLock({ $0.observers.removeValue(forKey: key) }) != nil { token.deallocate() }
    }

    /// Notifies the observers of this node and its parents of a change, except the one with the token `originator`.
    func notifyObservers(of event: AUParameterAutomationEvent, originator: AUParameterObserverToken?) {
        let excluded = originator.map { UInt(bitPattern: $0) }
        for (key, observer) in state.withLock({ $0.observers }) where key != excluded { observer(event) }
        parent?.notifyObservers(of: event, originator: originator)
    }

    deinit {
        for key in state.withLock({ $0.observers.keys }) { UnsafeMutableRawPointer(bitPattern: key)?.deallocate() }
    }
}

/// A group of parameters.
open class AUParameterGroup: AUParameterNode, @unchecked Sendable {
    // Unchecked: the class adds no mutable state.

    /// The nodes of the group.
    public let children: [AUParameterNode]

    init(identifier: String, displayName: String, children: [AUParameterNode]) {
        self.children = children
        super.init(identifier: identifier, displayName: displayName)
        for child in children { child.parent = self }
    }

    /// The parameters of the group and its subgroups, in order.
    open var allParameters: [AUParameter] { Self.parameters(in: children) }

    static func parameters(in nodes: [AUParameterNode]) -> [AUParameter] {
        nodes.flatMap { node -> [AUParameter] in
            switch node {
            case let parameter as AUParameter: [parameter]
            case let group as AUParameterGroup: group.allParameters
            default: []
            }
        }
    }
}

/// All parameters of a unit.
open class AUParameterTree: AUParameterGroup, @unchecked Sendable {
    // Unchecked: the class adds no mutable state.
    private let parameters: [AUParameterAddress: AUParameter]

    init(children: [AUParameterNode]) {
        parameters = Dictionary(
            Self.parameters(in: children).map { ($0.address, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        super.init(identifier: "", displayName: "", children: children)
    }

    /// Creates a parameter tree.
    public static func createTree(withChildren children: [AUParameterNode]) -> AUParameterTree {
        AUParameterTree(children: children)
    }

    /// Creates a group of parameters and subgroups.
    public static func createGroup(
        withIdentifier identifier: String,
        name: String,
        children: [AUParameterNode]
    ) -> AUParameterGroup {
        AUParameterGroup(identifier: identifier, displayName: name, children: children)
    }

    /// Creates a parameter with the initial value `min`.
    ///
    /// ```swift
    /// let gain = AUParameterTree.createParameter(
    ///     withIdentifier: "gain", name: "Gain", address: 0, min: -40, max: 12, unit: .decibels, unitName: nil,
    ///     flags: [.flag_IsReadable, .flag_IsWritable], valueStrings: nil, dependentParameters: nil)
    /// let tree = AUParameterTree.createTree(withChildren: [gain])
    /// ```
    /// - Parameters:
    ///   - identifier: The name for use in programs.
    ///   - name: The display name.
    ///   - address: The address, unique in the tree.
    ///   - min: The minimum value.
    ///   - max: The maximum value.
    ///   - unit: The unit of the value.
    ///   - unitName: The name of the unit if `unit` is `customUnit`.
    ///   - flags: The options of the parameter.
    ///   - valueStrings: The names of the values, beginning with `min`, if `unit` is `indexed`.
    ///   - dependentParameters: The addresses of the parameters that may change together with this one.
    public static func createParameter(
        withIdentifier identifier: String,
        name: String,
        address: AUParameterAddress,
        min: AUValue,
        max: AUValue,
        unit: AudioUnitParameterUnit,
        unitName: String? = nil,
        flags: AudioUnitParameterOptions = [],
        valueStrings: [String]? = nil,
        dependentParameters: [NSNumber]? = nil
    ) -> AUParameter {
        AUParameter(
            identifier: identifier,
            name: name,
            address: address,
            range: min...Swift.max(min, max),
            unit: unit,
            unitName: unitName,
            flags: flags,
            valueStrings: valueStrings,
            dependentParameters: dependentParameters
        )
    }

    /// Returns the parameter with an address.
    open func parameter(withAddress address: AUParameterAddress) -> AUParameter? { parameters[address] }
}
