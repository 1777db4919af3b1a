import CSyrinxTransform

/// The Fourier transform of real samples, forward and back, of one fixed length.
///
/// A spectrum is `binCount` complex numbers, the real part before the imaginary one. The way back divides by the
/// length, so forward and back again is the identity. Neither way allocates or locks. One thread at a time.
package final class RealFFT {
    /// The number of samples.
    package let length: Int
    /// The number of complex bins, from 0 Hz up to and including the Nyquist frequency.
    package var binCount: Int { length / 2 + 1 }

    // Each context is created here, used by this object alone, and destroyed in deinit.
    private let forwardContext: OpaquePointer
    private let forwardFunction: av_tx_fn
    private let inverseContext: OpaquePointer
    private let inverseFunction: av_tx_fn

    /// Prepares both directions.
    ///
    /// - Parameter length: a power of two, or three times one; at least 16.
    package init(length: Int) {
        self.length = length
        (forwardContext, forwardFunction) = Self.prepare(length: length, inverse: false, scale: 1)
        (inverseContext, inverseFunction) = Self.prepare(length: length, inverse: true, scale: 1 / Float(length))
    }

    deinit {
        var forward: OpaquePointer? = forwardContext
        var inverse: OpaquePointer? = inverseContext
        av_tx_uninit(&forward)
        av_tx_uninit(&inverse)
    }

    private static func prepare(length: Int, inverse: Bool, scale: Float) -> (OpaquePointer, av_tx_fn) {
        var context: OpaquePointer?
        var function: av_tx_fn?
        var scale = scale
        let status = av_tx_init(&context, &function, AV_TX_FLOAT_RDFT, inverse ? 1 : 0, Int32(length), &scale, 0)
        guard status >= 0, let context, let function else {
            preconditionFailure("libavutil has no real transform of \(length) samples (error \(status)).")
        }
        return (context, function)
    }

    /// Turns samples into a spectrum.
    ///
    /// Both pointers must be aligned to 64 bytes and must not overlap. The samples are left as they are.
    package func forward(_ samples: UnsafeMutablePointer<Float>, into spectrum: UnsafeMutablePointer<Float>) {
        // Not marked `@_noLocks`: it calls C.
        syrinx_tx_run(forwardFunction, forwardContext, spectrum, samples, MemoryLayout<Float>.stride)
        // These two bins are real; libavutil may leave old values in their imaginary parts.
        spectrum[1] = 0
        spectrum[length + 1] = 0
    }

    /// Turns a spectrum into samples.
    ///
    /// Both pointers must be aligned to 64 bytes and must not overlap. The spectrum is destroyed.
    package func inverse(_ spectrum: UnsafeMutablePointer<Float>, into samples: UnsafeMutablePointer<Float>) {
        // Not marked `@_noLocks`: it calls C. The stride is that of the input, which is complex.
        syrinx_tx_run(inverseFunction, inverseContext, samples, spectrum, 2 * MemoryLayout<Float>.stride)
    }
}
