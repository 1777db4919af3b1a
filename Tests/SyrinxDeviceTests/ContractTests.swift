import SyrinxDevice
import SyrinxTestSupport
import Testing

@Suite struct ContractTests {
    @Test("The null output keeps the contract of outputs")
    func nullOutput() throws {
        #expect(try checkOutputDevice { NullOutput() } == [])
    }

    @Test("The manual output keeps the contract of outputs")
    func manualOutput() throws {
        let broken = try checkOutputDevice(
            countsAllocations: false,
            crank: { _ = ($0 as? ManualOutput)?.render(frameCount: 5000) },
            { ManualOutput() }
        )
        #expect(broken == [])
    }

    @Test("The file output keeps the contract of outputs")
    func fileOutput() throws {
        let directory = try ScratchDirectory()
        // Its thread is not a real-time one: it writes.
        let broken = try checkOutputDevice(countsAllocations: false) { WAVFileOutput(path: directory.file("a.wav")) }
        #expect(broken == [])
    }

    @Test("The recording output keeps the contract of outputs")
    func recordingOutput() throws {
        let directory = try ScratchDirectory()
        #expect(try checkOutputDevice { RecordingOutput(NullOutput(), path: directory.file("a.wav")) } == [])
        let ofFile = try checkOutputDevice(countsAllocations: false) {
            RecordingOutput(WAVFileOutput(path: directory.file("b.wav")), path: directory.file("c.wav"))
        }
        #expect(ofFile == [])
    }

    @Test("The ALSA output keeps the contract of outputs")
    func alsaOutput() throws {
        #expect(try checkOutputDevice { ALSAOutput(pcm: "null") } == [])
    }

    @Test("The PulseAudio output keeps the contract of outputs", arguments: SoundServerKind.allCases)
    func pulseOutput(kind: SoundServerKind) throws {
        let server = try kind.start()
        #expect(try checkOutputDevice(countsAllocations: false) { PulseOutput(server: server.server) } == [])
    }
}
