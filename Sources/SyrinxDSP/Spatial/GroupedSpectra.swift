// Spectra in groups of four bins: four real parts, then four imaginary parts. A spectrum of both ears has a group of
// the left ear before one of the right. Groups are written out by their elements: when optimised each four are one
// vector, and without optimisation that is far faster than `SIMD4`.

/// Writes interleaved complex numbers as groups.
@_noLocks @_noAllocation
func groupBins(_ interleaved: UnsafePointer<Float>, groups: Int, into grouped: UnsafeMutablePointer<Float>) {
    var index = 0
    while index < 8 &* groups {
        let (from, to) = (interleaved + index, grouped + index)
        let (a0, a1, a2, a3) = (from[0], from[2], from[4], from[6])
        let (b0, b1, b2, b3) = (from[1], from[3], from[5], from[7])
        (to[0], to[1], to[2], to[3]) = (a0, a1, a2, a3)
        (to[4], to[5], to[6], to[7]) = (b0, b1, b2, b3)
        index &+= 8
    }
}

/// Writes the groups of one ear, of a spectrum of both, as interleaved complex numbers.
@_noLocks @_noAllocation
func ungroupBins(_ grouped: UnsafePointer<Float>, groups: Int, into interleaved: UnsafeMutablePointer<Float>) {
    var index = 0
    while index < groups {
        let (from, to) = (grouped + 16 &* index, interleaved + 8 &* index)
        let (a0, a1, a2, a3) = (from[0], from[1], from[2], from[3])
        let (b0, b1, b2, b3) = (from[4], from[5], from[6], from[7])
        (to[0], to[1], to[2], to[3]) = (a0, b0, a1, b1)
        (to[4], to[5], to[6], to[7]) = (a2, b2, a3, b3)
        index &+= 1
    }
}

/// Adds the products of a spectrum with both ears' filters to the sums of both ears.
@_noLocks @_noAllocation
func addBinauralProducts(
    _ spectrum: UnsafePointer<Float>,
    _ filter: UnsafePointer<Float>,
    groups: Int,
    to sums: UnsafeMutablePointer<Float>
) {
    var (x, h, y) = (spectrum, filter, sums)
    var group = 0
    while group < groups {
        let (a0, a1, a2, a3) = (x[0], x[1], x[2], x[3])
        let (b0, b1, b2, b3) = (x[4], x[5], x[6], x[7])
        // The left ear.
        let (c0, c1, c2, c3) = (h[0], h[1], h[2], h[3])
        let (d0, d1, d2, d3) = (h[4], h[5], h[6], h[7])
        let (r0, r1, r2, r3) = (y[0], y[1], y[2], y[3])
        let (i0, i1, i2, i3) = (y[4], y[5], y[6], y[7])
        // The right ear.
        let (e0, e1, e2, e3) = (h[8], h[9], h[10], h[11])
        let (f0, f1, f2, f3) = (h[12], h[13], h[14], h[15])
        let (s0, s1, s2, s3) = (y[8], y[9], y[10], y[11])
        let (j0, j1, j2, j3) = (y[12], y[13], y[14], y[15])
        y[0] = r0 + (a0 * c0 - b0 * d0)
        y[1] = r1 + (a1 * c1 - b1 * d1)
        y[2] = r2 + (a2 * c2 - b2 * d2)
        y[3] = r3 + (a3 * c3 - b3 * d3)
        y[4] = i0 + (a0 * d0 + b0 * c0)
        y[5] = i1 + (a1 * d1 + b1 * c1)
        y[6] = i2 + (a2 * d2 + b2 * c2)
        y[7] = i3 + (a3 * d3 + b3 * c3)
        y[8] = s0 + (a0 * e0 - b0 * f0)
        y[9] = s1 + (a1 * e1 - b1 * f1)
        y[10] = s2 + (a2 * e2 - b2 * f2)
        y[11] = s3 + (a3 * e3 - b3 * f3)
        y[12] = j0 + (a0 * f0 + b0 * e0)
        y[13] = j1 + (a1 * f1 + b1 * e1)
        y[14] = j2 + (a2 * f2 + b2 * e2)
        y[15] = j3 + (a3 * f3 + b3 * e3)
        x += 8
        h += 16
        y += 16
        group &+= 1
    }
}

/// Adds a row to another.
@_noLocks @_noAllocation
func addFloats(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
    var index = 0
    while index < count {
        target[index] += source[index]
        index &+= 1
    }
}

/// Adds a row with a gain to another, unless the gain is 0.
@_noLocks @_noAllocation
func addScaled(_ source: UnsafePointer<Float>, _ gain: Float, to target: UnsafeMutablePointer<Float>, count: Int) {
    if gain == 0 { return }
    var index = 0
    while index < count {
        target[index] += source[index] * gain
        index &+= 1
    }
}

/// Returns whether all samples are below −300 dB.
///
/// Such samples would become denormal numbers, which are slow.
@_noLocks @_noAllocation
func isSilent(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
    // Bit patterns without the sign are in the order of the values, and their maximum becomes vectors.
    let limit = Float(1e-15).bitPattern
    var highest: UInt32 = 0
    var index = 0
    while index < count {
        let magnitude = samples[index].bitPattern & 0x7FFF_FFFF
        highest = magnitude > highest ? magnitude : highest
        index &+= 1
    }
    return highest <= limit
}
