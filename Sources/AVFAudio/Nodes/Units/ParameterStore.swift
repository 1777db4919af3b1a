import Synchronization

/// The values of a unit's parameters: set by any thread, read by the render thread.
final class ParameterStore: Sendable {
    /// A parameter: its range and its default.
    struct Description: Sendable {
        let range: ClosedRange<Float>
        let initial: Float
    }

    private let descriptions: [Description]
    nonisolated(unsafe) private let values: UnsafeMutablePointer<Atomic<Float>>
    // Unsafe: the pointer is a constant, and what it points to is atomic.

    init(_ descriptions: [Description]) {
        self.descriptions = descriptions
        values = .allocate(capacity: max(descriptions.count, 1))
        for (index, description) in descriptions.enumerated() {
            (values + index).initialize(to: Atomic(description.initial))
        }
    }

    deinit {
        values.deinitialize(count: descriptions.count)
        values.deallocate()
    }

    var count: Int { descriptions.count }

    /// The value of a parameter.
    @_noLocks @_noAllocation
    func value(_ index: Int) -> Float { values[index].load(ordering: .relaxed) }

    /// Sets a parameter; values out of its range are clamped, and NaN is its default.
    func set(_ index: Int, to value: Float) {
        let description = descriptions[index]
        let clamped =
            value.isNaN ? description.initial : min(max(value, description.range.lowerBound), description.range.upperBound)
        values[index].store(clamped, ordering: .relaxed)
    }
}
