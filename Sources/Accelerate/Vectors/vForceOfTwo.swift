extension vForce {
    // MARK: Functions of two vectors

    /// Returns bases to the powers of exponents.
    public static func pow<T: vDSP_FloatingPoint>(bases: some AccelerateBuffer<T>, exponents: some AccelerateBuffer<T>)
        -> [T]
    {
        made(min(bases.count, exponents.count)) { pow(bases: bases, exponents: exponents, result: &$0) }
    }

    /// Writes bases to the powers of exponents.
    public static func pow<T: vDSP_FloatingPoint>(
        bases: some AccelerateBuffer<T>,
        exponents: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(exponents, bases, &result, vvpowf, vvpow)
    }

    /// Returns magnitudes with the signs of other elements.
    public static func copysign<T: vDSP_FloatingPoint>(
        magnitudes: some AccelerateBuffer<T>,
        signs: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(magnitudes.count, signs.count)) { copysign(magnitudes: magnitudes, signs: signs, result: &$0) }
    }

    /// Writes magnitudes with the signs of other elements.
    public static func copysign<T: vDSP_FloatingPoint>(
        magnitudes: some AccelerateBuffer<T>,
        signs: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(magnitudes, signs, &result, vvcopysignf, vvcopysign)
    }

    /// Returns the remainders of divisions, with quotients rounded to the nearest integer.
    public static func remainder<T: vDSP_FloatingPoint>(
        dividends: some AccelerateBuffer<T>,
        divisors: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(dividends.count, divisors.count)) { remainder(dividends: dividends, divisors: divisors, result: &$0) }
    }

    /// Writes the remainders of divisions, with quotients rounded to the nearest integer.
    public static func remainder<T: vDSP_FloatingPoint>(
        dividends: some AccelerateBuffer<T>,
        divisors: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(dividends, divisors, &result, vvremainderf, vvremainder)
    }

    /// Returns the remainders of divisions, with quotients rounded towards 0.
    public static func truncatingRemainder<T: vDSP_FloatingPoint>(
        dividends: some AccelerateBuffer<T>,
        divisors: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(dividends.count, divisors.count)) {
            truncatingRemainder(dividends: dividends, divisors: divisors, result: &$0)
        }
    }

    /// Writes the remainders of divisions, with quotients rounded towards 0.
    public static func truncatingRemainder<T: vDSP_FloatingPoint>(
        dividends: some AccelerateBuffer<T>,
        divisors: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(dividends, divisors, &result, vvfmodf, vvfmod)
    }

    /// Returns the angles of points, in radians.
    public static func atan2<T: vDSP_FloatingPoint>(x: some AccelerateBuffer<T>, y: some AccelerateBuffer<T>) -> [T] {
        made(min(x.count, y.count)) { atan2(x: x, y: y, result: &$0) }
    }

    /// Writes the angles of points, in radians.
    public static func atan2<T: vDSP_FloatingPoint>(
        x: some AccelerateBuffer<T>,
        y: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(y, x, &result, vvatan2f, vvatan2)
    }

    // MARK: Calls

    static func apply<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        _ result: inout some AccelerateMutableBuffer<T>,
        _ float: (UnsafeMutablePointer<Float>, UnsafePointer<Float>, UnsafePointer<Int32>) -> Void,
        _ double: (UnsafeMutablePointer<Double>, UnsafePointer<Double>, UnsafePointer<Int32>) -> Void
    ) {
        unary(vector, &result) { a, _, c, _, n in
            inPieces(n) { float(c + $0, a + $0, $1) }
        } _: { a, _, c, _, n in
            inPieces(n) { double(c + $0, a + $0, $1) }
        }
    }

    private static func apply<T: vDSP_FloatingPoint>(
        _ y: some AccelerateBuffer<T>,
        _ x: some AccelerateBuffer<T>,
        _ result: inout some AccelerateMutableBuffer<T>,
        _ float: (UnsafeMutablePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Int32>) ->
            Void,
        _ double: (UnsafeMutablePointer<Double>, UnsafePointer<Double>, UnsafePointer<Double>, UnsafePointer<Int32>) ->
            Void
    ) {
        binary(y, x, &result) { a, _, b, _, c, _, n in
            inPieces(n) { float(c + $0, a + $0, b + $0, $1) }
        } _: { a, _, b, _, c, _, n in
            inPieces(n) { double(c + $0, a + $0, b + $0, $1) }
        }
    }

    /// Calls a C function for sections short enough for its 32-bit count, with the start of each section.
    private static func inPieces(_ count: UInt, _ call: (Int, UnsafePointer<Int32>) -> Void) {
        var done = 0
        while done < Int(count) {
            var size = Int32(min(Int(count) - done, 1 << 30))
            call(done, &size)
            done += Int(size)
        }
    }
}
