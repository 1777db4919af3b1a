import Glibc
import Synchronization

/// A request from the control thread to a device's own thread, which drops unheard samples between two blocks.
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
    // Both owned: freed in `deinit`. The order is the control thread's, but from `taken` on until `answered` is posted.
    private let answered = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let order = UnsafeMutablePointer.make(Order())

    init() { sem_init(answered, 0, 0) }

    deinit {
        sem_destroy(answered)
        answered.deallocate()
        order.destroy()
    }

    /// Has the device's thread do it, and waits until it is done, or has not been begun for 50 ms.
    ///
    /// The control thread, while the device's thread runs.
    /// - Parameter wake: Ends what the thread may be waiting for.
    /// - Returns: Whether frames were dropped; `change` was called on the device's thread then, and else not at all.
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

    /// Has `body` do what is asked for, if something is.
    ///
    /// The device's thread.
    func answer(_ body: (_ frameCount: Int, _ change: () -> Void) -> Bool) {
        guard state.load(ordering: .relaxed) == State.sent else { return }
        let (isTaken, _) = state.compareExchange(
            expected: State.sent,
            desired: State.taken,
            ordering: .acquiringAndReleasing
        )
        guard isTaken, let change = order.pointee.change else { return }
        order.pointee.isDone = body(order.pointee.frameCount, change)
        state.store(State.none, ordering: .releasing)
        sem_post(answered)
    }
}
