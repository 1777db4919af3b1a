import AVFAudio
import Foundation
import SyrinxTestSupport
import Testing

@Suite("Paths of audio files") struct OddPathTests {
    @Test(
        "A path that is not UTF-8 is written and read",
        arguments: ["caf%E9.wav", "%FF%FE.wav", "n%C3%A9.wav", "a%20b.wav"]
    )
    func escapes(name: String) throws {
        let scratch = try ScratchDirectory()
        let url = try #require(URL(string: "file://\(scratch.path)/\(name)"))
        let format = AVAudioFormat(standardFormatWithSampleRate: 8_000, channels: 1)!
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100)!
        buffer.frameLength = 100
        try AVAudioFile(forWriting: url, settings: format.settings).write(from: buffer)
        #expect(try AVAudioFile(forReading: url).length == 100)
    }
}
