/// Four successive frames of a channel.
typealias FourFrames = SIMD4<Float>

extension UnsafePointer where Pointee == Float {
    /// The four floats from a place on.
    @inline(__always)
    func four(_ index: Int) -> FourFrames { UnsafeRawPointer(self + index).loadUnaligned(as: FourFrames.self) }
}

extension UnsafeMutablePointer where Pointee == Float {
    /// The four floats from a place on.
    @inline(__always)
    func four(_ index: Int) -> FourFrames { UnsafeRawPointer(self + index).loadUnaligned(as: FourFrames.self) }

    @inline(__always)
    func put(_ values: FourFrames, _ index: Int) {
        UnsafeMutableRawPointer(self + index).storeBytes(of: values, as: FourFrames.self)
    }
}

/// Four vectors, as rows of a matrix.
struct FourVectors {
    var (a, b, c, d): (FourFrames, FourFrames, FourFrames, FourFrames)

    @inline(__always)
    init(_ a: FourFrames, _ b: FourFrames, _ c: FourFrames, _ d: FourFrames) {
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    /// The columns as rows.
    @inline(__always)
    var transposed: FourVectors {
        let (ab, cd) = (SIMD8(lowHalf: a, highHalf: b), SIMD8(lowHalf: c, highHalf: d))
        let even = SIMD8(lowHalf: ab.evenHalf, highHalf: cd.evenHalf)
        let odd = SIMD8(lowHalf: ab.oddHalf, highHalf: cd.oddHalf)
        return FourVectors(even.evenHalf, odd.evenHalf, even.oddHalf, odd.oddHalf)
    }

    @inline(__always)
    static func + (left: FourVectors, right: FourVectors) -> FourVectors {
        FourVectors(left.a + right.a, left.b + right.b, left.c + right.c, left.d + right.d)
    }

    @inline(__always)
    static func - (left: FourVectors, right: FourVectors) -> FourVectors {
        FourVectors(left.a - right.a, left.b - right.b, left.c - right.c, left.d - right.d)
    }

    /// The product with Hadamard's matrix of four, without its factor of a half.
    @inline(__always)
    var mixed: FourVectors {
        let (p, q, r, s) = (a + b, a - b, c + d, c - d)
        return FourVectors(p + r, q + s, p - r, q - s)
    }
}

/// The frames of sixteen channels.
struct SixteenChannels {
    var (a, b, c, d): (FourVectors, FourVectors, FourVectors, FourVectors)

    /// The product with Hadamard's matrix of sixteen, without its factor of a quarter.
    @inline(__always)
    var mixed: SixteenChannels {
        let (p, q, r, s) = (a.mixed, b.mixed, c.mixed, d.mixed)
        let (pq, pmq, rs, rms) = (p + q, p - q, r + s, r - s)
        return SixteenChannels(a: pq + rs, b: pmq + rms, c: pq - rs, d: pmq - rms)
    }
}
