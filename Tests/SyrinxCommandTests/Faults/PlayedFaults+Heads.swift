import SyrinxTestSupport

/// Answers whose heads are old, odd or hostile.
extension PlayedFault {
    private static let length = "Content-Length: \(size)\r\n"

    /// An answer of that status line, with these header lines, and the sound.
    private static func head(_ name: String, _ line: String, _ headers: String) -> PlayedFault {
        PlayedFault(35, name, requests: [start]) {
            [.raw("\(line)\r\n\(headers)\r\n", $0)]
        }
    }

    /// An answer with header lines that libcurl refuses.
    private static func refused(_ name: String, _ headers: String) -> PlayedFault {
        PlayedFault(
            35,
            name,
            .nothing("http.badResponse", exit: 69),
            requests: Array(repeating: start, count: 5),
            told: badResponses
        ) { [.raw("HTTP/1.1 200 OK\r\n\(headers)\(length)\r\n", $0)] }
    }

    static let heads: [PlayedFault] = [
        head("HTTP/1.0", "HTTP/1.0 200 OK", ""),
        head(
            "lower case, the type twice",
            "HTTP/1.1 200 OK",
            "content-length: \(size)\r\ncontent-type: audio/wav\r\ncontent-type: a/b\r\n"
        ),
        head("no reason", "HTTP/1.1 200", length),
        head("64 KiB of headers", "HTTP/1.1 200 OK", "X: " + String(repeating: "a", count: 60_000) + "\r\n" + length),
        PlayedFault(35, "a reason that is no text", requests: [start]) {
            [.raw("HTTP/1.1 200 ", [0xFC, 0xFF] + Array("\r\n\(length)\r\n".utf8) + $0)]
        },
        PlayedFault(35, "headers that are no text", requests: [start]) {
            [.raw("HTTP/1.1 200 OK\r\nX: ", [0xFC, 0x80, 0xFF] + Array("\r\n\(length)\r\n".utf8) + $0)]
        },
        head("a folded header", "HTTP/1.1 200 OK", "X-Long: one\r\n\t two\r\n" + length),
        head("the same length twice", "HTTP/1.1 200 OK", length + "content-length:\(size)\r\n"),
        head("the same length twice and at last", "HTTP/1.1 200 OK", length + "X: y\r\n" + length),
        head("a name that is none", "http/1.1  200 OK", "A B: c\r\n: d\r\n" + length),
        head("identity", "HTTP/1.1 200 OK", "Transfer-Encoding: identity\r\n" + length),
        refused("a line without a colon", "Garbage\r\n"),
        refused("a NUL", "X: a\0b\r\n"),
        PlayedFault(35, "lines without a carriage return", requests: [start]) {
            [.raw("HTTP/1.1 200 OK\nContent-Length: \(size)\n\n", $0)]
        },
        PlayedFault(35, "a coding that is none", requests: [start]) { [whole($0).header("Content-Encoding", "none")] },
        PlayedFault(
            35,
            "two lengths that differ",
            .nothing("http.badResponse", exit: 69),
            requests: Array(repeating: start, count: 5),
            told: badResponses
        ) { [.raw("HTTP/1.1 200 OK\r\n\(length)Content-Length: 1000\r\n\r\n", $0)] },
        PlayedFault(
            35,
            "folded headers without end",
            .nothing("http.badResponse", exit: 69),
            requests: [start]
        ) { _ in
            let head = "HTTP/1.1 200 OK\r\nX-Long: one" + String(repeating: "\r\n two", count: 3_000_000)
            return [.raw(head).cut(after: 0, .hang)]
        },
        PlayedFault(
            35,
            "no HTTP at all",
            .nothing("http.badResponse", exit: 69),
            requests: Array(repeating: start, count: 5),
            told: badResponses
        ) { _ in [.raw("SSH-2.0-OpenSSH_9.9\r\n")] },
    ]

    private static let badResponses = Array(repeating: "retry http.badResponse", count: 4)
}
