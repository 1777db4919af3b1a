public import Foundation
internal import Synchronization

/// The options of an observer.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// The option bits.
    public let rawValue: UInt

    /// Creates options from bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The change contains the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The change contains the old value.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// The observer is called once when it is added, with the current value.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// Has no effect: observers are not called before a change.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kind of a change.
public enum NSKeyValueChange: UInt, Sendable {
    /// The property has a new value.
    case setting = 1
    /// Not used on Linux: elements of a collection were inserted.
    case insertion = 2
    /// Not used on Linux: elements of a collection were removed.
    case removal = 3
    /// Not used on Linux: elements of a collection were replaced.
    case replacement = 4
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
    /// The kind of the change: always `setting`.
    public let kind: NSKeyValueChange
    /// The value after the change; `nil` without the option `new`.
    public let newValue: Value?
    /// The value before the change; `nil` without the option `old`.
    public let oldValue: Value?
    /// Not used on Linux: always `nil`.
    public let indexes: IndexSet?
    /// Whether this call precedes the change: always false.
    public let isPrior: Bool
}

/// An observation of a property, which ends when this object is deallocated.
public final class NSKeyValueObservation: NSObject, Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) { self.end = Mutex(end) }

    deinit { invalidate() }

    /// Ends the observation.
    public func invalidate() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}

/// A property that can be observed, and its value in a state of the object.
struct ObservedProperty<Root, State>: @unchecked Sendable {
    // Unchecked: all properties are constant, and the closures use key paths only.
    fileprivate let keyPath: PartialKeyPath<Root>
    fileprivate let value: (State) -> Any
    let differs: (State, State) -> Bool

    /// Creates a property that has changed if its values are not equal.
    init<Value: Equatable>(_ keyPath: KeyPath<Root, Value>, _ value: KeyPath<State, Value>) {
        self.init(keyPath, value) { $0[keyPath: value] != $1[keyPath: value] }
    }

    /// Creates a property that has changed if `differs` returns true.
    init<Value>(
        _ keyPath: KeyPath<Root, Value>,
        _ value: KeyPath<State, Value>,
        differs: @escaping (State, State) -> Bool
    ) {
        self.keyPath = keyPath
        self.value = { $0[keyPath: value] }
        self.differs = differs
    }
}

/// The observers of an object's properties.
///
/// All key paths have the same root type: a key path of a subclass does not equal that of its base class.
final class KeyValueObservers<Root: AnyObject & Sendable>: Sendable {
    /// The values of a property before and after a change.
    private struct Values: @unchecked Sendable {
        // Unchecked: created at the change and passed to the main queue.
        let old: Any
        let new: Any
    }

    private struct Observer: Sendable {
        let keyPath: any PartialKeyPath<Root> & Sendable
        let report: @Sendable (Root, Values) -> Void
    }

    private struct State {
        var lastID = 0
        var observers: [Int: Observer] = [:]
    }

    private let state = Mutex(State())

    /// Adds an observer, which is called on the main queue.
    func add<Value>(
        _ root: Root,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        _ options: NSKeyValueObservingOptions,
        _ handler: @escaping (Root, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observer = PropertyObserver(options, handler)
        let id = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = Observer(keyPath: keyPath) { observer.report($0, old: $1.old, new: $1.new) }
            return state.lastID
        }
        // After the observer was added, so that a change in between is reported and not missed.
        if options.contains(.initial) { observer.call(root, old: nil, new: root[keyPath: keyPath]) }
        return NSKeyValueObservation { [weak self] in
            observer.end()
            self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
        }
    }

    /// Returns the calls for all observers of changed properties, in the order in which the observers were added.
    ///
    /// It is called at the change and captures both values, because another change may occur before the main queue runs
    /// the calls. An observer that is added in between is not called.
    func reports<ObjectState>(
        of properties: [ObservedProperty<Root, ObjectState>],
        from old: ObjectState,
        to new: ObjectState
    ) -> [@Sendable (Root) -> Void] {
        let observers = state.withLock { $0.observers }
        return observers.sorted { $0.key < $1.key }.compactMap { _, observer -> (@Sendable (Root) -> Void)? in
            guard let property = properties.first(where: { $0.keyPath == observer.keyPath }) else { return nil }
            let values = Values(old: property.value(old), new: property.value(new))
            return { observer.report($0, values) }
        }
    }
}

/// An observer of one property.
private final class PropertyObserver<Root: AnyObject & Sendable, Value>: @unchecked Sendable {
    // Unchecked: the handler is called on the main queue, except for the call of `initial`.
    private let options: NSKeyValueObservingOptions
    private let handler: (Root, NSKeyValueObservedChange<Value>) -> Void
    private let hasEnded = Atomic(false)

    init(
        _ options: NSKeyValueObservingOptions,
        _ handler: @escaping (Root, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.options = options
        self.handler = handler
    }

    func end() { hasEnded.store(true, ordering: .releasing) }

    /// Calls the handler with the old and the new value.
    func report(_ root: Root, old: Any, new: Any) {
        guard let old = old as? Value, let new = new as? Value else { return }
        call(root, old: old, new: new)
    }

    /// Calls the handler, unless the observation has ended.
    func call(_ root: Root, old: Value?, new: Value) {
        guard !hasEnded.load(ordering: .acquiring) else { return }
        let change = NSKeyValueObservedChange(
            kind: .setting,
            newValue: options.contains(.new) ? new : nil,
            oldValue: options.contains(.old) ? old : nil,
            indexes: nil,
            isPrior: false
        )
        handler(root, change)
    }
}
