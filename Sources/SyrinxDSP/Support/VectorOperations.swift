// Loops over an index that cannot overflow: without optimisation, as tests run, a range costs many times as much.

/// Copies floats between memory areas that do not overlap.
///
/// A loop, because `update(from:count:)` is rejected by the compiler in code that must not free memory.
@_noLocks @_noAllocation
func copyFloats(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
    var index = 0
    while index < count {
        target[index] = source[index]
        index &+= 1
    }
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
    clampedProducts(samples + half, window + half, into: folded, count: half)
    clampedProducts(samples, window, into: folded + half, count: half)
}

@_noLocks @_noAllocation
private func clampedProducts(
    _ samples: UnsafePointer<Float>,
    _ factors: UnsafePointer<Float>,
    into target: UnsafeMutablePointer<Float>,
    count: Int
) {
    // Squares of larger values would exceed the range of `Float`.
    let limit: Float = 1e12
    var index = 0
    while index < count {
        let sample = samples[index]
        let bounded = sample > limit ? limit : sample < -limit ? -limit : sample
        target[index] = bounded * factors[index]
        index &+= 1
    }
}

/// Turns the front of a frame back into its middle.
@_noLocks @_noAllocation
func unfold(_ folded: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, length: Int) {
    let half = length / 2
    copyFloats(folded, to: target + half, count: half)
    copyFloats(folded + half, to: target, count: half)
}

/// Adds the products of two rows to a third.
@_noLocks @_noAllocation
func addProducts(
    _ a: UnsafePointer<Float>,
    _ b: UnsafePointer<Float>,
    to target: UnsafeMutablePointer<Float>,
    count: Int
) {
    var index = 0
    while index < count {
        target[index] += a[index] * b[index]
        index &+= 1
    }
}

/// Divides sums by their weights.
///
/// The result is 0 if the weight is 0 or the sum is tiny.
@_noLocks @_noAllocation
func divide(
    _ sums: UnsafePointer<Float>,
    by weights: UnsafePointer<Float>,
    into target: UnsafeMutablePointer<Float>,
    count: Int
) {
    var index = 0
    while index < count {
        let weight = weights[index]
        let value = sums[index] / (weight > 1e-6 ? weight : .infinity)
        // −400 dB is inaudible, and arithmetic on smaller values is slow on some processors.
        target[index] = value.magnitude < 1e-20 ? 0 : value
        index &+= 1
    }
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

/// Adds to 16 sums the products of a row with another, read from 16 places on, each one further.
///
/// Sixteen sums stored side by side are vectors when optimised, and no sum has to be taken across one.
@_noLocks @_noAllocation
func addSlidingProducts(
    _ a: UnsafePointer<Float>,
    _ b: UnsafePointer<Float>,
    count: Int,
    to sums: UnsafeMutablePointer<Float>
) {
    var (sum0, sum1, sum2, sum3): (Float, Float, Float, Float) = (sums[0], sums[1], sums[2], sums[3])
    var (sum4, sum5, sum6, sum7): (Float, Float, Float, Float) = (sums[4], sums[5], sums[6], sums[7])
    var (sum8, sum9, sum10, sum11): (Float, Float, Float, Float) = (sums[8], sums[9], sums[10], sums[11])
    var (sum12, sum13, sum14, sum15): (Float, Float, Float, Float) = (sums[12], sums[13], sums[14], sums[15])
    var index = 0
    while index < count {
        let x = a[index]
        let y = b + index
        sum0 += x * y[0]
        sum1 += x * y[1]
        sum2 += x * y[2]
        sum3 += x * y[3]
        sum4 += x * y[4]
        sum5 += x * y[5]
        sum6 += x * y[6]
        sum7 += x * y[7]
        sum8 += x * y[8]
        sum9 += x * y[9]
        sum10 += x * y[10]
        sum11 += x * y[11]
        sum12 += x * y[12]
        sum13 += x * y[13]
        sum14 += x * y[14]
        sum15 += x * y[15]
        index &+= 1
    }
    sums[0] = sum0
    sums[1] = sum1
    sums[2] = sum2
    sums[3] = sum3
    sums[4] = sum4
    sums[5] = sum5
    sums[6] = sum6
    sums[7] = sum7
    sums[8] = sum8
    sums[9] = sum9
    sums[10] = sum10
    sums[11] = sum11
    sums[12] = sum12
    sums[13] = sum13
    sums[14] = sum14
    sums[15] = sum15
}
