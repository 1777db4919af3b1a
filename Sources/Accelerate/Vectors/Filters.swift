extension vDSP {
    // MARK: Filters without feedback

    /// Returns the convolution of a vector with a kernel: as many elements as the vector has more than the kernel.
    public static func convolve<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        withKernel kernel: some AccelerateBuffer<T>
    ) -> [T] {
        made(vector.count - kernel.count) { convolve(vector, withKernel: kernel, result: &$0) }
    }

    /// Writes the convolution of a vector with a kernel, at the positions at which the whole kernel overlaps the
    /// vector.
    public static func convolve<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        withKernel kernel: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        filter(vector, kernel, isReversed: true, &result)
    }

    /// Returns the correlation of a vector with a kernel: as many elements as the vector has more than the kernel.
    public static func correlate<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        withKernel kernel: some AccelerateBuffer<T>
    ) -> [T] {
        made(vector.count - kernel.count) { correlate(vector, withKernel: kernel, result: &$0) }
    }

    /// Writes the correlation of a vector with a kernel, at the positions at which the whole kernel overlaps the
    /// vector.
    public static func correlate<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        withKernel kernel: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        filter(vector, kernel, isReversed: false, &result)
    }

    private static func filter<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        _ kernel: some AccelerateBuffer<T>,
        isReversed: Bool,
        _ result: inout some AccelerateMutableBuffer<T>
    ) {
        let taps = kernel.count
        let places = vector.count - taps + 1
        guard taps > 0, places > 0 else { return }
        kernel.withUnsafeBufferPointer { kernel in
            guard let first = kernel.baseAddress else { return }
            let start = isReversed ? first + (taps - 1) : first
            let step = isReversed ? -1 : 1
            unary(vector, &result) {
                vDSP_conv($0, $1, start.of(Float.self), step, $2, $3, min($4, UInt(places)), UInt(taps))
            } _: {
                vDSP_convD($0, $1, start.of(Double.self), step, $2, $3, min($4, UInt(places)), UInt(taps))
            }
        }
    }

    /// Returns every `decimationFactor`th element of a vector after a filter.
    public static func downsample<T: vDSP_FloatingPoint>(
        _ source: some AccelerateBuffer<T>,
        decimationFactor: Int,
        filter: some AccelerateBuffer<T>
    ) -> [T] {
        guard decimationFactor > 0, filter.count <= source.count else { return [] }
        return made((source.count - filter.count) / decimationFactor + 1) {
            downsample(source, decimationFactor: decimationFactor, filter: filter, result: &$0)
        }
    }

    /// Filters a vector and writes every `decimationFactor`th result, at positions at which the whole filter overlaps
    /// the vector.
    public static func downsample<T: vDSP_FloatingPoint>(
        _ source: some AccelerateBuffer<T>,
        decimationFactor: Int,
        filter: some AccelerateBuffer<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        let taps = filter.count
        guard decimationFactor > 0, taps > 0, taps <= source.count else { return }
        let places = UInt((source.count - taps) / decimationFactor + 1)
        filter.withUnsafeBufferPointer { filter in
            guard let first = filter.baseAddress else { return }
            unary(source, &result) {
                vDSP_desamp($0, decimationFactor, first.of(Float.self), $2, min($4, places), UInt(taps))
            } _: {
                vDSP_desampD($0, decimationFactor, first.of(Double.self), $2, min($4, places), UInt(taps))
            }
        }
    }

    /// Returns the sums of `windowLength` elements that begin at each place.
    public static func slidingWindowSum<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        usingWindowLength windowLength: Int
    ) -> [T] {
        guard windowLength > 0 else { return [] }
        return made(vector.count - windowLength + 1) {
            slidingWindowSum(vector, usingWindowLength: windowLength, result: &$0)
        }
    }

    /// Writes the sums of `windowLength` elements that begin at each place.
    public static func slidingWindowSum<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        usingWindowLength windowLength: Int,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        guard windowLength > 0, windowLength <= vector.count else { return }
        let places = UInt(vector.count - windowLength + 1)
        unary(vector, &result) {
            vDSP_vswsum($0, $1, $2, $3, min($4, places), UInt(windowLength))
        } _: {
            vDSP_vswsumD($0, $1, $2, $3, min($4, places), UInt(windowLength))
        }
    }

    // MARK: Filters with feedback

    /// Returns a vector after a second-order section, beginning with two elements of 0.
    ///
    /// Element n is `x[n] c.0 + x[n - 1] c.1 + x[n - 2] c.2 - y[n - 1] c.3 - y[n - 2] c.4`.
    public static func twoPoleTwoZeroFilter<T: vDSP_FloatingPoint>(
        _ source: some AccelerateBuffer<T>,
        coefficients: (T, T, T, T, T)
    ) -> [T] {
        made(source.count) { twoPoleTwoZeroFilter(source, coefficients: coefficients, result: &$0) }
    }

    /// Writes a vector after a second-order section, beginning with two elements of 0.
    public static func twoPoleTwoZeroFilter<T: vDSP_FloatingPoint>(
        _ source: some AccelerateBuffer<T>,
        coefficients: (T, T, T, T, T),
        result: inout some AccelerateMutableBuffer<T>
    ) {
        let factors = [coefficients.0, coefficients.1, coefficients.2, coefficients.3, coefficients.4]
        factors.withUnsafeBufferPointer { factors in
            guard let factors = factors.baseAddress else { return }
            unary(source, &result) {
                $2.update(repeating: 0, count: Int(min($4, 2)))
                if $4 > 2 { vDSP_deq22($0, $1, factors.of(Float.self), $2, $3, $4 - 2) }
            } _: {
                $2.update(repeating: 0, count: Int(min($4, 2)))
                if $4 > 2 { vDSP_deq22D($0, $1, factors.of(Double.self), $2, $3, $4 - 2) }
            }
        }
    }

    // MARK: Integration

    /// The rules of ``integrate(_:using:stepSize:)``.
    public enum IntegrationRule: Sendable {
        /// The sum of all elements but the first.
        case runningSum
        /// Simpson's rule.
        case simpson
        /// The trapezoidal rule.
        case trapezoidal
    }

    /// Returns the integral from the first element to each.
    public static func integrate<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        using rule: IntegrationRule,
        stepSize: T = 1
    ) -> [T] {
        made(vector.count) { integrate(vector, using: rule, stepSize: stepSize, result: &$0) }
    }

    /// Writes the integral from the first element to each.
    public static func integrate<T: vDSP_FloatingPoint>(
        _ vector: some AccelerateBuffer<T>,
        using rule: IntegrationRule,
        stepSize: T = 1,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        switch rule {
        case .runningSum: scaling(vector, stepSize, &result, vDSP_vrsum, vDSP_vrsumD)
        case .simpson: scaling(vector, stepSize, &result, vDSP_vsimps, vDSP_vsimpsD)
        case .trapezoidal: scaling(vector, stepSize, &result, vDSP_vtrapz, vDSP_vtrapzD)
        }
    }
}
