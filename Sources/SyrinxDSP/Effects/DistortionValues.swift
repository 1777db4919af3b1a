#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The settings of a distortion in each frame of a chunk.
struct DistortionValues: ~Copyable {
    enum Value: Int, CaseIterable {
        case delayMix, decimationMix, polynomialMix
        case linear, squared, cubic, ringMix
        case ringBalance, clipGain, mix, feedback
    }

    private let chunkFrames: Int
    private let frames: AlignedFloatBuffer
    /// The first three values, the next four and the last four.
    private var levels: ParameterGlide
    private var terms: ParameterGlide
    private var others: ParameterGlide
    private var isFilled = false

    init(sampleRate: Double, chunkFrames: Int) {
        self.chunkFrames = chunkFrames
        frames = AlignedFloatBuffer(count: Value.allCases.count * chunkFrames)
        levels = ParameterGlide(sampleRate: sampleRate)
        (terms, others) = (levels, levels)
    }

    mutating func set(_ settings: Distortion.Settings, feedback: Double, atOnce: Bool) {
        let first = SIMD4(settings.delayMix, settings.decimationMix, settings.polynomialMix, 0)
        let second = SIMD4(settings.linearTerm, settings.squaredTerm, settings.cubicTerm, settings.ringMix)
        let third = SIMD4(settings.ringBalance, gain(decibels: settings.softClipGain), settings.mix, feedback)
        if atOnce {
            levels.jump(to: first)
            terms.jump(to: second)
            others.jump(to: third)
        } else {
            levels.move(to: first)
            terms.move(to: second)
            others.move(to: third)
        }
        isFilled = false
    }

    /// Computes the values of the next frames.
    /// - Returns: The number of frames, at most `limit`: until the last ramp has ended.
    mutating func advance(limit: Int) -> Int {
        if !levels.isMoving, !terms.isMoving, !others.isMoving {
            if !isFilled { for frame in 0..<chunkFrames { fill(frame) } }
            isFilled = true
            return limit
        }
        isFilled = false
        var frame = 0
        while frame < limit, levels.isMoving || terms.isMoving || others.isMoving {
            if levels.isMoving { levels.advance() }
            if terms.isMoving { terms.advance() }
            if others.isMoving { others.advance() }
            fill(frame)
            frame += 1
        }
        return frame
    }

    /// The values of the frames of the chunk.
    subscript(value: Value) -> UnsafePointer<Float> { UnsafePointer(frames.pointer + value.rawValue * chunkFrames) }

    /// Whether a mix is not 0 throughout.
    func isUsed(_ mix: Value) -> Bool { !isFilled || self[mix][0] != 0 }

    private func fill(_ frame: Int) {
        let values = (levels.current, terms.current, others.current)
        for index in 0..<3 { frames.pointer[index * chunkFrames + frame] = Float(values.0[index]) }
        for index in 0..<4 {
            frames.pointer[(3 + index) * chunkFrames + frame] = Float(values.1[index])
            frames.pointer[(7 + index) * chunkFrames + frame] = Float(values.2[index])
        }
    }
}

/// The polynomial and the soft clipper.
struct DistortionShape {
    private let linear: UnsafePointer<Float>
    private let squared: UnsafePointer<Float>
    private let cubic: UnsafePointer<Float>
    private let mix: UnsafePointer<Float>
    private let gain: UnsafePointer<Float>

    init(_ values: borrowing DistortionValues) {
        (linear, squared, cubic) = (values[.linear], values[.squared], values[.cubic])
        (mix, gain) = (values[.polynomialMix], values[.clipGain])
    }

    @inline(__always)
    func polynomial(_ x: SIMD8<Float>, _ frame: Int) -> SIMD8<Float> {
        let inner = x * (x * load8(cubic + frame) + load8(squared + frame)) + load8(linear + frame)
        return x + (x * inner - x) * load8(mix + frame)
    }

    /// Returns tanh of the amplified samples, by the seventh convergent of its continued fraction (Lambert 1761),
    /// which reaches 1 near 4.97.
    @inline(__always)
    func clipped(_ samples: SIMD8<Float>, _ frame: Int) -> SIMD8<Float> {
        let limit = SIMD8<Float>(repeating: 4.97)
        let y = smaller(larger(samples * load8(gain + frame), -limit), limit)
        let s = y * y
        let above = y * (135_135 + s * (17_325 + s * (378 + s)))
        let below = 135_135 + s * (62_370 + s * (3_150 + s * 28))
        return above / below
    }
}

/// Two oscillators at eight times the sample rate, whose sum modulates a signal.
struct RingModulator: ~Copyable {
    private static let factor = Oversampler.factor

    /// A sine oscillator: its phase at the first of the eight samples of a frame, and its rotation per frame.
    private struct Oscillator {
        var phase = SIMD2<Double>(0, 1)
        var turn = SIMD2<Double>(0, 1)
        var frequency = -1.0

        /// Returns the sine and the cosine of a frame, and turns on to the next.
        @inline(__always)
        mutating func next() -> SIMD2<Double> {
            let now = phase
            phase = SIMD2(now[0] * turn[1] + now[1] * turn[0], now[1] * turn[1] - now[0] * turn[0])
            return now
        }

        /// Corrects the rounding error of the amplitude.
        mutating func normalize() { phase *= 1.5 - 0.5 * (phase[0] * phase[0] + phase[1] * phase[1]) }
    }

    private let chunkFrames: Int
    private var (first, second) = (Oscillator(), Oscillator())
    /// Sines and cosines of the phases within a frame, of both oscillators.
    private let turns: UnsafeMutablePointer<SIMD4<Float>>
    private let carriers: AlignedFloatBuffer
    private var frame = 0

    init(chunkFrames: Int) {
        self.chunkFrames = chunkFrames
        turns = .allocate(capacity: Self.factor)
        turns.initialize(repeating: SIMD4(0, 1, 0, 1), count: Self.factor)
        carriers = AlignedFloatBuffer(count: Self.factor * chunkFrames)
    }

    deinit { turns.deallocate() }

    mutating func reset() {
        (first.phase, second.phase) = (SIMD2(0, 1), SIMD2(0, 1))
        frame = 0
    }

    /// Sets both frequencies in hertz.
    mutating func set(_ frequency1: Double, _ frequency2: Double, sampleRate: Double) {
        if frequency1 == first.frequency, frequency2 == second.frequency { return }
        func angle(_ frequency: Double) -> Double {
            let highest = Double(Self.factor) * sampleRate / 2
            return 2 * Double.pi * min(max(frequency, 0), highest) / sampleRate
        }
        let angles = (angle(frequency1), angle(frequency2))
        first.turn = SIMD2(sin(angles.0), cos(angles.0))
        second.turn = SIMD2(sin(angles.1), cos(angles.1))
        (first.frequency, second.frequency) = (frequency1, frequency2)
        for phase in 0..<Self.factor {
            let share = Double(phase) / Double(Self.factor)
            turns[phase] = SIMD4(
                Float(sin(angles.0 * share)),
                Float(cos(angles.0 * share)),
                Float(sin(angles.1 * share)),
                Float(cos(angles.1 * share))
            )
        }
    }

    /// Computes the factors of the next frames.
    ///
    /// For frames with a mix of 0 the oscillators stop.
    mutating func advance(mix: UnsafePointer<Float>, balance: UnsafePointer<Float>, frameCount: Int) {
        for index in 0..<frameCount {
            let share = mix[index]
            if share == 0 {
                for phase in 0..<Self.factor { carriers.pointer[phase * chunkFrames + index] = 1 }
                continue
            }
            if frame % 64 == 0 {
                first.normalize()
                second.normalize()
            }
            frame &+= 1
            let (one, other) = (first.next(), second.next())
            let sines = SIMD4(Float(one[0]), Float(one[1]), Float(other[0]), Float(other[1]))
            for phase in 0..<Self.factor {
                let turn = turns[phase]
                let value1 = sines[0] * turn[1] + sines[1] * turn[0]
                let value2 = sines[2] * turn[3] + sines[3] * turn[2]
                let both = value1 + (value2 - value1) * balance[index]
                carriers.pointer[phase * chunkFrames + index] = 1 - share + both * share
            }
        }
    }

    /// The factors of one of the eight samples of each frame.
    func carrier(_ phase: Int) -> UnsafePointer<Float> { UnsafePointer(carriers.pointer + phase * chunkFrames) }
}
