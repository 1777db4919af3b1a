import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

@Suite("Equaliser") struct EQTests {
    private func rendered(_ unit: AVAudioUnitEQ, _ samples: [Float], frames: Int) throws -> [Float] {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.attach(unit)
        rig.engine.connect(player, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(buffer([samples, samples]))
        try rig.engine.start()
        player.play()
        return try rig.render(frames)[0]
    }

    @Test("A new equaliser has Apple's defaults and passes its input bit for bit")
    func defaults() throws {
        let unit = AVAudioUnitEQ(numberOfBands: 2)
        #expect(unit.bands.count == 2 && unit.globalGain == 0 && AVAudioUnitEQ(numberOfBands: -1).bands.isEmpty)
        let band = unit.bands[1]
        #expect(band.filterType == .parametric && band.frequency == 1_000 && band.bandwidth == 0.5)
        #expect(band.gain == 0 && band.bypass)
        let samples = noise(5_000)
        #expect(try rendered(unit, samples, frames: 5_000) == samples)
    }

    @Test("Values out of range are clamped, and NaN is the default")
    func clamping() {
        let unit = AVAudioUnitEQ(numberOfBands: 1)
        unit.globalGain = 100
        #expect(unit.globalGain == 24)
        let band = unit.bands[0]
        (band.frequency, band.bandwidth, band.gain) = (1, 9, -200)
        #expect(band.frequency == 20 && band.bandwidth == 5 && band.gain == -96)
        (band.frequency, band.bandwidth, band.gain) = (.nan, .nan, .nan)
        #expect(band.frequency == 1_000 && band.bandwidth == 0.5 && band.gain == 0)
    }

    @Test("Bands and the global gain change the level of tones as set")
    func levels() throws {
        let unit = AVAudioUnitEQ(numberOfBands: 2)
        unit.globalGain = -6
        (unit.bands[0].frequency, unit.bands[0].gain, unit.bands[0].bypass) = (1_000, 6, false)
        (unit.bands[1].filterType, unit.bands[1].frequency, unit.bands[1].bypass) = (.lowPass, 5_000, false)
        for (frequency, expected) in [(1_000.0, -0.007), (5_000, -9.0), (50, -6)] {
            let tone = sine(frequency, 40_000)
            let output = try rendered(unit, tone, frames: 40_000)
            let change = levelDecibels(Array(output[20_000...])) - levelDecibels(Array(tone[20_000...]))
            #expect(abs(change - expected) < 0.15, "\(frequency) Hz: \(change) dB")
        }
    }

    @Test("The equaliser is found by its description")
    func component() async throws {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_Effect
        description.componentSubType = kAudioUnitSubType_NBandEQ
        let unit = try await AVAudioUnit.instantiate(with: description)
        #expect((unit as? AVAudioUnitEQ)?.bands.count == 16)
        #expect(unit.audioComponentDescription.componentType == kAudioUnitType_Effect && unit.name == "AUNBandEQ")
    }
}
