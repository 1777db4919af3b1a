/// The coefficients of a `FilterCoefficients` filter that computes two frames from the state before both.
///
/// With the state s and the input x, a frame is s′ = A s + B x and y = C s + D x. Each frame depends on the previous
/// one. For two frames, s″ = A² s + (AB x₀ + B x₁) and y₁ = CA s + (CB x₀ + D x₁) need only one dependency.
struct FramePairCoefficients {
    typealias Pair = SIMD2<Double>

    /// The integrators of two channels, which are filtered side by side.
    struct State {
        var first = Pair()
        var second = Pair()
    }

    /// A, by rows, and B.
    private let (a11, a12, a21, a22, b1, b2): (Double, Double, Double, Double, Double, Double)
    /// A² and AB.
    private let (q11, q12, q21, q22, r1, r2): (Double, Double, Double, Double, Double, Double)
    /// C and D, CA and CB.
    private let (c1, c2, d, p1, p2, e): (Double, Double, Double, Double, Double, Double)

    init(_ coefficients: FilterCoefficients) {
        let values = coefficients.values
        let (k1, k2, k3) = (values[0], values[1], values[2])
        let (m0, m1, m2) = (values[3], values[4], values[5])
        // v1 = k1 s1 + k2 (x − s2) and v2 = s2 + k2 s1 + k3 (x − s2); s′ = 2 v − s and y = m0 x + m1 v1 + m2 v2.
        (a11, a12, a21, a22) = (2 * k1 - 1, -2 * k2, 2 * k2, 1 - 2 * k3)
        (b1, b2) = (2 * k2, 2 * k3)
        (c1, c2, d) = (m1 * k1 + m2 * k2, m2 * (1 - k3) - m1 * k2, m0 + m1 * k2 + m2 * k3)
        (q11, q12) = (a11 * a11 + a12 * a21, a11 * a12 + a12 * a22)
        (q21, q22) = (a21 * a11 + a22 * a21, a21 * a12 + a22 * a22)
        (r1, r2) = (a11 * b1 + a12 * b2, a21 * b1 + a22 * b2)
        (p1, p2, e) = (c1 * a11 + c2 * a21, c1 * a12 + c2 * a22, c1 * b1 + c2 * b2)
    }

    /// Returns the output of a frame.
    // Without the attributes, a build without optimisation looks up the types of the vectors while it runs; so below.
    @_noLocks @_noAllocation
    @inline(__always)
    func output(_ input: Pair, _ state: State) -> Pair { (d * input + c1 * state.first) + c2 * state.second }

    /// Returns the state after a frame.
    @_noLocks @_noAllocation
    @inline(__always)
    func next(_ input: Pair, _ state: State) -> State {
        State(
            first: (b1 * input + a11 * state.first) + a12 * state.second,
            second: (b2 * input + a21 * state.first) + a22 * state.second
        )
    }

    /// Returns the output of the second of two frames, given the state before the first.
    @_noLocks @_noAllocation
    @inline(__always)
    func secondOutput(_ input: Pair, _ next: Pair, _ state: State) -> Pair {
        ((e * input + d * next) + p1 * state.first) + p2 * state.second
    }

    /// Returns the state after two frames.
    @_noLocks @_noAllocation
    @inline(__always)
    func afterBoth(_ input: Pair, _ next: Pair, _ state: State) -> State {
        State(
            first: (r1 * input + b1 * next) + (q11 * state.first + q12 * state.second),
            second: (r2 * input + b2 * next) + (q21 * state.first + q22 * state.second)
        )
    }
}
