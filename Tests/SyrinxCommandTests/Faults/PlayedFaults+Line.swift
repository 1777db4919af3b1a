import SyrinxTestSupport

/// The faults of the connection, and changes of the resource meanwhile.
extension PlayedFault {
    static let interruptions: [PlayedFault] =
        [
            PlayedFault(14, "an end before the end", requests: [start, goesOn], told: ["retry network.lost"]) {
                [firstHalf($0), whole($0)]
            },
            PlayedFault(14, "one after every 30,000 bytes", told: Array(repeating: "retry network.lost", count: 5)) {
                [whole($0).cut(after: 30_000)]
            },
            PlayedFault(15, "a reset after every 50,000 bytes", told: ["retry network.lost*"]) {
                [whole($0).cut(after: 50_000, .reset)]
            },
        ]
        + [1, 44, 4_097, 65_536, size - 1].map { count in
            PlayedFault(15, "a reset after \(count) bytes", told: ["retry network.lost"]) {
                [whole($0).cut(after: Int64(count), .reset), whole($0)]
            }
        } + [
            PlayedFault(18, "silence after the headers", requests: [start, start], told: ["retry network.timeout"]) {
                [whole($0).cut(after: 0, .hang), whole($0)]
            },
            PlayedFault(18, "silence in the middle", requests: [start, goesOn], told: ["retry network.timeout"]) {
                [whole($0).cut(after: Int64(half), .hang), whole($0)]
            },
            PlayedFault(19, "half as fast as it is played", requests: [start]) {
                [whole($0).paced(bytesPerSecond: 88_200)]
            },
            PlayedFault(21, "a link that is gone for a moment", told: ["retry network.lost*"]) {
                [firstHalf($0), .drop, whole($0)]
            },
            PlayedFault(
                22,
                "a link that is gone until the network is waited for",
                requests: [start] + Array(repeating: goesOn, count: 4),
                told: Array(repeating: "retry network.lost", count: 3)
                    + ["warning network.waiting", "retry network.lost"]
            ) { [firstHalf($0), .drop, .drop, .drop, whole($0)] },
            PlayedFault(
                24,
                "no ranges: from the start again",
                requests: [start, "whole"],
                told: ["retry network.lost"]
            ) {
                let answer = whole($0).withoutRanges()
                return [answer.cut(after: Int64(half)), answer]
            },
            PlayedFault(
                24,
                "no ranges, and nothing to recognise it by",
                .prefix(atLeast: 20_000, "network.lost", exit: 69),
                requests: [start]
            ) {
                let answer = whole($0).withoutRanges().withoutLength().withoutHeader("ETag").chunked()
                return [answer.cut(after: Int64(half)), answer]
            },
        ]

    /// `warning http.resourceChanged` tells that from there on it is another version.
    private static let change = ["retry network.lost", "warning http.resourceChanged"]
    /// The version that is read is asked for three more times, and then the new one.
    private static let changed = [start] + again(goesOn) + [start]
    private static func again(_ request: String) -> [String] { Array(repeating: request, count: 4) }
    /// All that was held of the old one is heard, but for what is less than a packet.
    private static let joint = halfFrames - 2_048..<halfFrames + 1

    static let changes: [PlayedFault] = [
        PlayedFault(
            10,
            "416 because it has shrunk",
            .prefix(atLeast: 20_000, "media.truncated", exit: 74),
            requests: changed,
            told: change
        ) {
            let shorter = Array($0[..<(half - 40_000)])
            return [
                firstHalf($0), .raw("HTTP/1.1 416 No\r\nContent-Range: bytes */\(shorter.count)\r\n\r\n"),
                whole(shorter),
            ]
        },
        PlayedFault(17, "another tag, the same sound", requests: changed, told: change) {
            [firstHalf($0), whole($0).etag("\"other\"")]
        },
        PlayedFault(17, "another tag, another sound", .spliced(joint), requests: changed, told: change) {
            [firstHalf($0), whole(backwards($0)).etag("\"other\"")]
        },
        PlayedFault(
            17,
            "a weak tag, which is compared and not sent",
            .spliced(joint),
            requests: [start] + again("\(half)-") + [start],
            told: change
        ) { [firstHalf($0).etag("W/\"a\""), whole(backwards($0)).etag("W/\"b\"")] },
        PlayedFault(
            17,
            "another date",
            .spliced(joint),
            requests: [start] + again("\(half)- if \(monday)") + [start],
            told: change
        ) {
            [
                firstHalf($0).withoutHeader("ETag").lastModified(monday),
                whole(backwards($0)).withoutHeader("ETag").lastModified("Tue, 08 Nov 1994 08:49:37 GMT"),
            ]
        },
        PlayedFault(
            17,
            "another each time",
            .prefix(atLeast: 20_000, "http.resourceChanged", exit: 69),
            told: Array(repeating: change, count: 3).flatMap { $0 } + ["retry network.lost"]
        ) { bytes, _, index in firstHalf(bytes).etag("\"\(index)\"") },
        PlayedFault(
            17,
            "another each time, broken off but when asked for the whole",
            requests: [start] + again("40000- if \"0\"") + [start] + again("40000- if \"5\"") + ["whole"],
            told: change + change
        ) { bytes, request, index in
            let answer = whole(bytes).etag("\"\(index)\"")
            return request.range == nil ? answer : answer.cut(after: 40_000)
        },
        PlayedFault(
            17,
            "two by turns, the same sound, and resets",
            told: ["retry network.lost", "warning http.mixedVersions", "retry network.lost*"]
        ) { bytes, _, index in
            whole(bytes).etag("\"\(index % 2)\"").cut(after: 30_000, .reset)
        },
        PlayedFault(
            17,
            "two by turns, another sound, and resets",
            told: ["retry network.lost", "warning http.mixedVersions", "retry network.lost*"]
        ) { bytes, _, index in
            whole(index % 2 == 0 ? bytes : backwards(bytes)).etag("\"\(index % 2)\"").cut(after: 30_000, .reset)
        },
        PlayedFault(
            29,
            "an address that leads elsewhere each time, to other sound",
            .spliced(joint),
            told: change
        ) {
            let other = whole(backwards($0)).etag("\"other\"")
            return [
                .redirect(to: "a?edge=1"), firstHalf($0), .status(410), .redirect(to: "a?edge=2"), other,
                .redirect(to: "a?edge=3"), other,
            ]
        },
        PlayedFault(
            29,
            "an address that leads elsewhere each time, to the same",
            requests: [start, start, goesOn, goesOn, goesOn],
            told: ["retry network.lost"]
        ) {
            [.redirect(to: "a?edge=1"), firstHalf($0), .status(404), .redirect(to: "a?edge=2"), whole($0)]
        },
    ]

    private static let monday = "Mon, 07 Nov 1994 08:49:37 GMT"

    /// The head of a WAV file, and its frames from the last to the first.
    private static func backwards(_ bytes: [UInt8]) -> [UInt8] {
        bytes[..<44] + stride(from: bytes.count - 4, through: 44, by: -4).flatMap { bytes[$0..<($0 + 4)] }
    }
}
