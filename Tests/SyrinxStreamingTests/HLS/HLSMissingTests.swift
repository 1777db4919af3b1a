import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import Testing

@testable import SyrinxStreaming

/// The reports of missing sound.
@Suite("HLS missing sound")
struct HLSMissingTests {
    private let failure = SyrinxError(.httpStatus(404), "There is none.", name: "x")

    private func loss(_ sequence: Int64, duration: Double = 4) throws -> HLSLoss {
        let url = try #require(URL(string: "http://a/\(sequence).ts"))
        let segment = HLSMediaPlaylist.Segment(
            sequence: sequence,
            resource: HLSMediaPlaylist.Resource(url: url),
            duration: duration,
            discontinuity: 0,
            isGap: false
        )
        return HLSLoss(segment: segment, error: failure)
    }

    private func note(_ time: Double, _ length: Double, _ hole: HLSHole) -> [(
        name: String, time: Double, length: Double
    )] {
        var missing = HLSMissing()
        missing.note(at: time, lasting: length, hole) { SyrinxError(.incomplete, "It ends early.", name: "other") }
        return missing.take().map { ($0.error.name, $0.time, $0.duration) }
    }

    @Test("Lost segments share the time that is missing, without what the playlist leaves out")
    func shares() throws {
        let parts = note(8, 11, HLSHole(gap: 2, losses: [try loss(1), try loss(2)]))
        #expect(parts.map(\.name) == ["http://a/1.ts", "http://a/2.ts"])
        #expect(parts.map(\.time) == [8, 12] && parts.map(\.length) == [4, 5])
        // The first of them has been heard in part.
        let rest = note(3, 5, HLSHole(losses: [try loss(0), try loss(1)]))
        #expect(rest.map(\.time) == [3, 7] && rest.map(\.length) == [4, 1])
        #expect(note(3, -1, HLSHole(losses: [try loss(0)])).isEmpty)
    }

    @Test("Rounded times and the gaps of the playlist are not reported, and other holes are")
    func tolerance() {
        #expect(note(0, 0.1, HLSHole()).isEmpty)
        #expect(note(0, 6.4, HLSHole(gap: 6)).isEmpty)
        #expect(note(0, 1, HLSHole()).map(\.name) == ["other"])
        #expect(note(0, 8, HLSHole(gap: 6)).map(\.length) == [2])
        #expect(note(0, .nan, HLSHole()).isEmpty)
    }

    @Test("Reports that nobody takes are few, and none of the time is lost")
    func bound() throws {
        var missing = HLSMissing()
        let hole = HLSHole(losses: [try loss(1)])
        for index in 0..<3_000 { missing.note(at: Double(index) * 8, lasting: 4, hole) { failure } }
        let parts = missing.take()
        #expect(parts.count == 1_000 && missing.take().isEmpty)
        #expect(parts.reduce(0) { $0 + $1.duration } == 12_000)
    }

    @Test("The message says how much is missing, where, and why")
    func message() throws {
        var missing = HLSMissing()
        missing.note(at: 61.5, lasting: 1.25, HLSHole(losses: [try loss(1)])) { failure }
        let part = try #require(missing.take().first)
        #expect(part.error.message == "1.25 s of the sound are missing at 61.5 s. There is none.")
        #expect(part.error.code == .httpStatus(404))
    }
}
