import SyrinxTestSupport

/// The common parts of the entries.
extension PlayedFault {
    /// Bytes of `Sound.wave`, the usual sound.
    static let size = 176_444
    /// About half of them, to the end of a frame.
    static let half = 88_044
    /// The frames in that half.
    static let halfFrames = 22_000
    private static let tag = "\"file-\(size)\""
    /// The requests of the usual course: from the start; and from the half on, if it is still the same version.
    static let start = "0-"
    static let goesOn = "\(half)- if \(tag)"

    static func whole(_ bytes: [UInt8]) -> ScriptedResponse { .file(bytes) }

    /// The whole, broken off in the middle.
    static func firstHalf(_ bytes: [UInt8]) -> ScriptedResponse { .file(bytes).cut(after: Int64(half)) }
}

/// Answers to requests for a part or the whole, right and wrong.
extension PlayedFault {
    static let framing: [PlayedFault] = [
        PlayedFault(1, "no length, the end of the connection is the end", requests: [start]) {
            [whole($0).withoutRanges().withoutLength().withoutHeader("ETag")]
        },
        PlayedFault(2, "chunks, with extensions and trailers", requests: [start]) {
            [.raw(chunkedHead, chunks($0) + Array("0\r\nX: y\r\n\r\n".utf8))]
        },
        PlayedFault(2, "a chunk size that is none", requests: [start, "whole"], told: ["retry http.badResponse"]) {
            [.raw(chunkedHead, chunks(Array($0[..<half])) + Array("zz\r\n".utf8)), whole($0)]
        },
        PlayedFault(
            2,
            "no last chunk is no end",
            .prefix(atLeast: 20_000, "network.lost", exit: 69),
            requests: [start]
        ) { [whole($0).withoutRanges().withoutHeader("ETag").chunked().cut(after: Int64(half))] },
        PlayedFault(25, "more bytes than announced", requests: [start]) {
            [.raw("HTTP/1.1 200 OK\r\nContent-Length: \($0.count)\r\n\r\n", $0 + [1, 2, 3])]
        },
        PlayedFault(26, "a byte at a time", of: .shortMP3, requests: [start]) { [whole($0).inPieces(of: 1)] },
        PlayedFault(34, "204", .nothing("http.emptyBody", exit: 65), requests: [start]) { _ in [.status(204)] },
        PlayedFault(34, "200 and nothing", .nothing("http.emptyBody", exit: 65), requests: [start]) { _ in
            [.status(200)]
        },
    ]

    static let ranges: [PlayedFault] = [
        PlayedFault(3, "ranges that nobody announced", requests: [start, goesOn], told: ["retry network.lost"]) {
            [firstHalf($0).withoutAcceptRanges(), whole($0).withoutAcceptRanges()]
        },
        PlayedFault(4, "Accept-Ranges: none", requests: [start, "whole"], told: ["retry network.lost"]) {
            let answer = whole($0).withoutRanges().header("Accept-Ranges", "none")
            return [answer.cut(after: Int64(half)), answer]
        },
        PlayedFault(5, "the whole in answer to a range", requests: [start, goesOn], told: ["retry network.lost"]) {
            [firstHalf($0), whole($0).withoutRanges()]
        },
        PlayedFault(6, "a range that begins earlier", requests: [start, goesOn], told: ["retry network.lost"]) {
            [firstHalf($0), whole($0).shiftingRanges(by: -5_001)]
        },
        PlayedFault(
            7,
            "a range that begins later",
            requests: [start, goesOn, "whole"],
            told: ["retry network.lost", "warning http.badResponse"]
        ) { [firstHalf($0), whole($0).shiftingRanges(by: 5_000), whole($0).withoutRanges()] },
        PlayedFault(
            7,
            "ranges that are always wrong",
            .prefix(atLeast: 20_000, "http.badResponse", exit: 69),
            requests: [start, goesOn, "whole"],
            told: ["retry network.lost", "warning http.badResponse"]
        ) {
            [firstHalf($0), whole($0).contentRange("bytes 7-9/\($0.count)"), .raw("HTTP/1.1 206 No\r\n\r\n")]
        },
        PlayedFault(8, "no Content-Range", requests: [start, "whole"], told: ["warning http.badResponse"]) {
            [whole($0).contentRange(""), whole($0).withoutRanges()]
        },
        PlayedFault(8, "nonsense for a Content-Range", requests: [start, "whole"], told: ["warning http.badResponse"]) {
            [whole($0).contentRange("bytes 7-3/x"), whole($0).withoutRanges()]
        },
        PlayedFault(8, "a Content-Range of unknown size", requests: [start]) {
            [whole($0).contentRange("bytes 0-\($0.count - 1)/*")]
        },
        PlayedFault(
            9,
            "a Content-Length that is less than the range",
            requests: [start, goesOn],
            told: ["warning http.lengthMismatch", "retry network.lost"]
        ) {
            let head = "HTTP/1.1 206 Part\r\nETag: \(tag)\r\nContent-Range: bytes 0-\(size - 1)/\(size)"
            return [.raw("\(head)\r\nContent-Length: \(half)\r\n\r\n", $0), whole($0)]
        },
        PlayedFault(
            9,
            "100 bytes more announced than there are, without ranges",
            requests: [start, "whole"],
            told: ["retry network.lost", "warning http.truncated"]
        ) { [whole($0).withoutRanges().contentLength(Int64($0.count) + 100)] },
        PlayedFault(
            9,
            "100 bytes more announced than there are, in parts",
            requests: [start, "\(size)- if \(tag)"],
            told: ["retry network.lost", "warning http.truncated"]
        ) { bytes in
            let parts = ["0-\(size + 99)", "\(size)-\(size + 99)"].map { range in
                "HTTP/1.1 206 Part\r\nETag: \(tag)\r\nContent-Range: bytes \(range)/\(size + 100)\r\n\r\n"
            }
            return [.raw(parts[0], bytes), .raw(parts[1])]
        },
        PlayedFault(
            9,
            "an end at the same place each time, with sound missing",
            .prefix(atLeast: 20_000, "media.truncated", exit: 74),
            requests: [start, "whole"],
            told: ["retry network.lost", "warning http.truncated"]
        ) { [whole($0).withoutRanges().cut(after: Int64(half))] },
        PlayedFault(
            10,
            "416 at the end is the end",
            requests: [start, "\(size)-"],
            told: ["warning http.lengthMismatch", "retry network.lost"]
        ) {
            let sizes = "Content-Range: bytes 0-\(size - 1)/*\r\nContent-Length: \(size + 9)"
            return [.raw("HTTP/1.1 206 Part\r\n\(sizes)\r\n\r\n", $0), whole($0)]
        },
        PlayedFault(11, "nothing but GET is allowed", requests: [start]) { [whole($0)] },
    ]

    private static let page = Array("<!DOCTYPE html><html><body>Log in, please.</body></html>".utf8)

    static let types: [PlayedFault] =
        ["text/plain", "application/octet-stream", "audio/x-mpeg", "text/html"].map { type in
            PlayedFault(13, "sound that is said to be \(type)", of: .mp3, requests: [start]) {
                [.file($0, type: type)]
            }
        } + [
            PlayedFault(
                13,
                "a page to log in, of the type it is",
                .nothing("media.notAudio", exit: 65),
                requests: [start, start]
            ) { _ in [.file(page, type: "text/html")] },
            PlayedFault(
                13,
                "a page to log in that is said to be sound",
                .nothing("media.notAudio", exit: 65),
                requests: [start, start]
            ) { _ in [.file(page, type: "audio/mpeg")] },
            PlayedFault(12, "gzip that is none", .nothing("http.badResponse", exit: 69), requests: [start, "whole"]) {
                [whole($0).header("Content-Encoding", "gzip")]
            },
        ]

    private static let chunkedHead = "HTTP/1.1 200 OK\r\nETag: \(tag)\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func chunks(_ bytes: [UInt8], of count: Int = 10_000) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: count).flatMap { start -> [UInt8] in
            let piece = bytes[start..<min(bytes.count, start + count)]
            return Array("\(String(piece.count, radix: 16));name=value\r\n".utf8) + piece + [13, 10]
        }
    }
}
