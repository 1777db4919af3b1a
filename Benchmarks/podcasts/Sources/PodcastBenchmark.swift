import Foundation
import SyrinxPodcastLibrary

/// Opens a library of podcasts, reads its lists and searches it as a page does, and prints the time of each.
///
/// `syrinx-podcast-benchmark LIBRARY`; marks are changed and taken back. The times are of the wall clock, in milliseconds.
@main
enum PodcastBenchmark {
    private typealias Filter = PodcastLibrary.EpisodeFilter

    private static let runCount = 15
    private static let pageLength = 500

    static func main() throws {
        guard CommandLine.arguments.count == 2 else { throw CocoaError(.fileNoSuchFile) }
        let file = URL(fileURLWithPath: CommandLine.arguments[1])
        let library = try PodcastLibrary(file: file)
        try row("the inbox: the library is opened, its podcasts and the newest new episodes are read") {
            try PodcastLibrary(file: file).lists(.latest, limit: pageLength).episodes.count
        }
        let filters: [(String, (inout Filter) -> Void)] = [
            ("new episodes, oldest first", { ($0.isUnplayedOnly, $0.isOldestFirst) = (true, true) }),
            ("new episodes, from the 1,000th on", { ($0.isUnplayedOnly, $0.offset) = (true, 1_000) }),
            ("begun episodes", { $0.isInProgressOnly = true }),
            ("downloaded episodes", { $0.isDownloadedOnly = true }),
            ("all episodes, from the 90,000th on", { $0.offset = 90_000 }),
        ]
        for (name, change) in filters {
            var filter = Filter()
            filter.limit = pageLength
            change(&filter)
            try row("a page of " + name) { try library.lists(.filtered(filter), limit: pageLength).episodes.count }
        }
        let newest = try library.episode(library.episodes()[0].id)
        let words = newest.summary.split(separator: " ").prefix(2).joined(separator: " ")
        for length in 1...words.count {
            let text = String(words.prefix(length))
            try row("a search for “\(text)”") { try library.search(text, limit: 100).count }
            var filter = Filter()
            (filter.text, filter.isUnplayedOnly, filter.limit) = (text, true, 100)
            try row("new episodes with “\(text)”") { try library.episodes(filter).count }
        }
        try row("all new episodes are marked as played, and the mark is taken back") {
            try library.undo(library.mark(.all(), isPlayed: true))
        }
    }

    /// Measures some runs, and prints the median and the longest one.
    private static func row(_ name: String, _ body: () throws -> Int) rethrows {
        var times: [Double] = []
        var count = 0
        for _ in 0..<runCount {
            let start = DispatchTime.now().uptimeNanoseconds
            count = try body()
            times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
        }
        times.sort()
        let cells = [times[runCount / 2], times[runCount - 1]].map { String(format: "%.1f", $0) }
        print("| \(name) | \(count) | \(cells.joined(separator: " | ")) |")
    }
}
