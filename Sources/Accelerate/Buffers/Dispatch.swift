/// Float and Double, of which functions of `vDSP` and `vForce` take vectors.
///
/// Other types must not conform.
public protocol vDSP_FloatingPoint: BinaryFloatingPoint, Sendable {}

extension Float: vDSP_FloatingPoint {}
extension Double: vDSP_FloatingPoint {}

/// Apple's name for the sample types of a window: `Float` and `Double`.
public typealias vDSP_FloatingPointGeneratable = vDSP_FloatingPoint
/// Apple's name for the sample types to which integers are converted: `Float` and `Double`.
public typealias vDSP_FloatingPointConvertable = vDSP_FloatingPoint
/// Apple's name for the sample types that a biquad filter accepts: `Float` and `Double`.
public typealias vDSP_FloatingPointBiquadFilterable = vDSP_FloatingPoint
/// Apple's name for the sample types that a discrete Fourier transform accepts: `Float` and `Double`.
public typealias vDSP_FloatingPointDiscreteFourierTransformable = vDSP_FloatingPoint

/// Digital signal processing on vectors, with the interface of Apple's Accelerate.
///
/// Each function accepts arrays, array slices or pointers, with elements of type `Float` or `Double`. Most functions
/// have two forms: one returns an array, and the other writes to `result`, which may also be an argument. If lengths
/// differ, the shortest is used.
///
/// ```swift
/// let window = vDSP.window(ofType: Float.self, usingSequence: .hanningDenormalized, count: 1024, isHalfWindow: false)
/// let windowed = vDSP.multiply(samples, window)
/// let level = vDSP.rootMeanSquare(windowed)
/// ```
public enum vDSP {}

// One generic function serves `Float` and `Double` and calls one of two C functions. Pointers to the elements of both
// types have the same representation, and the type is tested at run time.

extension UnsafePointer {
    @inline(__always)
    func of<T>(_ type: T.Type) -> UnsafePointer<T> { UnsafeRawPointer(self).assumingMemoryBound(to: type) }
}

extension UnsafeMutablePointer {
    @inline(__always)
    func of<T>(_ type: T.Type) -> UnsafeMutablePointer<T> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
    }
}

// MARK: Families of C's functions

typealias Unary<S> = (UnsafePointer<S>, Int, UnsafeMutablePointer<S>, Int, UInt) -> Void
typealias Binary<S> = (UnsafePointer<S>, Int, UnsafePointer<S>, Int, UnsafeMutablePointer<S>, Int, UInt) -> Void
typealias Ternary<S> = (
    UnsafePointer<S>, Int, UnsafePointer<S>, Int, UnsafePointer<S>, Int, UnsafeMutablePointer<S>, Int, UInt
) -> Void
typealias Quaternary<S> = (
    UnsafePointer<S>, Int, UnsafePointer<S>, Int, UnsafePointer<S>, Int, UnsafePointer<S>, Int, UnsafeMutablePointer<S>,
    Int, UInt
) -> Void
/// A vector and a number.
typealias Scaling<S> = (UnsafePointer<S>, Int, UnsafePointer<S>, UnsafeMutablePointer<S>, Int, UInt) -> Void
/// A number and a vector.
typealias Scaled<S> = (UnsafePointer<S>, UnsafePointer<S>, Int, UnsafeMutablePointer<S>, Int, UInt) -> Void
/// A vector and two numbers.
typealias Limiting<S> = (
    UnsafePointer<S>, Int, UnsafePointer<S>, UnsafePointer<S>, UnsafeMutablePointer<S>, Int, UInt
) -> Void
/// Two vectors and a number.
typealias Blending<S> = (
    UnsafePointer<S>, Int, UnsafePointer<S>, Int, UnsafePointer<S>, UnsafeMutablePointer<S>, Int, UInt
) -> Void
/// A vector, a number and a vector.
typealias Adding<S> = (
    UnsafePointer<S>, Int, UnsafePointer<S>, UnsafePointer<S>, Int, UnsafeMutablePointer<S>, Int, UInt
) -> Void
typealias Reduction<S> = (UnsafePointer<S>, Int, UnsafeMutablePointer<S>, UInt) -> Void
typealias Pairing<S> = (UnsafePointer<S>, Int, UnsafePointer<S>, Int, UnsafeMutablePointer<S>, UInt) -> Void
typealias Search<S> = (UnsafePointer<S>, Int, UnsafeMutablePointer<S>, UnsafeMutablePointer<UInt>, UInt) -> Void

// MARK: Calls

/// Calls the function for Float or that for Double.
@inline(__always)
func choose<T: vDSP_FloatingPoint>(_ type: T.Type, float: () -> Void, double: () -> Void) {
    if T.self == Float.self {
        float()
    } else if T.self == Double.self {
        double()
    }
}

/// Returns an array of `count` elements that a closure fills.
func made<T>(_ count: Int, _ fill: (inout UnsafeMutableBufferPointer<T>) -> Void) -> [T] {
    guard count > 0 else { return [] }
    return Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
        var elements = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
        fill(&elements)
        initializedCount = count
    }
}

/// Calls a closure with pointers to the elements of a buffer and of a result, and the lesser number of elements.
@inline(__always)
func access<A, C>(
    _ a: some AccelerateBuffer<A>,
    _ c: inout some AccelerateMutableBuffer<C>,
    _ body: (UnsafePointer<A>, UnsafeMutablePointer<C>, UInt) -> Void
) {
    c.withUnsafeMutableBufferPointer { c in
        a.withUnsafeBufferPointer { a in
            guard let from = a.baseAddress, let to = c.baseAddress else { return }
            body(from, to, UInt(min(a.count, c.count)))
        }
    }
}

func unary<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ c: inout some AccelerateMutableBuffer<T>,
    _ float: Unary<Float>,
    _ double: Unary<Double>
) {
    access(a, &c) { a, c, n in
        choose(T.self) {
            float(a.of(Float.self), 1, c.of(Float.self), 1, n)
        } double: {
            double(a.of(Double.self), 1, c.of(Double.self), 1, n)
        }
    }
}

func binary<T: vDSP_FloatingPoint>(
    _ a: some AccelerateBuffer<T>,
    _ b: some AccelerateBuffer<T>,
    _ c: inout some AccelerateMutableBuffer<T>,
    _ float: Binary<Float>,
    _ double: Binary<Double>
) {
    access(a, &c) { a, c, n in
        b.withUnsafeBufferPointer { b in
            guard let other = b.baseAddress else { return }
            let n = min(n, UInt(b.count))
            choose(T.self) {
                float(a.of(Float.self), 1, other.of(Float.self), 1, c.of(Float.self), 1, n)
            } double: {
                double(a.of(Double.self), 1, other.of(Double.self), 1, c.of(Double.self), 1, n)
            }
        }
    }
}
