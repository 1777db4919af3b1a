#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Returns the factor of the amplitude for a gain in dB.
package func gain(decibels: Double) -> Double { exp(decibels * (log(10.0) / 20)) }
