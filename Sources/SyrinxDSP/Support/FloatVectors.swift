// Vectors of neighbouring floats, which need not be aligned.
//
// Without optimisation, the library's generic functions look up the types that they are called with, which takes locks
// and memory the first time. The attributes have them compiled for these types in every build.

@_noLocks @_noAllocation
@inline(__always)
func load8(_ place: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Float>.self)
}

@_noLocks @_noAllocation
@inline(__always)
func store8(_ values: SIMD8<Float>, to place: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(place).storeBytes(of: values, as: SIMD8<Float>.self)
}

/// Converts two numbers to double precision.
///
/// Debug builds convert each element, because the vector conversion looks up metadata behind a lock.
@_noLocks @_noAllocation
@inline(__always)
func widened(_ values: SIMD2<Float>) -> SIMD2<Double> {
    #if DEBUG
        SIMD2(Double(values[0]), Double(values[1]))
    #else
        SIMD2<Double>(values)
    #endif
}

/// Returns two numbers in single precision; by elements in debug builds, as `widened(_:)`.
@_noLocks @_noAllocation
@inline(__always)
func narrowed(_ values: SIMD2<Double>) -> SIMD2<Float> {
    #if DEBUG
        SIMD2(Float(values[0]), Float(values[1]))
    #else
        SIMD2<Float>(values)
    #endif
}

@_noLocks @_noAllocation
@inline(__always)
func load2(_ place: UnsafePointer<Float>) -> SIMD2<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD2<Float>.self)
}

@_noLocks @_noAllocation
@inline(__always)
func store2(_ values: SIMD2<Float>, to place: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(place).storeBytes(of: values, as: SIMD2<Float>.self)
}

@_noLocks @_noAllocation
@inline(__always)
func absolute(_ values: SIMD8<Float>) -> SIMD8<Float> {
    unsafeBitCast(unsafeBitCast(values, to: SIMD8<UInt32>.self) & 0x7fff_ffff, to: SIMD8<Float>.self)
}

/// Returns the larger of each pair of values.
///
/// `pointwiseMax` tests for NaN, which takes twice as many instructions.
@_noLocks @_noAllocation
@inline(__always)
func larger(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { a.replacing(with: b, where: b .> a) }

/// Returns the smaller of each pair of values.
@_noLocks @_noAllocation
@inline(__always)
func smaller(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { a.replacing(with: b, where: b .< a) }

/// Returns the largest of the values.
@_noLocks @_noAllocation
@inline(__always)
func largest(_ values: SIMD8<Float>) -> Float {
    let (low, high) = (values.lowHalf, values.highHalf)
    let four = low.replacing(with: high, where: high .> low)
    let first = four[0] > four[1] ? four[0] : four[1]
    let second = four[2] > four[3] ? four[2] : four[3]
    return first > second ? first : second
}

/// Returns the sum of the values.
@_noLocks @_noAllocation
@inline(__always)
func total(_ values: SIMD8<Float>) -> Float {
    let four = values.lowHalf + values.highHalf
    return (four[0] + four[1]) + (four[2] + four[3])
}
