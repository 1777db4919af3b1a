import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxTestSupport

/// The recording of a soak, and a server that delivers it by chance, but so that in the end each byte can be had.
struct SoakRecording {
    let path: String
    let bytes: [UInt8]
    /// Each channel, as it is to be decoded.
    let samples: [[Float]]
    let duration: Double
    /// The error of a sample that is decoded after a seek: none where encoding was lossless.
    let tolerance: Float

    /// Without loss, with and without a table to seek by, and with loss.
    static func all(in scratch: ScratchDirectory) throws -> [SoakRecording] {
        let kinds: [(name: String, arguments: [String], tolerance: Float)] = [
            ("a.flac", [], 0), ("b.wav", [], 0), ("c.flac", ["-compression_level", "0"], 0),
            // An MP3 decoder that begins anew is off by its noise; a frame too early or late would be twenty times that.
            ("d.mp3", ["-b:a", "192k"], 0.001),
        ]
        return try kinds.enumerated().map { number, kind in
            let seconds = 6.0 + 4 * Double(number)
            let path = try Inputs.make(kind.name, in: scratch, seconds: seconds, arguments: kind.arguments)
            return SoakRecording(
                path: "/" + kind.name,
                bytes: try Inputs.bytes(path),
                samples: try Inputs.decoded(path),
                duration: seconds,
                tolerance: kind.tolerance
            )
        }
    }
}

/// A server whose line breaks by chance.
final class SoakLine: Sendable {
    let server: ScriptedHTTPServer
    private let faults = Atomic<Int>(0)

    init(_ recordings: [SoakRecording], seed: UInt64) throws {
        server = try ScriptedHTTPServer()
        for (number, recording) in recordings.enumerated() {
            server.route(recording.path) { [weak self] request, index in
                var dice = Dice(seed &* 31 &+ UInt64(number) &* 1_009 &+ UInt64(index) &* 7_919)
                let (answer, isFault) = Self.answer(recording.bytes, request, &dice)
                if isFault { self?.faults.add(1, ordering: .relaxed) }
                return answer
            }
        }
    }

    /// The number of answers that were not as they should be.
    var faultCount: Int { faults.load(ordering: .relaxed) }

    private static func answer(
        _ bytes: [UInt8],
        _ request: ScriptedRequest,
        _ dice: inout Dice
    ) -> (answer: ScriptedResponse, isFault: Bool) {
        let file = ScriptedResponse.file(bytes)
        let count = Int64(20_000 + dice.below(bytes.count))
        switch dice.below(18) {
        case 0: return (file.cut(after: count), true)
        case 1: return (file.cut(after: count, .reset), true)
        case 2: return (file.cut(after: count, .hang), true)
        case 3: return (.status(dice.one(of: [408, 429, 500, 502, 503])), true)
        case 4: return (.drop, true)
        case 5: return (file.inPieces(of: Int64(500 + dice.below(3_000))), true)
        case 6: return (file.paced(bytesPerSecond: Double(400_000 + dice.below(4_000_000))), true)
        case 7: return (file.contentRange("bytes */\(bytes.count)"), true)
        case 8: return (file.shiftingRanges(by: Int64(dice.below(10_000)) - 5_000), true)
        case 9: return (.redirect(to: request.path), true)
        case 10: return (file.withoutAcceptRanges().cut(after: count), true)
        case 11: return (file.withoutRanges(), true)
        case 12: return (file.delayed(seconds: 0.05), true)
        default: return (file, false)
        }
    }
}
