import Glibc
import Synchronization

/// Commands from the control thread to a device's thread: run, pause or end.
///
/// The device's thread checks for commands between blocks, without a lock. It waits on a semaphore only during a pause.
struct DeviceThreadControl: ~Copyable {
    private enum Command {
        static var run: UInt8 { 0 }
        static var hold: UInt8 { 1 }
        static var end: UInt8 { 2 }
    }

    private let wanted = Atomic<UInt8>(Command.run)
    /// Posted after each command, to wake a paused thread.
    private let commands: UnsafeMutablePointer<sem_t>
    /// Posted by the thread whenever it notices a pause.
    private let held: UnsafeMutablePointer<sem_t>

    init() {
        commands = .allocate(capacity: 1)
        held = .allocate(capacity: 1)
        sem_init(commands, 0, 0)
        sem_init(held, 0, 0)
    }

    deinit {
        sem_destroy(commands)
        sem_destroy(held)
        commands.deallocate()
        held.deallocate()
    }

    /// Whether the thread must end.
    ///
    /// Used by the device's thread.
    var isEnding: Bool { wanted.load(ordering: .acquiring) == Command.end }

    /// Whether the thread must pause.
    ///
    /// Used by the device's thread.
    var isHolding: Bool { wanted.load(ordering: .acquiring) == Command.hold }

    /// Waits until the end of a pause.
    ///
    /// Returns `false` if the thread must end. Used by the device's thread.
    func proceed() -> Bool {
        while isHolding {
            // Posted after each command, because a thread may not have noticed an earlier, immediately repeated pause.
            sem_post(held)
            sem_wait(commands)
        }
        return !isEnding
    }

    /// Pauses the thread before its next block, and waits up to 50 ms until it has paused.
    ///
    /// The render callback of an unpaced device may block for longer. Used by the control thread.
    /// - Parameter wake: Ends a wait of the device's thread.
    /// - Returns: Whether the thread has paused.
    @discardableResult
    func hold(wake: () -> Void = {}) -> Bool {
        while sem_trywait(held) == 0 {}
        wanted.store(Command.hold, ordering: .releasing)
        sem_post(commands)
        wake()
        return held.waitBriefly()
    }

    /// Ends a pause of the thread.
    ///
    /// Used by the control thread.
    func release() {
        wanted.store(Command.run, ordering: .releasing)
        sem_post(commands)
    }

    /// Ends the thread.
    ///
    /// Used by the control thread.
    func end() {
        wanted.store(Command.end, ordering: .releasing)
        sem_post(commands)
    }
}
