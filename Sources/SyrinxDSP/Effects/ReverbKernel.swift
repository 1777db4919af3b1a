/// The loops of a reverb's network over a step of frames, a multiple of four.
enum ReverbKernel {
    typealias Sources = UnsafePointer<UnsafePointer<Float>>

    /// Writes the product of sixteen channels, each with its factor, four times in a row, with Hadamard's matrix times
    /// four.
    static func diffuse(
        _ sources: Sources,
        _ factors: UnsafePointer<Float>,
        into target: UnsafeMutablePointer<Float>,
        stride: Int,
        _ count: Int
    ) {
        var frame = 0
        while frame < count {
            let channels = SixteenChannels(
                a: four(sources, factors, frame),
                b: four(sources + 4, factors + 16, frame),
                c: four(sources + 8, factors + 32, frame),
                d: four(sources + 12, factors + 48, frame)
            )
            put(channels.mixed, target + frame, stride)
            frame &+= 4
        }
    }

    /// The filters of the lines and the gains of their input; interpolated per frame between two settings.
    struct Filters {
        var gains: SIMD16<Float>
        var poles: SIMD16<Float>
        /// The shares of the second step of diffusion and of the first.
        var density: SIMD2<Float>
    }

    /// Filters the output of the lines, adds the output of the diffusion, and writes the product with the matrix.
    ///
    /// - Parameters:
    ///   - first: The first diffusion step, and the distance of its channels in floats.
    ///   - states: The states of the filters.
    static func turn(
        _ lines: Sources,
        _ second: Sources,
        _ first: (UnsafePointer<Float>, stride: Int),
        _ filters: Filters,
        states: UnsafeMutablePointer<Float>,
        into target: (UnsafeMutablePointer<Float>, stride: Int),
        _ count: Int
    ) {
        if filters.density[1] == 0 {
            turn(lines, second, first, filters, isDense: true, states: states, into: target, count)
        } else {
            turn(lines, second, first, filters, isDense: false, states: states, into: target, count)
        }
    }

    @inline(__always)
    private static func turn(
        _ lines: Sources,
        _ second: Sources,
        _ first: (UnsafePointer<Float>, stride: Int),
        _ filters: Filters,
        isDense: Bool,
        states: UnsafeMutablePointer<Float>,
        into target: (UnsafeMutablePointer<Float>, stride: Int),
        _ count: Int
    ) {
        var state = Groups(reading: states)
        let (gains, poles) = (Groups(filters.gains), Groups(filters.poles))
        let density = (FourFrames(repeating: filters.density[0]), FourFrames(repeating: filters.density[1]))
        var frame = 0
        while frame < count {
            var input = sixteen(second, frame)
            if !isDense { input = blended(input, first.0 + frame, first.stride, density) }
            let a = damped(four(lines, frame), gains.a, poles.a, &state.a)
            let b = damped(four(lines + 4, frame), gains.b, poles.b, &state.b)
            let c = damped(four(lines + 8, frame), gains.c, poles.c, &state.c)
            let d = damped(four(lines + 12, frame), gains.d, poles.d, &state.d)
            put(sum(a, b, c, d, input).mixed, target.0 + frame, target.stride)
            frame &+= 4
        }
        state.write(to: states)
    }

    /// The same between two settings, at the shares of `shares`.
    static func turn(
        _ lines: Sources,
        _ second: Sources,
        _ first: (UnsafePointer<Float>, stride: Int),
        _ filters: Filters,
        to next: Filters,
        _ shares: UnsafePointer<Float>,
        states: UnsafeMutablePointer<Float>,
        into target: (UnsafeMutablePointer<Float>, stride: Int),
        _ count: Int
    ) {
        var state = Groups(reading: states)
        let (gains, poles) = (Groups(filters.gains), Groups(filters.poles))
        let gainSteps = Groups(next.gains - filters.gains)
        let poleSteps = Groups(next.poles - filters.poles)
        let densityStep = next.density - filters.density
        var frame = 0
        while frame < count {
            // Gains and poles between those of two stable filters are stable too.
            let share = shares.four(frame)
            let density = (filters.density[0] + densityStep[0] * share, filters.density[1] + densityStep[1] * share)
            let input = blended(sixteen(second, frame), first.0 + frame, first.stride, density)
            let a = damped(four(lines, frame), gains.a, poles.a, gainSteps.a, poleSteps.a, share, &state.a)
            let b = damped(four(lines + 4, frame), gains.b, poles.b, gainSteps.b, poleSteps.b, share, &state.b)
            let c = damped(four(lines + 8, frame), gains.c, poles.c, gainSteps.c, poleSteps.c, share, &state.c)
            let d = damped(four(lines + 12, frame), gains.d, poles.d, gainSteps.d, poleSteps.d, share, &state.d)
            put(sum(a, b, c, d, input).mixed, target.0 + frame, target.stride)
            frame &+= 4
        }
        state.write(to: states)
    }

    /// Sixteen values, four by four.
    private struct Groups {
        var (a, b, c, d): (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

        @inline(__always)
        init(_ values: SIMD16<Float>) {
            (a, b) = (values.lowHalf.lowHalf, values.lowHalf.highHalf)
            (c, d) = (values.highHalf.lowHalf, values.highHalf.highHalf)
        }

        @inline(__always)
        init(reading values: UnsafeMutablePointer<Float>) {
            (a, b, c, d) = (values.four(0), values.four(4), values.four(8), values.four(12))
        }

        @inline(__always)
        func write(to values: UnsafeMutablePointer<Float>) {
            values.put(a, 0)
            values.put(b, 4)
            values.put(c, 8)
            values.put(d, 12)
        }
    }

    @inline(__always)
    private static func sixteen(_ sources: Sources, _ frame: Int) -> SixteenChannels {
        SixteenChannels(
            a: four(sources, frame),
            b: four(sources + 4, frame),
            c: four(sources + 8, frame),
            d: four(sources + 12, frame)
        )
    }

    @inline(__always)
    private static func four(_ sources: Sources, _ frame: Int) -> FourVectors {
        FourVectors(sources[0].four(frame), sources[1].four(frame), sources[2].four(frame), sources[3].four(frame))
    }

    @inline(__always)
    private static func four(_ sources: Sources, _ factors: UnsafePointer<Float>, _ frame: Int) -> FourVectors {
        let vectors = four(sources, frame)
        return FourVectors(
            vectors.a * factors.four(0),
            vectors.b * factors.four(4),
            vectors.c * factors.four(8),
            vectors.d * factors.four(12)
        )
    }

    @inline(__always)
    private static func put(_ channels: SixteenChannels, _ target: UnsafeMutablePointer<Float>, _ stride: Int) {
        put(channels.a, target, stride)
        put(channels.b, target + 4 &* stride, stride)
        put(channels.c, target + 8 &* stride, stride)
        put(channels.d, target + 12 &* stride, stride)
    }

    @inline(__always)
    private static func put(_ vectors: FourVectors, _ target: UnsafeMutablePointer<Float>, _ stride: Int) {
        target.put(vectors.a, 0)
        target.put(vectors.b, stride)
        target.put(vectors.c, 2 &* stride)
        target.put(vectors.d, 3 &* stride)
    }

    /// Returns four frames of four lines after their filters.
    @inline(__always)
    private static func damped(
        _ lines: FourVectors,
        _ gains: SIMD4<Float>,
        _ poles: SIMD4<Float>,
        _ state: inout SIMD4<Float>
    ) -> FourVectors {
        let frames = lines.transposed
        let first = frames.a * gains + state * poles
        let second = frames.b * gains + first * poles
        let third = frames.c * gains + second * poles
        state = frames.d * gains + third * poles
        return FourVectors(first, second, third, state).transposed
    }

    /// The output of the last step of diffusion, and a part of the first.
    @inline(__always)
    private static func blended(
        _ second: SixteenChannels,
        _ first: UnsafePointer<Float>,
        _ stride: Int,
        _ shares: (second: FourFrames, first: FourFrames)
    ) -> SixteenChannels {
        SixteenChannels(
            a: blended(second.a, first, stride, shares),
            b: blended(second.b, first + 4 &* stride, stride, shares),
            c: blended(second.c, first + 8 &* stride, stride, shares),
            d: blended(second.d, first + 12 &* stride, stride, shares)
        )
    }

    @inline(__always)
    private static func blended(
        _ second: FourVectors,
        _ first: UnsafePointer<Float>,
        _ stride: Int,
        _ shares: (second: FourFrames, first: FourFrames)
    ) -> FourVectors {
        FourVectors(
            second.a * shares.second + first.four(0) * shares.first,
            second.b * shares.second + first.four(stride) * shares.first,
            second.c * shares.second + first.four(2 &* stride) * shares.first,
            second.d * shares.second + first.four(3 &* stride) * shares.first
        )
    }

    /// Writes a crossfade from one channel to another, each with its factor.
    static func fade(
        _ old: UnsafePointer<Float>,
        _ oldFactor: Float,
        _ new: UnsafePointer<Float>,
        _ newFactor: Float,
        _ shares: UnsafePointer<Float>,
        into target: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        var frame = 0
        while frame < count {
            let before = old.four(frame) * oldFactor
            target.put(before + (new.four(frame) * newFactor - before) * shares.four(frame), frame)
            frame &+= 4
        }
    }

    @inline(__always)
    private static func damped(
        _ lines: FourVectors,
        _ gains: SIMD4<Float>,
        _ poles: SIMD4<Float>,
        _ gainSteps: SIMD4<Float>,
        _ poleSteps: SIMD4<Float>,
        _ shares: SIMD4<Float>,
        _ state: inout SIMD4<Float>
    ) -> FourVectors {
        let frames = lines.transposed
        let first = frames.a * (gains + gainSteps * shares[0]) + state * (poles + poleSteps * shares[0])
        let second = frames.b * (gains + gainSteps * shares[1]) + first * (poles + poleSteps * shares[1])
        let third = frames.c * (gains + gainSteps * shares[2]) + second * (poles + poleSteps * shares[2])
        state = frames.d * (gains + gainSteps * shares[3]) + third * (poles + poleSteps * shares[3])
        return FourVectors(first, second, third, state).transposed
    }

    /// The lines and their input, with signs that the matrix does not merely turn into another order.
    ///
    /// They are a bent function of the four bits of the line (J. Dillon).
    @inline(__always)
    private static func sum(
        _ a: FourVectors,
        _ b: FourVectors,
        _ c: FourVectors,
        _ d: FourVectors,
        _ input: SixteenChannels
    ) -> SixteenChannels {
        let (e, f, g, h) = (input.a, input.b, input.c, input.d)
        return SixteenChannels(
            a: FourVectors(a.a + e.a, a.b + e.b, a.c + e.c, a.d - e.d),
            b: FourVectors(b.a + f.a, b.b + f.b, b.c + f.c, b.d - f.d),
            c: FourVectors(c.a + g.a, c.b + g.b, c.c + g.c, c.d - g.d),
            d: FourVectors(d.a - h.a, d.b - h.b, d.c - h.c, d.d + h.d)
        )
    }

    /// Writes the sum of eight channels, each with its factor.
    static func sum(
        _ sources: Sources,
        _ factors: UnsafePointer<Float>,
        into target: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        let (f0, f1, f2, f3) = (factors[0], factors[1], factors[2], factors[3])
        let (f4, f5, f6, f7) = (factors[4], factors[5], factors[6], factors[7])
        var frame = 0
        while frame < count {
            let (a, b) = (four(sources, frame), four(sources + 4, frame))
            let even = (a.a * f0 + a.b * f1) + (a.c * f2 + a.d * f3)
            let odd = (b.a * f4 + b.b * f5) + (b.c * f6 + b.d * f7)
            target.put(even + odd, frame)
            frame &+= 4
        }
    }

    /// The values at `part`, 0…1, between `y2` and `y1`, of which `y3` is the oldest: Lagrange's cubic.
    @inline(__always)
    static func cubic(
        _ part: FourFrames,
        _ y3: FourFrames,
        _ y2: FourFrames,
        _ y1: FourFrames,
        _ y0: FourFrames
    ) -> FourFrames {
        let (minus, minus2, plus) = (part - 1, part - 2, part + 1)
        let outer = part * minus * (1.0 / 6)
        let inner = plus * minus2 * 0.5
        return (y3 * plus - y0 * minus2) * outer + (y1 * minus - y2 * part) * inner
    }

    /// Sets values below `floor` to 0, and returns whether all are 0.
    @discardableResult
    static func flush(_ samples: UnsafeMutablePointer<Float>, _ floor: Float, _ count: Int) -> Bool {
        var bits: UInt32 = 0
        var frame = 0
        while frame < count {
            let value = samples[frame].magnitude < floor ? 0 : samples[frame]
            samples[frame] = value
            bits |= value.bitPattern
            frame &+= 1
        }
        return bits & 0x7FFF_FFFF == 0
    }

    /// Returns whether all samples are zero.
    static func isZero(_ samples: UnsafePointer<Float>, _ count: Int) -> Bool {
        var bits: UInt32 = 0
        var frame = 0
        while frame < count {
            bits |= samples[frame].bitPattern
            frame &+= 1
        }
        return bits & 0x7FFF_FFFF == 0
    }

    /// Returns the sum of the squares.
    static func energy(_ samples: UnsafePointer<Float>, _ count: Int) -> Float {
        var sums = FourFrames()
        var frame = 0
        while frame < count {
            let values = samples.four(frame)
            sums += values * values
            frame &+= 4
        }
        return (sums[0] + sums[1]) + (sums[2] + sums[3])
    }
}
