import Accelerate
import Foundation

/// A function of `vDSP` and the loop that does the same.
struct Comparison {
    let name: String
    let ours: () -> Void
    let loop: () -> Void
}

private typealias In = UnsafePointer<Float>
private typealias Out = UnsafeMutablePointer<Float>

// Loops as a program would have them. They are functions of their own, so that the compiler does not know the numbers.

@inline(never) private func add(_ a: In, _ b: In, _ c: Out, _ n: Int) { for i in 0..<n { c[i] = a[i] + b[i] } }
@inline(never) private func multiplyAdd(_ a: In, _ b: In, _ c: In, _ d: Out, _ n: Int) {
    for i in 0..<n { d[i] = a[i] * b[i] + c[i] }
}
@inline(never) private func scale(_ a: In, _ b: Float, _ c: Out, _ n: Int) { for i in 0..<n { c[i] = a[i] * b } }
@inline(never) private func clip(_ a: In, _ low: Float, _ high: Float, _ c: Out, _ n: Int) {
    for i in 0..<n { c[i] = min(max(a[i], low), high) }
}
@inline(never) private func absolute(_ a: In, _ c: Out, _ n: Int) { for i in 0..<n { c[i] = abs(a[i]) } }
@inline(never) private func ramp(_ start: Float, _ step: Float, _ c: Out, _ n: Int) {
    for i in 0..<n { c[i] = start + Float(i) * step }
}
@inline(never) private func sum(_ a: In, _ n: Int) -> Float {
    var sum: Float = 0
    for i in 0..<n { sum += a[i] }
    return sum
}
@inline(never) private func dot(_ a: In, _ b: In, _ n: Int) -> Float {
    var sum: Float = 0
    for i in 0..<n { sum += a[i] * b[i] }
    return sum
}
@inline(never) private func rootMeanSquare(_ a: In, _ n: Int) -> Float {
    var sum: Float = 0
    for i in 0..<n { sum += a[i] * a[i] }
    return (sum / Float(n)).squareRoot()
}
@inline(never) private func maximum(_ a: In, _ n: Int) -> Float {
    var result = -Float.infinity
    for i in 0..<n { result = max(result, a[i]) }
    return result
}
@inline(never) private func indexOfMaximum(_ a: In, _ n: Int) -> (Int, Float) {
    var result = (0, -Float.infinity)
    for i in 0..<n where a[i] > result.1 { result = (i, a[i]) }
    return result
}
@inline(never) private func toFloat(_ a: UnsafePointer<Int16>, _ c: Out, _ n: Int) {
    for i in 0..<n { c[i] = Float(a[i]) }
}
@inline(never) private func toInteger(_ a: In, _ c: UnsafeMutablePointer<Int16>, _ n: Int) {
    for i in 0..<n { c[i] = Int16(min(max(a[i], -32768), 32767)) }
}
@inline(never) private func decibels(_ a: In, _ c: Out, _ n: Int) { for i in 0..<n { c[i] = 20 * log10(a[i]) } }
@inline(never) private func downsample(_ a: In, _ factor: Int, _ f: In, _ c: Out, _ n: Int, _ p: Int) {
    for i in 0..<n {
        var sum: Float = 0
        for k in 0..<p { sum += a[i * factor + k] * f[k] }
        c[i] = sum
    }
}
@inline(never) private func correlate(_ a: In, _ f: In, _ c: Out, _ n: Int, _ p: Int) {
    for i in 0..<n {
        var sum: Float = 0
        for k in 0..<p { sum += a[i + k] * f[k] }
        c[i] = sum
    }
}
@inline(never) private func biquad(_ b: [Float], _ delay: inout [Float], _ x: In, _ y: Out, _ n: Int) {
    let (b0, b1, b2, a1, a2) = (b[0], b[1], b[2], b[3], b[4])
    var (x2, x1, y2, y1) = (delay[0], delay[1], delay[2], delay[3])
    for i in 0..<n {
        let output = b0 * x[i] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
        (x2, x1, y2, y1) = (x1, x[i], y1, output)
        y[i] = output
    }
    delay = [x2, x1, y2, y1]
}
@inline(never) private func magnitudes(_ re: In, _ im: In, _ c: Out, _ n: Int) {
    for i in 0..<n { c[i] = (re[i] * re[i] + im[i] * im[i]).squareRoot() }
}
@inline(never) private func split(_ a: UnsafePointer<DSPComplex>, _ re: Out, _ im: Out, _ n: Int) {
    for i in 0..<n {
        re[i] = a[i].real
        im[i] = a[i].imag
    }
}

/// The functions that audio programs call most.
func comparisons(count n: Int) -> [Comparison] {
    let a = AccelerateBenchmark.noise(2 * n, as: Float.self)
    let (b, c, d) = (a + 7, AccelerateBenchmark.noise(n, as: Float.self), AccelerateBenchmark.noise(n, as: Float.self))
    let positive = AccelerateBenchmark.noise(n, as: Float.self)
    for index in 0..<n { positive[index] = abs(positive[index]) + 1e-3 }
    let integers = UnsafeMutablePointer<Int16>.allocate(capacity: n)
    for index in 0..<n { integers[index] = Int16(a[index] * 32767) }
    let loud = AccelerateBenchmark.noise(n, as: Float.self)
    for index in 0..<n { loud[index] *= 40_000 }
    let length = UInt(n)
    var (half, low, high, start, step): (Float, Float, Float, Float, Float) = (0.5, -0.5, 0.5, 1, 0.001)
    var (result, place, one): (Float, UInt, Float) = (0, 0, 1)
    let section: [Float] = [0.2, 0.4, 0.2, -0.3, 0.1]
    let setup = vDSP_biquad_CreateSetup(section.map(Double.init), 1)
    var (delay, other) = ([Float](repeating: 0, count: 4), [Float](repeating: 0, count: 4))
    var pair = DSPSplitComplex(realp: c, imagp: d)
    let complex = UnsafeRawPointer(a).assumingMemoryBound(to: DSPComplex.self)
    let taps = 32
    return [
        Comparison(name: "vadd") {
            vDSP_vadd(a, 1, b, 1, c, 1, length)
        } loop: {
            add(a, b, c, n)
        },
        Comparison(name: "vadd in place") {
            vDSP_vadd(c, 1, b, 1, c, 1, length)
        } loop: {
            add(c, b, c, n)
        },
        Comparison(name: "vsmul") {
            vDSP_vsmul(a, 1, &half, c, 1, length)
        } loop: {
            scale(a, half, c, n)
        },
        Comparison(name: "vma") {
            vDSP_vma(a, 1, b, 1, c, 1, d, 1, length)
        } loop: {
            multiplyAdd(a, b, c, d, n)
        },
        Comparison(name: "vabs") {
            vDSP_vabs(a, 1, c, 1, length)
        } loop: {
            absolute(a, c, n)
        },
        Comparison(name: "vclip") {
            vDSP_vclip(a, 1, &low, &high, c, 1, length)
        } loop: {
            clip(a, low, high, c, n)
        },
        Comparison(name: "vramp") {
            vDSP_vramp(&start, &step, c, 1, length)
        } loop: {
            ramp(start, step, c, n)
        },
        Comparison(name: "sve") {
            vDSP_sve(a, 1, &result, length)
        } loop: {
            result = sum(a, n)
        },
        Comparison(name: "dotpr") {
            vDSP_dotpr(a, 1, b, 1, &result, length)
        } loop: {
            result = dot(a, b, n)
        },
        Comparison(name: "rmsqv") {
            vDSP_rmsqv(a, 1, &result, length)
        } loop: {
            result = rootMeanSquare(a, n)
        },
        Comparison(name: "maxv") {
            vDSP_maxv(a, 1, &result, length)
        } loop: {
            result = maximum(a, n)
        },
        Comparison(name: "maxvi") {
            vDSP_maxvi(a, 1, &result, &place, length)
        } loop: {
            result = indexOfMaximum(a, n).1
        },
        Comparison(name: "vflt16") {
            vDSP_vflt16(integers, 1, c, 1, length)
        } loop: {
            toFloat(integers, c, n)
        },
        Comparison(name: "vfix16") {
            vDSP_vfix16(loud, 1, integers, 1, length)
        } loop: {
            toInteger(loud, integers, n)
        },
        Comparison(name: "vdbcon") {
            vDSP_vdbcon(positive, 1, &one, c, 1, length, 1)
        } loop: {
            decibels(positive, c, n)
        },
        Comparison(name: "desamp, 8 and 32 taps") {
            vDSP_desamp(a, 8, b, c, UInt(n / 8 - 4), UInt(taps))
        } loop: {
            downsample(a, 8, b, c, n / 8 - 4, taps)
        },
        Comparison(name: "conv, 32 taps") {
            vDSP_conv(a, 1, b, 1, c, 1, UInt(n - taps), UInt(taps))
        } loop: {
            correlate(a, b, c, n - taps, taps)
        },
        Comparison(name: "biquad, one section") {
            if let setup { vDSP_biquad(setup, &delay, a, 1, c, 1, length) }
        } loop: {
            biquad(section, &other, a, c, n)
        },
        Comparison(name: "zvabs") {
            vDSP_zvabs(&pair, 1, d, 1, length)
        } loop: {
            magnitudes(c, d, d, n)
        },
        Comparison(name: "ctoz") {
            vDSP_ctoz(complex, 2, &pair, 1, length)
        } loop: {
            split(complex, c, d, n)
        },
    ]
}
