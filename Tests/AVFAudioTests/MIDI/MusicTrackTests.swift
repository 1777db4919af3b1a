import AVFAudio
import Foundation
import Testing

@Suite("Tracks of a sequencer") struct MusicTrackTests {
    private let sequencer = AVAudioSequencer()

    private func track(_ keys: [(UInt32, Double)]) -> AVMusicTrack {
        let track = sequencer.createAndAppendTrack()
        for (key, beat) in keys {
            track.addEvent(AVMIDINoteEvent(channel: 0, key: key, velocity: 64, duration: 0.5), at: beat)
        }
        return track
    }

    private func keys(_ track: AVMusicTrack) -> [String] {
        var found: [String] = []
        track.enumerateEvents(in: AVMakeBeatRange(0, AVMusicTimeStampEndOfTrack)) { event, beat, _ in
            found.append("\((event as? AVMIDINoteEvent)?.key ?? 0)@\(beat.pointee)")
        }
        return found
    }

    @Test("Events are kept in order, and have a length")
    func ordersEvents() {
        let track = track([(62, 2), (60, 0), (61, 1), (63, 1)])
        #expect(keys(track) == ["60@0.0", "61@1.0", "63@1.0", "62@2.0"])
        #expect(track.lengthInBeats == 2.5 && track.lengthInSeconds == 1.25)
        #expect(track.loopRange == AVBeatRange(start: 0, length: 2.5))
        sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 60), at: 0)
        #expect(track.lengthInSeconds == 2.5)
        track.lengthInSeconds = 8
        #expect(track.lengthInBeats == 8)
    }

    @Test("A length is at least that of the events, and follows them")
    func lengthHoldsTheEvents() {
        let track = track([(60, 0), (61, 3)])
        track.lengthInBeats = 2
        #expect(track.lengthInBeats == 3.5 && track.loopRange.length == 3.5)
        track.lengthInBeats = 6
        #expect(track.lengthInBeats == 6)
        track.addEvent(AVMIDINoteEvent(channel: 0, key: 62, velocity: 64, duration: 1), at: 9)
        #expect(track.lengthInBeats == 10)
        track.clearEvents(in: AVBeatRange(start: 1, length: 20))
        #expect(track.lengthInBeats == 6)
    }

    @Test("Ranges of events are moved, cleared and cut")
    func editsRanges() {
        let moved = track([(60, 0), (61, 1), (62, 2)])
        moved.moveEvents(in: AVBeatRange(start: 1, length: 1), by: 5)
        #expect(keys(moved) == ["60@0.0", "62@2.0", "61@6.0"])
        moved.clearEvents(in: AVBeatRange(start: 2, length: 1))
        #expect(keys(moved) == ["60@0.0", "61@6.0"])
        moved.cutEvents(in: AVBeatRange(start: 1, length: 3))
        #expect(keys(moved) == ["60@0.0", "61@3.0"])
        moved.cutEvents(in: AVBeatRange(start: 1, length: AVMusicTimeStampEndOfTrack))
        #expect(keys(moved) == ["60@0.0"])
    }

    @Test("Ranges of another track are inserted and merged")
    func copiesRanges() {
        let source = track([(70, 4), (71, 5), (72, 9)])
        let inserted = track([(60, 0), (61, 1)])
        inserted.copyEvents(in: AVBeatRange(start: 4, length: 2), from: source, insertAt: 1)
        #expect(keys(inserted) == ["60@0.0", "70@1.0", "71@2.0", "61@3.0"])
        let merged = track([(60, 0), (61, 1)])
        merged.copyAndMergeEvents(in: AVBeatRange(start: 4, length: 2), from: source, mergeAt: 0.5)
        #expect(keys(merged) == ["60@0.0", "70@0.5", "61@1.0", "71@1.5"])
    }

    @Test("An enumeration changes, moves and removes events")
    func enumerates() {
        let track = track([(60, 0), (61, 1), (62, 2), (63, 3)])
        track.enumerateEvents(in: AVBeatRange(start: 0, length: 3)) { event, beat, removes in
            guard let note = event as? AVMIDINoteEvent else { return }
            if note.key == 60 { note.key = 50 }
            if note.key == 61 { beat.pointee = 7 }
            if note.key == 62 { removes.pointee = true }
        }
        #expect(keys(track) == ["50@0.0", "63@3.0", "61@7.0"])
    }

    @Test("The tempo track takes tempos and other tracks notes, and tracks are removed")
    func keepsKindsApart() {
        let plain = track([(60, 0)])
        plain.addEvent(AVExtendedTempoEvent(tempo: 90), at: 0)
        sequencer.tempoTrack.addEvent(AVMIDINoteEvent(channel: 0, key: 1, velocity: 1, duration: 1), at: 0)
        sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 0), at: 0)
        #expect(keys(plain).count == 1 && keys(sequencer.tempoTrack).isEmpty)
        #expect(sequencer.removeTrack(plain) && !sequencer.removeTrack(plain) && sequencer.tracks.isEmpty)
    }

    @Test("Numbers that are none do no harm")
    func survivesOddNumbers() {
        let track = track([(60, 0)])
        for odd in [Double.nan, .infinity, -.infinity, -1, 1e300] {
            track.addEvent(AVMIDINoteEvent(channel: 99, key: 999, velocity: 999, duration: odd), at: odd)
            track.moveEvents(in: AVBeatRange(start: odd, length: odd), by: odd)
            track.copyEvents(in: AVBeatRange(start: odd, length: odd), from: track, insertAt: odd)
            track.cutEvents(in: AVBeatRange(start: odd, length: odd))
            track.loopRange = AVBeatRange(start: odd, length: odd)
            track.offsetTime = odd
            sequencer.currentPositionInSeconds = odd
            sequencer.rate = Float(odd)
        }
        (track.isLoopingEnabled, track.numberOfLoops) = (true, 3)
        sequencer.prepareToPlay()
        #expect(sequencer.currentPositionInBeats >= 0)
    }
}
