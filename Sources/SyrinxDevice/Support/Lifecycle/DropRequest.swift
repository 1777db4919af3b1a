import Glibc
import Synchronization

/// A request from the control thread to a device's thread to drop queued samples between two blocks.
///
/// Both threads use it, one after the other.
struct DropRequest: ~Copyable {
    private enum State {
        static var none: UInt8 { 0 }
        static var sent: UInt8 { 1 }
        static var taken: UInt8 { 2 }
    }

    private struct Order {
        var frameCount = 0
        var change: (() -> Void)?
        var isDone = false
    }

    private let state = Atomic<UInt8>(State.none)
    // Both owned: freed in `deinit`. The control thread uses the order, except between `taken` and posting `answered`.
    private let answered = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let order = UnsafeMutablePointer.make(Order())

    init() { sem_init(answered, 0, 0) }

    deinit {
        sem_destroy(answered)
        answered.deallocate()
        order.destroy()
    }

    /// Asks the device's thread to drop frames, and waits for the result; fails if the thread does not start within 50
    /// ms.
    ///
    /// Used by the control thread, while the device's thread runs.
    /// - Parameter wake: Ends a wait of the device's thread.
    /// - Returns: Whether frames were dropped; then `change` was called on the device's thread.
    func send(atMost frameCount: Int, _ change: () -> Void, wake: () -> Void) -> Bool {
        withoutActuallyEscaping(change) { change in
            order.pointee = Order(frameCount: frameCount, change: change)
            state.store(State.sent, ordering: .releasing)
            wake()
            if !answered.waitBriefly() {
                let (isRevoked, _) = state.compareExchange(
                    expected: State.sent,
                    desired: State.none,
                    ordering: .acquiringAndReleasing
                )
                if !isRevoked { while sem_wait(answered) != 0 {} }
            }
            defer { order.pointee.change = nil }
            return order.pointee.isDone
        }
    }

    /// Calls `body` to process the current request, if there is one.
    ///
    /// Used by the device's thread.
    func answer(_ body: (_ frameCount: Int, _ change: () -> Void) -> Bool) {
        guard state.load(ordering: .relaxed) == State.sent else { return }
        let (isTaken, _) = state.compareExchange(
            expected: State.sent,
            desired: State.taken,
            ordering: .acquiringAndReleasing
        )
        guard isTaken else { return }
        process(body)
        state.store(State.none, ordering: .releasing)
        sem_post(answered)
    }

    /// Calls `body` with the order.
    ///
    /// When it returns, this thread has released `change`: `withoutActuallyEscaping` ends the process if a reference
    /// is left when the control thread continues.
    @inline(never)
    private func process(_ body: (_ frameCount: Int, _ change: () -> Void) -> Bool) {
        guard let change = order.pointee.change else { return }
        order.pointee.isDone = body(order.pointee.frameCount, change)
    }
}
