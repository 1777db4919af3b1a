/// Mathematical functions of vectors, with the interface of Apple's Accelerate.
///
/// Each function accepts arrays, array slices or pointers, with elements of type `Float` or `Double`. One form returns
/// an array, and the other writes to `result`, which may also be an argument. If lengths differ, the shortest is used.
///
/// ```swift
/// let phases: [Float] = vDSP.ramp(withInitialValue: 0, increment: 0.1, count: 1000)
/// let sine = vForce.sin(phases)
/// ```
public enum vForce {}

extension vForce {
    // MARK: Rounding, roots and powers

    /// Returns the least whole numbers not below the elements.
    public static func ceil<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { ceil(vector, result: &$0) }
    }

    /// Writes the least whole numbers not below the elements.
    public static func ceil<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvceilf, vvceil)
    }

    /// Returns the greatest whole numbers not above the elements.
    public static func floor<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { floor(vector, result: &$0) }
    }

    /// Writes the greatest whole numbers not above the elements.
    public static func floor<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvfloorf, vvfloor)
    }

    /// Returns the elements without their fractions.
    public static func trunc<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { trunc(vector, result: &$0) }
    }

    /// Writes the elements without their fractions.
    public static func trunc<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvintf, vvint)
    }

    /// Returns the nearest whole numbers, the even ones of two.
    public static func nearestInteger<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { nearestInteger(vector, result: &$0) }
    }

    /// Writes the nearest whole numbers, the even ones of two.
    public static func nearestInteger<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvnintf, vvnint)
    }

    /// Returns the square roots of the elements.
    public static func sqrt<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { sqrt(vector, result: &$0) }
    }

    /// Writes the square roots of the elements.
    public static func sqrt<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvsqrtf, vvsqrt)
    }

    /// Returns the reciprocals of the square roots of the elements.
    public static func rsqrt<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { rsqrt(vector, result: &$0) }
    }

    /// Writes the reciprocals of the square roots of the elements.
    public static func rsqrt<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvrsqrtf, vvrsqrt)
    }

    /// Returns the reciprocals of the elements.
    public static func reciprocal<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { reciprocal(vector, result: &$0) }
    }

    /// Writes the reciprocals of the elements.
    public static func reciprocal<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvrecf, vvrec)
    }

    /// Returns e to the powers of the elements.
    public static func exp<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { exp(vector, result: &$0) }
    }

    /// Writes e to the powers of the elements.
    public static func exp<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvexpf, vvexp)
    }

    /// Returns `eˣ − 1` for each element `x`.
    public static func expm1<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { expm1(vector, result: &$0) }
    }

    /// Writes `eˣ − 1` for each element `x`.
    public static func expm1<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvexpm1f, vvexpm1)
    }

    /// Returns `2ˣ` for each element `x`.
    public static func exp2<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { exp2(vector, result: &$0) }
    }

    /// Writes `2ˣ` for each element `x`.
    public static func exp2<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvexp2f, vvexp2)
    }

    /// Returns the natural logarithms of the elements.
    public static func log<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { log(vector, result: &$0) }
    }

    /// Writes the natural logarithms of the elements.
    public static func log<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvlogf, vvlog)
    }

    /// Returns the logarithms of the elements to base 2.
    public static func log2<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { log2(vector, result: &$0) }
    }

    /// Writes the logarithms of the elements to base 2.
    public static func log2<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvlog2f, vvlog2)
    }

    /// Returns the logarithms of the elements to base 10.
    public static func log10<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { log10(vector, result: &$0) }
    }

    /// Writes the logarithms of the elements to base 10.
    public static func log10<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvlog10f, vvlog10)
    }

    /// Returns the natural logarithms of the elements plus 1.
    public static func log1p<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { log1p(vector, result: &$0) }
    }

    /// Writes the natural logarithms of the elements plus 1.
    public static func log1p<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvlog1pf, vvlog1p)
    }

    /// Returns the exponents of the elements to base 2.
    public static func logb<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { logb(vector, result: &$0) }
    }

    /// Writes the exponents of the elements to base 2.
    public static func logb<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvlogbf, vvlogb)
    }
}
