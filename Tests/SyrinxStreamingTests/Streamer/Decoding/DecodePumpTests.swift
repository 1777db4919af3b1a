import AVFAudio
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("Decoding pump") struct DecodePumpTests {
    /// Records the pump's results in order, and takes its time over the events of the network.
    private final class Host: DecodePumpHost {
        let log = Mutex<[String]>([])

        func note(_ entry: String) { log.withLock { $0.append(entry) } }

        func pump(_ pump: DecodePump, made stream: any ByteStream) {
            (stream as? HTTPByteStream)?.onEvent = { [weak self] event in
                guard case .warning(let code, _) = event else { return }
                // Much less than the pump waits for a busy listener, and much more than it takes to the end.
                usleep(10_000)
                self?.note(code.rawValue)
            }
        }
        func pump(_ pump: DecodePump, prepared info: MediaInfo) {}
        func pump(_ pump: DecodePump, opened info: MediaInfo) throws -> AVAudioFormat? {
            AVAudioFormat(standardFormatWithSampleRate: info.sampleRate, channels: 2)
        }
        func pump(_ pump: DecodePump, learned info: MediaInfo, tags: [String: String], seek: Int) {}
        func pump(_ pump: DecodePump, reachedEnd frameCount: Int64, seek: Int) { note("end") }
        func pump(_ pump: DecodePump, finished seek: Int) {}
        func pump(_ pump: DecodePump, held buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int) {}
        func pump(_ pump: DecodePump, read buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int) {}
        func pump(_ pump: DecodePump, failed error: any Error) { note("failed \(error)") }
    }

    @Test("A warning of the network is reported before the end that it led to")
    func warningBeforeEnd() throws {
        let scratch = try ScratchDirectory()
        let bytes = try Inputs.bytes(Inputs.make("a.mp3", in: scratch, seconds: 1, arguments: ["-write_xing", "0"]))
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a") { _, _ in
            .file(bytes).withoutRanges().contentLength(Int64(bytes.count) + 100)
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a"))
        let host = Host()
        let settings = DecodePump.Settings(input: .url(url), start: 0, readBufferSize: 8_192)
        let pump = DecodePump(settings, host: host)
        pump.run()
        defer { pump.cancel() }
        #expect(waitUntil { host.log.withLock { !$0.isEmpty && $0.last == "end" } })
        #expect(host.log.withLock { $0 } == ["http.truncated", "end"])
    }
}
