import Foundation
import TestSupport
import Testing

@testable import PodcastLibrary

@Suite("Memory and time of refreshing", .serialized) struct MemoryTests {
    /// A feed of that many episodes with notes of 2 kB each, made as it is sent.
    private func feed(_ name: Int, episodes: Int) -> ScriptedResponse {
        let head = [UInt8]("<rss><channel><title>Show \(name)</title>".utf8)
        let tail = [UInt8]("</channel></rss>".utf8)
        let notes = String(repeating: "<p>Some notes &amp; more.</p>", count: 70)
        @Sendable func piece(_ number: Int) -> [UInt8] {
            let digits = String(format: "%06d", number)
            return [UInt8](
                "<item><title>Episode \(digits)</title><guid>\(name)-\(digits)</guid><enclosure url='https://h.example/\(digits).mp3'/><description><![CDATA[\(notes)]]></description></item>"
                    .utf8
            )
        }
        let size = piece(0).count
        let length = head.count + size * episodes + tail.count
        return .generated(length: Int64(length), type: "text/xml") { offset, buffer in
            var index = 0
            while index < buffer.count {
                let place = Int(offset) + index - head.count
                let source: ArraySlice<UInt8>
                if place < 0 {
                    source = head[(place + head.count)...]
                } else if place >= size * episodes {
                    source = tail[(place - size * episodes)...]
                } else {
                    source = piece(place / size)[(place % size)...]
                }
                let count = min(source.count, buffer.count - index)
                source.prefix(count).withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: buffer[index...]).copyMemory(from: $0)
                }
                index += count
            }
        }.withoutRanges()
    }

    @Test("A feed of 10,000 episodes is taken in bounded memory")
    func largeFeed() async throws {
        let rig = try LibraryRig()
        rig.server.route("/feed.xml", feed(1, episodes: 10_000))
        let before = residentBytes()
        let podcast = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
        #expect(podcast.episodeCount == 10_000)
        let growth = residentBytes() - before
        print("10,000 episodes: \(growth >> 10) KiB")
        #expect(growth < 50 << 20)
    }

    @Test("100 feeds are refreshed in one run with 50 MB at most, and progress is told of each")
    func hundredFeeds() async throws {
        let rig = try LibraryRig()
        for number in 0..<100 { rig.server.route("/\(number).xml", feed(number, episodes: 40)) }
        let list = (0..<100).map { "<outline xmlUrl='\(rig.server.url("/\($0).xml"))'/>" }.joined()
        _ = try rig.library.importOPML(Data("<opml>\(list)</opml>".utf8))
        let before = residentBytes()
        let done = try await rig.library.refreshAll()
        let growth = residentBytes() - before
        print("100 feeds: \(growth >> 10) KiB")
        #expect(growth < 50 << 20)
        #expect(done.map(\.doneCount) == Array(1...100))
        #expect(try rig.library.podcasts().allSatisfy { $0.episodeCount == 40 && $0.failure == nil })
    }
}
