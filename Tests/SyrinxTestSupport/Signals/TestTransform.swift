import Foundation

/// A complex spectrum.
struct TestSpectrum {
    var real: [Double]
    var imaginary: [Double]

    func power(_ bin: Int) -> Double { real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }
}

/// A plain radix-2 Fourier transform, so that measuring does not lean on what is being measured.
struct TestTransform {
    private let size: Int
    private let cosines: [Double]
    private let sines: [Double]
    private let reversed: [Int]

    /// A transform of `size` points, a power of two.
    init(size: Int) {
        self.size = size
        cosines = (0..<size / 2).map { cos(2 * .pi * Double($0) / Double(size)) }
        sines = (0..<size / 2).map { -sin(2 * .pi * Double($0) / Double(size)) }
        let bits = size.trailingZeroBitCount
        reversed = (0..<size).map { index in
            (0..<bits).reduce(0) { $0 | (index >> $1 & 1) << (bits - 1 - $1) }
        }
    }

    func forward(_ samples: [Double]) -> TestSpectrum {
        transform(TestSpectrum(real: samples, imaginary: [Double](repeating: 0, count: size)))
    }

    /// The inverse, without the division by the size, of a spectrum whose signal is real.
    func inverse(_ spectrum: TestSpectrum) -> [Double] {
        transform(TestSpectrum(real: spectrum.real, imaginary: spectrum.imaginary.map { -$0 })).real
    }

    private func transform(_ input: TestSpectrum) -> TestSpectrum {
        var output = TestSpectrum(
            real: reversed.map { input.real[$0] },
            imaginary: reversed.map { input.imaginary[$0] }
        )
        output.real.withUnsafeMutableBufferPointer { real in
            output.imaginary.withUnsafeMutableBufferPointer { imaginary in
                cosines.withUnsafeBufferPointer { cosines in
                    sines.withUnsafeBufferPointer { sines in
                        guard let real = real.baseAddress, let imaginary = imaginary.baseAddress,
                            let cosines = cosines.baseAddress, let sines = sines.baseAddress
                        else { return }
                        butterflies(real, imaginary, cosines, sines)
                    }
                }
            }
        }
        return output
    }

    // Plain loops on pointers: tests run this unoptimised over millions of samples.
    private func butterflies(
        _ real: UnsafeMutablePointer<Double>,
        _ imaginary: UnsafeMutablePointer<Double>,
        _ cosines: UnsafePointer<Double>,
        _ sines: UnsafePointer<Double>
    ) {
        var half = 1
        while half < size {
            let stride = size / (2 * half)
            var block = 0
            while block < size {
                var index = 0
                while index < half {
                    let low = block &+ index
                    let high = low &+ half
                    let cosine = cosines[index &* stride]
                    let sine = sines[index &* stride]
                    let turnedReal = real[high] * cosine - imaginary[high] * sine
                    let turnedImaginary = real[high] * sine + imaginary[high] * cosine
                    real[high] = real[low] - turnedReal
                    imaginary[high] = imaginary[low] - turnedImaginary
                    real[low] += turnedReal
                    imaginary[low] += turnedImaginary
                    index = index &+ 1
                }
                block = block &+ 2 &* half
            }
            half *= 2
        }
    }
}
