import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("HLS of low latency, encrypted")
struct LowLatencyEncryptionTests {
    private static let key: [UInt8] = Array(17...32)

    @Test("The cipher of the tests is AES")
    func cipher() {
        let block = (0..<16).map { UInt8(0x11 * $0) }
        let encrypted = AES128(key: Array(0..<16)).encrypt(block, vector: [UInt8](repeating: 0, count: 16))
        #expect(Array(encrypted.prefix(4)) == [0x69, 0xC4, 0xE0, 0xD8] && encrypted.count == 32)
    }

    @Test(
        "Encrypted parts are one sound, with the vector of the playlist or the number of their segment",
        arguments: LowLatencyKind.allCases,
        [true, false]
    )
    func continuous(kind: LowLatencyKind, statesVector: Bool) throws {
        let scratch = try ScratchDirectory()
        let content = try kind.content(seconds: 10, in: scratch)
        var behaviour = LowLatencyOrigin.Behaviour()
        behaviour.key = Self.key
        if statesVector { behaviour.vector = Array(1...16) }
        behaviour.canSkip = true
        behaviour.pace = content.duration
        let origin = try LowLatencyOrigin(content, published: 21, behaviour)
        defer { origin.stop() }
        let samples = try HLSReading(origin.url).read()
        try content.expectWhole(samples, from: origin)
        let paths = origin.server.requests.map(\.path)
        #expect(paths.contains { $0.hasPrefix("/p") } && paths.count { $0 == "/key" } == 1, "\(paths)")
    }

    /// A fault of one encrypted part.
    enum Fault: String, CaseIterable, Sendable {
        case missing, closedEarly, shortened, unencrypted

        func responses(_ bytes: [UInt8], plain: [UInt8]) -> [ScriptedResponse] {
            switch self {
            case .missing: [.status(404)]
            case .closedEarly: [ScriptedResponse.file(bytes).cut(after: Int64(bytes.count / 2)), .file(bytes)]
            case .shortened: [.file(Array(bytes.dropLast(bytes.count / 2 + 3)))]
            case .unencrypted: [.file(plain)]
            }
        }
    }

    @Test("An encrypted part that cannot be had or decrypted is replaced by its segment", arguments: Fault.allCases)
    func faults(fault: Fault) throws {
        let scratch = try ScratchDirectory()
        let content = try LowLatencyKind.fragmented.content(seconds: 9, in: scratch)
        var behaviour = LowLatencyOrigin.Behaviour()
        behaviour.key = Self.key
        let origin = try LowLatencyOrigin(content, published: 21, behaviour)
        defer { origin.stop() }
        let responses = fault.responses(origin.bytes(ofPart: 27), plain: content.parts[27])
        origin.server.route("/p27") { _, index in responses[min(index, responses.count - 1)] }
        var network = quickNetwork
        network.maximumOutage = 3
        network.stallTimeout = 1
        let samples = try HLSReading(origin.url, network: network).read()
        try content.expectWhole(samples, from: origin)
        let paths = origin.server.requests.map(\.path)
        #expect(paths.contains("/s3") == (fault != .closedEarly), "\(paths)")
    }
}
