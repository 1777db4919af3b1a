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

/// The observers of an object's properties.
///
/// Key paths are those of one root type: a key path of a subclass is not equal to that of its base.
final class KeyValueObservers<Root: AnyObject & Sendable>: Sendable {
    /// An observer that a change concerns.
    struct Observer: Sendable {
        fileprivate let keyPath: any PartialKeyPath<Root> & Sendable
        /// Calls the observer, unless it has ended; on the main queue.
        let report: @Sendable (Root) -> Void
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
        let observer = PropertyObserver(keyPath, options, handler)
        let id = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = Observer(keyPath: keyPath) { observer.report($0) }
            return state.lastID
        }
        // After it was added: a change in between is reported, not missed.
        observer.begin(root)
        return NSKeyValueObservation { [weak self] in
            observer.end()
            self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
        }
    }

    /// Returns the observers of these properties, in the order in which they were added.
    ///
    /// To be called at the change: an observer that is added before the main queue gets to the report is not concerned.
    func observers(of keyPaths: [PartialKeyPath<Root>]) -> [Observer] {
        state.withLock { state in
            state.observers.sorted { $0.key < $1.key }.map(\.value).filter { keyPaths.contains($0.keyPath) }
        }
    }
}

/// An observer of one property.
private final class PropertyObserver<Root: AnyObject & Sendable, Value>: @unchecked Sendable {
    // Unchecked: the value is behind `lock`, and the handler is called on the main queue, but for its call with `initial`.
    private let keyPath: KeyPath<Root, Value>
    private let options: NSKeyValueObservingOptions
    private let handler: (Root, NSKeyValueObservedChange<Value>) -> Void
    private let lock = NSLock()
    private var last: Value?
    private let hasEnded = Atomic(false)

    init(
        _ keyPath: KeyPath<Root, Value>,
        _ options: NSKeyValueObservingOptions,
        _ handler: @escaping (Root, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.keyPath = keyPath
        self.options = options
        self.handler = handler
    }

    /// Reads the first value, and calls the handler with it if that is wanted.
    func begin(_ root: Root) {
        let value = root[keyPath: keyPath]
        lock.withLock { last = last ?? value }
        if options.contains(.initial) { call(root, old: nil, new: value) }
    }

    func end() { hasEnded.store(true, ordering: .releasing) }

    func report(_ root: Root) {
        guard !hasEnded.load(ordering: .acquiring) else { return }
        let new = root[keyPath: keyPath]
        let old = lock.withLock {
            defer { last = new }
            return last
        }
        call(root, old: old ?? new, new: new)
    }

    private func call(_ root: Root, old: Value?, new: Value) {
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
