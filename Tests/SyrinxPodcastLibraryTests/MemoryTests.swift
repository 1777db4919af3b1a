import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Memory and time of refreshing", .serialized) struct MemoryTests {
    /// A feed of that many episodes with notes of 2 kB each, made as it is sent.
    static func feed(_ name: Int, episodes: Int) -> ScriptedResponse {
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

    // In processes of their own: other tests use memory too.

    @Test("A feed of 10,000 episodes is taken in bounded memory")
    func largeFeed() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let rig = try LibraryRig()
            rig.server.route("/feed.xml", MemoryTests.feed(1, episodes: 10_000))
            let before = peakBytes()
            let podcast = try await rig.library.subscribe(to: rig.server.url("/feed.xml"))
            try require(podcast.episodeCount == 10_000)
            try report("10,000 episodes", peakBytes() - before, limit: 50_000_000)
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }

    @Test("100 feeds are refreshed in one run with 50 MB at most, and progress is told of each")
    func hundredFeeds() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let rig = try LibraryRig()
            for number in 0..<100 { rig.server.route("/\(number).xml", MemoryTests.feed(number, episodes: 40)) }
            let list = (0..<100).map { "<outline xmlUrl='\(rig.server.url("/\($0).xml"))'/>" }.joined()
            _ = try rig.library.importOPML(Data("<opml>\(list)</opml>".utf8))
            let before = peakBytes()
            let done = try await rig.library.refreshAll()
            try report("100 feeds", peakBytes() - before, limit: 50_000_000)
            try require(done.map(\.doneCount) == Array(1...100))
            try require(rig.library.podcasts().allSatisfy { $0.episodeCount == 40 && $0.failure == nil })
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }

    @Test("A feed of 1 GiB that is one title takes no more memory than a small one, and is cut at the limit")
    func endlessFeedIsCut() async throws {
        await #expect(processExitsWith: .success) {
            var limits = FeedLimits()
            limits.byteCount = 1 << 26
            let head = [UInt8]("<rss><channel><title>".utf8)
            let piece = [UInt8](repeating: 0x61, count: 1 << 18)
            var sent = 0
            let before = peakBytes()
            let outcome = try FeedParser.parse(
                {
                    defer { sent += 1 }
                    return sent == 0 ? head : sent < 4_096 ? piece : []
                },
                base: nil,
                limits: limits
            ) { _ in }
            try require(outcome.isCut && outcome.header.title.utf8.count == 1 << 10)
            try report("One title", peakBytes() - before, limit: 16_000_000)
        }
    }
}

/// A failure in a process of its own.
private struct Failed: Error {}

private func require(_ condition: Bool) throws {
    if !condition { throw Failed() }
}

/// Prints bytes, which are to be fewer than `limit`.
private func report(_ name: String, _ bytes: Int, limit: Int) throws {
    print("\(name): \(bytes / 1_000) kB")
    try require(bytes < limit)
}

/// The largest resident memory of this process so far.
private func peakBytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) * 1_024
}
