#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Formats numbers for display.
enum FloatText {
    static func logarithm(_ value: Double) -> Double { log(value) }
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

    /// Rounds to three significant digits, so that steps result in round values.
    static func rounded(_ value: Double) -> Double {
        guard value.isFinite, value != 0 else { return 0 }
        let scale = pow(10, 2 - floor(log10(abs(value))))
        guard scale.isFinite, scale > 0 else { return value }
        return (value * scale).rounded() / scale
    }

    /// Returns the number with up to `decimals` decimals, without trailing zeros.
    static func text(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return "–" }
        let scale = pow(10, Double(decimals))
        let scaled = min(max((value * scale).rounded(), -1e15), 1e15)
        let whole = Int(abs(scaled))
        let divisor = Int(scale)
        var text = String(whole / divisor)
        if decimals > 0 {
            let digits = String(whole % divisor)
            var fraction = String(repeating: "0", count: decimals - digits.count) + digits
            while fraction.last == "0" { fraction.removeLast() }
            if !fraction.isEmpty { text += "." + fraction }
        }
        return scaled < 0 ? "−" + text : text
    }

    /// Returns the number with about three significant digits.
    static func text(_ value: Double) -> String {
        let size = abs(value)
        return text(value, decimals: size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4)
    }
}
