import Foundation
import SyrinxDSP
import Testing

@Suite struct TimePitchKernelTests {
    @Test("Rate 1 passes bit for bit without look-ahead", arguments: [1, 7, 480, 4096])
    func rateOneIsBitExactWithoutLookAhead(block: Int) {
        let kernel = TimePitchKernel(sampleRate: 44100, channelCount: 2, maximumFrameCount: 4096)
        for count in [1, 64, 4096] { #expect(kernel.requiredInput(forOutput: count) == count) }
        let input = [noise(frameCount: 20000), noise(frameCount: 20000, seed: 9)]
        #expect(Drive(kernel, input).run(block: block) == input)
        #expect(kernel.inputPosition == 20000)
    }

    @Test("Tones keep their frequency at every rate", arguments: [0.25, 0.5, 0.75, 1.5, 2, 4])
    func tonesStayWhereTheyWere(rate: Double) {
        let frequencies = [220.0, 1000, 5003]
        let output = stretched([tones(frequencies, frameCount: Int(66150 * max(rate, 1)))], rate: rate)[0]
        #expect(purity(output, frequencies) > 90)
        for frequency in frequencies {
            let alone = stretched([tones([frequency], frameCount: Int(44100 * max(rate, 1)))], rate: rate)[0]
            #expect(abs(centsOff(alone, frequency)) < 0.1)
        }
    }

    /// Few windows make it coarser, but what is heard stays the tones.
    @Test("A small overlap keeps the frequencies of tones", arguments: [3.0, 4, 5], [0.75, 1.5])
    func fewerWindowsKeepTones(overlap: Double, rate: Double) {
        let frequencies = [220.0, 1000, 5003]
        let output = stretched([tones(frequencies, frameCount: Int(66150 * rate))], rate: rate, overlap: overlap)[0]
        #expect(purity(output, frequencies) > 60)
        #expect(quietest(output[4410..<output.count - 4410], frames: 441) > 0.15)
    }

    @Test(
        "A pitch change moves every tone by its cents",
        arguments: [-2400.0, -1200, -50, 1, 700, 1200, 2400],
        [0.5, 0.75, 1.0, 2.0]
    )
    func pitchMovesEveryToneByItsCents(cents: Double, rate: Double) {
        let ratio = exp2(cents / 1200)
        let frequencies = [220.0, 1000, 5003]
        let output = stretched([tones(frequencies, frameCount: Int(66150 * rate))], rate: rate, cents: cents)[0]
        #expect(abs(output.count - 66150) <= 1)
        // Two octaves up at half the speed is the one corner where it is 62 dB, and not 86 and more.
        let isCorner = cents == 2400 && rate == 0.5
        #expect(purity(output, frequencies.map { $0 * ratio }) > (isCorner ? 60 : 70))
        let alone = stretched([tones([1000], frameCount: Int(44100 * rate))], rate: rate, cents: cents)[0]
        #expect(abs(centsOff(alone, 1000 * ratio)) < 0.1)
        let loudness = fit(alone[11025..<33075].map(Double.init), [1000 * ratio]).amplitudes[0]
        #expect(abs(20 * log10(loudness / 0.2)) < 0.1)
    }

    @Test("Tones that are raised above the band are removed")
    func whatIsRaisedAboveTheBandIsGone() {
        let output = stretched([tones([13000], frameCount: 44100)], rate: 1, cents: 1200)[0]
        #expect(decibels(energy(output[11025..<33075]) / 22050 / 0.02) < -70)
    }

    @Test("The map from output to input frames is exact", arguments: [1.0 / 32, 0.7, 1.1, 32.0])
    func theMapIsExact(rate: Double) {
        let kernel = TimePitchKernel(sampleRate: 8000, channelCount: 1, maximumFrameCount: 4096)
        kernel.setRate(rate)
        let drive = Drive(kernel, [[Float](repeating: 0, count: 400_000)])
        #expect(kernel.inputPosition == 0)
        while !drive.ended, drive.output[0].count < 100_000 {
            drive.pull(1000)
            #expect(abs(kernel.inputPosition - Double(drive.output[0].count) * rate) < 1e-9)
        }
    }

    /// The phase of a slow sine tells what input is heard, the running map where it should be.
    @Test("A click is heard where the time map places it", arguments: [0.5, 0.9, 1.25, 3])
    func whatIsHeardIsWhereTheMapSays(rate: Double) {
        let frequency = 3.0
        let count = Int(88200 * max(rate, 1))
        let envelope = (0..<count).map { 0.5 + 0.4 * sin(2 * .pi * frequency * Double($0) / sampleRate) }
        let input = zip(envelope, tones([2000], amplitude: 1, frameCount: count)).map { Float($0) * $1 }
        let kernel = TimePitchKernel(sampleRate: 44100, channelCount: 1, maximumFrameCount: 4096)
        let drive = Drive(kernel, [input])
        drive.run(block: 512, until: 10000)
        kernel.setRate(rate)
        drive.run(block: 512, until: 20000)
        let from = kernel.inputPosition
        drive.run(block: 512, until: 20000 + 22050)
        var worst = 0.0
        for index in stride(from: 0, to: 22050, by: 441) {
            let window = drive.output[0][20000 + index - 220..<20000 + index + 220]
            let heard = (2 * energy(window) / 440).squareRoot()
            let place = from + Double(index) * rate
            worst = max(worst, abs(heard - 0.5 - 0.4 * sin(2 * .pi * frequency * place / sampleRate)))
        }
        // 5 ms off would be 0.4 · 2π · 3 Hz · 5 ms · rate = 0.038 · rate.
        #expect(worst < 0.02 * max(rate, 1))
    }

    @Test("A reset clears the sound and keeps rate and pitch")
    func resetIsFreshAndKeepsRateAndPitch() {
        let input = [noise(frameCount: 9000)]
        let kernel = TimePitchKernel(sampleRate: 44100, channelCount: 1, maximumFrameCount: 4096)
        kernel.setRate(0.8)
        kernel.setPitch(cents: 200)
        Drive(kernel, input).run(block: 600, until: 5000)
        kernel.reset()
        #expect(kernel.inputPosition == 0 && kernel.framesWritten == 0)
        #expect(Drive(kernel, input).run(block: 64) == stretched(input, rate: 0.8, cents: 200))
    }

    @Test("NaN in the input does not spread")
    func whatIsNoNumberDoesNotSpread() {
        var input = tones([440], frameCount: 60000)
        input[10000] = .nan
        input[10001] = .infinity
        input[10002] = -.greatestFiniteMagnitude
        for (rate, cents) in [(1.0, 0.0), (0.5, 0), (1.5, 700)] {
            let output = stretched([input], rate: rate, cents: cents)[0]
            #expect(output.allSatisfy { $0.isFinite })
        }
        input[10002] = 0
        let output = stretched([input], rate: 1.5)[0]
        #expect(purity(Array(output[10000...]), [440]) > 80)
    }

    @Test("Parameters out of range are clamped, and NaN is ignored")
    func badParametersAreClampedOrIgnored() {
        let input = [noise(frameCount: 3000)]
        #expect(stretched(input, rate: 1000, cents: 9999) == stretched(input, rate: 32, cents: 2400))
        #expect(stretched(input, rate: -1, cents: -9999) == stretched(input, rate: 1 / 32, cents: -2400))
        #expect(stretched(input, rate: .nan, cents: .nan, overlap: .nan) == input)
    }
}
