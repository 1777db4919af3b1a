import SyrinxTestSupport

/// The answers of servers that send no sound, and their redirects.
extension PlayedFault {
    static let refusals: [PlayedFault] = ([400, 401, 403, 404, 407, 410, 451] as [Int]).map { status in
        let exits: [Int: Int32] = [401: 77, 403: 77, 404: 66, 410: 66]
        let outcome = Outcome.nothing("http.\(status)", exit: exits[status] ?? 69)
        return PlayedFault(status == 401 || status == 407 ? 30 : 31, "\(status)", outcome, requests: [start]) { _ in
            [.status(status).header("WWW-Authenticate", "Basic")]
        }
    }

    static let busy: [PlayedFault] =
        [408, 425, 429, 500, 502, 503, 504].map { status in
            PlayedFault(32, "\(status), once", requests: [start, start], told: ["retry http.\(status)"]) {
                [.status(status), whole($0)]
            }
        } + [
            PlayedFault(32, "503, come back in a second", requests: [start, start], told: ["retry http.503"]) {
                [.status(503).header("Retry-After", "1"), whole($0)]
            },
            PlayedFault(
                32,
                "503 in the middle",
                requests: [start, goesOn, goesOn],
                told: ["retry network.lost", "retry http.503"]
            ) { [firstHalf($0), .status(503), whole($0)] },
            PlayedFault(
                32,
                "503 for good",
                .nothing("http.503", exit: 69),
                requests: Array(repeating: start, count: 5),
                told: Array(repeating: "retry http.503", count: 4)
            ) { _ in [.status(503)] },
        ]

    static let redirects: [PlayedFault] = [
        PlayedFault(27, "every kind of redirect", requests: Array(repeating: start, count: 6)) {
            [301, 302, 303, 307, 308].map { ScriptedResponse.redirect(to: "a?x=1", status: $0) } + [whole($0)]
        },
        PlayedFault(27, "twenty in a row", requests: Array(repeating: start, count: 21)) {
            (0..<20).map { ScriptedResponse.redirect(to: "?hop=\($0)") } + [whole($0)]
        },
        PlayedFault(27, "one that names a password", requests: [start, start]) { bytes, request, index in
            let host = request.headers["host"] ?? ""
            return index > 0 ? whole(bytes) : .redirect(to: "http://edge:whisper@\(host)/a?x=1")
        },
        PlayedFault(30, "401 where one that names a password leads", .nothing("http.401", exit: 77)) {
            bytes,
            request,
            index in
            let host = request.headers["host"] ?? ""
            return index > 0 ? .status(401) : .redirect(to: "http://edge:whisper@\(host)/a?x=1")
        },
        PlayedFault(27, "one to a file", .nothing("http.redirectRefused", exit: 69), requests: [start]) { _ in
            [.redirect(to: "file:///etc/passwd")]
        },
        PlayedFault(27, "one to a file, whose owner is named", .nothing("http.redirectRefused", exit: 69)) { _ in
            [.redirect(to: "file://edge:whisper@localhost/etc/passwd")]
        },
        PlayedFault(
            27,
            "one that leads to itself",
            .nothing("http.tooManyRedirects", exit: 69),
            requests: Array(repeating: start, count: 21)
        ) { _ in [.redirect(to: "/a", status: 301)] },
        PlayedFault(27, "one to nowhere", .nothing("http.badResponse", exit: 69), requests: [start]) { _ in
            [.status(302)]
        },
        PlayedFault(
            28,
            "a signed address that runs out leads to a new one",
            requests: [start, start, goesOn, goesOn, goesOn],
            told: ["retry network.lost"]
        ) {
            [.redirect(to: "a?signed=1"), firstHalf($0), .status(403), .redirect(to: "a?signed=2"), whole($0)]
        },
        PlayedFault(
            28,
            "403 in the middle, at the URL itself",
            .prefix(atLeast: 20_000, "http.403", exit: 77),
            requests: [start, goesOn],
            told: ["retry network.lost"]
        ) { [firstHalf($0), .status(403)] },
    ]

    private static let nobody: @Sendable ([UInt8]) -> [ScriptedResponse] = { _ in [.drop] }

    static let unreachable: [PlayedFault] = [
        // Port 1 of this host: no server listens, unless one was started there.
        PlayedFault(
            33,
            "nobody listens",
            .nothing("network.refused", exit: 69),
            told: Array(repeating: "retry network.refused", count: 2),
            address: "http://listener:hush-hush@127.0.0.1:1/a",
            nobody
        ),
        PlayedFault(
            33,
            "a name that nobody has",
            .nothing("network.hostNotFound", exit: 69),
            told: Array(repeating: "retry network.hostNotFound", count: 2),
            address: "http://listener:hush-hush@no-such-host.invalid/a",
            nobody
        ),
        PlayedFault(
            33,
            "a server that closes without a word",
            .nothing("network.lost", exit: 69),
            requests: Array(repeating: start, count: 3),
            told: Array(repeating: "retry network.lost", count: 2),
            nobody
        ),
    ]
}
