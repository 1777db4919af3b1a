import Accelerate
import Foundation
import Testing

/// Fourier and cosine transforms, beside sums over all points.
@Suite struct FourierTests {
    /// The transform by its definition, in Double.
    private func transform(_ re: [Double], _ im: [Double], sign: Double) -> ([Double], [Double]) {
        let n = re.count
        let turns = (0..<n).map { 2 * Double.pi * Double($0) / Double(n) }
        let (cosines, sines) = (turns.map { cos($0) }, turns.map { sign * sin($0) })
        var (real, imaginary) = ([Double](repeating: 0, count: n), [Double](repeating: 0, count: n))
        for k in 0..<n {
            for j in 0..<n {
                let turn = j * k % n
                real[k] += re[j] * cosines[turn] - im[j] * sines[turn]
                imaginary[k] += re[j] * sines[turn] + im[j] * cosines[turn]
            }
        }
        return (real, imaginary)
    }

    /// Half a spectrum as vDSP packs it, of even and odd numbers.
    private func packed(_ even: [Double], _ odd: [Double]) -> ([Double], [Double]) {
        let samples = zip(even, odd).flatMap { [$0, $1] }
        let (re, im) = transform(samples, samples.map { _ in 0 }, sign: -1)
        var (real, imaginary) = (re.prefix(even.count).map { 2 * $0 }, im.prefix(even.count).map { 2 * $0 })
        real[0] = 2 * re[0]
        imaginary[0] = 2 * re[even.count]
        return (real, imaginary)
    }

    private func inverse<T: BinaryFloatingPoint>(_ n: Int, _ numbers: [T]) -> [T] { numbers.map { $0 / T(n) } }

    @Test("A complex transform equals its definition", arguments: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    func aComplexTransformIsThatOfTheDefinition(log2: Int) throws {
        let n = 1 << log2
        let setup = try #require(vDSP_create_fftsetupD(UInt(log2), FFTRadix(kFFTRadix2)))
        defer { vDSP_destroy_fftsetupD(setup) }
        let (re, im): ([Double], [Double]) = (numbers(n), numbers(n, seed: 2))
        let (wantedRe, wantedIm) = transform(re, im, sign: -1)
        var (real, imaginary) = (re, im)
        try withSplit(&real, &imaginary) { pair in
            vDSP_fft_zipD(setup, &pair, 1, UInt(log2), FFTDirection(FFT_FORWARD))
        }
        #expect(error(real, wantedRe) < 1e-13 && error(imaginary, wantedIm) < 1e-13)
        try withSplit(&real, &imaginary) { pair in
            vDSP_fft_zipD(setup, &pair, 1, UInt(log2), FFTDirection(FFT_INVERSE))
        }
        #expect(error(inverse(n, real), re) < 1e-13 && error(inverse(n, imaginary), im) < 1e-13)
    }

    @Test(
        "A real transform is twice its definition, with the middle bin packed into the first",
        arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    )
    func aRealTransformIsTwiceThatOfTheDefinitionAndPacksTheMiddle(log2: Int) throws {
        let half = 1 << (log2 - 1)
        let setup = try #require(vDSP_create_fftsetup(12, FFTRadix(kFFTRadix2)))
        defer { vDSP_destroy_fftsetup(setup) }
        let (even, odd): ([Float], [Float]) = (numbers(half), numbers(half, seed: 2))
        let (wantedRe, wantedIm) = packed(even.map(Double.init), odd.map(Double.init))
        var (real, imaginary) = (even, odd)
        try withSplit(&real, &imaginary) { pair in
            vDSP_fft_zrip(setup, &pair, 1, UInt(log2), FFTDirection(kFFTDirection_Forward))
        }
        #expect(error(real.map(Double.init), wantedRe) < 2e-6 && error(imaginary.map(Double.init), wantedIm) < 2e-6)
        try withSplit(&real, &imaginary) { pair in
            vDSP_fft_zrip(setup, &pair, 1, UInt(log2), FFTDirection(kFFTDirection_Inverse))
        }
        #expect(error(inverse(4 * half, real), even) < 1e-6 && error(inverse(4 * half, imaginary), odd) < 1e-6)
    }

    /// A long transform goes by blocks: one point gives a wave, which every later step of a wrong place would break.
    @Test("The long transform of an impulse is a complex wave", arguments: [13, 14, 15, 16, 17])
    func aLongTransformOfAnImpulseIsAWave(log2: Int) throws {
        let (n, place) = (1 << log2, 1237)
        let setup = try #require(vDSP_create_fftsetup(UInt(log2), FFTRadix(kFFTRadix2)))
        defer { vDSP_destroy_fftsetup(setup) }
        var (re, im) = ([Float](repeating: 0, count: n), [Float](repeating: 0, count: n))
        re[place] = 1
        var (real, imaginary) = (re, im)
        try withSplit(&re, &im) { from in
            try withSplit(&real, &imaginary) { to in
                vDSP_fft_zop(setup, &from, 1, &to, 1, UInt(log2), FFTDirection(FFT_FORWARD))
            }
        }
        let angles = (0..<n).map { 2 * Double.pi * Double($0 * place % n) / Double(n) }
        #expect(error(real, angles.map { Float(cos($0)) }) < 1e-6)
        #expect(error(imaginary, angles.map { Float(-sin($0)) }) < 1e-6)
    }

    @Test("A transform with strides changes only its elements")
    func stridesReachOnlyTheirElements() throws {
        let setup = try #require(vDSP_create_fftsetup(6, FFTRadix(kFFTRadix2)))
        defer { vDSP_destroy_fftsetup(setup) }
        var (re, im) = (Strided<Float>(numbers(64), stride: 2), Strided<Float>(numbers(64, seed: 2), stride: 2))
        let wanted = transform(re.elements.map(Double.init), im.elements.map(Double.init), sign: -1)
        try withSplit(&re.memory, &im.memory) { vDSP_fft_zip(setup, &$0, 2, 6, FFTDirection(FFT_FORWARD)) }
        #expect(error(re.elements.map(Double.init), wanted.0) < 2e-6)
        #expect(error(im.elements.map(Double.init), wanted.1) < 2e-6)
        #expect(re.isOtherwiseUntouched && im.isOtherwiseUntouched)
    }

    @Test(
        "Transforms of other supported lengths equal the definition",
        arguments: [8, 24, 40, 120, 48, 80, 96, 240, 480, 960, 1920, 640]
    )
    func otherLengthsAreTransformedByTheDefinition(length: Int) throws {
        let (re, im): ([Double], [Double]) = (numbers(length), numbers(length, seed: 2))
        for (direction, sign) in [(vDSP.FourierTransformDirection.forward, -1.0), (.inverse, 1)] {
            let dft = try #require(
                vDSP.DFT(count: length, direction: direction, transformType: .complexComplex, ofType: Double.self)
            )
            let found = dft.transform(inputReal: re, inputImaginary: im)
            let wanted = transform(re, im, sign: sign)
            #expect(error(found.real, wanted.0) < 1e-13 && error(found.imaginary, wanted.1) < 1e-13)
        }
        guard length % 16 == 0 else { return }
        let (even, odd) = (Array(re.prefix(length / 2)), Array(im.prefix(length / 2)))
        let forward = try vDSP.DiscreteFourierTransform(
            count: length,
            direction: .forward,
            transformType: .complexReal,
            ofType: Double.self
        )
        let spectrum = forward.transform(real: even, imaginary: odd)
        let wanted = packed(even, odd)
        #expect(error(spectrum.real, wanted.0) < 1e-13 && error(spectrum.imaginary, wanted.1) < 1e-13)
    }

    @Test("Cosine transforms equal their defining sums", arguments: [16, 48, 80, 240, 64, 1024])
    func cosineTransformsAreTheirSums(n: Int) throws {
        let x = numbers(n, as: Float.self).map(Double.init)
        func sum(_ factor: (Int, Int) -> Double) -> [Double] {
            (0..<n).map { k in (0..<n).reduce(0) { $0 + x[$1] * cos(factor(k, $1) * .pi / Double(n)) } }
        }
        let wanted: [vDSP.DCTTransformType: [Double]] = [
            .II: sum { Double($0) * (Double($1) + 0.5) },
            .III: sum { (Double($0) + 0.5) * Double($1) }.map { $0 - x[0] / 2 },
            .IV: sum { (Double($0) + 0.5) * (Double($1) + 0.5) },
        ]
        for type in vDSP.DCTTransformType.allCases {
            let dct = try #require(vDSP.DCT(count: n, transformType: type))
            let found = dct.transform(x.map { Float($0) }).map(Double.init)
            #expect(error(found, wanted[type] ?? []) < 2e-6, "\(type)")
        }
    }

    @Test("Creating a setup for an unsupported length returns nil")
    func lengthsThatAreNotSupportedHaveNoSetup() {
        for log2 in [25, 63, 64, UInt.max] { #expect(vDSP_create_fftsetup(log2, FFTRadix(kFFTRadix2)) == nil) }
        #expect(vDSP_create_fftsetup(4, 9) == nil)
        for length in [0, 1, 7, 12, 14 * 8, UInt(1) << 40, .max] {
            #expect(vDSP_DFT_zop_CreateSetup(nil, length, .FORWARD) == nil)
            #expect(vDSP_DFT_zrop_CreateSetupD(nil, length, .INVERSE) == nil)
            #expect(vDSP_DCT_CreateSetup(nil, length, .II) == nil)
        }
        #expect(vDSP.DFT(count: -8, direction: .forward, transformType: .complexReal, ofType: Float.self) == nil)
        #expect(throws: vDSP.DFTError.self) {
            try vDSP.DiscreteFourierTransform(
                count: 7,
                direction: .forward,
                transformType: .complexComplex,
                ofType: Float.self
            )
        }
        vDSP_destroy_fftsetup(nil)
        vDSP_DFT_DestroySetup(nil)
    }

    @Test("A transform longer than its setup writes nothing")
    func aTransformLongerThanTheSetupWritesNothing() throws {
        let setup = try #require(vDSP_create_fftsetup(3, FFTRadix(kFFTRadix2)))
        defer { vDSP_destroy_fftsetup(setup) }
        var (re, im): ([Float], [Float]) = ([1, 2], [3, 4])
        try withSplit(&re, &im) { vDSP_fft_zip(setup, &$0, 1, .max, FFTDirection(FFT_FORWARD)) }
        try withSplit(&re, &im) { vDSP_fft_zrip(setup, &$0, 1, 0, FFTDirection(FFT_FORWARD)) }
        #expect(re == [1, 2] && im == [3, 4])
    }

    @Test("Several threads can use one setup at the same time")
    func severalThreadsShareASetup() async throws {
        let fft = try #require(vDSP.FFT(log2n: 10, radix: .radix2, ofType: DSPSplitComplex.self))
        let (even, odd): ([Float], [Float]) = (numbers(512), numbers(512, seed: 2))
        let spectra = try await withThrowingTaskGroup(of: [Float].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var (re, im) = (even, odd)
                    for _ in 0..<50 {
                        (re, im) = (even, odd)
                        try withSplit(&re, &im) { pair in
                            let input = pair
                            fft.forward(input: input, output: &pair)
                        }
                    }
                    return re + im
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(spectra).count == 1)
    }
}

/// Calls a closure with a split complex vector of arrays.
func withSplit(_ re: inout [Float], _ im: inout [Float], _ body: (inout DSPSplitComplex) throws -> Void) throws {
    try re.withUnsafeMutableBufferPointer { re in
        try im.withUnsafeMutableBufferPointer { im in
            var pair = DSPSplitComplex(realp: try #require(re.baseAddress), imagp: try #require(im.baseAddress))
            try body(&pair)
        }
    }
}

/// Calls a closure with a split complex vector of arrays.
func withSplit(_ re: inout [Double], _ im: inout [Double], _ body: (inout DSPDoubleSplitComplex) throws -> Void) throws
{
    try re.withUnsafeMutableBufferPointer { re in
        try im.withUnsafeMutableBufferPointer { im in
            var pair = DSPDoubleSplitComplex(realp: try #require(re.baseAddress), imagp: try #require(im.baseAddress))
            try body(&pair)
        }
    }
}
