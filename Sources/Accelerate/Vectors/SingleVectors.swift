extension vDSP {
    // MARK: Each element

    /// Returns the absolute values of the elements.
    public static func absolute<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { absolute(vector, result: &$0) }
    }

    /// Writes the absolute values of the elements.
    public static func absolute<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        unary(vector, &result, vDSP_vabs, vDSP_vabsD)
    }

    /// Returns the negated absolute values of the elements.
    public static func negativeAbsolute<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { negativeAbsolute(vector, result: &$0) }
    }

    /// Writes the negated absolute values of the elements.
    public static func negativeAbsolute<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        unary(vector, &result, vDSP_vnabs, vDSP_vnabsD)
    }

    /// Returns the negated elements.
    public static func negative<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { negative(vector, result: &$0) }
    }

    /// Writes the negated elements.
    public static func negative<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        unary(vector, &result, vDSP_vneg, vDSP_vnegD)
    }

    /// Returns the squares of the elements.
    public static func square<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { square(vector, result: &$0) }
    }

    /// Writes the squares of the elements.
    public static func square<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        unary(vector, &result, vDSP_vsq, vDSP_vsqD)
    }

    /// Returns the squares of the elements with their signs.
    public static func signedSquare<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { signedSquare(vector, result: &$0) }
    }

    /// Writes the squares of the elements with their signs.
    public static func signedSquare<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        unary(vector, &result, vDSP_vssq, vDSP_vssqD)
    }

    /// Returns the fractions of the elements, with their signs.
    public static func trunc<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { trunc(vector, result: &$0) }
    }

    /// Writes the fractions of the elements, with their signs.
    public static func trunc<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        unary(vector, &result, vDSP_vfrac, vDSP_vfracD)
    }

    // MARK: The greater or lesser of two

    /// Returns the greater of two elements each.
    public static func maximum<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(vectorA.count, vectorB.count)) { maximum(vectorA, vectorB, result: &$0) }
    }

    /// Writes the greater of two elements each.
    public static func maximum<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        binary(vectorA, vectorB, &result, vDSP_vmax, vDSP_vmaxD)
    }

    /// Returns the lesser of two elements each.
    public static func minimum<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>
    ) -> [T] {
        made(min(vectorA.count, vectorB.count)) { minimum(vectorA, vectorB, result: &$0) }
    }

    /// Writes the lesser of two elements each.
    public static func minimum<T: vDSP_FloatingPoint>(
        _ vectorA: some AccelerateBuffer<T>,
        _ vectorB: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        binary(vectorA, vectorB, &result, vDSP_vmin, vDSP_vminD)
    }

    // MARK: Order

    /// An order of numbers.
    public enum SortOrder: Int32, Sendable {
        /// From the least to the greatest.
        case ascending = 1
        /// From the greatest to the least.
        case descending = -1
    }

    /// Sorts a vector.
    public static func sort<T: vDSP_FloatingPoint>(
        _ vector: inout some AccelerateMutableBuffer<T>,
        sortOrder: SortOrder
    ) {
        change(&vector) {
            vDSP_vsort($0, $1, sortOrder.rawValue)
        } _: {
            vDSP_vsortD($0, $1, sortOrder.rawValue)
        }
    }

    /// Reverses the order of the elements.
    public static func reverse<T: vDSP_FloatingPoint>(_ vector: inout some AccelerateMutableBuffer<T>) {
        change(&vector) {
            vDSP_vrvrs($0, 1, $1)
        } _: {
            vDSP_vrvrsD($0, 1, $1)
        }
    }

    /// Exchanges the elements of two vectors.
    public static func swapElements<T: vDSP_FloatingPoint>(
        _ vectorA: inout some AccelerateMutableBuffer<T>,
        _ vectorB: inout some AccelerateMutableBuffer<T>
    ) {
        vectorB.withUnsafeMutableBufferPointer { b in
            guard let other = b.baseAddress else { return }
            let count = UInt(b.count)
            change(&vectorA) {
                vDSP_vswap($0, 1, other.of(Float.self), 1, min($1, count))
            } _: {
                vDSP_vswapD($0, 1, other.of(Double.self), 1, min($1, count))
            }
        }
    }

    // MARK: Scale

    /// Returns the elements less their mean, divided by their standard deviation.
    public static func normalize<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> [T] {
        made(vector.count) { normalize(vector, result: &$0) }
    }

    /// Writes the elements less their mean, divided by their standard deviation.
    public static func normalize<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        var (mean, deviation): (Float, Float) = (0, 0)
        var (meanD, deviationD): (Double, Double) = (0, 0)
        unary(vector, &result) {
            vDSP_normalize($0, $1, $2, $3, &mean, &deviation, $4)
        } _: {
            vDSP_normalizeD($0, $1, $2, $3, &meanD, &deviationD, $4)
        }
    }

    // MARK: Crossings

    /// Returns the number of changes of sign.
    public static func countZeroCrossings<T: vDSP_FloatingPoint>(_ vector: some AccelerateBuffer<T>) -> UInt {
        var (place, count): (UInt, UInt) = (0, 0)
        vector.withUnsafeBufferPointer { vector in
            guard let start = vector.baseAddress else { return }
            let n = UInt(vector.count)
            choose(T.self) {
                vDSP_nzcros(start.of(Float.self), 1, n, &place, &count, n)
            } double: {
                vDSP_nzcrosD(start.of(Double.self), 1, n, &place, &count, n)
            }
        }
        return count
    }
}
