import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("HLS of low latency")
struct LowLatencyTests {
    private var impatient: HTTPByteStream.Options {
        var options = quickNetwork
        options.maximumOutage = 3
        options.stallTimeout = 1
        return options
    }

    @Test("Parts and segments are one sound, which begins where the server says", arguments: LowLatencyKind.allCases)
    func continuous(kind: LowLatencyKind) throws {
        let scratch = try ScratchDirectory()
        let content = try kind.content(seconds: 12, in: scratch)
        let origin = try LowLatencyOrigin(content, published: 21)
        defer { origin.stop() }
        let samples = try HLSReading(origin.url).read()
        // 3.2 parts before the end of the 21st: four parts, where whole segments give 24. A transport stream has tables first.
        // One more may be published before the first answer.
        let expected = kind == .transport ? 16 : 17
        let start = try #require(origin.firstPart)
        #expect((expected...expected + 2).contains(start))
        content.expectWhole(samples, fromPart: start)
        // Each was asked for as soon as it was there, or before, and no more than once.
        let late = origin.state.read { $0.publishedAtRequest.filter { $0.key > 24 }.map { $0.value - $0.key } }
        #expect(late.allSatisfy { $0 <= 6 }, "\(late)")
        let paths = origin.server.requests.map(\.path)
        #expect(paths.contains { $0.hasPrefix("/live.m3u8?_HLS_msn=2&_HLS_part=") })
        #expect(!paths.contains { $0.hasPrefix("/s") }, "\(paths)")
        let parts = paths.filter { $0.hasPrefix("/p") }
        #expect(Set(parts).count == parts.count)
    }

    @Test("Delta updates are asked for and keep the initialisation section")
    func delta() throws {
        let scratch = try ScratchDirectory()
        let content = try LowLatencyKind.fragmented.content(seconds: 12, in: scratch)
        var behaviour = LowLatencyOrigin.Behaviour()
        behaviour.canSkip = true
        behaviour.window = 100
        let origin = try LowLatencyOrigin(content, published: 37, behaviour)
        defer { origin.stop() }
        let samples = try HLSReading(origin.url).read()
        try content.expectWhole(samples, from: origin)
        #expect(origin.server.requests.contains { $0.path.hasSuffix("&_HLS_skip=YES") })
        #expect(origin.server.requests("/init.mp4").count == 1)
    }

    /// A departure of a server from what it has announced.
    enum Departure: String, CaseIterable, Sendable {
        case withoutHints, wrongHints, late, dropsParts, withoutParts

        var behaviour: LowLatencyOrigin.Behaviour {
            var behaviour = LowLatencyOrigin.Behaviour()
            switch self {
            case .withoutHints: behaviour.hasHints = false
            case .wrongHints: behaviour.hintsWrongly = true
            case .late: behaviour.delay = 0.05
            case .dropsParts: behaviour.lastPart = 27
            case .withoutParts: behaviour.hasParts = false
            }
            return behaviour
        }
    }

    @Test(
        "A server without hints, with wrong ones, late, or that stops giving parts is played on",
        arguments: Departure.allCases
    )
    func departures(departure: Departure) throws {
        let scratch = try ScratchDirectory()
        let content = try LowLatencyKind.fragmented.content(seconds: 10, in: scratch)
        let origin = try LowLatencyOrigin(content, published: 21, departure.behaviour)
        defer { origin.stop() }
        let samples = try HLSReading(origin.url, network: impatient).read()
        let start = try departure == .withoutParts ? 0 : #require(origin.firstPart)
        content.expectWhole(samples, fromPart: start)
        let segments = origin.server.requests.filter { $0.path.hasPrefix("/s") }.map(\.path)
        #expect(segments.isEmpty == ![.dropsParts, .withoutParts].contains(departure), "\(segments)")
    }

    /// A fault of one part.
    enum Fault: String, CaseIterable, Sendable {
        case missingOnce, missing, reset, resetForGood, closedEarly, stalled, stalledForGood, busy, slow, redirected,
            webPage

        func responses(_ bytes: [UInt8]) -> [ScriptedResponse] {
            let file = ScriptedResponse.file(bytes)
            let half = Int64(bytes.count / 2)
            switch self {
            case .missingOnce: return [.status(404), file]
            case .missing: return [.status(404)]
            case .reset: return [file.cut(after: half, .reset), file]
            case .resetForGood: return [file.withoutRanges().cut(after: half, .reset)]
            case .closedEarly: return [file.cut(after: half), file]
            case .stalled: return [file.cut(after: half, .hang), file]
            case .stalledForGood: return [.hang]
            case .busy: return [.status(503), file]
            case .slow: return [file.paced(bytesPerSecond: 8_000)]
            case .redirected: return [.redirect(to: "/elsewhere")]
            case .webPage: return [.file(Array("<html>Not here</html>".utf8), type: "text/html")]
            }
        }

        /// Whether the part itself cannot be had, so that the segment takes its place.
        var isFinal: Bool { [.missing, .resetForGood, .stalledForGood, .webPage].contains(self) }
    }

    @Test("A part that is late, broken off or missing leaves neither a gap nor a repeat", arguments: Fault.allCases)
    func faults(fault: Fault) throws {
        let scratch = try ScratchDirectory()
        let content = try LowLatencyKind.fragmented.content(seconds: 9, in: scratch)
        let origin = try LowLatencyOrigin(content, published: 21)
        defer { origin.stop() }
        origin.server.route("/elsewhere", .file(content.parts[27]))
        let responses = fault.responses(content.parts[27])
        origin.server.route("/p27") { _, index in responses[min(index, responses.count - 1)] }
        let samples = try HLSReading(origin.url, network: impatient).read()
        try content.expectWhole(samples, from: origin)
        let segments = origin.server.requests.filter { $0.path.hasPrefix("/s") }.map(\.path)
        #expect(segments.contains("/s3") == fault.isFinal, "\(segments)")
    }

    @Test("Behind the sender's clock, playing is a few parts and not three segments")
    func latency() throws {
        let scratch = try ScratchDirectory()
        let content = try LowLatencyKind.fragmented.content(seconds: 12, in: scratch)
        var behaviour = LowLatencyOrigin.Behaviour()
        behaviour.pace = content.duration
        let origin = try LowLatencyOrigin(content, published: 21, behaviour)
        defer { origin.stop() }
        let begin = Date()
        let reading = try HLSReading(origin.url)
        _ = try reading.read(1)
        let first = try #require(origin.firstPart)
        let start = Double(first) * content.duration
        // The sender's time when the first sound was there, which a player would keep from then on.
        let latency = 21 * content.duration - begin.timeIntervalSinceNow - start
        #expect((17...19).contains(first))
        // Everything is heard in time from then on, if each part is there when it is to be heard.
        var leastAhead = Double.infinity
        let clock = Date()
        var samples = [Float]()
        while Double(samples.count) / 44_100 < 1.5 {
            samples += try reading.read(4_410)
            leastAhead = min(leastAhead, Double(samples.count) / 44_100 + clock.timeIntervalSinceNow)
        }
        #expect(sineDeviation(samples.dropFirst(4096)) < 2e-3)
        // Three segments are 6.1 seconds.
        #expect(latency < 3.2 * content.duration + 1.5 && leastAhead > -1, "\(latency) s, \(leastAhead) s")
    }
}
