import Accelerate
import Testing

/// Functions of vDSP that make one number, or find one.
@Suite struct ReductionTests {
    @Test("Reductions of Float vectors give the results of a loop")
    func sumsOfFloatsAreThoseOfALoop() {
        for (name, empty, expected) in Self.reductions(Float.self) {
            check(name, Self.float[name] ?? { _, _, _, _ in }, expected, empty)
        }
    }

    @Test("Reductions of Double vectors give the results of a loop")
    func sumsOfDoublesAreThoseOfALoop() {
        for (name, empty, expected) in Self.reductions(Double.self) {
            check(name, Self.double[name] ?? { _, _, _, _ in }, expected, empty)
        }
    }

    private typealias Function<T> = (UnsafePointer<T>, Int, UnsafeMutablePointer<T>, UInt) -> Void

    private static var float: [String: Function<Float>] {
        [
            "sve": vDSP_sve, "svesq": vDSP_svesq, "svemg": vDSP_svemg, "svs": vDSP_svs, "meanv": vDSP_meanv,
            "meamgv": vDSP_meamgv, "measqv": vDSP_measqv, "mvessq": vDSP_mvessq, "rmsqv": vDSP_rmsqv, "maxv": vDSP_maxv,
            "minv": vDSP_minv, "maxmgv": vDSP_maxmgv, "minmgv": vDSP_minmgv,
        ]
    }

    private static var double: [String: Function<Double>] {
        [
            "sve": vDSP_sveD, "svesq": vDSP_svesqD, "svemg": vDSP_svemgD, "svs": vDSP_svsD, "meanv": vDSP_meanvD,
            "meamgv": vDSP_meamgvD, "measqv": vDSP_measqvD, "mvessq": vDSP_mvessqD, "rmsqv": vDSP_rmsqvD,
            "maxv": vDSP_maxvD, "minv": vDSP_minvD, "maxmgv": vDSP_maxmgvD, "minmgv": vDSP_minmgvD,
        ]
    }

    /// Names, the result for no elements, and the formula.
    private static func reductions<T: BinaryFloatingPoint>(_ type: T.Type) -> [(String, T, ([T]) -> T)] {
        func sum(_ a: [T], _ x: (T) -> T) -> T { T(a.reduce(0.0) { $0 + Double(x($1)) }) }
        return [
            ("sve", 0, { sum($0) { $0 } }), ("svesq", 0, { sum($0) { $0 * $0 } }), ("svemg", 0, { sum($0, abs) }),
            ("svs", 0, { sum($0) { $0 * abs($0) } }), ("meanv", .nan, { sum($0) { $0 } / T($0.count) }),
            ("meamgv", .nan, { sum($0, abs) / T($0.count) }), ("measqv", .nan, { sum($0) { $0 * $0 } / T($0.count) }),
            ("mvessq", .nan, { sum($0) { $0 * abs($0) } / T($0.count) }),
            ("rmsqv", .nan, { (sum($0) { $0 * $0 } / T($0.count)).squareRoot() }),
            ("maxv", -.infinity, { $0.max() ?? 0 }), ("minv", .infinity, { $0.min() ?? 0 }),
            ("maxmgv", 0, { $0.map(abs).max() ?? 0 }), ("minmgv", .infinity, { $0.map(abs).min() ?? 0 }),
        ]
    }

    private func check<T: BinaryFloatingPoint>(
        _ name: String,
        _ function: Function<T>,
        _ expected: ([T]) -> T,
        _ empty: T
    ) {
        for count in lengths {
            for stride in [1, 2, -1] {
                let a = Strided<T>(numbers(count), stride: stride)
                var result: T = 42
                a.memory.withUnsafeBufferPointer { memory in
                    guard let memory = memory.baseAddress else { return }
                    function(memory + a.start, stride, &result, UInt(count))
                }
                let wanted = count == 0 ? empty : expected(a.elements)
                #expect(error([result], [wanted]) < tolerance(T.self), "\(name), \(count) elements, stride \(stride)")
            }
        }
    }

    @Test("Products and distances give the results of a loop")
    func productsAndDistancesAreThoseOfALoop() {
        for count in lengths {
            let (a, b) = (numbers(count, as: Float.self), numbers(count, seed: 2, as: Float.self))
            var result: Float = 42
            vDSP_dotpr(a, 1, b, 1, &result, UInt(count))
            #expect(error([result], [zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }]) < 1e-5)
            vDSP_distancesq(a, 1, b, 1, &result, UInt(count))
            #expect(error([result], [zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }]) < 1e-5)
        }
    }

    @Test("An extreme value is the first of equal ones, and its index is a multiple of the stride")
    func anExtremeIsTheFirstOfEqualOnesAndItsIndexCountsStrides() {
        for count in [1, 9, 100, 600, 1000] {
            for place in Set([0, count / 3, count - 1]) {
                var a = [Double](repeating: 0.5, count: count * 2)
                a[2 * place] = 3
                if place + 5 < count { a[2 * (place + 5)] = 3 }
                var (value, index): (Double, UInt) = (0, 0)
                vDSP_maxviD(a, 2, &value, &index, UInt(count))
                #expect(value == 3 && index == UInt(2 * place))
                vDSP_vnegD(a, 1, &a, 1, UInt(a.count))
                vDSP_minviD(a, 2, &value, &index, UInt(count))
                #expect(value == -3 && index == UInt(2 * place))
                vDSP_maxmgviD(a, 2, &value, &index, UInt(count))
                #expect(value == 3 && index == UInt(2 * place))
            }
        }
        var (value, index): (Float, UInt) = (0, 7)
        vDSP_maxvi([1], 1, &value, &index, 0)
        #expect(value == -.infinity && index == 0)
    }
}
