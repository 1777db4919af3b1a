/// Returns the factors of the values at −1, 0, 1 and 2 for a place at `part`, 0…1, between the middle two: Lagrange's
/// cubic.
@inline(__always)
func cubicTaps(_ part: Float) -> SIMD4<Float> {
    SIMD4(
        -part * (part - 1) * (part - 2) / 6,
        (part + 1) * (part - 1) * (part - 2) / 2,
        -(part + 1) * part * (part - 2) / 2,
        (part + 1) * part * (part - 1) / 6
    )
}

/// Returns the value at `part`, 0…1, between `y1` and `y2`: Lagrange's cubic through the values at −1, 0, 1 and 2.
@inline(__always)
func cubic(_ part: Float, _ y0: Float, _ y1: Float, _ y2: Float, _ y3: Float) -> Float {
    let taps = cubicTaps(part)
    return taps[0] * y0 + taps[1] * y1 + taps[2] * y2 + taps[3] * y3
}
