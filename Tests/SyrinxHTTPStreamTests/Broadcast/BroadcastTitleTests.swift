import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxHTTPStream

/// The reports of titles in a live stream: each new one once.
@Suite("Titles of broadcasts") struct BroadcastTitleTests {
    /// Returns the reports of these blocks, each after ten bytes of audio.
    private func told(
        _ blocks: [String],
        by demultiplexer: inout ICYDemultiplexer
    ) -> [[String: String]] {
        let audio = [UInt8](repeating: 0xFF, count: 10 * blocks.count)
        let pieces = woven(audio, every: 10, blocks.map { Array($0.utf8) }).withUnsafeBytes { demultiplexer.push($0) }
        return pieces.compactMap { if case .metadata(let fields) = $0 { fields } else { nil } }
    }

    @Test("A title is reported only when it changes")
    func onlyNewsIsTold() {
        var demultiplexer = ICYDemultiplexer(interval: 10)
        let first = "StreamTitle='One';StreamUrl='u';"
        let blocks = [
            first, first, "StreamTitle='One';", "", "StreamUrl='u';StreamTitle='One';",
            "StreamTitle='Two';StreamUrl='u';",
            "StreamTitle='Two';StreamUrl='';", "StreamTitle='Two';StreamUrl='';", first,
        ]
        let expected = [
            ["StreamTitle": "One", "StreamUrl": "u"], ["StreamTitle": "Two", "StreamUrl": "u"],
            ["StreamTitle": "Two", "StreamUrl": ""], ["StreamTitle": "One", "StreamUrl": "u"],
        ]
        #expect(told(blocks, by: &demultiplexer) == expected)
        // It holds across a reconnect, whatever the interval is then.
        var next = ICYDemultiplexer(interval: 10, after: demultiplexer)
        #expect(told([first, "StreamTitle='Two';"], by: &next) == [["StreamTitle": "Two"]])
        // Another listener is independent of it.
        var other = ICYDemultiplexer(interval: 10)
        #expect(told([first], by: &other) == [["StreamTitle": "One", "StreamUrl": "u"]])
    }

    private let head = "HTTP/1.0 200 OK\r\nicy-br: 128\r\nicy-metaint: 100\r\n\r\n"

    /// All titles for a reader that reads once everything has come.
    private func titles(_ broadcasts: [[String]]) throws -> [[String: String]] {
        let server = try ScriptedHTTPServer()
        let answers = broadcasts.map { blocks in
            let audio = patternedBytes(100 * blocks.count)
            return ScriptedResponse.raw(head, woven(audio, every: 100, blocks.map { Array($0.utf8) }))
        }
        server.route("/a") { _, index in index < answers.count ? answers[index] : .drop }
        let options = quickOptions { $0.maximumBroadcastOutage = 0.5 }
        let stream = try HTTPByteStream(url: server.url("/a"), options: options)
        let log = EventLog(stream)
        stream.open()
        #expect(log.wait { $0.contains { if case .failed = $0 { true } else { false } } })
        let count = 100 * broadcasts.joined().count
        var got = 0
        while got < count { got += try read(stream, at: Int64(got), count - got).count }
        return log.all.compactMap { if case .metadata(let fields) = $0 { fields } else { nil } }
    }

    @Test("An unchanged title is not reported again after a reconnection")
    func aReconnectIsNoNews() throws {
        let told = try titles([["StreamTitle='One';", ""], ["StreamTitle='One';", "StreamTitle='Two';", ""]])
        #expect(told == [["StreamTitle": "One"], ["StreamTitle": "Two"]])
    }

    /// Titles that have not been read are given up, except those that still apply.
    @Test("Station fields are reported although the title is gone")
    func whatHoldsIsToldThoughItsTitleIsGone() throws {
        let blocks = ["StreamTitle='0';StreamUrl='u';"] + (1..<80).map { "StreamTitle='\($0)';" } + [""]
        let told = try titles([blocks])
        #expect(told.count == 64)
        #expect(told.first == ["StreamTitle": "16", "StreamUrl": "u"])
        #expect(told.last == ["StreamTitle": "79"])
    }
}
