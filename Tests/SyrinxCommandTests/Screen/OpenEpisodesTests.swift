import Foundation
import SyrinxListening
import SyrinxPodcastLibrary
import Testing

@testable import syrinx

@Suite("Lists of episodes on the full screen") struct OpenEpisodesTests {
    @Test("Each list keeps its own arrangement, and the inbox begins with new episodes")
    func arrangements() {
        var open = OpenEpisodes()
        #expect(open.episodes == .none && open.arrangement == nil && open.selection() == nil)
        open.list = .inbox
        #expect(open.arrangement == .inbox && open.show == nil)
        open.arrange(EpisodeArrangement(filter: .downloaded, isOldestFirst: true))
        open.list = .show(3)
        #expect(open.arrangement == EpisodeArrangement() && open.show == 3)
        open.arrange(EpisodeArrangement(filter: .started))
        open.list = .show(4)
        #expect(open.arrangement == EpisodeArrangement())
        open.list = .inbox
        #expect(open.arrangement == EpisodeArrangement(filter: .downloaded, isOldestFirst: true))
        open.arrange(.inbox)
        #expect(open.arrangement == .inbox)
        open.list = .show(3)
        #expect(open.arrangement == EpisodeArrangement(filter: .started))
    }

    @Test("The library lists and marks the arranged episodes; what a search found has no arrangement")
    func lists() {
        var open = OpenEpisodes()
        open.list = .show(3)
        open.arrange(EpisodeArrangement(filter: .new, isOldestFirst: true))
        var filter = PodcastLibrary.EpisodeFilter()
        (filter.podcastID, filter.isUnplayedOnly, filter.isOldestFirst) = (3, true, true)
        let date = Date(timeIntervalSince1970: 7)
        #expect(open.episodes == .filtered(filter))
        #expect(open.selection(before: date) == .filtered(filter, before: date))
        open.list = .search("rain")
        open.arrange(EpisodeArrangement(filter: .new))
        #expect(open.episodes == .search("rain") && open.arrangement == nil && open.selection() == nil)
    }
}
