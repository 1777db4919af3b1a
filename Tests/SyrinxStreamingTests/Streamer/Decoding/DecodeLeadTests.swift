import AVFAudio
import Testing

@testable import SyrinxStreaming

@Suite("Decoding ahead") struct DecodeLeadTests {
    private static let sampleRates = [1.0, 7, 100, 400, 599, 800, 1_000, 8_000, 44_100, 192_000, 768_000]

    @Test("No output waits for more than is decoded ahead of it", arguments: sampleRates, sampleRates)
    func coversWhatIsWaitedFor(sampleRate: Double, outputSampleRate: Double) {
        for rate in [1.0 / 32, 0.5, 1, 2, 32] {
            let ahead = DecodeLead(
                sampleRate: sampleRate,
                outputSampleRate: outputSampleRate,
                playbackRate: rate
            )
            // An output that keeps no time takes a block at once, and the frames that it was given count only after that.
            let block = DecodeLead.blockFrames * rate * sampleRate / outputSampleRate
            #expect(ahead.refillCount > block)
            #expect(ahead.refillCount <= ahead.frameCount)
            // What is left when decoding begins again has to be enough by itself.
            let seconds = ahead.refillCount / sampleRate / rate
            #expect(seconds > PlaybackMachine.Threshold.start)
            #expect(seconds > PlaybackMachine.Threshold.resume)
        }
    }

    @Test("A block is as long as the engine's")
    func knowsTheBlock() {
        #expect(DecodeLead.blockFrames == Double(EngineRun.maximumFrameCount))
    }
}
