import Testing

@testable import MediaPlayer

@Suite("Desktop player: requests") struct DesktopRequestTests {
    private static let values: [BusValue] = [
        .string(""), .string("Bogus"), .objectPath("/"), .int32(.min), .int64(.min), .int64(.max), .double(.nan),
        .double(.infinity), .double(-.infinity), .double(-1), .double(1e300), .bool(true), .strings([]),
        .dictionary([:]),
    ]
    private static let methods = [
        "Raise", "Quit", "Next", "Previous", "Pause", "PlayPause", "Stop", "Play", "Seek", "SetPosition", "OpenUri",
        "Bogus",
    ]

    private func setting(_ property: String, to value: BusValue) -> Result<DesktopPlayerCommand, BusFailure> {
        Result { () throws(BusFailure) in try DesktopRequest.command(setting: property, to: value) }
    }

    private func calling(_ method: String, _ values: [BusValue]) -> Result<DesktopPlayerCommand?, BusFailure> {
        var track = DesktopPlayerState.Track(id: 7)
        track.duration = 60
        return Result { () throws(BusFailure) in
            try DesktopRequest.command(calling: method, with: values, on: track)
        }
    }

    @Test("A property takes values of its type and range, and no others")
    func properties() throws {
        #expect(try setting("Rate", to: .double(1.5)).get() == .rate(1.5))
        #expect(try setting("Rate", to: .double(0)).get() == .pause)
        #expect(try setting("Volume", to: .double(0.5)).get() == .volume(0.5))
        // A negative volume is 0, as specified; a player has no volume above 1.
        #expect(try setting("Volume", to: .double(-1)).get() == .volume(0))
        #expect(try setting("Volume", to: .double(1e300)).get() == .volume(1))
        #expect(try setting("Shuffle", to: .bool(true)).get() == .shuffle(true))
        #expect(try setting("LoopStatus", to: .string("Track")).get() == .loop(.track))
        let taken = ["Rate", "Volume", "Shuffle", "LoopStatus"].map { property in
            Self.values.count { (try? setting(property, to: $0).get()) != nil }
        }
        #expect(taken == [0, 2, 1, 0])
    }

    @Test("A method takes arguments of its types, and no others")
    func methods() throws {
        #expect(try calling("Next", []).get() == .next)
        #expect(try calling("Seek", [.int64(-1_500_000)]).get() == .skip(by: -1.5))
        #expect(try calling("Seek", [.int64(.min)]).get() == .skip(by: Double(Int64.min) / 1e6))
        let path = BusValue.objectPath("/org/syrinx/Track/7")
        #expect(try calling("SetPosition", [path, .int64(60_000_000)]).get() == .seek(to: 60))
        // Ignored, as specified: before the start, beyond the end, another track.
        #expect(try calling("SetPosition", [path, .int64(.min)]).get() == nil)
        #expect(try calling("SetPosition", [path, .int64(.max)]).get() == nil)
        #expect(try calling("SetPosition", [.objectPath("/"), .int64(0)]).get() == nil)
        #expect(
            try calling("OpenUri", [.string("https://example.org/a.mp3")]).get() == .open("https://example.org/a.mp3")
        )
        #expect(throws: BusFailure.self) { try calling("OpenUri", [.string("gopher://example.org")]).get() }
        for method in Self.methods {
            let taken = Self.values.filter { (try? calling(method, [$0]).get()) != nil }
            #expect(taken == (method == "Seek" ? [.int64(.min), .int64(.max)] : []), "\(method)")
        }
        #expect(throws: BusFailure(.unknownMethod, "There is no method Bogus.")) { try calling("Bogus", []).get() }
    }

    @Test("The name of a player is a valid part of a bus name")
    func names() {
        let name = { DesktopPlayer.Identity(name: $0, title: "").name }
        #expect(name("syrinx-desktop") == "syrinx_desktop")
        #expect(name("7zip") == "_7zip")
        #expect(name("") == "_")
        #expect(name(String(repeating: "a", count: 1000)).count == 200)
    }
}
