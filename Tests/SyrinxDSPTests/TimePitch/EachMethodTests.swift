import Foundation
import SyrinxDSP
import SyrinxTestSupport
import Testing

/// The properties that the vocoder and WSOLA share.
@Suite struct EachMethodTests {
    static let methods: [TimePitchAlgorithm] = [.spectral, .timeDomain]

    func kernel(_ method: TimePitchAlgorithm, channelCount: Int = 1, most: Int = 4096) -> TimePitchKernel {
        let kernel = TimePitchKernel(sampleRate: 44100, channelCount: channelCount, maximumFrameCount: most)
        kernel.setAlgorithm(method)
        return kernel
    }

    @Test(
        "The output length is the input length divided by the rate",
        arguments: methods,
        [1.0 / 32, 0.1, 0.5, 0.75, 0.9999, 1.0001, 1.1, 1.5, 2, 3.3, 8, 32]
    )
    func theLengthIsThatOfTheMap(method: TimePitchAlgorithm, rate: Double) {
        for cents in [-2400.0, 0, 700, 2400] {
            for count in [0, 1, 5, 4097] where Double(count) < 20000 * rate {
                let output = stretched([noise(frameCount: count)], rate: rate, cents: cents, algorithm: method)[0]
                #expect(abs(Double(output.count) - (Double(count) / rate).rounded()) <= 1, "\(count) frames, \(cents)")
            }
        }
    }

    /// Through changes of rate, pitch, overlap and method.
    @Test(
        "Each method's output does not depend on the block size",
        arguments: methods,
        [(0.6, 0.0), (1.7, 300.0), (1.0, -500.0)] as [(Double, Double)]
    )
    func anyCutGivesTheSame(method: TimePitchAlgorithm, setting: (rate: Double, cents: Double)) {
        let input = [noise(frameCount: 16000), tones([440, 3000], frameCount: 16000)]
        func cut(_ block: Int) -> [[Float]] {
            let kernel = kernel(method, channelCount: 2)
            let drive = Drive(kernel, input)
            drive.run(block: block, until: 1500)
            kernel.setRate(setting.rate)
            kernel.setPitch(cents: setting.cents)
            drive.run(block: block, until: 4000)
            kernel.setAlgorithm(method == .spectral ? .timeDomain : .spectral)
            drive.run(block: block, until: 5000)
            kernel.setOverlap(4)
            drive.run(block: block, until: 6100)
            kernel.setAlgorithm(method)
            kernel.setOverlap(16)
            kernel.setRate(1.3 * setting.rate)
            drive.run(block: block, until: 7000)
            kernel.setRate(1)
            kernel.setPitch(cents: 0)
            return drive.run(block: block)
        }
        let whole = cut(4096)
        for block in [1, 7, 64, 480] { #expect(cut(block) == whole) }
    }

    @Test(
        "Each method states its required input exactly",
        arguments: methods,
        [(0.5, 0.0), (2.0, 700.0), (32.0, -2400.0), (1.0 / 32, 2400.0)] as [(Double, Double)]
    )
    func requiredInputIsExact(method: TimePitchAlgorithm, setting: (rate: Double, cents: Double)) {
        let input = [noise(frameCount: 200_000)]
        for count in [1, 100, 1000] {
            let kernel = kernel(method)
            let drive = Drive(kernel, input)
            drive.pull(777)
            kernel.setRate(setting.rate)
            kernel.setPitch(cents: setting.cents)
            for _ in 0..<3 {
                let need = kernel.requiredInput(forOutput: count)
                if need > 0 {
                    drive.feed(need - 1)
                    #expect(kernel.requiredInput(forOutput: count) == 1)
                    drive.feed(1)
                }
                #expect(kernel.requiredInput(forOutput: count) == 0)
                #expect(drive.pull(count) == count)
            }
        }
    }

    @Test("Each method keeps its channels in phase", arguments: methods)
    func channelsStayTogether(method: TimePitchAlgorithm) {
        let input = noise(frameCount: 30000)
        let output = stretched([input, input, input.map { -0.5 * $0 }], rate: 1.4, cents: 100, algorithm: method)
        #expect(output[0] == output[1])
        #expect(zip(output[0], output[2]).allSatisfy { abs($0 * -0.5 - $1) < 1e-6 })
        let silence = [Float](repeating: 0, count: 30000)
        let panned = stretched([tones([500], frameCount: 30000), silence], rate: 0.7, algorithm: method)
        #expect(energy(panned[1]) == 0)
    }

    @Test(
        "Each method allocates no memory while it runs",
        arguments: methods,
        [(0.5, 0.0), (1, 700), (32, -2400), (1.0 / 32, 2400)] as [(Double, Double)]
    )
    func nothingAllocates(method: TimePitchAlgorithm, setting: (rate: Double, cents: Double)) {
        let kernel = kernel(method, channelCount: 2, most: 1024)
        let planes = Planes(channelCount: 2, frameCount: 1024)
        func use() {
            for round in 0..<20 {
                kernel.setAlgorithm(round % 6 == 5 ? .automatic : round % 6 == 3 ? .spectral : method)
                kernel.setPreservesFormants(round % 4 == 0)
                kernel.setRate(round % 10 < 5 ? 1 : setting.rate)
                kernel.setPitch(cents: round % 10 < 5 ? 0 : setting.cents + Double(round))
                kernel.setOverlap(Double(round + 2))
                while kernel.requiredInput(forOutput: 480) > 0 {
                    kernel.write(planes.pointers, frameCount: min(kernel.requiredInput(forOutput: 480), 1024))
                }
                _ = kernel.read(into: planes.pointers, frameCount: 480)
            }
            kernel.endInput()
            _ = kernel.read(into: planes.pointers, frameCount: 480)
            kernel.reset()
        }
        use()
        #expect(allocations { use() } == 0)
    }
}
