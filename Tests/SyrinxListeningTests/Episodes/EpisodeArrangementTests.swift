import SyrinxPodcastLibrary
import Testing

@testable import SyrinxListening

@Suite("Arrangements of episodes")
struct EpisodeArrangementTests {
    @Test("Each choice restricts the list as its name says, and the choices follow each other")
    func filters() {
        func restrictions(_ filter: EpisodeArrangement.Filter) -> [Bool] {
            let result = EpisodeArrangement(filter: filter).libraryFilter(podcast: nil)
            return [result.isUnplayedOnly, result.isInProgressOnly, result.isDownloadedOnly]
        }
        #expect(restrictions(.all) == [false, false, false])
        #expect(restrictions(.new) == [true, false, false])
        #expect(restrictions(.started) == [false, true, false])
        #expect(restrictions(.downloaded) == [false, false, true])
        #expect(EpisodeArrangement.Filter.allCases.map(\.next) == [.new, .started, .downloaded, .all])
        let oldest = EpisodeArrangement(filter: .all, isOldestFirst: true).libraryFilter(podcast: 5)
        #expect(oldest.podcastID == 5 && oldest.isOldestFirst && oldest.text.isEmpty)
        #expect(EpisodeArrangement.inbox.filter == .new && !EpisodeArrangement.inbox.isOldestFirst)
    }

    @Test("Messages about marks count the episodes")
    func messages() {
        #expect(EpisodeMarkText.marked(1, isPlayed: true) == "1 episode marked as played.")
        #expect(EpisodeMarkText.marked(12, isPlayed: false) == "12 episodes marked as unplayed.")
        #expect(EpisodeMarkText.marked(0, isPlayed: true) == "No episode was left to mark.")
        #expect(EpisodeMarkText.undone(2) == "2 episodes marked as before.")
        #expect(EpisodeMarkText.undone(0).contains("changed since"))
    }
}
