import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Bounds of feeds") struct FeedBoundsTests {
    @Test("An entity bomb expands to nothing")
    func entityBombIsHarmless() throws {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
            <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
            <rss><channel><title>&c;&x;</title></channel></rss>
            """
        #expect(try parse(bomb).header.title == "&c;&x;")
    }

    @Test("A title without end, deep nesting, long tags and a thousand attributes are bounded")
    func sizesAreBounded() throws {
        let long = String(repeating: "a", count: 8 << 20)
        #expect(try parse(rss(item(1), channel: "<title>\(long)</title>")).header.title.utf8.count == 1 << 10)
        #expect(
            try parse(rss(item(1, more: "<description>\(long)</description>"))).episodes[0].summary.utf8.count == 64
                << 10
        )
        let deep = String(repeating: "<b>", count: 100_000)
        #expect(try parse(rss(deep + item(1))).header.title == "A show")
        let attributes = (0..<1_000).map { "a\($0)='1'" }.joined(separator: " ")
        #expect(try parse(rss("<x \(attributes)/><y \(long)" + item(1))).header.title == "A show")
    }

    @Test("Episodes beyond the limit are left out")
    func episodesAreBounded() throws {
        var limits = FeedLimits()
        limits.episodes = 10
        let feed = try parse([UInt8](rss((0..<25).map { item($0) }.joined()).utf8), limits: limits)
        #expect(feed.episodes.count == 10 && feed.isCut)
    }

    @Test("Damaged feeds never end the process, and give the same in any pieces")
    func damagedFeedsAreSurvived() throws {
        let whole = [UInt8](
            rss((0..<3).map { item($0, more: "<description><![CDATA[<p>&amp;]]></description>") }.joined()).utf8
        )
        var generator = SplitMix64(seed: 4)
        let marks: [UInt8] = Array("<>&;\"'=/![]-?".utf8) + [0, 0xC3, 0xFF]
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<8 {
                let place = Int(generator.next() % UInt64(bytes.count))
                switch generator.next() % 3 {
                case 0: bytes[place] = marks[Int(generator.next() % UInt64(marks.count))]
                case 1: bytes.remove(at: place)
                default: bytes.insert(marks[Int(generator.next() % UInt64(marks.count))], at: place)
                }
            }
            let together = try? parse(bytes)
            let apart = try? parse(bytes, pieces: 5)
            #expect(together?.episodes == apart?.episodes)
            #expect(together?.header == apart?.header)
        }
    }
}

@Suite("Errors of the library") struct PodcastErrorTests {
    @Test("An error describes itself with its name and its sentence")
    func sentence() {
        let error: any Error = PodcastError(.feedEmpty, "the feed is empty", name: "http://localhost/feed")
        #expect(error.localizedDescription.hasPrefix("http://localhost/feed: "))
        #expect((error as NSError).localizedDescription.contains("feed is empty"))
    }
}
