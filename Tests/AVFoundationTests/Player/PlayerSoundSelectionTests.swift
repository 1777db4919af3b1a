import Foundation
import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// Selecting another sound of an item that plays.
@Suite struct PlayerSoundSelectionTests {
    @Test("Selecting another track does not interrupt playback")
    func anotherTrackOfAFileIsHeardWithoutAPause() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("film.mp4")
        try FFmpeg.run(
            ["-f", "lavfi", "-i", "sine=441:r=44100:d=30", "-f", "lavfi", "-i", "sine=882:r=44100:d=30"]
                + ["-map", "0", "-map", "1", "-c:a", "flac", "-strict", "-2", "-metadata:s:a:0", "language=eng"]
                + ["-metadata:s:a:1", "language=ger", path]
        )
        let item = AVPlayerItem(url: URL(fileURLWithPath: path))
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .audible))
        #expect(group.options.map(\.extendedLanguageTag) == ["en", "de"])
        #expect(group.defaultOption == group.options[0])
        #expect(try await item.asset.load(.tracks).count == 1)

        let rig = PlayerRig([item], waits: true)
        rig.player.appliesMediaSelectionCriteriaAutomatically = false
        rig.player.play()
        #expect(rig.crank { rig.player.currentTime().seconds > 1 })
        let statuses = EventList()
        let observation = rig.player.observe(\.timeControlStatus) { player, _ in
            statuses.add("\(player.timeControlStatus.rawValue)")
        }
        defer { observation.invalidate() }
        let before = rig.player.currentTime().seconds
        item.select(group.options[1], in: group)
        #expect(item.currentMediaSelection.selectedMediaOption(in: group) == group.options[1])
        // What has been decoded is heard before: some four seconds.
        #expect(rig.crank { rig.player.currentTime().seconds > before + 7 })
        #expect(abs(cents(from: 882, to: toneFrequency(Array(rig.output.suffix(22_050)), sampleRate: 44_100))) < 1)
        await drainMainQueue()
        // The rig renders as fast as it can, so that decoding may fall behind; nothing pauses the player.
        #expect(!statuses.all.contains("\(AVPlayer.TimeControlStatus.paused.rawValue)"))
        #expect(item.errorLog() == nil)
    }
}
