import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport

private let size = 200_000
private let half = 100_000

/// The faults of stations.
extension FaultCase {
    /// Half a second: so the end of a test's broadcast is an end, and a busy machine is none.
    private static let impatient: @Sendable (inout HTTPByteStream.Options) -> Void = {
        $0.maximumBroadcastOutage = 0.5
    }

    static let broadcasts: [FaultCase] = [
        FaultCase(36, "ICY 200 OK", .prefix(size, .timedOut), options: impatient) {
            let answer = ScriptedResponse.raw("ICY 200 OK\r\nicy-name: One\r\n\r\n", $0)
            return [answer, .drop]
        },
        FaultCase(
            36,
            "titles in the audio",
            .prefix(size, .timedOut),
            events: ["metadata icy-name", "metadata Semi;colon's", "metadata Grün", "metadata Grün’s"],
            options: impatient
        ) { bytes in
            let titles: [[UInt8]] = [
                Array("StreamTitle='Semi;colon's';StreamUrl='';".utf8), [], Array("StreamTitle='Grün';".utf8),
                // Sent again, as many stations do, which is not told again.
                Array("StreamTitle='Grün';".utf8), Array("StreamTitle='Grün';StreamUrl='';".utf8),
                // The same in Windows-1252, and the longest block there is.
                Array("StreamTitle='Gr".utf8) + [0xFC, 0x6E, 0x92] + Array("s';".utf8)
                    + [UInt8](repeating: 0, count: 4_059),
            ]
            let head = "HTTP/1.0 200 OK\r\nicy-name: icy-name\r\nicy-metaint: 16000\r\n\r\n"
            return [ScriptedResponse.raw(head, woven(bytes, every: 16_000, titles)), .drop]
        },
        FaultCase(
            37,
            "titles as they should not be",
            .prefix(size, .timedOut),
            events: ["metadata One", "metadata Two", "metadata Three", "metadata Four", "metadata "],
            options: impatient
        ) { bytes in
            let titles = [
                "StreamTitle=One;", "StreamTitle = \"Two\"", "junk", "StreamTitle='Three';", "=", "StreamTitle=Four",
                // It is over, which is reported once.
                "StreamTitle='';", "StreamTitle='';",
            ]
            let head = "HTTP/1.0 200 OK\r\nicy-br: 128\r\nicy-metaint: 16000\r\n\r\n"
            return [ScriptedResponse.raw(head, woven(bytes, every: 16_000, titles.map { Array($0.utf8) })), .drop]
        },
        FaultCase(
            37,
            "titles announced that are not there",
            .prefix(size, .timedOut),
            events: ["warning http.badResponse", "retry network.lost"],
            options: impatient
        ) { [.raw("HTTP/1.0 200 OK\r\nicy-br: 128\r\nicy-metaint: 8192\r\n\r\n", $0), .drop] },
        FaultCase(37, "a file from a station", ranges: ["bytes=0-"], events: ["completed"]) {
            [.file($0).withoutRanges().withoutHeader("ETag").header("icy-name", "One")]
        },
        FaultCase(
            38,
            "a broadcast that is cut off and goes on",
            .prefix(size, .timedOut),
            events: ["retry network.lost", "discontinuity 100000", "retry network.lost"],
            options: impatient
        ) {
            let head = "HTTP/1.0 200 OK\r\nicy-br: 128\r\n\r\n"
            return [.raw(head, $0[..<half]), .raw(head, $0[half...]), .drop]
        },
        FaultCase(
            38,
            "a station that is gone until its sender is back",
            .prefix(size, .timedOut),
            events: ["retry network.lost", "retry http.404", "discontinuity 100000", "retry network.lost"],
            options: { $0.maximumBroadcastOutage = 0.5 }
        ) {
            let head = "HTTP/1.0 200 OK\r\nicy-br: 128\r\n\r\n"
            return [.raw(head, $0[..<half]), .status(404), .raw(head, $0[half...]), .drop]
        },
    ]
}
