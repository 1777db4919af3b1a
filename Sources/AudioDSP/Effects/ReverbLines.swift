#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The lengths of the sixteen delay lines.
enum ReverbLines {
    static let count = 16
    /// The shortest and the longest line as parts of the mean.
    private static let shortestFactor = 0.45
    static let longestFactor = 1.7

    /// Sets the lengths in frames: spread evenly on a logarithmic scale, each a prime of its own.
    static func fill(_ lengths: UnsafeMutablePointer<Int>, size: Double, sampleRate: Double) {
        var last = 2
        for index in 0..<count {
            let share = Double(index) / Double(count - 1)
            let factor = shortestFactor * exp(log(longestFactor / shortestFactor) * share)
            var length = max(last + 1, Int((size * factor * sampleRate).rounded()))
            while !isPrime(length) { length += 1 }
            lengths[index] = length
            last = length
        }
    }

    private static func isPrime(_ number: Int) -> Bool {
        if number < 4 { return number > 1 }
        if number % 2 == 0 { return false }
        var divisor = 3
        while divisor * divisor <= number {
            if number % divisor == 0 { return false }
            divisor += 2
        }
        return true
    }
}
