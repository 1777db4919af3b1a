import AudioDevice
import TestSupport
import Testing

@Suite struct ContractTests {
    @Test func nullOutput() throws {
        #expect(try checkOutputDevice { NullOutput() } == [])
    }

    @Test func manualOutput() throws {
        let broken = try checkOutputDevice(
            countsAllocations: false,
            crank: { _ = ($0 as? ManualOutput)?.render(frameCount: 5000) },
            { ManualOutput() }
        )
        #expect(broken == [])
    }

    @Test func fileOutput() throws {
        let directory = try ScratchDirectory()
        // Its thread is not a real-time one: it writes.
        let broken = try checkOutputDevice(countsAllocations: false) { WAVFileOutput(path: directory.file("a.wav")) }
        #expect(broken == [])
    }

    @Test func recordingOutput() throws {
        let directory = try ScratchDirectory()
        #expect(try checkOutputDevice { TeeOutput(NullOutput(), path: directory.file("a.wav")) } == [])
        let ofFile = try checkOutputDevice(countsAllocations: false) {
            TeeOutput(WAVFileOutput(path: directory.file("b.wav")), path: directory.file("c.wav"))
        }
        #expect(ofFile == [])
    }

    @Test func alsaOutput() throws {
        #expect(try checkOutputDevice { ALSAOutput(pcm: "null") } == [])
    }

    @Test(arguments: SoundServerKind.allCases)
    func pulseOutput(kind: SoundServerKind) throws {
        let server = try kind.start()
        #expect(try checkOutputDevice(countsAllocations: false) { PulseOutput(server: server.server) } == [])
    }
}
