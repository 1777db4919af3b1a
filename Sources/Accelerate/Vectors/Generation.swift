extension vDSP {
    // MARK: Fill

    /// Writes a number to every element.
    public static func fill<T: vDSP_FloatingPoint>(_ vector: inout some AccelerateMutableBuffer<T>, with value: T) {
        withUnsafePointer(to: value) { value in
            change(&vector) {
                vDSP_vfill(value.of(Float.self), $0, 1, $1)
            } _: {
                vDSP_vfillD(value.of(Double.self), $0, 1, $1)
            }
        }
    }

    /// Writes 0 to every element.
    public static func clear<T: vDSP_FloatingPoint>(_ vector: inout some AccelerateMutableBuffer<T>) {
        change(&vector) {
            vDSP_vclr($0, 1, $1)
        } _: {
            vDSP_vclrD($0, 1, $1)
        }
    }

    // MARK: Windows

    /// The shapes of windows of N elements n.
    public enum WindowSequence: Sendable {
        /// A Hann window with a mean square of 1: `sqrt(2 / 3) (1 - cos 2πn/N)`.
        case hanningNormalized
        /// A Hann window with a peak of 1: `(1 - cos 2πn/N) / 2`.
        case hanningDenormalized
        /// `0.54 - 0.46 cos 2πn/N`.
        case hamming
        /// `0.42 - 0.5 cos 2πn/N + 0.08 cos 4πn/N`.
        case blackman
    }

    /// Returns a window.
    ///
    /// - Parameters:
    ///   - ofType: Float or Double.
    ///   - sequence: The shape.
    ///   - count: The length of the whole window and of the array.
    ///   - isHalfWindow: If true, only the first `(count + 1) / 2` elements are computed, and the others are 0.
    public static func window<T: vDSP_FloatingPoint>(
        ofType: T.Type,
        usingSequence sequence: WindowSequence,
        count: Int,
        isHalfWindow: Bool
    ) -> [T] {
        var result = [T](repeating: 0, count: max(count, 0))
        formWindow(usingSequence: sequence, result: &result, isHalfWindow: isHalfWindow)
        return result
    }

    /// Writes a window, or only its first half, of the length of the result.
    public static func formWindow<T: vDSP_FloatingPoint>(
        usingSequence sequence: WindowSequence,
        result: inout some AccelerateMutableBuffer<T>,
        isHalfWindow: Bool
    ) {
        let half = isHalfWindow ? Int32(vDSP_HALF_WINDOW) : 0
        let normalized = half | Int32(vDSP_HANN_NORM)
        switch sequence {
        case .hanningNormalized:
            change(&result) {
                vDSP_hann_window($0, $1, normalized)
            } _: {
                vDSP_hann_windowD($0, $1, normalized)
            }
        case .hanningDenormalized:
            change(&result) {
                vDSP_hann_window($0, $1, half)
            } _: {
                vDSP_hann_windowD($0, $1, half)
            }
        case .hamming:
            change(&result) {
                vDSP_hamm_window($0, $1, half)
            } _: {
                vDSP_hamm_windowD($0, $1, half)
            }
        case .blackman:
            change(&result) {
                vDSP_blkman_window($0, $1, half)
            } _: {
                vDSP_blkman_windowD($0, $1, half)
            }
        }
    }

    // MARK: Ramps

    /// Returns numbers that rise by an increment.
    public static func ramp<T: vDSP_FloatingPoint>(withInitialValue initialValue: T, increment: T, count: Int) -> [T] {
        made(count) { formRamp(withInitialValue: initialValue, increment: increment, result: &$0) }
    }

    /// Writes numbers that rise by an increment.
    public static func formRamp<T: vDSP_FloatingPoint>(
        withInitialValue initialValue: T,
        increment: T,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        withUnsafePointer(to: initialValue) { start in
            withUnsafePointer(to: increment) { step in
                change(&result) {
                    vDSP_vramp(start.of(Float.self), step.of(Float.self), $0, 1, $1)
                } _: {
                    vDSP_vrampD(start.of(Double.self), step.of(Double.self), $0, 1, $1)
                }
            }
        }
    }

    /// Returns numbers from the lower bound of a range to the upper bound.
    public static func ramp<T: vDSP_FloatingPoint>(in range: ClosedRange<T>, count: Int) -> [T] {
        made(count) { formRamp(in: range, result: &$0) }
    }

    /// Writes numbers from the lower bound of a range to the upper bound.
    public static func formRamp<T: vDSP_FloatingPoint>(
        in range: ClosedRange<T>,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        withUnsafePointer(to: range.lowerBound) { start in
            withUnsafePointer(to: range.upperBound) { end in
                change(&result) {
                    vDSP_vgen(start.of(Float.self), end.of(Float.self), $0, 1, $1)
                } _: {
                    vDSP_vgenD(start.of(Double.self), end.of(Double.self), $0, 1, $1)
                }
            }
        }
    }

    /// Returns a vector multiplied by a ramp, and advances the ramp's start to its end.
    public static func ramp<T: vDSP_FloatingPoint>(
        withInitialValue initialValue: inout T,
        multiplyingBy vector: some AccelerateBuffer<T>,
        increment: T
    ) -> [T] {
        made(vector.count) {
            formRamp(withInitialValue: &initialValue, multiplyingBy: vector, increment: increment, result: &$0)
        }
    }

    /// Writes a vector multiplied by a ramp, and advances the ramp's start to its end.
    public static func formRamp<T: vDSP_FloatingPoint>(
        withInitialValue initialValue: inout T,
        multiplyingBy vector: some AccelerateBuffer<T>,
        increment: T,
        result: inout some AccelerateMutableBuffer<T>
    ) {
        withUnsafeMutablePointer(to: &initialValue) { start in
            scaling(vector, increment, &result) { a, stride, step, c, resultStride, n in
                vDSP_vrampmul(a, stride, start.of(Float.self), step, c, resultStride, n)
            } _: { a, stride, step, c, resultStride, n in
                vDSP_vrampmulD(a, stride, start.of(Double.self), step, c, resultStride, n)
            }
        }
    }

    /// Returns two channels multiplied by a ramp, and advances the ramp's start to its end.
    public static func stereoRamp<T: vDSP_FloatingPoint>(
        withInitialValue initialValue: inout T,
        multiplyingBy multiplierOne: some AccelerateBuffer<T>,
        _ multiplierTwo: some AccelerateBuffer<T>,
        increment: T
    ) -> (firstOutput: [T], secondOutput: [T]) {
        var second = [T](repeating: 0, count: multiplierTwo.count)
        let first = made(multiplierOne.count) {
            formStereoRamp(
                withInitialValue: &initialValue,
                multiplyingBy: multiplierOne,
                multiplierTwo,
                increment: increment,
                results: &$0,
                &second
            )
        }
        return (first, second)
    }

    /// Writes two channels multiplied by a ramp, and advances the ramp's start to its end.
    public static func formStereoRamp<T: vDSP_FloatingPoint>(
        withInitialValue initialValue: inout T,
        multiplyingBy multiplierOne: some AccelerateBuffer<T>,
        _ multiplierTwo: some AccelerateBuffer<T>,
        increment: T,
        results resultOne: inout some AccelerateMutableBuffer<T>,
        _ resultTwo: inout some AccelerateMutableBuffer<T>
    ) {
        var second = initialValue
        formRamp(withInitialValue: &second, multiplyingBy: multiplierTwo, increment: increment, result: &resultTwo)
        formRamp(
            withInitialValue: &initialValue,
            multiplyingBy: multiplierOne,
            increment: increment,
            result: &resultOne
        )
    }
}
