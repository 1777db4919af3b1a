import CAllocationCounter

/// Runs `body` as the render thread would be run, and returns how often it allocated or freed on this thread.
public func allocations(in body: () throws -> Void) rethrows -> Int {
    syrinx_allocation_reset()
    syrinx_realtime_enter()
    defer { syrinx_realtime_exit() }
    try body()
    return Int(syrinx_allocation_count())
}
