import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

@Suite("Environments, samplers and sequencers that are changed while they render") struct ChangingScenesTests {
    @Test("Sources, the listener and the space move from several threads")
    func environmentsAreChanged() throws {
        let rig = BusyRig()
        let environment = AVAudioEnvironmentNode()
        rig.engine.attach(environment)
        rig.engine.connect(environment, to: rig.engine.mainMixerNode, format: rig.format)
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let players = (0..<3).map { _ in rig.addPlayer(channels: 1) }
        for player in players { rig.engine.connect(player, to: environment, format: mono) }
        environment.reverbParameters.enable = true
        try rig.engine.start()
        let algorithms: [AVAudio3DMixingRenderingAlgorithm] = [
            .equalPowerPanning, .sphericalHead, .HRTF, .soundField, .stereoPassThrough, .HRTFHQ, .auto,
        ]
        rig.render(
            blocks: 120,
            while: [
                { step in
                    let player = players[step % 3]
                    let place = AVAudio3DPoint(
                        x: scattered(step, -5...5),
                        y: scattered(step + 1, -2...2),
                        z: scattered(step + 2, -5...5)
                    )
                    player.position = place
                    player.reverbBlend = scattered(step, 0...1)
                    player.occlusion = scattered(step, -40...0)
                    player.obstruction = scattered(step + 3, -40...0)
                    _ = player.position
                },
                { step in
                    let player = players[step % 3]
                    player.renderingAlgorithm = algorithms[step % algorithms.count]
                    player.sourceMode = step % 2 == 0 ? .spatializeIfMono : .pointSource
                    player.pointSourceInHeadMode = step % 3 == 0 ? .bypass : .mono
                    player.rate = scattered(step, 0.5...2)
                    player.volume = scattered(step, 0...1)
                },
                { step in
                    environment.listenerPosition = AVAudioMake3DPoint(scattered(step, -1...1), 0, 0)
                    let yaw = scattered(step, -180...180)
                    environment.listenerAngularOrientation = AVAudioMake3DAngularOrientation(yaw, 0, 10)
                    _ = environment.listenerVectorOrientation
                },
                { step in
                    let distance = environment.distanceAttenuationParameters
                    distance.distanceAttenuationModel = step % 2 == 0 ? .inverse : .linear
                    distance.rolloffFactor = scattered(step, 0...3)
                    distance.maximumDistance = scattered(step, 2...100)
                    let reverb = environment.reverbParameters
                    reverb.enable = step % 3 != 0
                    reverb.level = scattered(step, -40...0)
                    reverb.loadFactoryReverbPreset(AVAudioUnitReverbPreset.allCases[step % 13])
                    reverb.filterParameters.frequency = scattered(step, 100...10_000)
                    reverb.filterParameters.bypass = step % 2 == 0
                    environment.outputVolume = scattered(step, 0.5...1)
                    _ = (environment.applicableRenderingAlgorithms, environment.outputType)
                },
            ]
        )
        #expect(rig.peak > 0 && rig.peak.isFinite)
    }

    @Test("Notes, controllers, settings and sounds reach a sampler from several threads")
    func samplersArePlayed() throws {
        let folder = try ScratchDirectory()
        let url = folder.url("tone.wav")
        try write([sine(440, 4_000)], to: url)
        let rig = BusyRig()
        let sampler = AVAudioUnitSampler()
        rig.engine.attach(sampler)
        rig.engine.connect(sampler, to: rig.engine.mainMixerNode, format: rig.format)
        try sampler.loadAudioFiles(at: [url])
        try rig.engine.start()
        rig.render(
            while: [
                { step in
                    let key = UInt8(48 + step % 24)
                    sampler.startNote(key, withVelocity: UInt8(1 + step % 127), onChannel: UInt8(step % 4))
                    sampler.stopNote(UInt8(48 + (step * 5) % 24), onChannel: UInt8(step % 4))
                },
                { step in
                    sampler.sendController(64, withValue: UInt8(step % 128), onChannel: 0)
                    sampler.sendPitchBend(UInt16(step * 97 % 16_384), onChannel: 1)
                    sampler.sendPressure(UInt8(step % 128), onChannel: 2)
                    sampler.sendMIDISysExEvent(Data([0xF0, 0x7E, 1, 2, 3, 0xF7]))
                    MusicDeviceMIDIEvent(sampler.audioUnit, 0x90, UInt32(40 + step % 40), 90, UInt32(step % 512))
                },
                { step in
                    sampler.overallGain = scattered(step, -30...0)
                    sampler.stereoPan = scattered(step, -100...100)
                    sampler.globalTuning = scattered(step, -100...100)
                    AudioUnitSetParameter(
                        sampler.audioUnit,
                        900,
                        kAudioUnitScope_Global,
                        0,
                        scattered(step, -30...0),
                        0
                    )
                    AudioUnitSetParameter(sampler.audioUnit, 902, kAudioUnitScope_Global, 0, scattered(step, -9...9), 0)
                },
                { step in
                    if step % 20 == 0 { try? sampler.loadAudioFiles(at: [url]) }
                    if step % 50 == 0 { sampler.reset() }
                    _ = (sampler.latency, sampler.tailTime)
                },
            ]
        )
        // Sounds that are loaded all the time may leave none to hear: afterwards it plays as before.
        sampler.reset()
        try sampler.loadAudioFiles(at: [url])
        (sampler.overallGain, sampler.globalTuning) = (0, 0)
        rig.render(
            blocks: 60,
            while: [{ _ in sampler.startNote(60, withVelocity: 100, onChannel: 0) }]
        )
        #expect(rig.peak > 0 && rig.peak.isFinite)
    }

    @Test("Tempo, loops, places and tracks of a sequencer change from several threads")
    func sequencersAreChanged() throws {
        let folder = try ScratchDirectory()
        let url = folder.url("tone.wav")
        try write([sine(440, 4_000)], to: url)
        let rig = BusyRig()
        let sampler = AVAudioUnitSampler()
        rig.engine.attach(sampler)
        rig.engine.connect(sampler, to: rig.engine.mainMixerNode, format: rig.format)
        try sampler.loadAudioFiles(at: [url])
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        let tracks = (0..<2).map { _ in sequencer.createAndAppendTrack() }
        for (index, track) in tracks.enumerated() {
            track.destinationAudioUnit = sampler
            for beat in 0..<16 {
                let note = AVMIDINoteEvent(channel: UInt32(index), key: UInt32(60 + beat), velocity: 90, duration: 0.1)
                track.addEvent(note, at: Double(beat) / 8)
            }
        }
        try rig.engine.start()
        sequencer.prepareToPlay()
        try sequencer.start()
        rig.render(
            while: [
                { step in
                    sequencer.rate = scattered(step, 0.5...4)
                    if step % 10 == 0 { sequencer.currentPositionInBeats = Double(scattered(step, 0...2)) }
                    _ = (sequencer.currentPositionInSeconds, sequencer.isPlaying)
                },
                { step in
                    let track = tracks[step % 2]
                    track.isMuted = step % 3 == 0
                    track.isSoloed = step % 5 == 0
                    track.loopRange = AVMakeBeatRange(0, Double(1 + step % 2))
                    track.isLoopingEnabled = step % 2 == 0
                    track.numberOfLoops = step % 4 - 1
                    track.offsetTime = Double(scattered(step, 0...0.5))
                },
                { step in
                    let track = tracks[step % 2]
                    let note = AVMIDINoteEvent(channel: 0, key: UInt32(50 + step % 40), velocity: 80, duration: 0.05)
                    if step % 8 == 0 { track.addEvent(note, at: Double(scattered(step, 0...2))) }
                    if step % 64 == 0 { track.clearEvents(in: AVMakeBeatRange(1, 0.5)) }
                    if step % 32 == 0 {
                        sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 90 + Double(step % 100)), at: 0.25)
                        sequencer.tempoTrack.clearEvents(in: AVMakeBeatRange(0.2, 0.1))
                    }
                },
                { step in
                    guard step % 16 == 0 else { return }
                    sequencer.stop()
                    sequencer.prepareToPlay()
                    try? sequencer.start()
                },
            ]
        )
        sequencer.stop()
        #expect(rig.peak > 0 && rig.peak.isFinite)
    }
}
