import CSyrinxAllocationCounter

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The growth of the cost of some work when its size doubles.
public struct Growth: CustomStringConvertible {
    /// The processor time of the calling thread at twice the size, divided by that at the size.
    ///
    /// Each time is the least of several. A busy machine does not change it.
    public let time: Double
    /// The most memory that the calling thread holds at twice the size, divided by that at the size.
    public let memory: Double

    /// Whether time and memory grow in proportion to the size at most.
    ///
    /// Linear work has a factor of 2, quadratic work one of 4.
    public var isLinear: Bool { time < 3 && memory < 3 }

    public var description: String { "time × \(time), memory × \(memory)" }

    /// Measures `work` at a size and at twice the size.
    /// - Parameters:
    ///   - size: A size at which the work takes some milliseconds.
    ///   - attempts: The number of timings of each size.
    ///   - work: Does the work of a size, on the calling thread.
    public init(from size: Int, attempts: Int = 5, _ work: (Int) throws -> Void) rethrows {
        var seconds = [Double.infinity, Double.infinity]
        var bytes = [Int64.max, Int64.max]
        for _ in 0..<attempts {
            for (index, size) in [size, 2 * size].enumerated() {
                let begin = Self.threadSeconds
                syrinx_memory_begin()
                defer { bytes[index] = min(bytes[index], syrinx_memory_end()) }
                try work(size)
                seconds[index] = min(seconds[index], Self.threadSeconds - begin)
            }
        }
        time = seconds[1] / max(seconds[0], 1e-9)
        memory = Double(bytes[1]) / Double(max(bytes[0], 1))
    }

    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
