import AVFAudio
import Foundation
import Synchronization
import SyrinxTestSupport
import Testing

@Suite("MIDI players") struct MIDIPlayerTests {
    /// A file of one second: a note of half a second on channel 1, then one on channel 2.
    private func song() throws -> URL {
        let sequencer = AVAudioSequencer()
        let track = sequencer.createAndAppendTrack()
        track.addEvent(AVMIDIProgramChangeEvent(channel: 1, programNumber: 9), at: 0)
        track.addEvent(AVMIDINoteEvent(channel: 0, key: 69, velocity: 100, duration: 1), at: 0)
        track.addEvent(AVMIDINoteEvent(channel: 1, key: 69, velocity: 100, duration: 1), at: 1)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mid")
        try sequencer.write(to: url, smpteResolution: 0, replaceExisting: false)
        return url
    }

    @Test("A file is played to its end, which is reported", .enabled(if: SoundFontBuilder.hasSynthesizer))
    func playsAFile() async throws {
        let (song, bank) = (try song(), try SoundFontBuilder.file([(0, 0), (0, 9)]))
        defer { for url in [song, bank] { try? FileManager.default.removeItem(at: url) } }
        let rig = try OfflineRig(sampleRate: 48_000)
        let player = try AVMIDIPlayer(contentsOf: song, soundBankURL: bank, engine: rig.engine)
        #expect(player.duration == 1 && player.currentPosition == 0 && !player.isPlaying)
        player.prepareToPlay()
        let ends = Atomic<Int>(0)
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        player.play {
            ends.wrappingAdd(1, ordering: .relaxed)
            continuation.finish()
        }
        #expect(player.isPlaying)
        let sound = try rig.render(60_000)[0]
        #expect(amplitude(of: 441, in: sound[2_000..<20_000], sampleRate: 48_000) > 0.01)
        #expect(amplitude(of: 441, in: sound[26_000..<46_000], sampleRate: 48_000) > 0.01)
        for await _ in stream {}
        #expect(ends.load(ordering: .relaxed) == 1)
        #expect(!player.isPlaying && player.currentPosition == 1)
        player.rate = 2
        player.currentPosition = 0.5
        player.play()
        _ = try rig.render(4_800)
        #expect(abs(player.currentPosition - 0.7) < 0.011)
        player.stop()
        #expect(!player.isPlaying)
    }

    @Test("The bank of the system's choice is found, and without one the error says what to install")
    func findsBanks() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let error = #expect(throws: AVMIDIError.self) { try SoundBankSearch.find(in: [folder.path]) }
        #expect(error?.code == .soundBankMissing && error?.message.contains("timgm6mb-soundfont") == true)
        for name in ["another.sf2", "TimGM6mb.sf2", "text.txt"] {
            try Data().write(to: folder.appendingPathComponent(name))
        }
        #expect(try SoundBankSearch.find(in: ["/nonexistent", folder.path]).lastPathComponent == "TimGM6mb.sf2")
    }

    @Test("A file that is no MIDI file is an error before any sound bank is looked for")
    func refusesOtherFiles() {
        let error = #expect(throws: AVMIDIError.self) { try AVMIDIPlayer(data: Data([1, 2, 3]), soundBankURL: nil) }
        #expect(error?.code == .notMIDI)
    }
}
