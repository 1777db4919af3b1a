import Accelerate
import Foundation

/// Measures functions of `vDSP` beside the loops that they replace, and Fourier transforms beside those of FFTW.
///
/// FFTW is looked for at run time: without libfftw3f.so.3 and libfftw3.so.3 the second table has only our times.
@main
enum AccelerateBenchmark {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if !arguments.contains("--transforms") { printLoops() }
        if !arguments.contains("--loops") { printTransforms() }
    }

    /// The least time of one call in nanoseconds, of some thirty rounds of about a millisecond.
    static func time(_ body: () -> Void) -> Double {
        var calls = 1
        while true {
            let start = DispatchTime.now().uptimeNanoseconds
            for _ in 0..<calls { body() }
            if DispatchTime.now().uptimeNanoseconds - start > 1_000_000 { break }
            calls *= 2
        }
        var least = Double.infinity
        for _ in 0..<30 {
            let start = DispatchTime.now().uptimeNanoseconds
            for _ in 0..<calls { body() }
            least = min(least, Double(DispatchTime.now().uptimeNanoseconds - start) / Double(calls))
        }
        return least
    }

    /// The least times of two bodies, measured in turn, so that both see the same load of the machine.
    static func times(_ first: () -> Void, _ second: () -> Void) -> (Double, Double) {
        var best = (Double.infinity, Double.infinity)
        for _ in 0..<3 {
            best.0 = min(best.0, time(first))
            best.1 = min(best.1, time(second))
        }
        return best
    }

    static func row(_ columns: String...) { print("| \(columns.joined(separator: " | ")) |") }

    static func text(_ value: Double, _ digits: Int = 0) -> String { String(format: "%.\(digits)f", value) }

    // MARK: Loops

    private static func printLoops() {
        let count = 4096
        print("Functions beside loops that the compiler optimises, on \(count) elements, in nanoseconds.\n")
        row("function", "vDSP", "loop", "vDSP / loop")
        row("---", "---", "---", "---")
        for comparison in comparisons(count: count) {
            let (ours, loop) = times(comparison.ours, comparison.loop)
            row(comparison.name, text(ours), text(loop), text(ours / loop, 2))
        }
        print()
    }

    // MARK: Transforms

    private static func printTransforms() {
        let single = FFTW(library: "libfftw3f.so.3", prefix: "fftwf")
        let double = FFTW(library: "libfftw3.so.3", prefix: "fftw")
        print("Fourier transforms beside FFTW's (FFTW_MEASURE, out of place), in nanoseconds.\n")
        row("transform", "vDSP", "FFTW", "vDSP / FFTW")
        row("---", "---", "---", "---")
        for log2 in 8...16 {
            compare("complex Float, \(1 << log2)", floats(log2, isReal: false), single?.complex(1 << log2))
            compare("real Float, \(1 << log2)", floats(log2, isReal: true), single?.real(1 << log2))
        }
        for log2 in 8...16 {
            compare("complex Double, \(1 << log2)", doubles(log2, isReal: false), double?.complex(1 << log2))
            compare("real Double, \(1 << log2)", doubles(log2, isReal: true), double?.real(1 << log2))
        }
    }

    private static func compare(_ name: String, _ ours: () -> Void, _ theirs: (() -> Void)?) {
        guard let theirs else {
            row(name, text(time(ours)), "–", "–")
            return
        }
        let (own, other) = times(ours, theirs)
        row(name, text(own), text(other), text(own / other, 2))
    }

    private static func floats(_ log2: Int, isReal: Bool) -> () -> Void {
        let count = isReal ? 1 << (log2 - 1) : 1 << log2
        guard let setup = vDSP_create_fftsetup(UInt(log2), FFTRadix(kFFTRadix2)) else { return {} }
        var input = DSPSplitComplex(realp: noise(count, as: Float.self), imagp: noise(count, as: Float.self))
        var output = DSPSplitComplex(realp: noise(count, as: Float.self), imagp: noise(count, as: Float.self))
        let forward = FFTDirection(kFFTDirection_Forward)
        return isReal
            ? { vDSP_fft_zrop(setup, &input, 1, &output, 1, UInt(log2), forward) }
            : { vDSP_fft_zop(setup, &input, 1, &output, 1, UInt(log2), forward) }
    }

    private static func doubles(_ log2: Int, isReal: Bool) -> () -> Void {
        let count = isReal ? 1 << (log2 - 1) : 1 << log2
        guard let setup = vDSP_create_fftsetupD(UInt(log2), FFTRadix(kFFTRadix2)) else { return {} }
        var input = DSPDoubleSplitComplex(realp: noise(count, as: Double.self), imagp: noise(count, as: Double.self))
        var output = DSPDoubleSplitComplex(realp: noise(count, as: Double.self), imagp: noise(count, as: Double.self))
        let forward = FFTDirection(kFFTDirection_Forward)
        return isReal
            ? { vDSP_fft_zropD(setup, &input, 1, &output, 1, UInt(log2), forward) }
            : { vDSP_fft_zopD(setup, &input, 1, &output, 1, UInt(log2), forward) }
    }

    /// Numbers between -1 and 1 that are the same each time.
    ///
    /// They stay until the program ends.
    static func noise<T: BinaryFloatingPoint>(_ count: Int, as type: T.Type) -> UnsafeMutablePointer<T> {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<T>.stride, alignment: 64)
            .bindMemory(to: T.self, capacity: count)
        var state: UInt32 = 1
        for index in 0..<count {
            state = state &* 1_664_525 &+ 1_013_904_223
            memory[index] = T(Int32(bitPattern: state)) / T(Int32.max)
        }
        return memory
    }
}
