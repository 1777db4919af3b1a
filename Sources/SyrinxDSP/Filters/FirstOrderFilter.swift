/// A first-order filter, y ← b₀ x + b₁ x₁ + a y₁, for any number of channels, processed in pairs.
///
/// Each frame depends on the previous one. Two frames are therefore computed from the output before both: y₁ = a² y₋₁
/// + (a u₀ + u₁), where u = b₀ x + b₁ x₁. Frames are paired by their index, not by the division into blocks. Use from
/// one thread at a time; only `init` allocates.
struct FirstOrderFilter: ~Copyable {
    struct Coefficients: Equatable {
        /// b₀ and b₁.
        var forward0 = 1.0
        var forward1 = 0.0
        /// a.
        var back = 0.0
    }

    private struct State {
        var input = SIMD2<Double>()
        var output = SIMD2<Double>()
        /// The output before the pair of which the first frame is done, and u of that frame.
        var start = SIMD2<Double>()
        var driven = SIMD2<Double>()
        var isOpen = false
    }

    /// Below it, 180 dB under full scale, outputs are dropped, so that silence is exact.
    private static let floor = 1e-9

    private let pairCount: Int
    private let states: UnsafeMutablePointer<State>

    init(channelCount: Int) {
        pairCount = (channelCount + 1) / 2
        states = .allocate(capacity: max(pairCount, 1))
        states.initialize(repeating: State(), count: max(pairCount, 1))
    }

    deinit { states.deallocate() }

    func reset() {
        for pair in 0..<pairCount { states[pair] = State() }
    }

    /// Drops outputs that have become inaudible.
    ///
    /// Called before a frame of an even number.
    func settle() {
        for pair in 0..<pairCount {
            for lane in 0..<2 where abs(states[pair].output[lane]) < Self.floor { states[pair].output[lane] = 0 }
        }
    }

    /// Replaces a bypassed filter: sets the last outputs of two channels.
    func hold(_ pair: Int, _ left: Float, _ right: Float) {
        states[pair] = State()
        states[pair].output = SIMD2(Double(left), Double(right))
    }

    /// Filters two channels, which may be the same one.
    ///
    /// Outputs below the floor are set to 0.
    /// - Parameters:
    ///   - pair: Half of the index of the first channel.
    ///   - inputs: The input frames of both channels, which may be the same memory as the outputs.
    ///   - isOdd: Whether the index of the first frame is odd.
    func process(
        _ pair: Int,
        from inputs: (left: UnsafePointer<Float>, right: UnsafePointer<Float>),
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        frameCount: Int,
        _ coefficients: Coefficients,
        isOdd: Bool
    ) {
        var state = states[pair]
        let (b0, b1, a) = (coefficients.forward0, coefficients.forward1, coefficients.back)
        let square = a * a
        var frame = 0
        if isOdd, frameCount > 0 {
            let driven = Self.drive(inputs.left[0], inputs.right[0], b0, b1, &state.input)
            let output = state.isOpen ? square * state.start + (a * state.driven + driven) : a * state.output + driven
            state.output = output
            state.isOpen = false
            Self.write(output, left, right, 0)
            frame = 1
        }
        // A constant argument, so that each loop is compiled for itself.
        if b1 == 0 {
            frame = Self.processPairs(&state, inputs, left, right, frame, frameCount, coefficients, usesLast: false)
        } else {
            frame = Self.processPairs(&state, inputs, left, right, frame, frameCount, coefficients, usesLast: true)
        }
        if frame < frameCount {
            (state.start, state.isOpen) = (state.output, true)
            state.driven = Self.drive(inputs.left[frame], inputs.right[frame], b0, b1, &state.input)
            state.output = a * state.start + state.driven
            Self.write(state.output, left, right, frame)
        }
        states[pair] = state
    }

    /// Filters frames two by two, and returns the first that is left.
    // Without the attributes, a build without optimisation looks up the types of the vectors while it runs.
    @_noLocks @_noAllocation
    @inline(__always)
    private static func processPairs(
        _ state: inout State,
        _ inputs: (left: UnsafePointer<Float>, right: UnsafePointer<Float>),
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ first: Int,
        _ frameCount: Int,
        _ coefficients: Coefficients,
        usesLast: Bool
    ) -> Int {
        let (b0, b1, a) = (coefficients.forward0, coefficients.forward1, coefficients.back)
        let square = a * a
        var (last, output) = (state.input, state.output)
        var frame = first
        while frame &+ 1 < frameCount {
            let (values, others) = (load2(inputs.left + frame), load2(inputs.right + frame))
            let now = widened(SIMD2(values[0], others[0]))
            let next = widened(SIMD2(values[1], others[1]))
            let driven = usesLast ? b0 * now + b1 * last : b0 * now
            let driven1 = usesLast ? b0 * next + b1 * now : b0 * next
            let middle = a * output + driven
            output = square * output + (a * driven + driven1)
            last = next
            var results = SIMD4<Float>(lowHalf: narrowed(middle), highHalf: narrowed(output))
            let sizes = unsafeBitCast(
                unsafeBitCast(results, to: SIMD4<UInt32>.self) & 0x7fff_ffff,
                to: SIMD4<Float>.self
            )
            results.replace(with: 0, where: sizes .< Float(floor))
            store2(results.oddHalf, to: right + frame)
            store2(results.evenHalf, to: left + frame)
            frame &+= 2
        }
        (state.input, state.output) = (last, output)
        return frame
    }

    /// Returns the next output of one channel, for coefficients that change with each frame.
    func next(_ input: Float, channel: Int, _ coefficients: Coefficients) -> Double {
        let (pair, lane) = (channel / 2, channel % 2)
        let forward =
            coefficients.forward0 * Double(input) + coefficients.forward1 * states[pair].input[lane]
        let output = coefficients.back * states[pair].output[lane] + forward
        states[pair].input[lane] = Double(input)
        states[pair].output[lane] = output
        states[pair].isOpen = false
        return output
    }

    @inline(__always)
    private static func drive(
        _ left: Float,
        _ right: Float,
        _ b0: Double,
        _ b1: Double,
        _ last: inout SIMD2<Double>
    ) -> SIMD2<Double> {
        let input = SIMD2(Double(left), Double(right))
        let driven = b0 * input + b1 * last
        last = input
        return driven
    }

    @inline(__always)
    private static func write(
        _ output: SIMD2<Double>,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ frame: Int
    ) {
        let (first, second) = (Float(output[0]), Float(output[1]))
        // The left channel is stored last: if both are the same channel, its state is used.
        right[frame] = abs(second) < Float(floor) ? 0 : second
        left[frame] = abs(first) < Float(floor) ? 0 : first
    }
}
