/// Split complex numbers of Float or of Double, which ``vDSP/FFT`` transforms.
///
/// Other types must not conform.
public protocol vDSP_FourierTransformable {}

extension DSPSplitComplex: vDSP_FourierTransformable {}
extension DSPDoubleSplitComplex: vDSP_FourierTransformable {}

extension vDSP {
    /// The directions of Fourier transforms.
    public enum FourierTransformDirection: Sendable {
        /// From samples to a spectrum.
        case forward
        /// From a spectrum to samples.
        case inverse

        /// The direction for C functions such as `vDSP_fft_zrip`.
        public var fftDirection: FFTDirection {
            FFTDirection(self == .forward ? kFFTDirection_Forward : kFFTDirection_Inverse)
        }

        /// The direction for C functions such as `vDSP_DFT_zop_CreateSetup`.
        public var dftDirection: vDSP_DFT_Direction { self == .forward ? .FORWARD : .INVERSE }
    }

    /// The radix of a setup, as in Apple's interface.
    ///
    /// It does not change the length: `vDSP.FFT` transforms 2^`log2n` samples with each radix.
    public enum Radix: Sendable {
        /// Powers of 2.
        case radix2
        /// Accepted for compatibility; has the same effect as `radix2`.
        case radix3
        /// Accepted for compatibility; has the same effect as `radix2`.
        case radix5

        /// The radix as `vDSP_create_fftsetup` takes it.
        public var fftRadix: FFTRadix {
            switch self {
            case .radix2: FFTRadix(kFFTRadix2)
            case .radix3: FFTRadix(kFFTRadix3)
            case .radix5: FFTRadix(kFFTRadix5)
            }
        }
    }

    /// The Fourier transform of a power-of-two number of real samples.
    ///
    /// The samples are split: those with an even index are the real parts, and those with an odd index the imaginary
    /// parts. The spectrum has the bins from 0 Hz to below half the sample rate, multiplied by 2. The imaginary part
    /// of the first bin is the value at half the sample rate. A forward and an inverse transform multiply the samples
    /// by twice their number. Several threads may use one object at the same time.
    ///
    /// ```swift
    /// let fft = vDSP.FFT(log2n: 10, radix: .radix2, ofType: DSPSplitComplex.self)!
    /// var real = [Float](repeating: 0, count: 512), imaginary = real
    /// var magnitudes = real
    /// samples.withUnsafeBufferPointer { samples in
    ///     samples.withMemoryRebound(to: DSPComplex.self) { pairs in
    ///         real.withUnsafeMutableBufferPointer { real in
    ///             imaginary.withUnsafeMutableBufferPointer { imaginary in
    ///                 var split = DSPSplitComplex(realp: real.baseAddress!, imagp: imaginary.baseAddress!)
    ///                 vDSP_ctoz(pairs.baseAddress!, 2, &split, 1, 512)
    ///                 fft.forward(input: split, output: &split)
    ///                 vDSP.squareMagnitudes(split, result: &magnitudes)
    ///             }
    ///         }
    ///     }
    /// }
    /// ```
    public final class FFT<T: vDSP_FourierTransformable>: @unchecked Sendable {
        // Unchecked: the setup is never changed, and the functions of C take it from several threads.
        private let setup: OpaquePointer
        private let log2n: vDSP_Length

        /// Prepares transforms of 2 to the power of `log2n` real numbers; `nil` if that is more than 2^24.
        public init?(log2n: vDSP_Length, radix: Radix, ofType: T.Type) {
            let setup =
                T.self == DSPSplitComplex.self
                ? vDSP_create_fftsetup(log2n, radix.fftRadix) : vDSP_create_fftsetupD(log2n, radix.fftRadix)
            guard let setup else { return nil }
            self.setup = setup
            self.log2n = log2n
        }

        deinit {
            if T.self == DSPSplitComplex.self {
                vDSP_destroy_fftsetup(setup)
            } else {
                vDSP_destroy_fftsetupD(setup)
            }
        }

        /// Transforms samples into a spectrum, which may take their place.
        public func forward(input: T, output: inout T) { transform(input: input, output: &output, direction: .forward) }

        /// Transforms a spectrum into samples, which may take its place.
        public func inverse(input: T, output: inout T) { transform(input: input, output: &output, direction: .inverse) }

        /// Transforms samples or a spectrum.
        public func transform(input: T, output: inout T, direction: FourierTransformDirection) {
            if let input = input as? DSPSplitComplex, let result = output as? DSPSplitComplex {
                withUnsafePointer(to: input) { input in
                    withUnsafePointer(to: result) { result in
                        vDSP_fft_zrop(setup, input, 1, result, 1, log2n, direction.fftDirection)
                    }
                }
            } else if let input = input as? DSPDoubleSplitComplex, let result = output as? DSPDoubleSplitComplex {
                withUnsafePointer(to: input) { input in
                    withUnsafePointer(to: result) { result in
                        vDSP_fft_zropD(setup, input, 1, result, 1, log2n, direction.fftDirection)
                    }
                }
            }
        }
    }
}
