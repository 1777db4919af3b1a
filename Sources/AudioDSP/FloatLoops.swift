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
