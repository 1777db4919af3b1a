import Glibc
import Synchronization

/// The commands from the control thread to a device's own thread: run, hold still, or end.
///
/// The thread looks at it between two blocks and takes no lock; it sleeps on a semaphore only while it is held.
struct DeviceThreadControl: ~Copyable {
    private enum Command {
        static var run: UInt8 { 0 }
        static var hold: UInt8 { 1 }
        static var end: UInt8 { 2 }
    }

    private let wanted = Atomic<UInt8>(Command.run)
    /// Posted after each command, so that a held thread looks again.
    private let commands: UnsafeMutablePointer<sem_t>
    /// Posted by the thread each time that it finds that it has to hold still.
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

    /// Whether the thread has to end.
    ///
    /// The device's thread.
    var isEnding: Bool { wanted.load(ordering: .acquiring) == Command.end }

    /// Whether the thread is to hold still.
    ///
    /// The device's thread.
    var isHolding: Bool { wanted.load(ordering: .acquiring) == Command.hold }

    /// Sleeps while the thread is held.
    ///
    /// Returns whether to go on; `false` means end. The device's thread.
    func proceed() -> Bool {
        while isHolding {
            // Again after each command: one that follows another at once finds a thread that has not moved.
            sem_post(held)
            sem_wait(commands)
        }
        return !isEnding
    }

    /// Makes the thread hold before its next block, and waits until it does, at most 50 ms: a render callback of an
    /// unpaced device may block for longer than a control thread can wait.
    ///
    /// The control thread.
    /// - Parameter wake: Ends what the thread may be waiting for.
    /// - Returns: Whether the thread holds still.
    @discardableResult
    func hold(wake: () -> Void = {}) -> Bool {
        while sem_trywait(held) == 0 {}
        wanted.store(Command.hold, ordering: .releasing)
        sem_post(commands)
        wake()
        return held.waitBriefly()
    }

    /// Lets a held thread go on.
    ///
    /// The control thread.
    func release() {
        wanted.store(Command.run, ordering: .releasing)
        sem_post(commands)
    }

    /// Tells the thread to end.
    ///
    /// The control thread.
    func end() {
        wanted.store(Command.end, ordering: .releasing)
        sem_post(commands)
    }
}
