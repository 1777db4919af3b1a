import CSyrinxAllocationCounter

/// Runs `body` as the render thread would be run, and returns how often it allocated or freed on this thread.
///
/// Under RealtimeSanitizer whatever else has no place there ends the process.
public func allocations(in body: () throws -> Void) rethrows -> Int {
    syrinx_allocation_reset()
    syrinx_counting_enter()
    syrinx_realtime_enter()
    defer {
        syrinx_realtime_exit()
        syrinx_counting_exit()
    }
    try body()
    return Int(syrinx_allocation_count())
}

/// Whether `body` of `allocations(in:)` runs under RealtimeSanitizer.
public var isRealtimeSanitized: Bool { syrinx_is_realtime_sanitized() }

/// Bytes that this process has allocated and not freed.
public var heapBytes: Int { Int(syrinx_heap_bytes()) }
