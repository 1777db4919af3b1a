import Foundation
import SyrinxTestSupport

@testable import SyrinxStreaming

/// Serves a presentation as if it were being made: its playlist moves on as time passes, or as the test says.
final class HLSLiveServer: Sendable {
    let server: ScriptedHTTPServer
    private let lines: [(information: String, name: String)]
    private let header: String
    private let window: Int
    private let begin = Date()
    private let pace: Double

    /// - Parameters:
    ///   - window: The segments that the playlist has at a time.
    ///   - pace: Seconds for each further segment.
    ///   - first: The segments at the beginning.
    init(_ folder: String, window: Int, pace: Double, first: Int, header: String = "") throws {
        server = try ScriptedHTTPServer()
        try HLSFixtures.serve(folder, on: server)
        let text = try HLSFixtures.text(folder).split(separator: "\n").map(String.init)
        var found: [(String, String)] = []
        var information = ""
        for line in text {
            if line.hasPrefix("#EXTINF") { information = line }
            if !line.hasPrefix("#") { found.append((information, line)) }
        }
        lines = found
        let map = text.first { $0.hasPrefix("#EXT-X-MAP") }.map { $0 + "\n" } ?? ""
        let target = text.first { $0.hasPrefix("#EXT-X-TARGETDURATION") } ?? ""
        self.header = "#EXTM3U\n#EXT-X-VERSION:7\n\(target)\n" + header + map
        self.window = window
        self.pace = pace
        server.route("/live.m3u8") { [weak self] _, index in
            guard let self else { return .status(503) }
            let end = min(first + Int(-self.begin.timeIntervalSinceNow / self.pace), self.lines.count)
            return .file(Array(self.text(end: end).utf8), type: "application/vnd.apple.mpegurl")
        }
    }

    var url: String { server.url("/live.m3u8") }

    /// The playlist when `end` segments have been made, or all; then it ends.
    func text(end: Int) -> String {
        let end = min(end, lines.count)
        let start = max(end - window, 0)
        var text = header + "#EXT-X-MEDIA-SEQUENCE:\(start)\n"
        for line in lines[start..<end] { text += line.information + "\n" + line.name + "\n" }
        return end == lines.count ? text + "#EXT-X-ENDLIST\n" : text
    }

    func stop() { server.stop() }
}
