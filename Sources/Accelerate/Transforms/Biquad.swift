extension vDSP {
    /// A cascade of second-order sections, for one or more channels.
    ///
    /// A section computes `y[n] = b0 x[n] + b1 x[n - 1] + b2 x[n - 2] - a1 y[n - 1] - a2 y[n - 2]`. The filter keeps
    /// its state between calls. A copy starts with cleared state.
    ///
    /// ```swift
    /// var lowPass = vDSP.Biquad(
    ///     coefficients: [0.0675, 0.1349, 0.0675, -1.1430, 0.4128],
    ///     channelCount: 1, sectionCount: 1, ofType: Float.self)
    /// let filtered = lowPass?.apply(input: samples) ?? samples
    /// ```
    public struct Biquad<T: vDSP_FloatingPoint> {
        private var filter: BiquadFilter<T>

        /// Creates a filter with cleared state.
        ///
        /// - Parameters:
        ///   - coefficients: b0, b1, b2, a1 and a2, for each section, and within a section for each channel.
        ///   - channelCount: The number of channels.
        ///   - sectionCount: The number of sections.
        ///   - ofType: `Float` or `Double`.
        /// - Returns: `nil` if there are no coefficients, or not five for each section and channel.
        public init?(
            coefficients: [Double],
            channelCount: vDSP_Length,
            sectionCount: vDSP_Length,
            ofType: T.Type
        ) {
            guard
                let filter = BiquadFilter<T>(coefficients, channels: channelCount, sections: sectionCount)
            else { return nil }
            self.filter = filter
        }

        /// Returns the filtered samples.
        ///
        /// The input has the channels one after another, not interleaved.
        public mutating func apply(input: some AccelerateBuffer<T>) -> [T] {
            makeUnique()
            return made(input.count) { filter.apply(input, &$0) }
        }

        /// Writes the filtered samples.
        ///
        /// The input has the channels one after another, not interleaved.
        public mutating func apply(
            input: some AccelerateBuffer<T>,
            output: inout some AccelerateMutableBuffer<T>
        ) {
            makeUnique()
            filter.apply(input, &output)
        }

        private mutating func makeUnique() {
            if !isKnownUniquelyReferenced(&filter), let copy = filter.atRest() { filter = copy }
        }
    }
}

/// The setups of a filter's channels, and their memory.
private final class BiquadFilter<T: vDSP_FloatingPoint> {
    private let coefficients: [Double]
    private let sections: vDSP_Length
    private var setups: [OpaquePointer] = []
    private var delays: [[T]] = []

    init?(_ coefficients: [Double], channels: vDSP_Length, sections: vDSP_Length) {
        self.coefficients = coefficients
        self.sections = sections
        let (pairs, overflow) = channels.multipliedReportingOverflow(by: sections)
        guard !overflow, pairs > 0, coefficients.count.isMultiple(of: 5), coefficients.count / 5 == pairs else {
            return nil
        }
        for channel in 0..<Int(channels) {
            var own: [Double] = []
            for section in 0..<Int(sections) {
                let first = 5 * (section * Int(channels) + channel)
                own += coefficients[first..<first + 5]
            }
            let setup =
                T.self == Float.self
                ? vDSP_biquad_CreateSetup(own, sections) : vDSP_biquad_CreateSetupD(own, sections)
            guard let setup else { return nil }
            setups.append(setup)
            delays.append([T](repeating: 0, count: 2 * Int(sections) + 2))
        }
    }

    deinit {
        for setup in setups {
            if T.self == Float.self {
                vDSP_biquad_DestroySetup(setup)
            } else {
                vDSP_biquad_DestroySetupD(setup)
            }
        }
    }

    func atRest() -> BiquadFilter? {
        BiquadFilter(coefficients, channels: vDSP_Length(setups.count), sections: sections)
    }

    func apply(_ input: some AccelerateBuffer<T>, _ output: inout some AccelerateMutableBuffer<T>) {
        access(input, &output) { input, output, count in
            let n = count / UInt(setups.count)
            for channel in setups.indices {
                let start = channel * Int(n)
                delays[channel].withUnsafeMutableBufferPointer { delay in
                    guard let delay = delay.baseAddress else { return }
                    let (x, y) = (input + start, output + start)
                    choose(T.self) {
                        vDSP_biquad(
                            setups[channel],
                            delay.of(Float.self),
                            x.of(Float.self),
                            1,
                            y.of(Float.self),
                            1,
                            n
                        )
                    } double: {
                        vDSP_biquadD(
                            setups[channel],
                            delay.of(Double.self),
                            x.of(Double.self),
                            1,
                            y.of(Double.self),
                            1,
                            n
                        )
                    }
                }
            }
        }
    }
}
