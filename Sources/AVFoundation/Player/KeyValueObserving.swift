public import Foundation
internal import Synchronization

/// The values that an observer gets, and whether it is called at once.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Options of these bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The observer gets the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The observer gets the old value.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// The observer is called once at the start, with the value there is.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// Accepted for programs that name it; nothing is called before a change.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kind of a change.
public enum NSKeyValueChange: UInt, Sendable {
    /// The property has another value.
    case setting = 1
    /// Not used here: elements of a collection were inserted.
    case insertion = 2
    /// Not used here: elements of a collection were removed.
    case removal = 3
    /// Not used here: elements of a collection were replaced.
    case replacement = 4
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
    /// The kind of the change: `setting`.
    public let kind: NSKeyValueChange
    /// The value after the change, with the option `new`.
    public let newValue: Value?
    /// The value before the change, with the option `old`.
    public let oldValue: Value?
    /// Not used here.
    public let indexes: IndexSet?
    /// Whether the change is still to come: false.
    public let isPrior: Bool
}

/// An observation of a property, which ends with this object.
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

/// A property that observers can name, and its value in a state of the object.
struct ObservedProperty<Root, State>: @unchecked Sendable {
    // Unchecked: all of it is constant, and the closures use nothing but key paths.
    fileprivate let keyPath: PartialKeyPath<Root>
    fileprivate let value: (State) -> Any
    let differs: (State, State) -> Bool

    /// A property that changes when its value is not equal to the one before.
    init<Value: Equatable>(_ keyPath: KeyPath<Root, Value>, _ value: KeyPath<State, Value>) {
        self.init(keyPath, value) { $0[keyPath: value] != $1[keyPath: value] }
    }

    /// A property that changes when `differs` says so.
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
/// Key paths are those of one root type: a key path of a subclass is not equal to that of its base.
final class KeyValueObservers<Root: AnyObject & Sendable>: Sendable {
    /// The values of a property before and after a change.
    private struct Values: @unchecked Sendable {
        // Unchecked: it is made at the change and handed to the main queue.
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
        // After it was added: a change in between is reported, not missed.
        if options.contains(.initial) { observer.call(root, old: nil, new: root[keyPath: keyPath]) }
        return NSKeyValueObservation { [weak self] in
            observer.end()
            self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
        }
    }

    /// Returns a call to each observer of properties that have changed, in the order in which they were added.
    ///
    /// Made at the change, with the values before and after it: another change may come before the main queue gets to the calls,
    /// and an observer that is added in between is not concerned.
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
    // Unchecked: the handler is called on the main queue, but for its call with `initial`.
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

    /// Calls the handler with values of the property.
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
