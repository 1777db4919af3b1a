import SyrinxTestSupport
import Testing

@testable import MediaPlayer

@Suite("Desktop player: state") struct DesktopPlayerStateTests {
    private var playing: DesktopPlayerState {
        var state = DesktopPlayerState()
        state.status = .playing
        state.track = DesktopPlayerState.Track(id: 7)
        state.track?.title = "Title"
        state.track?.artists = ["One", "Two"]
        state.track?.duration = 61.5
        return state
    }

    @Test("Only what differs is reported as changed")
    func reportsChanges() {
        var other = playing
        #expect(other.changes(from: playing).isEmpty)
        other.rate = 1.5
        other.volume = 0.25
        #expect(other.changes(from: playing) == ["Rate": .double(1.5), "Volume": .double(0.25)])
        other = playing
        other.track?.album = "Album"
        #expect(Array(other.changes(from: playing).keys) == ["Metadata"])
        #expect(
            Set(DesktopPlayerState().changes(from: playing).keys) == [
                "PlaybackStatus", "Metadata", "CanPlay", "CanPause",
            ]
        )
    }

    @Test("Metadata have the types of the specification")
    func hasTypedMetadata() {
        #expect(
            playing.track?.metadata == [
                "mpris:trackid": .objectPath("/org/syrinx/Track/7"), "mpris:length": .int64(61_500_000),
                "xesam:title": .string("Title"), "xesam:artist": .strings(["One", "Two"]),
            ]
        )
        var odd = DesktopPlayerState.Track(id: -1)
        odd.trackNumber = .max
        odd.duration = .infinity
        // A number that does not fit is left out, and an endless duration is the longest.
        #expect(odd.metadata["xesam:trackNumber"] == nil)
        #expect(odd.metadata["mpris:length"] == .int64(9_000_000_000_000_000_000))
        #expect(DesktopPosition.microseconds(.nan) == 0)
    }

    @Test("The position goes on by itself, and a jump is what differs from that")
    func extrapolates() {
        var position = DesktopPosition()
        var jumps = [position.note(10, rate: 1, at: 100)]
        #expect(position.value(at: 102) == 12)
        // What comes as expected is no jump.
        jumps.append(position.note(12.01, rate: 1, at: 102))
        jumps.append(position.note(12.51, rate: 2, at: 102.5))
        #expect(abs(position.value(at: 103.5) - 14.51) < 1e-9)
        jumps.append(position.note(3, rate: 2, at: 103.5))
        jumps.append(position.note(3, rate: 0, at: 103.5))
        #expect(jumps == [true, false, false, true, false])
        #expect(position.value(at: 200) == 3)
        // The clock does not go back.
        #expect(position.value(at: 0) == 3)
    }
}
