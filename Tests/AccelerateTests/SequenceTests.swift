import Accelerate
import Foundation
import Testing

/// Ramps, windows, orders, filters, interpolation and conversions.
@Suite struct SequenceTests {
    @Test("Windows equal their formulas", arguments: [1, 2, 9, 64])
    func windowsFollowTheirFormulas(n: Int) {
        let turns = (0..<n).map { 2 * Double.pi * Double($0) / Double(n) }
        let wanted: [(vDSP.WindowSequence, [Double])] = [
            (.hanningNormalized, turns.map { (2.0 / 3).squareRoot() * (1 - cos($0)) }),
            (.hanningDenormalized, turns.map { 0.5 * (1 - cos($0)) }), (.hamming, turns.map { 0.54 - 0.46 * cos($0) }),
            (.blackman, turns.map { 0.42 - 0.5 * cos($0) + 0.08 * cos(2 * $0) }),
        ]
        for (sequence, formula) in wanted {
            let whole = vDSP.window(ofType: Double.self, usingSequence: sequence, count: n, isHalfWindow: false)
            #expect(error(whole, formula) < 1e-14)
            let half = vDSP.window(ofType: Float.self, usingSequence: sequence, count: n, isHalfWindow: true)
            let count = (n + 1) / 2
            #expect(error(half.prefix(count).map(Double.init), Array(formula.prefix(count))) < 1e-6)
            #expect(half.dropFirst(count).allSatisfy { $0 == 0 })
        }
    }

    @Test("Ramps rise evenly and continue from their end")
    func rampsRiseEvenlyAndGoOn() {
        #expect(
            error(vDSP.ramp(withInitialValue: 2, increment: -0.25, count: 9), (0..<9).map { 2 - 0.25 * Double($0) })
                < 1e-15
        )
        #expect(vDSP.ramp(in: Float(1)...3, count: 5) == [1, 1.5, 2, 2.5, 3])
        #expect(vDSP.ramp(in: Float(1)...3, count: 1) == [1])
        #expect(vDSP.ramp(in: Float(1)...3, count: 0).isEmpty)
        var gain: Float = 0
        let ones = [Float](repeating: 1, count: 10_000)
        let first = vDSP.ramp(withInitialValue: &gain, multiplyingBy: ones, increment: 0.5)
        #expect(gain == 5000 && first[9999] == 4999.5)
        let (left, right) = vDSP.stereoRamp(withInitialValue: &gain, multiplyingBy: [1, 2], [3, 4], increment: 1)
        #expect(left == [5000, 10_002] && right == [15_000, 20_004] && gain == 5002)
    }

    @Test("Sorting orders vectors of every pattern", arguments: [0, 1, 2, 24, 25, 100, 3000])
    func sortingOrdersEveryPattern(n: Int) {
        let patterns: [[Float]] = [
            numbers(n), (0..<n).map(Float.init), (0..<n).map { Float(n - $0) }, .init(repeating: 1, count: n),
            (0..<n).map { Float($0 % 7) }, (0..<n).map { Float($0 % 2 == 0 ? $0 : n - $0) },
        ]
        for pattern in patterns {
            var sorted = pattern
            vDSP.sort(&sorted, sortOrder: .ascending)
            #expect(sorted == pattern.sorted())
            vDSP.sort(&sorted, sortOrder: .descending)
            #expect(sorted == pattern.sorted(by: >))
            var places = (0..<UInt(n)).map { $0 }
            vDSP_vsorti(pattern, &places, nil, UInt(n), 1)
            #expect(places.map { pattern[Int($0)] } == pattern.sorted() && Set(places).count == n)
        }
        // Numbers that are not ones have no order, and must not lead outside.
        var wild = numbers(n, as: Double.self).enumerated().map { $0.offset % 3 == 0 ? .nan : $0.element }
        vDSP.sort(&wild, sortOrder: .ascending)
        #expect(wild.count { $0.isNaN } == (n + 2) / 3)
    }

    /// The sums of the products of a filter and of a signal from places that are `step` apart.
    private func filtered<T: BinaryFloatingPoint>(_ x: [T], _ filter: [T], step: Int, count: Int) -> [T] {
        (0..<count).map { place in
            var sum: T = 0
            for (tap, factor) in filter.enumerated() { sum += x[step * place + tap] * factor }
            return sum
        }
    }

    @Test("Filters equal their defining sums", arguments: [1, 3, 16, 33])
    func filtersAreTheirSums(taps: Int) {
        for count in [1, 5, 32, 100] {
            let x: [Float] = numbers(count * 3 + taps)
            let filter: [Float] = numbers(taps, seed: 3)
            var found = [Float](repeating: 0, count: count)
            vDSP_conv(x, 1, filter, 1, &found, 1, UInt(count), UInt(taps))
            #expect(error(found, filtered(x, filter, step: 1, count: count)) < 1e-5)
            vDSP_desamp(x, 3, filter, &found, UInt(count), UInt(taps))
            #expect(error(found, filtered(x, filter, step: 3, count: count)) < 1e-5)
            vDSP_vswsum(x, 1, &found, 1, UInt(count), UInt(taps))
            let ones = [Float](repeating: 1, count: taps)
            #expect(error(found, filtered(x, ones, step: 1, count: count)) < 1e-5)
            vDSP_vswmax(x, 1, &found, 1, UInt(count), UInt(taps))
            let greatest = (0..<count).map { x[$0..<$0 + taps].max() ?? 0 }
            #expect(found == greatest)
        }
        let x: [Double] = numbers(50)
        let filter: [Double] = numbers(taps, seed: 3)
        let wanted = filtered(x, filter.reversed(), step: 1, count: 50 - taps)
        #expect(error(vDSP.convolve(x, withKernel: filter), wanted) < 1e-12)
        #expect(error(vDSP.correlate(x, withKernel: filter), filtered(x, filter, step: 1, count: 50 - taps)) < 1e-12)
    }

    /// A second-order section by its definition.
    private func section(_ c: [Double], _ x: [Double]) -> [Double] {
        var y: [Double] = []
        for n in 0..<x.count {
            var output = c[0] * x[n]
            if n > 0 { output += c[1] * x[n - 1] - c[3] * y[n - 1] }
            if n > 1 { output += c[2] * x[n - 2] - c[4] * y[n - 2] }
            y.append(output)
        }
        return y
    }

    @Test("A biquad equals its recursion and keeps its state between calls", arguments: [1, 2, 3])
    func aBiquadIsTheRecursionAndGoesOn(sections: Int) throws {
        let x: [Double] = numbers(101)
        var (coefficients, wanted): ([Double], [Double]) = ([], x)
        for index in 0..<sections {
            let factors: [Double] = [0.3 + 0.1 * Double(index), 0.2, -0.1, -0.4, 0.15 * Double(index + 1)]
            coefficients += factors
            wanted = section(factors, wanted)
        }
        let double = vDSP.Biquad(
            coefficients: coefficients,
            channelCount: 1,
            sectionCount: UInt(sections),
            ofType: Double.self
        )
        var filter = try #require(double)
        var found: [Double] = filter.apply(input: x[0..<1])
        found += filter.apply(input: x[1..<40])
        found += filter.apply(input: x[40...])
        #expect(error(found, wanted) < 1e-12)
        let float = vDSP.Biquad(
            coefficients: coefficients,
            channelCount: 1,
            sectionCount: UInt(sections),
            ofType: Float.self
        )
        var single = try #require(float)
        let singles: [Float] = single.apply(input: vDSP.doubleToFloat(x))
        #expect(error(vDSP.floatToDouble(singles), wanted) < 1e-5)
    }

    @Test("A biquad takes five coefficients for each section and channel")
    func aBiquadHasChannelsAndFiveNumbersForEach() throws {
        #expect(vDSP.Biquad(coefficients: [1, 2, 3], channelCount: 1, sectionCount: 1, ofType: Float.self) == nil)
        #expect(vDSP.Biquad(coefficients: [], channelCount: .max, sectionCount: .max, ofType: Float.self) == nil)
        let numbers: [Double] = [1, 0, 0, 0, 0, 0.5, 0, 0, 0, 0]
        let filter = vDSP.Biquad(coefficients: numbers, channelCount: 2, sectionCount: 1, ofType: Float.self)
        var two = try #require(filter)
        let input: [Float] = [1, 2, 3, 4]
        #expect(two.apply(input: input) == [1, 2, 1.5, 2])
        let impulse: [Double] = [0, 0, 1, 2, 3]
        let found = vDSP.twoPoleTwoZeroFilter(impulse, coefficients: (1, 1, 0, -0.5, 0))
        #expect(error(found, section([1, 1, 0, -0.5, 0], impulse)) < 1e-15)
    }

    @Test("Integrals equal the results of their rules")
    func integralsAreThoseOfTheirRules() {
        let x: [Double] = [1, 2, 4, 8, 16]
        #expect(vDSP.integrate(x, using: .runningSum, stepSize: 0.5) == [0, 1, 3, 7, 15])
        #expect(vDSP.integrate(x, using: .trapezoidal) == [0, 1.5, 4.5, 10.5, 22.5])
        let simpson = [0, 1.5, (1.0 + 8 + 4) / 3, 1.5 + (2.0 + 16 + 8) / 3, (1.0 + 8 + 4) / 3 + (4.0 + 32 + 16) / 3]
        #expect(error(vDSP.integrate(x, using: .simpson), simpson) < 1e-14)
    }

    @Test("Interpolation never reads outside the table")
    func interpolationStaysWithinTheTable() {
        let table: [Float] = [1, 3, 2, 6]
        let places: [Float] = [0, 0.5, 1.25, 3, 9, -4, .nan, .infinity]
        #expect(vDSP.linearInterpolate(elementsOf: table, using: places) == [1, 2, 2.75, 6, 6, 1, 1, 6])
        let parabola: [Double] = (0..<6).map { Double($0 * $0) }
        let found = vDSP.quadraticInterpolate(elementsOf: parabola, using: [0, 0.5, 2.25, 4.75, 5, -1, 8])
        #expect(error(found, [0, 0.25, 5.0625, 22.5625, 25, 0, 25]) < 1e-12)
        #expect(vDSP.linearInterpolate(values: [1, 5, 3] as [Float], atIndices: [1, 3, 5]) == [1, 1, 3, 5, 4, 3])
        #expect(vDSP.linearInterpolate([0, 4] as [Float], [8, 8], using: 0.25) == [2, 5])
        #expect(vDSP.taperedMerge([1, 1, 1] as [Float], [3, 3, 3]) == [1, 2, 3])
        #expect(
            vDSP.evaluatePolynomial(usingCoefficients: [2, 0, 1] as [Double], withVariables: [0, 1, 3]) == [1, 3, 19]
        )
    }

    @Test("Integers convert in both directions, and values out of range are clamped")
    func integersConvertBothWaysAndStayWithinTheirLimits() {
        func check<I: vDSP_IntegerConvertable>(_ type: I.Type) {
            let integers: [I] = [.min, .max, 0, 1, 7, .max / 2]
            let doubles = vDSP.integerToFloatingPoint(integers, floatingPointType: Double.self)
            #expect(doubles == integers.map(Double.init))
            #expect(vDSP.integerToFloatingPoint(integers, floatingPointType: Float.self) == integers.map(Float.init))
            #expect(vDSP.floatingPointToInteger(doubles, integerType: I.self, rounding: .towardZero) == integers)
            let wild: [Float] = [.infinity, -.infinity, .nan, 1e30, -1e30, 2.5, 3.5, 2.75, -0.5]
            #expect(
                vDSP.floatingPointToInteger(wild, integerType: I.self, rounding: .towardZero)
                    == [.max, .min, 0, .max, .min, 2, 3, 2, 0]
            )
            #expect(
                vDSP.floatingPointToInteger(wild, integerType: I.self, rounding: .towardNearestInteger)
                    == [.max, .min, 0, .max, .min, 2, 4, 3, 0]
            )
        }
        check(Int8.self)
        check(Int16.self)
        check(Int32.self)
        check(UInt8.self)
        check(UInt16.self)
        check(UInt32.self)
        var floats: [Float] = [0, 0]
        vDSP_vflt24([vDSP_int24(bytes: (0xFF, 0xFF, 0xFF)), vDSP_int24(bytes: (1, 2, 0x7F))], 1, &floats, 1, 2)
        #expect(floats == [-1, Float(0x7F0201)])
        #expect(vDSP.doubleToFloat(vDSP.floatToDouble([0.1, -3] as [Float])) == [0.1, -3])
    }
}
