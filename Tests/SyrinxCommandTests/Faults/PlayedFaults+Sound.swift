import SyrinxTestSupport

/// The faults of the bytes themselves: live streams with titles, damaged recordings, and their cached copies.
extension PlayedFault {
    /// The number of frames that are played of a live stream, which has no end.
    private static let played = 66_150

    static let broadcasts: [PlayedFault] = [
        PlayedFault(36, "ICY 200 OK", .first(played), of: .mp3, told: ["metadata One"]) {
            [ScriptedResponse.raw("ICY 200 OK\r\nicy-name: One\r\n\r\n", $0).cut(after: 0, .hang)]
        },
        PlayedFault(
            36,
            "titles in the sound",
            .first(played),
            of: .mp3,
            requests: [start],
            told: ["One", "Semi;colon's", "Grün", "Gr\u{FC}ns"].map { "metadata \($0)" }
        ) {
            let titles: [[UInt8]] = [
                Array("StreamTitle='Semi;colon's';StreamUrl='';".utf8), [], Array("StreamTitle='Grün';".utf8),
                // Much the same in Latin-1, and the longest block there is.
                Array("StreamTitle='Gr".utf8) + [0xFC, 0x6E] + Array("s';".utf8) + [UInt8](repeating: 0, count: 4_060),
            ]
            let head = "HTTP/1.0 200 OK\r\nicy-name: One\r\nicy-metaint: 4000\r\n\r\n"
            return [ScriptedResponse.raw(head, woven($0, every: 4_000, titles)).cut(after: 0, .hang)]
        },
        PlayedFault(
            37,
            "titles announced that are not there",
            .first(played),
            of: .mp3,
            told: ["warning http.badResponse"]
        ) {
            [
                ScriptedResponse.raw("HTTP/1.0 200 OK\r\nicy-br: 128\r\nicy-metaint: 4000\r\n\r\n", $0).cut(
                    after: 0,
                    .hang
                )
            ]
        },
        PlayedFault(
            37,
            "titles elsewhere than announced",
            .mostly(0.5),
            of: .mp3,
            told: ["warning http.badResponse"],
            arguments: ["--duration", "1.5"]
        ) {
            let titles = [Array("StreamTitle='One';".utf8)]
            let head = "HTTP/1.0 200 OK\r\nicy-br: 128\r\nicy-metaint: 4000\r\n\r\n"
            return [ScriptedResponse.raw(head, woven($0, every: 6_000, titles)).cut(after: 0, .hang)]
        },
        PlayedFault(37, "a file from a station", requests: [start]) {
            [whole($0).withoutRanges().withoutHeader("ETag").header("icy-name", "One")]
        },
        PlayedFault(
            38,
            "a broadcast that is cut off and goes on",
            .first(played),
            of: .mp3,
            told: ["retry network.lost", "warning network.discontinuity"]
        ) {
            let head = "HTTP/1.0 200 OK\r\nicy-br: 128\r\n\r\n"
            let middle = $0.count / 2
            return [.raw(head, $0[..<middle]), ScriptedResponse.raw(head, $0[middle...]).cut(after: 0, .hang)]
        },
    ]

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    static let media: [PlayedFault] = [
        PlayedFault(39, "a tag of 20 MiB before it", of: .mp3) {
            // ID3v2.4; the size is in seven bits a byte.
            [whole(Array("ID3".utf8) + [4, 0, 0, 10, 0, 0, 0] + zeros(10 << 21) + $0)]
        },
        PlayedFault(39, "a tag that says it reaches into the sound", of: .mp3) {
            [whole(Array("ID3".utf8) + [4, 0, 0, 0, 0, 40, 0] + zeros(3_000) + $0)]
        },
        PlayedFault(39, "a tag that says it reaches beyond the end", of: .mp3) {
            [whole(Array("ID3".utf8) + [4, 0, 0, 10, 0, 0, 0] + zeros(3_000) + $0)]
        },
        PlayedFault(39, "a tag that says it reaches beyond the end, and no ranges", of: .mp3) {
            [whole(Array("ID3".utf8) + [4, 0, 0, 10, 0, 0, 0] + zeros(3_000) + $0).withoutRanges()]
        },
        PlayedFault(39, "a tag longer than it says", of: .mp3) {
            [whole(Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 0] + zeros(3_000) + $0)]
        },
        PlayedFault(39, "garbage before the first frame", of: .mp3) {
            [whole(patternedBytes(700).map { $0 & 0x7F } + $0)]
        },
        PlayedFault(39, "4,096 zeros in the middle", .mostly(0.75), of: .mp3) {
            [whole($0[..<12_000] + zeros(4_096) + $0[16_096...])]
        },
        PlayedFault(39, "a recording cut in half", .prefix(atLeast: 20_000, "media.truncated", exit: 74)) {
            [whole(Array($0[..<half]))]
        },
        PlayedFault(39, "noise", .nothing("media.notAudio", exit: 65)) { _ in [whole(patternedBytes(size, seed: 9))] },
        PlayedFault(39, "one byte", .nothing("media.notAudio", exit: 65)) { [whole(Array($0[..<1]))] },
    ]

    static let caches: [PlayedFault] = [
        // Slow enough for the disk to have its say before the end.
        PlayedFault(
            40,
            "a cache that cannot be written",
            requests: [start],
            told: ["warning file.cacheFailed"],
            environment: ["XDG_CACHE_HOME": "/dev/null"]
        ) { [whole($0).paced(bytesPerSecond: 60_000)] }
    ]
}
