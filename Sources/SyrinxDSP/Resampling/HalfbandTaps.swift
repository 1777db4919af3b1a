#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The filters that give the values halfway between samples.
enum HalfbandTaps {
    /// Returns the factors of the samples ½, 1½, 2½ … away on both sides.
    ///
    /// They are nearest to an interpolation without error, by least squares, for angular frequencies up to `edge` a
    /// sample.
    ///
    /// The response is Σ 2 cₖ cos((k + ½) ω); the integrals of the products of its terms are sums of sines.
    static func leastSquares(count: Int, edge: Double) -> [Double] {
        func integral(_ n: Int) -> Double { n == 0 ? edge : sin(Double(n) * edge) / Double(n) }
        var rows = (0..<count).map { row -> [Double] in
            let middle = Double(row) + 0.5
            return (0..<count).map { integral(row - $0) + integral(row + $0 + 1) } + [sin(middle * edge) / middle]
        }
        // Positive definite, so that elimination needs no other pivots.
        for pivot in 0..<count {
            for row in 0..<count where row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        return (0..<count).map { rows[$0][count] / rows[$0][$0] }
    }

    /// Returns the factors of the samples ½, 1½, 2½ … away on both sides: a sinc under a window of Kaiser's.
    static func kaiser(count: Int, beta: Double) -> [Double] {
        (0..<count).map { index in
            let x = Double(index) + 0.5
            let place = x / Double(count)
            let window = SincTable.bessel(beta * (1 - place * place).squareRoot()) / SincTable.bessel(beta)
            return sin(Double.pi * x) / (Double.pi * x) * window
        }
    }
}
