import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxTestSupport
import Testing

@Suite("Sequencers") struct SequencerTests {
    @Test("Notes begin and end at their frames, whatever the blocks", arguments: [64, 517, 4_096])
    func notesAreExact(_ block: Int) async throws {
        let rig = try await SequencerRig()
        rig.track([(60, 0), (62, 1), (64, 1.123), (65, 2)])
        try rig.sequencer.start()
        #expect(rig.sequencer.isPlaying)
        // 120 beats a minute at 48 kHz: 24,000 frames a beat.
        let expected = [
            ProbedNote(60, 0), ProbedNote(-60, 12_000), ProbedNote(62, 24_000), ProbedNote(64, 26_952),
            ProbedNote(-62, 36_000), ProbedNote(-64, 38_952), ProbedNote(65, 48_000), ProbedNote(-65, 60_000),
        ]
        #expect(try rig.notes(72_000, block: block) == expected)
        #expect(abs(rig.sequencer.currentPositionInBeats - 3) < 1e-9)
        #expect(abs(rig.sequencer.currentPositionInSeconds - 1.5) < 1e-9)
    }

    /// A sequencer of a program, which adds nothing to how it is made.
    private final class OwnSequencer: AVAudioSequencer, @unchecked Sendable {
        let note = "own"
    }

    @Test("A subclass is made for an engine and without one, and plays")
    func subclassesPlay() async throws {
        let rig = try await SequencerRig()
        let sequencer = OwnSequencer(audioEngine: rig.rig.engine)
        #expect(sequencer.note == "own" && OwnSequencer().tracks.isEmpty)
        let event = AVMIDINoteEvent(channel: 0, key: 60, velocity: 100, duration: 0.5)
        sequencer.createAndAppendTrack().addEvent(event, at: 0.5)
        try sequencer.start()
        #expect(try rig.notes(20_000) == [ProbedNote(60, 12_000)])
    }

    @Test("Changes of tempo hold from their beats on")
    func tempoChanges() async throws {
        let rig = try await SequencerRig()
        rig.sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 60), at: 1)
        rig.sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 240), at: 2)
        rig.track([(60, 0), (61, 1), (62, 2), (63, 3)], duration: 0.25)
        try rig.sequencer.start()
        let starts = try rig.notes(120_000).filter { $0.key > 0 }
        #expect(starts == [ProbedNote(60, 0), ProbedNote(61, 24_000), ProbedNote(62, 72_000), ProbedNote(63, 84_000)])
        #expect(rig.sequencer.seconds(forBeats: 3) == 1.75 && rig.sequencer.beats(forSeconds: 1.75) == 3)
    }

    @Test("A loop plays as often as it is told, and the rest follows")
    func loops() async throws {
        let rig = try await SequencerRig()
        let track = rig.track([(60, 0), (61, 0.25), (62, 0.5)], duration: 0.1)
        track.loopRange = AVBeatRange(start: 0.25, length: 0.25)
        track.numberOfLoops = 4
        track.isLoopingEnabled = true
        try rig.sequencer.start()
        let notes = try rig.notes(60_000)
        #expect(notes.filter { $0.key > 0 }.map { Double($0.frame) / 24_000 } == [0, 0.25, 0.5, 0.75, 1, 1.25])
        #expect(notes.filter { $0.key == -61 }.map { Double($0.frame) / 24_000 } == [0.35, 0.6, 0.85, 1.1])
    }

    @Test("A note that lasts beyond its loop ends with each pass but the last")
    func loopsEndNotes() async throws {
        let rig = try await SequencerRig()
        let track = rig.track([(60, 0.1)], duration: 0.9)
        track.loopRange = AVBeatRange(start: 0, length: 0.5)
        track.numberOfLoops = 2
        track.isLoopingEnabled = true
        try rig.sequencer.start()
        let expected = [
            ProbedNote(60, 2_400), ProbedNote(-60, 12_000), ProbedNote(60, 14_400), ProbedNote(-60, 36_000),
        ]
        #expect(try rig.notes(60_000) == expected)
    }

    @Test("An endless loop goes on, and a seek lands in its middle")
    func endlessLoop() async throws {
        let rig = try await SequencerRig()
        let track = rig.track([(60, 0), (61, 1)], duration: 0.5)
        track.lengthInBeats = 2
        track.numberOfLoops = AVMusicTrackLoopCount.forever.rawValue
        track.isLoopingEnabled = true
        rig.sequencer.currentPositionInBeats = 1_001
        try rig.sequencer.start()
        let starts = try rig.notes(96_001).filter { $0.key > 0 }
        #expect(
            starts == [
                ProbedNote(61, 0), ProbedNote(60, 24_000), ProbedNote(61, 48_000), ProbedNote(60, 72_000),
                ProbedNote(61, 96_000),
            ]
        )
    }

    @Test("A seek while it plays ends the notes that sound, and lands on its beat")
    func seeks() async throws {
        let rig = try await SequencerRig()
        rig.track([(60, 0), (61, 8)], duration: 4)
        try rig.sequencer.start()
        #expect(try rig.notes(1_000) == [ProbedNote(60, 0)])
        rig.sequencer.currentPositionInBeats = 7.5
        #expect(rig.sequencer.currentPositionInBeats == 7.5)
        #expect(try rig.notes(20_000) == [ProbedNote(-60, 0), ProbedNote(61, 12_000)])
        rig.sequencer.stop()
        #expect(!rig.sequencer.isPlaying)
        let position = rig.sequencer.currentPositionInBeats
        #expect(abs(position - (7.5 + 20_000.0 / 24_000)) < 1e-9)
        #expect(try rig.notes(20_000) == [ProbedNote(-61, 0)])
        #expect(rig.sequencer.currentPositionInBeats == position)
        rig.sequencer.currentPositionInSeconds = 4
        #expect(rig.sequencer.currentPositionInBeats == 8)
        try rig.sequencer.start()
        #expect(try rig.notes(100) == [ProbedNote(61, 0)])
    }

    @Test("A start in the middle sends the controllers before it as they were last")
    func startsWithState() async throws {
        let rig = try await SequencerRig()
        let track = rig.track([(60, 4)])
        for (value, beat) in [(10, 0.0), (20, 1.0), (30, 5.0)] as [(UInt32, Double)] {
            track.addEvent(AVMIDIControlChangeEvent(channel: 0, messageType: .volume, value: value), at: beat)
        }
        rig.sequencer.currentPositionInBeats = 3
        try rig.sequencer.start()
        _ = try rig.notes(100)
        let unit = try #require(rig.instruments[0].auAudioUnit as? ProbeInstrument)
        #expect(unit.controller.load(ordering: .relaxed) == 7 << 7 | 20)
    }

    @Test("The rate scales time, and a change of it holds from the next block on")
    func rates() async throws {
        let rig = try await SequencerRig()
        rig.track([(60, 0), (61, 1), (62, 2), (63, 3)], duration: 0.125)
        rig.sequencer.rate = 2
        try rig.sequencer.start()
        var starts = try rig.notes(24_000, block: 480).filter { $0.key > 0 }
        #expect(starts == [ProbedNote(60, 0), ProbedNote(61, 12_000)])
        rig.sequencer.rate = 0.5
        starts = try rig.notes(96_000, block: 480).filter { $0.key > 0 }
        #expect(starts == [ProbedNote(62, 0), ProbedNote(63, 48_000)])
        rig.sequencer.rate = 0
        #expect(try rig.notes(48_000).isEmpty)
    }

    @Test("Muted tracks are silent, and with a soloed one all others are")
    func mutesAndSolos() async throws {
        let rig = try await SequencerRig(instruments: 2)
        let first = rig.track([(60, 0), (60, 1)], duration: 0.25)
        let second = rig.track([(61, 0.1), (61, 1.1)], to: 1, duration: 0.25)
        let third = rig.track([(62, 0.2), (62, 1.2)], duration: 0.25)
        second.isMuted = true
        try rig.sequencer.start()
        #expect(try rig.notes(24_000).filter { $0.key > 0 }.map(\.key) == [60, 62])
        (second.isMuted, third.isSoloed) = (false, true)
        #expect(try rig.notes(24_000).filter { $0.key > 0 } == [ProbedNote(62, 4_800)])
        #expect(first.isSoloed == false && third.isSoloed)
    }

    @Test("An offset moves a track, and what lies before the start is left out")
    func offsets() async throws {
        let rig = try await SequencerRig()
        rig.track([(60, 0), (61, 1)], duration: 0.25).offsetTime = 0.5
        rig.track([(62, 0), (63, 1)], duration: 0.125).offsetTime = -0.75
        try rig.sequencer.start()
        let starts = try rig.notes(48_000).filter { $0.key > 0 }
        #expect(starts == [ProbedNote(63, 6_000), ProbedNote(60, 12_000), ProbedNote(61, 36_000)])
    }

    @Test("A change of a track while it plays holds from the next block on")
    func editsWhilePlaying() async throws {
        let rig = try await SequencerRig()
        let track = rig.track([(60, 0), (61, 2)], duration: 0.25)
        try rig.sequencer.start()
        #expect(try rig.notes(24_000).count == 2)
        track.addEvent(AVMIDINoteEvent(channel: 0, key: 70, velocity: 90, duration: 0.25), at: 1)
        track.clearEvents(in: AVBeatRange(start: 2, length: 1))
        #expect(try rig.notes(48_000) == [ProbedNote(70, 0), ProbedNote(-70, 6_000)])
    }

    @Test("User events are reported with their track and beat, and long messages and controllers arrive")
    func otherEvents() async throws {
        let rig = try await SequencerRig()
        let track = rig.track([])
        track.addEvent(AVMusicUserEvent(data: Data([7, 8])), at: 0.5)
        track.addEvent(AVMIDISysexEvent(data: Data([0xF0, 1, 2, 3, 4, 0xF7])), at: 0.25)
        track.addEvent(AVMIDIControlChangeEvent(channel: 0, messageType: .expression, value: 99), at: 0.75)
        let calls = Mutex<[String]>([])
        rig.sequencer.setUserCallback { called, data, beat in
            calls.withLock { $0.append("\(called === track) \(Array(data)) \(beat)") }
        }
        try rig.sequencer.start()
        _ = try rig.notes(24_000)
        #expect(calls.withLock { $0 } == ["true [7, 8] 0.5"])
        let unit = try #require(rig.instruments[0].auAudioUnit as? ProbeInstrument)
        #expect(unit.longCount.load(ordering: .relaxed) == 6)
        #expect(unit.longSum.load(ordering: .relaxed) == 0xF0 + 10 + 0xF7)
        #expect(unit.controller.load(ordering: .relaxed) == 11 << 7 | 99)
    }

    @Test("Without a destination the engine's only instrument plays, and the end of the sequencer ends its notes")
    func defaultDestination() async throws {
        let rig = try OfflineRig(sampleRate: 48_000, channels: 1)
        let node = try await ProbeInstrument.node()
        rig.engine.attach(node)
        rig.engine.connect(node, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        var sequencer: AVAudioSequencer? = AVAudioSequencer(audioEngine: rig.engine)
        let track = try #require(sequencer?.createAndAppendTrack())
        track.addEvent(AVMIDINoteEvent(channel: 0, key: 64, velocity: 100, duration: 10), at: 0)
        try sequencer?.start()
        #expect(ProbedNote.all(in: try rig.render(1_000)[0]) == [ProbedNote(64, 0)])
        sequencer = nil
        _ = try rig.render(1_000)
        let unit = try #require(node.auAudioUnit as? ProbeInstrument)
        #expect(unit.controller.load(ordering: .relaxed) == 123 << 7)
    }

    @Test("A sequencer does not start without an engine that runs")
    func startNeedsAnEngine() throws {
        let alone = #expect(throws: AVAudioEngineError.self) { try AVAudioSequencer().start() }
        #expect(alone?.code == .notRunning)
        let engine = AVAudioEngine()
        let stopped = #expect(throws: AVAudioEngineError.self) { try AVAudioSequencer(audioEngine: engine).start() }
        #expect(stopped?.code == .notRunning)
    }

    @Test("Host times are an error without a clock")
    func hostTimes() async throws {
        let rig = try await SequencerRig()
        try rig.sequencer.start()
        var error: NSError?
        #expect(rig.sequencer.hostTime(forBeats: 1, error: &error) == 0 && error != nil)
        error = nil
        #expect(rig.sequencer.beats(forHostTime: 1, error: &error) == 0 && error != nil)
    }

    @Test("Right after the start, beats have the host times that they have later")
    func hostTimesHold() throws {
        let rig = DeviceRig(sampleRate: 48_000)
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        try rig.engine.start()
        // The device's clock: frame n is heard at n/48000 s. A block at 0 counts as one without a clock.
        _ = try rig.render(480, block: 240)
        try sequencer.start()
        var error: NSError?
        let (start, fourth) = (
            sequencer.hostTime(forBeats: 0, error: &error), sequencer.hostTime(forBeats: 4, error: &error)
        )
        #expect(error == nil && start == 10_000_000 && fourth == 2_010_000_000)
        #expect(sequencer.beats(forHostTime: 1_010_000_000, error: &error) == 2)
        _ = try rig.render(4_800)
        #expect(sequencer.hostTime(forBeats: 4, error: &error) == fourth)
        sequencer.currentPositionInBeats = 3
        #expect(sequencer.hostTime(forBeats: 4, error: &error) == 610_000_000 && error == nil)
        _ = try rig.render(480)
        #expect(sequencer.hostTime(forBeats: 4, error: &error) == 610_000_000 && error == nil)
    }

    @Test("Two instruments at other sample rates get their notes within a frame or a resampler's look-ahead")
    func otherRates() async throws {
        let rig = try OfflineRig(sampleRate: 48_000, channels: 1)
        let node = try await ProbeInstrument.node()
        rig.engine.attach(node)
        let half = AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1)
        rig.engine.connect(node, to: rig.engine.mainMixerNode, format: half)
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        sequencer.createAndAppendTrack().addEvent(
            AVMIDINoteEvent(channel: 0, key: 64, velocity: 100, duration: 10),
            at: 1
        )
        try rig.engine.start()
        try sequencer.start()
        let sound = try rig.render(30_000, block: 512)[0]
        let peak = sound.indices.max { abs(sound[$0]) < abs(sound[$1]) } ?? 0
        #expect(abs(peak - 24_000) <= 256)
    }

    @Test("Sequencing allocates no memory on the render thread")
    func rendersWithoutAllocating() async throws {
        let rig = try await SequencerRig()
        let notes = (0..<400).map { (index: Int) -> (UInt32, Double) in
            let key = UInt32(40 + index % 40)
            return (key, Double(index) / 64)
        }
        rig.track(notes, duration: 0.02)
        let looped = rig.track([(60, 0), (61, 0.01)], duration: 0.005)
        (looped.isLoopingEnabled, looped.numberOfLoops) = (true, -1)
        try rig.sequencer.start()
        let crank = try #require(rig.rig.engine.renderCrank())
        let changes: [() -> Void] = [
            {}, { rig.sequencer.rate = 3 }, { rig.sequencer.currentPositionInBeats = 1 }, { looped.isMuted = true },
            { rig.sequencer.stop() },
        ]
        for (index, change) in changes.enumerated() {
            change()
            for frames in [1, 64, 4_096] {
                #expect(allocations { crank(frames) } == 0, "change \(index), \(frames) frames")
            }
        }
    }
}
