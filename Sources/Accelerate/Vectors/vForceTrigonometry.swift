extension vForce {
    // MARK: Trigonometry

    /// Returns the sines of the elements, in radians.
    public static func sin<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { sin(vector, result: &$0) }
    }

    /// Writes the sines of the elements, in radians.
    public static func sin<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvsinf, vvsin)
    }

    /// Returns the cosines of the elements, in radians.
    public static func cos<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { cos(vector, result: &$0) }
    }

    /// Writes the cosines of the elements, in radians.
    public static func cos<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvcosf, vvcos)
    }

    /// Returns the tangents of the elements, in radians.
    public static func tan<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { tan(vector, result: &$0) }
    }

    /// Writes the tangents of the elements, in radians.
    public static func tan<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvtanf, vvtan)
    }

    /// Returns the arc sines of the elements.
    public static func asin<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { asin(vector, result: &$0) }
    }

    /// Writes the arc sines of the elements.
    public static func asin<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvasinf, vvasin)
    }

    /// Returns the arc cosines of the elements.
    public static func acos<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { acos(vector, result: &$0) }
    }

    /// Writes the arc cosines of the elements.
    public static func acos<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvacosf, vvacos)
    }

    /// Returns the arc tangents of the elements.
    public static func atan<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { atan(vector, result: &$0) }
    }

    /// Writes the arc tangents of the elements.
    public static func atan<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvatanf, vvatan)
    }

    /// Returns the hyperbolic sines of the elements.
    public static func sinh<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { sinh(vector, result: &$0) }
    }

    /// Writes the hyperbolic sines of the elements.
    public static func sinh<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvsinhf, vvsinh)
    }

    /// Returns the hyperbolic cosines of the elements.
    public static func cosh<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { cosh(vector, result: &$0) }
    }

    /// Writes the hyperbolic cosines of the elements.
    public static func cosh<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvcoshf, vvcosh)
    }

    /// Returns the hyperbolic tangents of the elements.
    public static func tanh<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { tanh(vector, result: &$0) }
    }

    /// Writes the hyperbolic tangents of the elements.
    public static func tanh<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvtanhf, vvtanh)
    }

    /// Returns the inverse hyperbolic sines of the elements.
    public static func asinh<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { asinh(vector, result: &$0) }
    }

    /// Writes the inverse hyperbolic sines of the elements.
    public static func asinh<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvasinhf, vvasinh)
    }

    /// Returns the inverse hyperbolic cosines of the elements.
    public static func acosh<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { acosh(vector, result: &$0) }
    }

    /// Writes the inverse hyperbolic cosines of the elements.
    public static func acosh<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvacoshf, vvacosh)
    }

    /// Returns the inverse hyperbolic tangents of the elements.
    public static func atanh<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { atanh(vector, result: &$0) }
    }

    /// Writes the inverse hyperbolic tangents of the elements.
    public static func atanh<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        apply(vector, &result, vvatanhf, vvatanh)
    }

    /// Writes the sines and cosines of the elements, in radians.
    public static func sincos<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        sinResult: inout some AccelerateMutableBuffer<T>,
        cosResult: inout some AccelerateMutableBuffer<T>
    ) {
        sin(vector, result: &sinResult)
        cos(vector, result: &cosResult)
    }
}
