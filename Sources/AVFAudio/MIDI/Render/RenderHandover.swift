import Synchronization

/// An object that the render thread owns for a time.
class RenderOwned: @unchecked Sendable {
    // Unchecked: only the current owner accesses it: the giver, the render thread, or finally the collector.
    @exclusivity(unchecked) fileprivate final var next: UnsafeMutableRawPointer?
}

/// Passes objects to the render thread and takes back used ones, without a lock.
///
/// An object that is replaced before the render thread has taken it is freed at once.
struct RenderHandover: ~Copyable, @unchecked Sendable {
    // Unchecked: both members are atomics, and they point to `RenderOwned` objects.
    private let incoming = Atomic<UnsafeMutableRawPointer?>(nil)
    /// The objects that the render thread is done with, each of which points to the next.
    private let outgoing = Atomic<UnsafeMutableRawPointer?>(nil)

    deinit {
        if let raw = incoming.load(ordering: .acquiring) { Unmanaged<RenderOwned>.fromOpaque(raw).release() }
        collect()
    }

    /// Offers an object to the render thread, and frees an older one that was not taken.
    ///
    /// Do not call it on the render thread.
    func give(_ object: RenderOwned) {
        let raw = Unmanaged.passRetained(object).toOpaque()
        if let old = incoming.exchange(raw, ordering: .acquiringAndReleasing) {
            Unmanaged<RenderOwned>.fromOpaque(old).release()
        }
        collect()
    }

    /// Frees the objects that the render thread has returned.
    ///
    /// Do not call it on the render thread.
    func collect() {
        var next = outgoing.exchange(nil, ordering: .acquiringAndReleasing)
        while let raw = next {
            let object = Unmanaged<RenderOwned>.fromOpaque(raw).takeRetainedValue()
            next = object.next
        }
    }

    /// Returns the most recently offered object; `nil` if it was already taken.
    @_noLocks @_noAllocation
    func take() -> UnsafeMutableRawPointer? {
        // Reading first spares most blocks the exchange.
        guard let waiting = incoming.load(ordering: .relaxed) else { return nil }
        _ = waiting
        return incoming.exchange(nil, ordering: .acquiringAndReleasing)
    }

    /// Returns an object that was taken.
    @_noLocks @_noAllocation
    func giveBack(_ raw: UnsafeMutableRawPointer) {
        var head = outgoing.load(ordering: .relaxed)
        while true {
            Unmanaged<RenderOwned>.fromOpaque(raw)._withUnsafeGuaranteedRef { $0.next = head }
            let (isDone, found) = push(raw, head)
            if isDone { return }
            head = found
        }
    }

    @_noLocks @_noAllocation
    private func push(
        _ raw: UnsafeMutableRawPointer,
        _ head: UnsafeMutableRawPointer?
    ) -> (exchanged: Bool, original: UnsafeMutableRawPointer?) {
        outgoing.compareExchange(expected: head, desired: raw, ordering: .acquiringAndReleasing)
    }
}
