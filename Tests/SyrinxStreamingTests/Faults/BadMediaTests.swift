import Foundation
import SyrinxByteStream
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// A recording that is not as it should be, and what comes of it when it is streamed.
///
/// To add a case, add an entry to `BadMedia.all`.
struct BadMedia: Sendable, CustomTestStringConvertible {
    /// The result for the listener.
    enum Outcome: Sendable {
        /// At least so much of the three seconds, and an end in order.
        case plays(atLeast: Double)
        /// At least so much, and then this failure.
        case breaksOff(atLeast: Double, String)
        /// Nothing but this failure.
        case fails(String)
    }

    let name: String
    let file: String
    var arguments: [String] = []
    let outcome: Outcome
    let change: @Sendable (_ bytes: [UInt8]) throws -> [UInt8]

    var testDescription: String { name }

    init(
        _ name: String,
        _ file: String,
        _ arguments: [String] = [],
        _ outcome: Outcome,
        _ change: @escaping @Sendable (_ bytes: [UInt8]) throws -> [UInt8] = { $0 }
    ) {
        self.name = name
        self.file = file
        self.arguments = arguments
        self.outcome = outcome
        self.change = change
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// An ID3v2.4 tag of so many bytes, or one that says so.
    private static func id3(_ stated: Int, of count: Int) -> [UInt8] {
        let size: [UInt8] = [21, 14, 7, 0].map { UInt8(stated >> $0 & 0x7F) }
        let head: [UInt8] = Array("ID3".utf8) + [4, 0, 0]
        return head + size + zeros(count)
    }

    private static func replaced(_ bytes: [UInt8], at offset: Int, _ new: [UInt8]) -> [UInt8] {
        Array(bytes[..<offset]) + new + bytes[(offset + new.count)...]
    }

    /// A WAV whose two lengths say something else.
    private static func wav(_ bytes: [UInt8], stating length: [UInt8]) -> [UInt8] {
        guard let data = bytes.firstRange(of: Array("data".utf8)) else { return bytes }
        return replaced(replaced(bytes, at: 4, length), at: data.upperBound, length)
    }

    private static let mp3 = ["-b:a", "128k"]
    private static let whole = Outcome.plays(atLeast: 2.9)
    private static let nearly = Outcome.plays(atLeast: 2)

    static let all: [BadMedia] = [
        BadMedia("garbage before the first frame", "a.mp3", mp3, whole) { patternedBytes(700).map { $0 & 0x7F } + $0 },
        BadMedia("a tag of ten megabytes", "a.mp3", mp3, whole) { id3(10 << 20, of: 10 << 20) + $0 },
        BadMedia("two tags", "a.mp3", mp3, whole) { id3(3_000, of: 3_000) + id3(500, of: 500) + $0 },
        BadMedia("a tag shorter than it says", "a.mp3", mp3, whole) { id3(9_000, of: 3_000) + $0 },
        BadMedia("4 KiB of zeros in the middle", "a.mp3", mp3, nearly) { replaced($0, at: 20_000, zeros(4_096)) },
        BadMedia("a last frame cut off", "a.mp3", mp3, nearly) { Array($0.dropLast(200)) },
        BadMedia("tags and garbage behind", "a.mp3", mp3, whole) {
            $0 + Array("APETAGEX".utf8) + zeros(24) + Array("TAG".utf8) + zeros(125) + patternedBytes(900)
        },
        BadMedia("a variable rate without a table", "a.mp3", ["-q:a", "5", "-write_xing", "0"], whole),
        BadMedia("nothing at all", "a.mp3", mp3, .fails("http.emptyBody")) { _ in [] },
        BadMedia("one byte", "a.mp3", mp3, .fails("media.notAudio")) { Array($0.prefix(1)) },
        BadMedia("noise", "a.mp3", mp3, .fails("media.notAudio")) { _ in patternedBytes(200_000, seed: 9) },
        BadMedia("an index at the end", "a.m4a", [], whole),
        BadMedia("a box that is larger than anything", "a.m4a", [], .fails("media.truncated")) {
            replaced($0, at: 0, [0xFF, 0xFF, 0xFF, 0xFF])
        },
        BadMedia("a FLAC frame with a wrong check sum", "a.flac", [], nearly) {
            replaced($0, at: $0.count / 2, patternedBytes(64))
        },
        BadMedia("an Ogg with a hole", "a.ogg", ["-c:a", "libvorbis", "-page_duration", "200000"], nearly) {
            Array($0[..<($0.count / 2)]) + $0[($0.count / 2 + 1_000)...]
        },
        BadMedia("two Oggs in a chain", "a.ogg", ["-c:a", "libvorbis"], .plays(atLeast: 5.8)) { $0 + $0 },
        BadMedia("a WAV without an end", "a.wav", [], whole) { wav($0, stating: [255, 255, 255, 255]) },
        BadMedia("a WAV that says it is empty", "a.wav", [], whole) { wav($0, stating: zeros(4)) },
        BadMedia("a WAV cut in half", "a.wav", [], .breaksOff(atLeast: 1.4, "media.truncated")) {
            Array($0[..<($0.count / 2)])
        },
    ]
}

/// Case 39 of the faults: damaged recordings, over the network.
@Suite("Damaged media") struct BadMediaTests {
    @Test("Each damaged recording has its documented outcome", arguments: BadMedia.all) func comesOfItWhatIsSaid(
        _ bad: BadMedia
    ) async throws {
        let scratch = try ScratchDirectory()
        let good = try Inputs.bytes(try Inputs.make(bad.file, in: scratch, seconds: 3, arguments: bad.arguments))
        let server = try ScriptedHTTPServer()
        // A name and a type that are wrong, too.
        server.route("/a.txt", .file(try bad.change(good), type: "text/plain"))
        let streamer = Streamer(device: WAVFileOutput(path: scratch.file("out.wav")))
        streamer.network = quickNetwork
        let events = streamer.events
        streamer.open(.url(try #require(URL(string: server.url("/a.txt")))), andPlay: true)
        var codes: [String] = []
        var last: PlaybackStatus?
        for await event in events {
            if case .failed(let error) = event { codes.append(error.code.rawValue) }
            if case .status(let status, _) = event, [.ended, .failed].contains(status) {
                last = status
                break
            }
        }
        #expect(isPrompt { streamer.stop() })
        func played() throws -> Double {
            let sound = try readWAV(scratch.file("out.wav"))
            return Double(sound.channels[0].count) / Double(sound.sampleRate)
        }
        switch bad.outcome {
        case .plays(let seconds):
            #expect(last == .ended && codes.isEmpty, "\(codes)")
            #expect(try played() >= seconds)
        case .breaksOff(let seconds, let code):
            #expect(last == .failed && codes == [code], "\(codes)")
            #expect(try played() >= seconds)
        case .fails(let code):
            #expect(last == .failed && codes == [code], "\(codes)")
        }
        // A look at the head, perhaps one at the end, and what lies between.
        #expect(server.requests.count <= 4)
    }
}
