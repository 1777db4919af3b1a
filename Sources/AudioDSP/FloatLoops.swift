/// Copies floats between places that do not overlap.
///
/// A loop and not `update(from:count:)`, which the compiler does not accept where nothing may be freed; when optimised it
/// is the same call.
@_noLocks @_noAllocation
func copyFloats(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<max(count, 0) { target[index] = source[index] }
}

/// Windows a frame and turns its middle to the front, so that its spectrum has the phases of its middle.
@_noLocks @_noAllocation
func fold(
    _ samples: UnsafePointer<Float>,
    window: UnsafePointer<Float>,
    into folded: UnsafeMutablePointer<Float>,
    length: Int
) {
    let half = length / 2
    // Squares of what lies outside would leave the range of Float.
    let limit: Float = 1e12
    for index in 0..<half {
        folded[index] = max(-limit, min(limit, samples[half + index])) * window[half + index]
    }
    for index in 0..<half {
        folded[half + index] = max(-limit, min(limit, samples[index])) * window[index]
    }
}

/// Turns the front of a frame back into its middle.
@_noLocks @_noAllocation
func unfold(_ folded: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, length: Int) {
    let half = length / 2
    copyFloats(folded, to: target + half, count: half)
    copyFloats(folded + half, to: target, count: half)
}

/// Multiplies each float by its factor.
@_noLocks @_noAllocation
func multiply(_ samples: UnsafeMutablePointer<Float>, _ factors: UnsafePointer<Float>, count: Int) {
    for index in 0..<count { samples[index] *= factors[index] }
}

/// The sum of the products of two rows.
@_noLocks @_noAllocation
func dotProduct(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int) -> Float {
    // Eight sums side by side are one vector when optimised, and without optimisation far faster than `SIMD8`.
    var (sum0, sum1, sum2, sum3): (Float, Float, Float, Float) = (0, 0, 0, 0)
    var (sum4, sum5, sum6, sum7): (Float, Float, Float, Float) = (0, 0, 0, 0)
    var index = 0
    while index &+ 8 <= count {
        let x = a + index
        let y = b + index
        sum0 += x[0] * y[0]
        sum1 += x[1] * y[1]
        sum2 += x[2] * y[2]
        sum3 += x[3] * y[3]
        sum4 += x[4] * y[4]
        sum5 += x[5] * y[5]
        sum6 += x[6] * y[6]
        sum7 += x[7] * y[7]
        index &+= 8
    }
    while index < count {
        sum0 += a[index] * b[index]
        index &+= 1
    }
    return ((sum0 + sum4) + (sum1 + sum5)) + ((sum2 + sum6) + (sum3 + sum7))
}
