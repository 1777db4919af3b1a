import Foundation
import SyrinxByteStream
import SyrinxTestSupport

@testable import SyrinxStreaming

/// A sender of low latency: it publishes the parts of a presentation one after the other.
///
/// Its time is the number of parts that it has published. A request that waits for one makes it publish that part, unless it has
/// a clock.
final class LowLatencyOrigin: Sendable {
    /// The parts of a presentation, and the segments that they make up.
    struct Content: Sendable {
        var initialization: [UInt8]?
        var parts: [[UInt8]] = []
        var duration = 0.0
        var partsPerSegment = 8
        /// Whether a part can be decoded without those before it.
        var partsAreIndependent = true

        func segment(_ index: Int) -> [UInt8] {
            let end = min((index + 1) * partsPerSegment, parts.count)
            return parts[index * partsPerSegment..<end].reduce(into: []) { $0 += $1 }
        }
    }

    /// The way in which the sender behaves.
    struct Behaviour: Sendable {
        var hasParts = true
        var hasHints = true
        var canSkip = false
        /// The part from which on none are listed any more.
        var lastPart = Int.max
        /// A hint of something that never comes.
        var hintsWrongly = false
        /// Seconds that a part takes; `nil` if it comes when it is asked for.
        var pace: Double?
        /// Seconds by which answers come late.
        var delay = 0.0
        var header = ""
        /// Segments that are listed.
        var window = 8
        /// Segments whose parts are listed, besides those of the one that is being made.
        var segmentsWithParts = 3
        /// The key that parts and segments are encrypted with, and the vector; without one it is the number of the segment.
        var key: [UInt8]?
        var vector: [UInt8]?
        /// Bytes in a second at which parts come; `nil` for all at once.
        var pacedTo: Double?
        /// The playlists of other renditions of the same presentation.
        var others: [String] = []
    }

    struct State {
        var published: Int
        /// The parts that had been published when a part was asked for, by its number.
        var publishedAtRequest: [Int: Int] = [:]
    }

    let server: ScriptedHTTPServer
    let content: Content
    private let behaviour: Behaviour
    let state: Monitor<State>
    private let begin = Date()

    init(_ content: Content, published: Int, _ behaviour: Behaviour = Behaviour()) throws {
        self.content = content
        self.behaviour = behaviour
        server = try ScriptedHTTPServer()
        state = Monitor(State(published: published))
        route(under: "")
    }

    /// Another rendition of the same presentation, in a folder of the same server, with the same time.
    init(_ content: Content, beside other: LowLatencyOrigin, under folder: String, _ behaviour: Behaviour = Behaviour())
    {
        self.content = content
        self.behaviour = behaviour
        server = other.server
        state = other.state
        route(under: folder)
    }

    private func route(under folder: String) {
        if let initialization = content.initialization { server.route("\(folder)/init.mp4", .file(initialization)) }
        for index in content.parts.indices {
            server.route("\(folder)/p\(index)") { [weak self] _, _ in self?.part(index) ?? .status(503) }
        }
        for index in 0..<segmentCount {
            server.route("\(folder)/s\(index)", .file(encrypted(content.segment(index), of: index)))
        }
        if let key = behaviour.key { server.route("\(folder)/key", .file(key)) }
        server.route("\(folder)/nothing", .hang)
        server.route("\(folder)/live.m3u8") { [weak self] request, _ in self?.playlist(request) ?? .status(503) }
    }

    /// The bytes of a part as they are sent.
    func bytes(ofPart index: Int) -> [UInt8] { encrypted(content.parts[index], of: index / content.partsPerSegment) }

    private func encrypted(_ bytes: [UInt8], of segment: Int) -> [UInt8] {
        guard let key = behaviour.key else { return bytes }
        let counted = [UInt8](repeating: 0, count: 14) + [UInt8(segment >> 8), UInt8(segment & 0xFF)]
        return AES128(key: key).encrypt(bytes, vector: behaviour.vector ?? counted)
    }

    var segmentCount: Int { (content.parts.count + content.partsPerSegment - 1) / content.partsPerSegment }
    var url: String { server.url("/live.m3u8") }
    func stop() { server.stop() }

    /// Seconds of the presentation that have been published.
    var publishedSeconds: Double { Double(published) * content.duration }

    var published: Int {
        guard let pace = behaviour.pace else { return state.read { $0.published } }
        let passed = Int(-begin.timeIntervalSinceNow / pace)
        return min(state.read { $0.published } + passed, content.parts.count)
    }

    /// Waits until there are `count` parts, or makes them.
    private func publish(_ count: Int) {
        let count = min(count, content.parts.count)
        guard behaviour.pace != nil else { return state.update { $0.published = max($0.published, count) } }
        while published < count { usleep(2_000) }
    }

    private func part(_ index: Int) -> ScriptedResponse {
        let now = published
        state.update { $0.publishedAtRequest[index] = now }
        // A hint of it is answered when it is there.
        publish(index + 1)
        let file = ScriptedResponse.file(bytes(ofPart: index))
        return behaviour.pacedTo.map { file.paced(bytesPerSecond: $0) } ?? file
    }

    private func playlist(_ request: ScriptedRequest) -> ScriptedResponse {
        let query = URLComponents(string: request.path)?.queryItems ?? []
        func number(_ name: String) -> Int? { query.first { $0.name == name }?.value.flatMap { Int($0) } }
        if let segment = number("_HLS_msn") {
            let part = number("_HLS_part") ?? content.partsPerSegment - 1
            publish(segment * content.partsPerSegment + part + 1)
        }
        let skips = query.contains { $0.name == "_HLS_skip" }
        return .file(Array(text(published, skips: skips).utf8), type: "application/vnd.apple.mpegurl")
            .delayed(seconds: behaviour.delay)
    }

    private func line(_ index: Int) -> String {
        let isIndependent = content.partsAreIndependent || index.isMultiple(of: content.partsPerSegment)
        return "#EXT-X-PART:DURATION=\(content.duration),URI=\"p\(index)\"\(isIndependent ? ",INDEPENDENT=YES" : "")\n"
    }

    /// The playlist when `published` parts have been made, or all; then it ends.
    func text(_ published: Int, skips: Bool = false) -> String {
        let size = content.partsPerSegment
        let isOver = published >= content.parts.count
        let end = isOver ? segmentCount : published / size
        let start = max(end - behaviour.window, 0)
        let hasParts = behaviour.hasParts && published <= behaviour.lastPart
        let target = Int((Double(size) * content.duration).rounded(.up))
        var text = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:\(target)\n" + behaviour.header
        let partial = hasParts ? ",PART-HOLD-BACK=\(3.2 * content.duration)" : ""
        let skip = behaviour.canSkip ? ",CAN-SKIP-UNTIL=\(4 * target)" : ""
        text += "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\(partial)\(skip)\n"
        if hasParts { text += "#EXT-X-PART-INF:PART-TARGET=\(content.duration)\n" }
        text += "#EXT-X-MEDIA-SEQUENCE:\(start)\n"
        let first = skips && behaviour.canSkip ? max(end - 4, start) : start
        if first > start {
            text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(first - start)\n"
        } else if content.initialization != nil {
            text += "#EXT-X-MAP:URI=\"init.mp4\"\n"
        }
        if behaviour.key != nil, first == start {
            let vector = behaviour.vector?.reduce(",IV=0x") { $0 + String(format: "%02X", $1) } ?? ""
            text += "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\(vector)\n"
        }
        for segment in first..<max(end, first) {
            let parts = segment * size..<min((segment + 1) * size, content.parts.count)
            if hasParts, segment >= end - behaviour.segmentsWithParts { text += parts.map(line).joined() }
            text += "#EXTINF:\(Double(parts.count) * content.duration),\ns\(segment)\n"
        }
        if isOver { return text + "#EXT-X-ENDLIST\n" }
        guard hasParts else { return text }
        text += (end * size..<published).map(line).joined()
        for other in behaviour.others {
            text +=
                "#EXT-X-RENDITION-REPORT:URI=\"\(other)\",LAST-MSN=\((published - 1) / size),LAST-PART=\((published - 1) % size)\n"
        }
        guard behaviour.hasHints else { return text }
        let hint = behaviour.hintsWrongly ? "nothing" : "p\(published)"
        return text + "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(hint)\"\n"
    }
}
