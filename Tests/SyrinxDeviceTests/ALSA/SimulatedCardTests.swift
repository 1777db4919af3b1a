import Foundation
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// Plays to a sound card that is simulated, which tells to the sample what is heard of it.
@Suite("ALSA on a sound card") struct SimulatedCardTests {
    private static let rate = 48_000.0

    private func run(
        canRewind: Bool = true,
        _ body: (ALSAOutput, SignalSource, _ played: () -> Int) throws -> Void
    ) throws -> (signal: [[Float]], played: [[Float]]) {
        let card = try SimulatedCard()
        let device = ALSAOutput(pcm: card.pcm, simulation: card.configuration, canRewind: canRewind)
        #expect(
            try device.open(preferred: DeviceFormat(sampleRate: Self.rate, channelCount: 2)).sampleRate == Self.rate
        )
        let signal = [whiteNoise(frameCount: 96_000, seed: 1), whiteNoise(frameCount: 96_000, seed: 2)]
        let source = SignalSource(signal)
        try device.start(source.callback)
        let played = { card.playedFrameCount(channelCount: 2) }
        #expect(waitUntil { played() > 12_000 })
        try body(device, source, played)
        let end = played()
        #expect(waitUntil { played() > end + 24_000 })
        #expect(device.underrunCount == 0)
        device.stop()
        return (signal, try card.played(channelCount: 2))
    }

    @Test("The card plays every rendered sample")
    func whatIsRenderedIsPlayed() throws {
        let (signal, played) = try run { _, _, _ in }
        for channel in 0...1 { #expect(Array(played[channel].prefix(36_000)) == Array(signal[channel].prefix(36_000))) }
    }

    @Test("Dropped sound fades out, and the next sound follows at once")
    func whatIsDroppedFadesAndWhatComesNextFollowsAtOnce() throws {
        var rendered = 0
        var heard = 0
        let (signal, played) = try run { device, source, played in
            #expect(
                device.dropUnheard(atMost: .max) {
                    rendered = source.renderedFrameCount
                    heard = played()
                }
            )
        }
        for channel in 0...1 {
            let (signal, played) = (signal[channel], played[channel])
            let cut = try #require(played.indices.first { played[$0] != signal[$0] })
            #expect((0...480).contains(cut - heard))
            #expect(rendered - cut > 1_500)
            for index in 0..<240 {
                let expected = signal[rendered + index] + signal[cut + index] * (1 - Float(index + 1) / 240)
                #expect(abs(played[cut + index] - expected) < 1e-6)
            }
            let rest = signal[(rendered + 240)...].prefix(20_000)
            #expect(Array(played[(cut + 240)...].prefix(20_000)) == Array(rest))
        }
    }

    @Test("A card drops no more frames than the limit")
    func noMoreIsDroppedThanMayBe() throws {
        var rendered = 0
        let (signal, played) = try run { device, source, _ in
            #expect(!device.dropUnheard(atMost: 480) { Issue.record("That is too little.") })
            #expect(device.dropUnheard(atMost: 1_000) { rendered = source.renderedFrameCount })
        }
        let cut = try #require(played[0].indices.first { played[0][$0] != signal[0][$0] })
        #expect(cut == rendered - 1_000)
        #expect(Array(played[0][(cut + 240)...].prefix(20_000)) == Array(signal[0][(rendered + 240)...].prefix(20_000)))
    }

    @Test("A PCM that cannot rewind restarts when all may be dropped")
    func aPCMThatCannotGoBackIsStartedAnew() throws {
        var rendered = 0
        let (signal, played) = try run(canRewind: false) { device, source, _ in
            #expect(!device.dropUnheard(atMost: 1_000) { Issue.record("It cannot drop a part.") })
            #expect(device.dropUnheard(atMost: .max) { rendered = source.renderedFrameCount })
        }
        let cut = try #require(played[0].indices.first { played[0][$0] != signal[0][$0] })
        #expect(rendered - cut > 1_500)
        #expect(Array(played[0][cut...].prefix(20_000)) == Array(signal[0][rendered...].prefix(20_000)))
    }

    @Test("A paused card keeps every sample")
    func aPauseKeepsEverySample() throws {
        let (signal, played) = try run { device, _, played in
            for _ in 0..<5 {
                device.pause()
                let stood = played()
                usleep(20_000)
                #expect(played() == stood)
                device.resume()
                #expect(waitUntil { played() > stood + 1_000 })
            }
        }
        #expect(Array(played[0].prefix(36_000)) == Array(signal[0].prefix(36_000)))
    }

    @Test("Samples that a paused card holds are dropped")
    func whatAPausedCardHasIsDropped() throws {
        var rendered = 0
        var stood = 0
        let (signal, played) = try run { device, source, played in
            device.pause()
            stood = played()
            #expect(!device.dropUnheard(atMost: 1_000) { Issue.record("It has more.") })
            #expect(device.dropUnheard(atMost: .max) { rendered = source.renderedFrameCount })
            device.resume()
        }
        #expect(rendered - stood > 1_500)
        #expect(Array(played[0].prefix(stood)) == Array(signal[0].prefix(stood)))
        #expect(Array(played[0][stood...].prefix(20_000)) == Array(signal[0][rendered...].prefix(20_000)))
    }

    @Test("The ALSA output keeps the contract of outputs")
    func itKeepsTheContract() throws {
        let card = try SimulatedCard()
        #expect(try checkOutputDevice { ALSAOutput(pcm: card.pcm, simulation: card.configuration) } == [])
    }
}
