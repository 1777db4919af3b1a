extension vDSP {
    /// The kinds of Fourier transforms.
    public enum DFTTransformType: Sendable {
        /// From complex numbers to complex numbers.
        case complexComplex
        /// From real numbers to a spectrum, as ``FFT`` has it, and back.
        case complexReal
    }

    /// The Fourier transform of a fixed number of elements: a power of 2, or 3, 5 or 15 times one.
    ///
    /// The power of 2 is at least 8 for complex numbers, and 16 for real ones. A complex transform has no factor in
    /// either direction. A forward transform of real numbers has a factor of 2. Any thread may transform, and several
    /// at once.
    public final class DFT<T: vDSP_FloatingPoint>: @unchecked Sendable {
        // Unchecked: the setup is never changed, and the functions of C take it from several threads.
        private let setup: OpaquePointer
        private let outputCount: Int

        /// Prepares transforms in one direction; `nil` for a length that is not supported.
        ///
        /// - Parameters:
        ///   - previous: Not used.
        ///   - count: The number of elements: complex ones, or real ones.
        ///   - direction: The direction.
        ///   - transformType: Complex or real numbers.
        ///   - ofType: Float or Double.
        public init?(
            previous: DFT? = nil,
            count: Int,
            direction: FourierTransformDirection,
            transformType: DFTTransformType,
            ofType: T.Type
        ) {
            guard let setup = DFT.makeSetup(count, direction, transformType) else { return nil }
            self.setup = setup
            outputCount = transformType == .complexComplex ? count : count / 2
        }

        deinit {
            if T.self == Float.self {
                vDSP_DFT_DestroySetup(setup)
            } else {
                vDSP_DFT_DestroySetupD(setup)
            }
        }

        private static func makeSetup(
            _ count: Int,
            _ direction: FourierTransformDirection,
            _ type: DFTTransformType
        ) -> OpaquePointer? {
            guard let length = vDSP_Length(exactly: count) else { return nil }
            let direction = direction.dftDirection
            switch (type, T.self == Float.self) {
            case (.complexComplex, true): return vDSP_DFT_zop_CreateSetup(nil, length, direction)
            case (.complexComplex, false): return vDSP_DFT_zop_CreateSetupD(nil, length, direction)
            case (.complexReal, true): return vDSP_DFT_zrop_CreateSetup(nil, length, direction)
            case (.complexReal, false): return vDSP_DFT_zrop_CreateSetupD(nil, length, direction)
            }
        }

        /// Returns the transform of numbers, which are half as many pairs in a transform of real numbers.
        ///
        /// Empty if there are fewer elements than the transform has.
        public func transform(
            inputReal: some AccelerateBuffer<T>,
            inputImaginary: some AccelerateBuffer<T>
        ) -> (real: [T], imaginary: [T]) {
            guard inputReal.count >= outputCount, inputImaginary.count >= outputCount else { return ([], []) }
            var imaginary = [T](repeating: 0, count: outputCount)
            let real = made(outputCount) {
                transform(
                    inputReal: inputReal,
                    inputImaginary: inputImaginary,
                    outputReal: &$0,
                    outputImaginary: &imaginary
                )
            }
            return (real, imaginary)
        }

        /// Writes the transform of complex numbers, given as real and imaginary parts.
        ///
        /// If one of the four buffers has fewer elements than the transform, nothing is written.
        public func transform(
            inputReal: some AccelerateBuffer<T>,
            inputImaginary: some AccelerateBuffer<T>,
            outputReal: inout some AccelerateMutableBuffer<T>,
            outputImaginary: inout some AccelerateMutableBuffer<T>
        ) {
            access(inputReal, &outputReal) { fromReal, toReal, reals in
                access(inputImaginary, &outputImaginary) { fromImaginary, toImaginary, imaginaries in
                    guard min(reals, imaginaries) >= outputCount else { return }
                    choose(T.self) {
                        vDSP_DFT_Execute(
                            setup,
                            fromReal.of(Float.self),
                            fromImaginary.of(Float.self),
                            toReal.of(Float.self),
                            toImaginary.of(Float.self)
                        )
                    } double: {
                        vDSP_DFT_ExecuteD(
                            setup,
                            fromReal.of(Double.self),
                            fromImaginary.of(Double.self),
                            toReal.of(Double.self),
                            toImaginary.of(Double.self)
                        )
                    }
                }
            }
        }
    }

    /// A Fourier transform of a fixed number of elements, under the newer name of Apple's interface (macOS 12).
    public final class DiscreteFourierTransform<T: vDSP_FloatingPoint>: Sendable {
        private let transform: DFT<T>

        /// Prepares transforms in one direction, as ``DFT`` does.
        ///
        /// - Throws: ``DFTError/unsupportedLength(_:)``.
        public init(
            previous: DiscreteFourierTransform? = nil,
            count: Int,
            direction: FourierTransformDirection,
            transformType: DFTTransformType,
            ofType: T.Type
        ) throws {
            guard
                let transform = DFT(count: count, direction: direction, transformType: transformType, ofType: ofType)
            else { throw DFTError.unsupportedLength(count) }
            self.transform = transform
        }

        /// Returns the transform of numbers.
        public func transform(
            real: some AccelerateBuffer<T>,
            imaginary: some AccelerateBuffer<T>
        ) -> (real: [T], imaginary: [T]) {
            transform.transform(inputReal: real, inputImaginary: imaginary)
        }

        /// Writes the transform of numbers.
        public func transform(
            inputReal: some AccelerateBuffer<T>,
            inputImaginary: some AccelerateBuffer<T>,
            outputReal: inout some AccelerateMutableBuffer<T>,
            outputImaginary: inout some AccelerateMutableBuffer<T>
        ) {
            transform.transform(
                inputReal: inputReal,
                inputImaginary: inputImaginary,
                outputReal: &outputReal,
                outputImaginary: &outputImaginary
            )
        }
    }

    /// The error of ``DiscreteFourierTransform``.
    public enum DFTError: Error, Sendable {
        /// The length is no power of 2, nor 3, 5 or 15 times one, or too short.
        case unsupportedLength(Int)
    }
}
