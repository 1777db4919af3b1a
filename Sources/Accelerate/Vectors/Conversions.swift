/// The integers that functions of `vDSP` convert: signed and unsigned, of 8, 16 and 32 bits.
///
/// Other types must not conform.
public protocol vDSP_IntegerConvertable: FixedWidthInteger, Sendable {}

extension Int8: vDSP_IntegerConvertable {}
extension Int16: vDSP_IntegerConvertable {}
extension Int32: vDSP_IntegerConvertable {}
extension UInt8: vDSP_IntegerConvertable {}
extension UInt16: vDSP_IntegerConvertable {}
extension UInt32: vDSP_IntegerConvertable {}

extension vDSP {
    /// The way in which a number becomes an integer.
    public enum RoundingMode: Sendable {
        /// Without its fraction.
        case towardZero
        /// To the nearest integer, the even one of two.
        case towardNearestInteger
    }

    // MARK: Float and Double

    /// Writes Floats as Doubles.
    public static func convertElements(
        of source: some AccelerateBuffer<Float>,
        to destination: inout some AccelerateMutableBuffer<Double>
    ) {
        access(source, &destination) { vDSP_vspdp($0, 1, $1, 1, $2) }
    }

    /// Writes Doubles as the nearest Floats.
    public static func convertElements(
        of source: some AccelerateBuffer<Double>,
        to destination: inout some AccelerateMutableBuffer<Float>
    ) {
        access(source, &destination) { vDSP_vdpsp($0, 1, $1, 1, $2) }
    }

    /// Returns Floats as Doubles.
    public static func floatToDouble(_ source: some AccelerateBuffer<Float>) -> [Double] {
        made(source.count) { convertElements(of: source, to: &$0) }
    }

    /// Returns Doubles as the nearest Floats.
    public static func doubleToFloat(_ source: some AccelerateBuffer<Double>) -> [Float] {
        made(source.count) { convertElements(of: source, to: &$0) }
    }

    // MARK: Integers to floating point

    /// Writes integers as Floats or Doubles.
    public static func convertElements<I: vDSP_IntegerConvertable, T: vDSP_FloatingPoint>(
        of source: some AccelerateBuffer<I>,
        to destination: inout some AccelerateMutableBuffer<T>
    ) {
        access(source, &destination) { source, destination, n in
            if I.self == Int8.self {
                convertIntegers(source, Int8.self, destination, n, vDSP_vflt8, vDSP_vflt8D)
            } else if I.self == Int16.self {
                convertIntegers(source, Int16.self, destination, n, vDSP_vflt16, vDSP_vflt16D)
            } else if I.self == Int32.self {
                convertIntegers(source, Int32.self, destination, n, vDSP_vflt32, vDSP_vflt32D)
            } else if I.self == UInt8.self {
                convertIntegers(source, UInt8.self, destination, n, vDSP_vfltu8, vDSP_vfltu8D)
            } else if I.self == UInt16.self {
                convertIntegers(source, UInt16.self, destination, n, vDSP_vfltu16, vDSP_vfltu16D)
            } else if I.self == UInt32.self {
                convertIntegers(source, UInt32.self, destination, n, vDSP_vfltu32, vDSP_vfltu32D)
            }
        }
    }

    /// Returns integers as Floats or Doubles.
    public static func integerToFloatingPoint<I: vDSP_IntegerConvertable, T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<I>,
        floatingPointType: T.Type
    ) -> [T] {
        made(vector.count) { convertElements(of: vector, to: &$0) }
    }

    // MARK: Floating point to integers

    /// Writes `Float` or `Double` values as integers.
    ///
    /// Values out of range become the nearest representable integer, and NaN becomes 0.
    public static func convertElements<T: vDSP_FloatingPoint, I: vDSP_IntegerConvertable>(
        of source: some AccelerateBuffer<T>,
        to destination: inout some AccelerateMutableBuffer<I>,
        rounding: RoundingMode
    ) {
        let nearest = rounding == .towardNearestInteger
        access(source, &destination) { source, destination, n in
            if I.self == Int8.self {
                convertNumbers(
                    source,
                    destination,
                    Int8.self,
                    n,
                    nearest ? vDSP_vfixr8 : vDSP_vfix8,
                    nearest ? vDSP_vfixr8D : vDSP_vfix8D
                )
            } else if I.self == Int16.self {
                convertNumbers(
                    source,
                    destination,
                    Int16.self,
                    n,
                    nearest ? vDSP_vfixr16 : vDSP_vfix16,
                    nearest ? vDSP_vfixr16D : vDSP_vfix16D
                )
            } else if I.self == Int32.self {
                convertNumbers(
                    source,
                    destination,
                    Int32.self,
                    n,
                    nearest ? vDSP_vfixr32 : vDSP_vfix32,
                    nearest ? vDSP_vfixr32D : vDSP_vfix32D
                )
            } else if I.self == UInt8.self {
                convertNumbers(
                    source,
                    destination,
                    UInt8.self,
                    n,
                    nearest ? vDSP_vfixru8 : vDSP_vfixu8,
                    nearest ? vDSP_vfixru8D : vDSP_vfixu8D
                )
            } else if I.self == UInt16.self {
                convertNumbers(
                    source,
                    destination,
                    UInt16.self,
                    n,
                    nearest ? vDSP_vfixru16 : vDSP_vfixu16,
                    nearest ? vDSP_vfixru16D : vDSP_vfixu16D
                )
            } else if I.self == UInt32.self {
                convertNumbers(
                    source,
                    destination,
                    UInt32.self,
                    n,
                    nearest ? vDSP_vfixru32 : vDSP_vfixu32,
                    nearest ? vDSP_vfixru32D : vDSP_vfixu32D
                )
            }
        }
    }

    /// Returns `Float` or `Double` values as integers.
    ///
    /// Values out of range become the nearest representable integer, and NaN becomes 0.
    public static func floatingPointToInteger<T: vDSP_FloatingPoint, I: vDSP_IntegerConvertable>(
        _ vector: some AccelerateBuffer<T>,
        integerType: I.Type,
        rounding: RoundingMode
    ) -> [I] {
        made(vector.count) { convertElements(of: vector, to: &$0, rounding: rounding) }
    }
}

private typealias Conversion<A, C> = (UnsafePointer<A>, Int, UnsafeMutablePointer<C>, Int, UInt) -> Void

private func convertIntegers<I, J, T: vDSP_FloatingPoint>(
    _ source: UnsafePointer<I>,
    _ type: J.Type,
    _ destination: UnsafeMutablePointer<T>,
    _ n: UInt,
    _ float: Conversion<J, Float>,
    _ double: Conversion<J, Double>
) {
    choose(T.self) {
        float(source.of(J.self), 1, destination.of(Float.self), 1, n)
    } double: {
        double(source.of(J.self), 1, destination.of(Double.self), 1, n)
    }
}

private func convertNumbers<I, J, T: vDSP_FloatingPoint>(
    _ source: UnsafePointer<T>,
    _ destination: UnsafeMutablePointer<I>,
    _ type: J.Type,
    _ n: UInt,
    _ float: Conversion<Float, J>,
    _ double: Conversion<Double, J>
) {
    choose(T.self) {
        float(source.of(Float.self), 1, destination.of(J.self), 1, n)
    } double: {
        double(source.of(Double.self), 1, destination.of(J.self), 1, n)
    }
}
