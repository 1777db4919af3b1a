#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The growth of the cost of some work when its size doubles.
public enum Growth {
    /// The largest factor that is taken for linear growth: linear work gives 2, quadratic work 4.
    public static let linear = 3.0

    /// Returns the processor time of the calling thread at twice the size, divided by that at the size.
    ///
    /// Each time is the least of several. A busy machine does not change it.
    /// - Parameters:
    ///   - size: A size at which the work takes some milliseconds.
    ///   - attempts: The number of timings of each size.
    ///   - work: Does the work of a size, on the calling thread.
    public static func ofTime(from size: Int, attempts: Int = 5, _ work: (Int) throws -> Void) rethrows -> Double {
        var least = [Double.infinity, Double.infinity]
        for _ in 0..<attempts {
            for (index, size) in [size, 2 * size].enumerated() {
                let begin = threadSeconds
                try work(size)
                least[index] = min(least[index], threadSeconds - begin)
            }
        }
        return least[1] / max(least[0], 1e-9)
    }

    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
