extension vDSP {
    /// The types of cosine transforms.
    public enum DCTTransformType: Int32, CaseIterable, Sendable {
        /// `y[k] = sum of x[j] cos(k (j + 1/2) π / N)`.
        case II = 2
        /// `y[k] = x[0] / 2 + sum of x[j] cos((k + 1/2) j π / N)`: the way back from II, times N / 2.
        case III = 3
        /// `y[k] = sum of x[j] cos((k + 1/2) (j + 1/2) π / N)`, which is its own inverse times N / 2.
        case IV = 4

        /// The type as `vDSP_DCT_CreateSetup` takes it.
        public var dctType: vDSP_DCT_Type {
            switch self {
            case .II: .II
            case .III: .III
            case .IV: .IV
            }
        }
    }

    /// The cosine transform of a fixed number of Floats: 16, 32 or a higher power of 2, or 3, 5 or 15 times one.
    ///
    /// Any thread may transform, and several at once.
    public final class DCT: @unchecked Sendable {
        // Unchecked: the functions of C take the setup from several threads.
        private let setup: vDSP_DFT_Setup
        private let count: Int

        /// Prepares transforms; `nil` for a length that is not supported.
        ///
        /// The previous setup is not used.
        public init?(previous: DCT? = nil, count: Int, transformType: DCTTransformType) {
            guard let length = vDSP_Length(exactly: count),
                let setup = vDSP_DCT_CreateSetup(nil, length, transformType.dctType)
            else { return nil }
            self.setup = setup
            self.count = count
        }

        deinit { vDSP_DFT_DestroySetup(setup) }

        /// Returns the transform of numbers; empty if there are fewer than the transform has.
        public func transform(_ vector: some AccelerateBuffer<Float>) -> [Float] {
            guard vector.count >= count else { return [] }
            return made(count) { transform(vector, result: &$0) }
        }

        /// Writes the transform of numbers, unless there are fewer than the transform has.
        public func transform(
            _ vector: some AccelerateBuffer<Float>,
            result: inout some AccelerateMutableBuffer<Float>
        ) {
            access(vector, &result) { vector, result, n in
                guard n >= count else { return }
                vDSP_DCT_Execute(setup, vector, result)
            }
        }
    }
}
