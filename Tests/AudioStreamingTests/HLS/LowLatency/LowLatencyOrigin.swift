import ByteStream
import Foundation
import TestSupport

@testable import AudioStreaming

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
        if let initialization = content.initialization { server.route("/init.mp4", .file(initialization)) }
        for index in content.parts.indices {
            server.route("/p\(index)") { [weak self] _, _ in self?.part(index) ?? .status(503) }
        }
        for index in 0..<segmentCount { server.route("/s\(index)", .file(content.segment(index))) }
        server.route("/nothing", .hang)
        server.route("/live.m3u8") { [weak self] request, _ in self?.playlist(request) ?? .status(503) }
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
        return .file(content.parts[index])
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
        for segment in first..<max(end, first) {
            let parts = segment * size..<min((segment + 1) * size, content.parts.count)
            if hasParts, segment >= end - 3 { text += parts.map(line).joined() }
            text += "#EXTINF:\(Double(parts.count) * content.duration),\ns\(segment)\n"
        }
        if isOver { return text + "#EXT-X-ENDLIST\n" }
        guard hasParts else { return text }
        text += (end * size..<published).map(line).joined()
        guard behaviour.hasHints else { return text }
        let hint = behaviour.hintsWrongly ? "nothing" : "p\(published)"
        return text + "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(hint)\"\n"
    }
}

extension LowLatencyOrigin.Content {
    /// Parts of fragmented MP4 with a sine in AAC, each of eleven packets (255 ms).
    static func fragmented(seconds: Double, source: [String]? = nil, in scratch: ScratchDirectory) throws -> Self {
        let file = scratch.file("low.mp4")
        let flags = ["-movflags", "empty_moov+default_base_moof", "-frag_duration", "250000"]
        let aac = ["-c:a", "aac", "-b:a", "96k", "-aac_pns", "0"]
        try FFmpeg.run((source ?? HLSFixtures.sine(seconds: seconds)) + aac + flags + [file])
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
        var content = Self()
        content.duration = 11 * 1024 / 44_100
        content.initialization = []
        var place = 0
        var part: [UInt8] = []
        while let size = MP4Box.size(bytes[place...].prefix(16)), place + Int(size) <= bytes.count {
            let box = bytes[place..<place + Int(size)]
            place += Int(size)
            switch MP4Box.kind(box.dropFirst(4).prefix(4)) {
            case "ftyp", "moov": content.initialization? += box
            case "moof": part += box
            case "mdat":
                content.parts.append(part + box)
                part = []
            default: break
            }
        }
        return content
    }

    /// Parts of a transport stream, in which tables come at the start of segments only.
    static func transport(seconds: Double, in scratch: ScratchDirectory) throws -> Self {
        let file = scratch.file("low.ts")
        let aac = ["-c:a", "aac", "-b:a", "96k", "-aac_pns", "0", "-pes_payload_size", "0"]
        try FFmpeg.run(HLSFixtures.sine(seconds: seconds) + aac + ["-f", "mpegts", file])
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
        var content = Self()
        content.duration = 11 * 1024 / 44_100
        content.partsAreIndependent = false
        var tables: [UInt8] = []
        var packets = 0
        var part: [UInt8] = []
        for place in stride(from: 0, to: bytes.count - 187, by: 188) {
            let packet = bytes[place..<place + 188]
            let pid = Int(packet[place + 1] & 0x1F) << 8 | Int(packet[place + 2])
            if pid < 0x100 || pid == 0x1000 {
                if tables.count < 3 * 188, pid != 0x11 { tables += packet }
                continue
            }
            if packet[place + 1] & 0x40 != 0 {
                if packets > 0, packets.isMultiple(of: 11) {
                    content.parts.append(part)
                    part = []
                }
                packets += 1
            }
            part += packet
        }
        content.parts.append(part)
        for index in stride(from: 0, to: content.parts.count, by: content.partsPerSegment) {
            content.parts[index] = tables.prefix(2 * 188) + content.parts[index]
        }
        return content
    }
}
