/// Returns the value at `part`, 0…1, between `y1` and `y2`: Lagrange's cubic through the values at −1, 0, 1 and 2.
@inline(__always)
func cubic(_ part: Float, _ y0: Float, _ y1: Float, _ y2: Float, _ y3: Float) -> Float {
    let c0 = -part * (part - 1) * (part - 2) / 6
    let c1 = (part + 1) * (part - 1) * (part - 2) / 2
    let c2 = -(part + 1) * part * (part - 2) / 2
    let c3 = (part + 1) * part * (part - 1) / 6
    return c0 * y0 + c1 * y1 + c2 * y2 + c3 * y3
}
