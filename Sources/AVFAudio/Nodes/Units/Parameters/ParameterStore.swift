import Synchronization

/// The values of a unit's parameters: set by any thread, read by the render thread.
///
/// The properties of the unit, its parameter tree and the calls of Core Audio all read and write it.
package final class ParameterStore: Sendable {
    /// A function that receives the index and the new value of a changed parameter.
    typealias Observer = @Sendable (Int, Float) -> Void

    /// Access to values outside the store.
    struct Bridge: Sendable {
        let get: @Sendable (Int) -> Float
        let set: @Sendable (Int, Float) -> Void
    }

    private let bridge: Bridge?
    /// The changes that are scheduled to a sample time; addresses are indices of parameters.
    let events = UnitEventQueue()
    let parameters: [UnitParameter]
    private let indices: [UInt64: Int]
    private let observer = Mutex<Observer?>(nil)
    /// The number of the factory preset, or −1.
    let preset = Atomic<Int>(-1)
    /// The number of starts and ends of preset loads: odd while a preset is loading.
    let loads = Atomic<Int>(0)
    nonisolated(unsafe) private let values: UnsafeMutablePointer<Atomic<Float>>
    // Unsafe: the pointer never changes, and its target is atomic.

    /// Creates a store with the default values.
    /// - Parameters:
    ///   - parameters: The descriptions, with unique addresses.
    ///   - bridge: The access to the values if they are outside the store. Kernels then read them there.
    init(_ parameters: [UnitParameter], bridge: Bridge? = nil) {
        self.bridge = bridge
        self.parameters = parameters
        indices = Dictionary(
            parameters.enumerated().map { ($1.address, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        values = .allocate(capacity: max(parameters.count, 1))
        for (index, parameter) in parameters.enumerated() {
            (values + index).initialize(to: Atomic(parameter.initial))
        }
    }

    deinit {
        values.deinitialize(count: parameters.count)
        values.deallocate()
    }

    /// Whether the values are outside the store.
    var isBridged: Bool { bridge != nil }

    /// Returns the value of a parameter from the store or through the bridge.
    func currentValue(_ index: Int) -> Float { bridge?.get(index) ?? value(index) }

    /// The value of a parameter in the store.
    @_noLocks @_noAllocation
    func value(_ index: Int) -> Float { values[index].load(ordering: .relaxed) }

    /// Sets a parameter; values out of its range are clamped, and NaN is its default.
    func set(_ index: Int, to value: Float, tellsObserver: Bool = true) {
        let clamped = parameters[index].clamped(value)
        let old = currentValue(index)
        if let bridge { bridge.set(index, clamped) } else { values[index].store(clamped, ordering: .relaxed) }
        if tellsObserver, old != clamped { observer.withLock { $0 }?(index, clamped) }
    }

    /// Notifies the observer of a value that was set outside the store.
    func tellObserver(of index: Int) { observer.withLock { $0 }?(index, currentValue(index)) }

    /// Sets a meter, or a scheduled value, on the render thread, without a call of the observer.
    @_noLocks @_noAllocation
    func publish(_ index: Int, _ value: Float) { values[index].store(value, ordering: .relaxed) }

    /// Returns the index of the parameter with an address.
    func index(ofAddress address: UInt64) -> Int? { indices[address] }

    /// Sets the observer of all changes, called on the thread that makes them.
    func observe(_ newObserver: @escaping Observer) { observer.withLock { $0 = newObserver } }
}
