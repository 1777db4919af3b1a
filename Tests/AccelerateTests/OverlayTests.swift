import Accelerate
import Foundation
import Testing

/// The Swift interface, and programs as they are written for Apple's systems.
@Suite struct OverlayTests {
    private let a: [Float] = numbers(37)
    private let b: [Float] = numbers(37, seed: 2)

    @Test("Both forms of a function give the results of a loop")
    func bothFormsOfAFunctionAreThoseOfALoop() {
        var result = [Float](repeating: 0, count: 37)
        vDSP.add(a, b, result: &result)
        #expect(result == vDSP.add(a, b) && result == zip(a, b).map(+))
        #expect(vDSP.subtract(a, b) == zip(a, b).map(-))
        #expect(vDSP.multiply(2, a) == a.map { 2 * $0 })
        #expect(vDSP.divide(1, a) == a.map { 1 / $0 } && vDSP.divide(a, 4) == a.map { $0 / 4 })
        #expect(vDSP.divide(a, b) == zip(a, b).map(/))
        #expect(error(vDSP.add(multiplication: (a, b), a), zip(a, b).map { $0 * $1 + $0 }) < 1e-6)
        #expect(error(vDSP.subtract(multiplication: (a: a, b: 3), b), zip(a, b).map { $0 * 3 - $1 }) < 1e-6)
        #expect(
            error(vDSP.multiply(addition: (a, b), subtraction: (a, b)), zip(a, b).map { ($0 + $1) * ($0 - $1) }) < 1e-6
        )
        var (sums, differences) = (a, b)
        vDSP.addSubtract(a, b, addResult: &sums, subtractResult: &differences)
        #expect(sums == zip(a, b).map(+) && differences == zip(a, b).map(-))
        #expect(vDSP.threshold(a, to: 0, with: .signedConstant(5)) == a.map { $0 >= 0 ? 5 : -5 })
        #expect(vDSP.mean([1, 2, 6] as ContiguousArray<Double>) == 3)
        #expect(vDSP.indexOfMaximum([1, 9, 9] as [Double]) == (1, 9))
        #expect(vDSP.maximum([] as [Float]) == -.infinity && vDSP.sum([] as [Double]) == 0)
        #expect(abs(vDSP.standardDeviation([1, 3, 1, 3] as [Float]) - 1) < 1e-6)
        #expect(error(vDSP.normalize([1, 3, 1, 3] as [Double]), [-1, 1, -1, 1]) < 1e-12)
        #expect(vDSP.countZeroCrossings([1, -1, -2, 3] as [Float]) == 2)
        #expect(error(vForce.pow(bases: [2, 3] as [Double], exponents: [3, 2]), [8, 9]) < 1e-12)
        #expect(error(vForce.sqrt([4, 9] as [Float]), [2, 3]) < 1e-6)
        #expect(error(vForce.atan2(x: [0] as [Double], y: [1]), [Double.pi / 2]) < 1e-12)
    }

    @Test("Vectors of different lengths are processed to the end of the shortest")
    func theShortestOfDifferentLengthsCounts() {
        var result: [Float] = [9, 9, 9]
        vDSP.multiply(a[0..<2], b, result: &result)
        #expect(result == [a[0] * b[0], a[1] * b[1], 9])
        #expect(vDSP.add(a, [] as [Float]).isEmpty)
        #expect(vDSP.convolve([1] as [Float], withKernel: [1, 2, 3] as [Float]).isEmpty)
        #expect(vDSP.downsample([1, 2, 3] as [Float], decimationFactor: 0, filter: [1] as [Float]).isEmpty)
    }

    @Test("Functions accept slices and pointers")
    func slicesAndPointersAreBuffers() {
        var whole = a
        whole.withUnsafeMutableBufferPointer { pointer in
            var part = pointer[5..<9]
            vDSP.fill(&part, with: 3)
            #expect(vDSP.sum(UnsafeBufferPointer(pointer)[5..<9]) == 12)
        }
        #expect(whole[4] == a[4] && whole[5...8].allSatisfy { $0 == 3 } && whole[9] == a[9])
        vDSP.negative(whole[5..<7], result: &whole[0..<2])
        #expect(whole[0] == -3 && whole[2] == a[2])
        var (left, right): ([Float], [Float]) = ([1, 2], [3, 4])
        vDSP.swapElements(&left, &right)
        vDSP.reverse(&left)
        #expect(left == [4, 3] && right == [1, 2])
    }

    @Test("Complex numbers are split, joined and multiplied")
    func complexNumbersSplitJoinAndMultiply() throws {
        let numbers = [DSPComplex(real: 1, imag: 2), DSPComplex(real: -3, imag: 4), DSPComplex(real: 0, imag: -1)]
        var (re, im): ([Float], [Float]) = ([0, 0, 0], [0, 0, 0])
        try withSplit(&re, &im) { pair in
            vDSP.convert(interleavedComplexVector: numbers, toSplitComplexVector: &pair)
            var magnitudes: [Float] = [0, 0, 0]
            vDSP.absolute(pair, result: &magnitudes)
            #expect(error(magnitudes, [Float(5).squareRoot(), 5, 1]) < 1e-6)
            let original = pair
            vDSP.multiply(original, by: original, count: 3, useConjugate: true, result: &pair)
        }
        #expect(re == [5, 25, 1] && im == [0, 0, 0])
        #expect(error(vDSP.rectangularToPolar([3, 4, 0, 2] as [Double]), [5, atan2(4, 3), 2, .pi / 2]) < 1e-14)
    }

    // The parts of a program that draws waveforms, with the numbers that it prints on Apple's systems.

    @Test("Decibels computed in place equal the values from Apple systems")
    func decibelsInPlaceAreThoseThatAppleSystemsPrint() {
        var bufferSamplesD: [Double] = [1.0, 3.0, 5.0]
        vDSP.convert(amplitude: bufferSamplesD, toDecibels: &bufferSamplesD, zeroReference: 5.0)
        #expect(error(bufferSamplesD, [-13.979400086720375, -4.436974992327126, 0.0]) < 1e-14)
        #expect(error(vDSP.powerToDecibels([0.1, 100] as [Float], zeroReference: 1), [-10, 20]) < 1e-6)
    }

    @Test("Decimation drops the incomplete block at the end")
    func decimationDropsTheRemainder() {
        let audioSamplesD: [Double] = [3, 2, 1, 2, 2, 1, 7, 1, 5, 1, 4]
        let desiredSize = 2
        let decimationFactor: Int = audioSamplesD.count / desiredSize
        let filter = [Double](repeating: 1.0 / Double(decimationFactor), count: decimationFactor)
        var downsamples = [Double](repeating: 0.0, count: desiredSize)
        vDSP_desampD(
            audioSamplesD,
            vDSP_Stride(decimationFactor),
            filter,
            &downsamples,
            vDSP_Length(desiredSize),
            vDSP_Length(decimationFactor)
        )
        #expect(error(downsamples, [2, 3]) < 1e-15)
    }

    @Test("Blocks of samples are converted to clipped decibels")
    func samplesBecomeClippedDecibelsInBlocks() {
        func downsample(_ audioSamples: [Int16], _ decimationFactor: Int, noiseFloor: Double) -> [Double] {
            var audioSamplesD = [Double](repeating: 0, count: audioSamples.count)
            vDSP.convertElements(of: audioSamples, to: &audioSamplesD)
            vDSP.absolute(audioSamplesD, result: &audioSamplesD)
            vDSP.convert(amplitude: audioSamplesD, toDecibels: &audioSamplesD, zeroReference: Double(Int16.max))
            audioSamplesD = vDSP.clip(audioSamplesD, to: noiseFloor...0)
            return vDSP.downsample(
                audioSamplesD,
                decimationFactor: decimationFactor,
                filter: [Double](repeating: 1 / Double(decimationFactor), count: decimationFactor)
            )
        }
        let decibels = downsample([0, 0, Int16.max, -Int16.max, .min, 3], 2, noiseFloor: -70)
        #expect(error(decibels, [-70, 0, -35]) < 1e-12)
        #expect(vDSP.maximum(decibels) == 0)
    }
}
