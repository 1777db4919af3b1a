import CoreAudioTypes
import Foundation
import Glibc
import Synchronization
import Testing

/// A number behind a lock that C has.
private final class LockedNumber: @unchecked Sendable {
    // Unchecked: the number is behind the lock, which has an address of its own.
    let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
    var number = 0

    init() { lock.initialize(to: os_unfair_lock()) }

    deinit { lock.deallocate() }

    func add(_ count: Int) {
        for round in 0..<count {
            os_unfair_lock_lock(lock)
            let old = number
            // So that others come to wait.
            if round.isMultiple(of: 50) { sched_yield() }
            number = old + 1
            os_unfair_lock_unlock(lock)
        }
    }
}

/// Runs functions on threads of their own, and waits for them.
private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        Thread {
            body(index)
            group.leave()
        }
        .start()
    }
    group.wait()
}

@Suite("Unfair locks") struct UnfairLockTests {
    @Test("Threads that change a number behind a lock lose no change")
    func excludes() {
        let number = LockedNumber()
        onThreads(4) { _ in number.add(20_000) }
        #expect(number.number == 80_000)
        #expect(number.lock.pointee._os_unfair_lock_opaque == 0)
    }

    @Test("A lock that another thread has is not taken, and one that is given back is")
    func tries() {
        let number = LockedNumber()
        let tries = Mutex<[Bool]>([])
        os_unfair_lock_lock(number.lock)
        os_unfair_lock_assert_owner(number.lock)
        onThreads(1) { _ in
            os_unfair_lock_assert_not_owner(number.lock)
            tries.withLock { $0.append(os_unfair_lock_trylock(number.lock)) }
        }
        os_unfair_lock_unlock(number.lock)
        onThreads(1) { _ in
            let isTaken = os_unfair_lock_trylock(number.lock)
            if isTaken { os_unfair_lock_unlock(number.lock) }
            tries.withLock { $0.append(isTaken) }
        }
        #expect(tries.withLock { $0 } == [false, true])
    }
}
