import SyrinxDevice
import SyrinxTestSupport
import Testing

@Suite struct OutputDevicesTests {
    @Test("The list of sinks begins with the default one", arguments: SoundServerKind.allCases)
    func listsTheSinksDefaultFirst(kind: SoundServerKind) throws {
        let server = try kind.start(sampleRate: 48_000)
        #expect(try server.control("load-module", "module-null-sink", "sink_name=second", "rate=96000").status == 0)
        #expect(try server.control("set-default-sink", "second").status == 0)
        // PipeWire asks its session manager.
        #expect(waitUntil { (try? server.control("get-default-sink"))?.output == "second\n" })
        let sinks = OutputDevices.list(server: server.server).filter { $0.kind == .pulse }
        #expect(sinks.map(\.id) == ["pulse:second", "pulse:out"])
        #expect(sinks.map(\.isDefault) == [true, false])
        #expect(sinks.map(\.sampleRate) == [96_000, 48_000])
        #expect(sinks.map(\.channelCount) == [2, 2])
        #expect(sinks.allSatisfy { !$0.description.isEmpty })
        #expect(OutputDevices.automatic(server: server.server)?.name == "pulse")
    }

    @Test("No sinks are listed without a sound server")
    func withoutAServerThereAreNoSinks() {
        #expect(OutputDevices.list(server: "unix:/nonexistent").filter { $0.kind == .pulse } == [])
        #expect(OutputDevices.automatic(server: "unix:/nonexistent")?.name != "pulse")
    }

    @Test(
        "A known name makes its device",
        arguments: [
            ("pulse", "pulse"), ("pulse:out", "pulse:out"), ("alsa", "alsa"),
            ("alsa:plughw:CARD=PCH,DEV=0", "alsa:plughw:CARD=PCH,DEV=0"), ("null", "null"),
            ("file:/a:b.wav", "file:/a:b.wav"),
        ]
    )
    func makes(specification: String, name: String) throws {
        #expect(try OutputDevices.make(specification).name == name)
    }

    @Test("An unknown name is refused", arguments: ["", "speaker", "null:x", "file", "file:", "auto:x", "Pulse"])
    func refuses(specification: String) {
        let error = #expect(throws: DeviceError.self) { _ = try OutputDevices.make(specification) }
        #expect(error?.code == .deviceNotFound)
    }
}
