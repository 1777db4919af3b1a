import Foundation
import SyrinxListening
import Testing

@testable import SyrinxDesktopModel

@Suite struct PodcastsStateTests {
    private let failure = PageState.Failure(code: "network.refused", message: "The connection was refused.")

    private func ready(_ episodes: [PodcastEpisode] = [], hasMore: Bool = false) -> PodcastsState {
        var state = PodcastsState()
        let shows = [PodcastShow(id: 1, title: "One"), PodcastShow(id: 2, title: "Two")]
        let lists = PodcastsState.Lists(shows: shows, episodes: episodes, hasMore: hasMore)
        _ = state.handle(.read(lists, scope: .latest))
        return state
    }

    @Test func `A page without podcasts says what to do, and one that cannot be read why`() {
        var state = PodcastsState()
        #expect(state.page == .loading)
        #expect(state.handle(.shown) == [.read(.latest, limit: PodcastsState.pageSize)])
        #expect(state.handle(.read(PodcastsState.Lists(), scope: .latest)) == [.update])
        guard case .empty(let texts) = state.page else {
            Issue.record("\(state.page)")
            return
        }
        #expect(texts.button == "Add Podcast…")
        let busy = PageState.Failure(code: "file.libraryBusy", message: "It is busy.")
        #expect(state.handle(.unreadable(busy)) == [.update])
        guard case .failed(let other) = state.page else {
            Issue.record("\(state.page)")
            return
        }
        #expect(other.detail.contains("It is busy.") && other.detail.contains("Try again"))
    }

    @Test func `Answers about a list that is no longer shown change only the podcasts`() {
        var state = ready([PodcastEpisode(id: 7, show: 1, title: "A")])
        #expect(state.content == .episodes)
        _ = state.handle(.chosen(.show(2)))
        #expect(state.content == .loading && state.episodes.isEmpty)
        let late = PodcastsState.Lists(shows: state.shows, episodes: [PodcastEpisode(id: 7, show: 1, title: "A")])
        #expect(state.handle(.read(late, scope: .latest)) == [.update])
        #expect(state.content == .loading)
        _ = state.handle(.read(PodcastsState.Lists(shows: state.shows), scope: .show(2)))
        guard case .empty = state.content else {
            Issue.record("\(state.content)")
            return
        }
    }

    @Test func `A podcast that another program removed gives place to the newest episodes`() {
        var state = ready()
        _ = state.handle(.chosen(.show(2)))
        let lists = PodcastsState.Lists(shows: [PodcastShow(id: 1, title: "One")])
        #expect(state.handle(.read(lists, scope: .show(2))).contains(.read(.latest, limit: PodcastsState.pageSize)))
        #expect(state.scope == .latest)
    }

    @Test func `Subscribing shows the podcast, and a failure says what to do`() {
        var state = PodcastsState()
        #expect(state.handle(.subscribe("  ")).isEmpty)
        #expect(state.handle(.subscribe(" host/feed ")) == [.subscribe("host/feed"), .update])
        #expect(state.handle(.subscribe("host/feed")).isEmpty)
        #expect(state.progressText == "Subscribing to host/feed")
        let done = state.handle(.subscribed(address: "host/feed", show: 5))
        #expect(done.first == .read(.show(5), limit: PodcastsState.pageSize) && state.scope == .show(5))
        #expect(state.progressText == nil)
        _ = state.handle(.subscribe("host/page"))
        let page = PageState.Failure(code: "media.feedIsWebPage", message: "This is a web page.")
        let actions = state.handle(.notSubscribed(address: "host/page", page))
        guard case .toast(let text)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(text.contains("This is a web page.") && text.contains("link named RSS") && state.subscribing.isEmpty)
    }

    @Test func `Refreshing counts feeds, and sums up once`() {
        var state = ready()
        #expect(state.handle(.refresh(nil)) == [.refresh([1, 2]), .update])
        #expect(state.handle(.refresh(1)).isEmpty)
        #expect(state.progressText == "Refreshing 1 of 2" && state.progressShare == 0)
        #expect(state.handle(.refreshed(2, added: 3, nil)) == [.update])
        #expect(state.progressText == "Refreshing 2 of 2" && state.progressShare == 0.5)
        let end = state.handle(.refreshed(1, added: 0, failure))
        #expect(end.first == .toast("3 new episodes. 1 podcast could not be refreshed."))
        #expect(state.progressText == nil && state.handle(.refreshed(1, added: 0, nil)).isEmpty)
        _ = state.handle(.refresh(1))
        #expect(state.handle(.refreshed(1, added: 0, nil)).first == .toast("No new episodes."))
    }

    @Test func `What another window has asked for is shown, and told by no message`() {
        let read = PodcastsState.Action.read(.latest, limit: PodcastsState.pageSize)
        var state = ready([PodcastEpisode(id: 7, show: 1, title: "A", download: .waiting)])
        #expect(state.handle(.subscribed(address: "https://example.org/a", show: 2)) == [read])
        #expect(state.scope == .latest, "the list that is looked at stays")
        #expect(state.handle(.notSubscribed(address: "https://example.org/b", failure)).isEmpty)
        #expect(state.handle(.refreshed(1, added: 2, nil)) == [read])
        #expect(state.handle(.refreshed(1, added: 0, failure)).isEmpty)
        #expect(state.handle(.downloaded(7, share: 0.5)) == [.update])
        #expect(state.episodes.first?.download == .running(0.5))
        #expect(state.handle(.download(7)).isEmpty, "it is not begun twice")
        #expect(state.handle(.downloadEnded(7, nil)) == [.update, read])
        #expect(state.episodes.first?.download == .done)
        _ = state.handle(.downloaded(7, share: 0.5))
        #expect(state.handle(.downloadRemoved(7)) == [read])
        #expect(
            state.handle(.download(7)) == [.download(7), .update],
            "what another window has given up can begin anew"
        )
    }

    @Test func `A download advances in its row, survives a new reading, and ends`() {
        let episode = PodcastEpisode(id: 7, show: 1, title: "A", download: .waiting)
        var state = ready([episode])
        #expect(state.handle(.download(7)) == [.download(7), .update])
        #expect(state.handle(.download(7)).isEmpty)
        _ = state.handle(.downloaded(7, share: 0.5))
        _ = state.handle(.read(PodcastsState.Lists(shows: state.shows, episodes: [episode]), scope: .latest))
        #expect(state.episodes.first?.download == .running(0.5))
        _ = state.handle(.downloaded(7, share: .nan))
        #expect(state.episodes.first?.download == .running(nil))
        #expect(state.handle(.downloadEnded(7, nil)).first == .announceDownload(episode.title))
        #expect(state.episodes.first?.download == .done)
        #expect(state.handle(.removeDownload(7)) == [.removeDownload(7), .update])
        #expect(state.episodes.first?.download == PodcastEpisode.Download.none)
        // What was given up says nothing more.
        #expect(state.handle(.downloaded(7, share: 0.9)).isEmpty)
        #expect(state.handle(.downloadEnded(7, failure)).isEmpty)
    }

    @Test func `A download that is asked for again while it is removed keeps its title`() {
        var state = ready([PodcastEpisode(id: 7, show: 1, title: "A")])
        _ = state.handle(.download(7))
        _ = state.handle(.removeDownload(7))
        #expect(state.handle(.download(7)) == [.download(7), .update])
        _ = state.handle(.downloadRemoved(7))
        #expect(state.handle(.download(7)).isEmpty, "it is on its way")
        #expect(state.handle(.downloadEnded(7, nil)).first == .announceDownload("A"))
        _ = state.handle(.download(7))
        _ = state.handle(.downloadRemoved(7))
        #expect(state.handle(.download(7)) == [.download(7), .update], "another window has removed it")
    }

    @Test func `A search that is cleared returns to the list before`() {
        var state = ready()
        _ = state.handle(.chosen(.show(2)))
        #expect(state.handle(.searched("?")).isEmpty)
        #expect(state.handle(.searched("sea")).first == .read(.search("sea"), limit: PodcastsState.pageSize))
        _ = state.handle(.searched("sea sand"))
        #expect(state.scope == .search("sea sand"))
        _ = state.handle(.searched(""))
        #expect(state.scope == .show(2))
        #expect(state.handle(.searched("")).isEmpty)
    }

    @Test func `More episodes are read until the list is long enough`() {
        var state = ready([PodcastEpisode(id: 7, show: 1, title: "A")], hasMore: true)
        var limit = PodcastsState.pageSize
        while case .read(_, let next)? = state.handle(.more).first {
            #expect(next == limit + PodcastsState.pageSize)
            limit = next
        }
        #expect(limit == PodcastsState.maximumCount)
    }

    @Test func `A list is arranged, and keeps that while the window is open`() {
        var state = ready([PodcastEpisode(id: 7, show: 1, title: "A")], hasMore: true)
        let read = PodcastsState.Action.read(.latest, limit: PodcastsState.pageSize)
        #expect(state.arrangement == .inbox && state.title == "New Episodes" && state.subtitle.isEmpty)
        _ = state.handle(.more)
        let chosen = EpisodeArrangement(filter: .downloaded, isOldestFirst: true)
        #expect(state.handle(.arranged(chosen)) == [read, .update])
        #expect(state.episodes.isEmpty && state.content == .loading)
        #expect(state.handle(.arranged(chosen)).isEmpty)
        #expect(state.title == "Downloaded Episodes" && state.subtitle == "Oldest First")
        _ = state.handle(.chosen(.show(2)))
        #expect(state.arrangement == EpisodeArrangement() && state.subtitle.isEmpty && state.title == "Two")
        _ = state.handle(.arranged(EpisodeArrangement(filter: .started)))
        #expect(state.subtitle == "Started" && state.title == "Two")
        _ = state.handle(.chosen(.latest))
        #expect(state.arrangement == chosen)
        for scope in [PodcastsState.Scope.queue, .downloads, .search("a")] {
            _ = state.handle(.chosen(scope))
            #expect(state.arrangement == nil && state.handle(.arranged(chosen)).isEmpty && state.subtitle.isEmpty)
            #expect(state.handle(.markAll).isEmpty)
        }
    }

    @Test func `Episodes that were read in another arrangement are ignored, and an empty list says why`() {
        var state = ready()
        _ = state.handle(.arranged(EpisodeArrangement(filter: .started)))
        let episode = PodcastEpisode(id: 7, show: 1, title: "A")
        let late = PodcastsState.Lists(shows: state.shows, episodes: [episode], arrangement: .inbox)
        #expect(state.handle(.read(late, scope: .latest)) == [.update])
        #expect(state.content == .loading)
        let none = PodcastsState.Lists(shows: state.shows, arrangement: EpisodeArrangement(filter: .started))
        _ = state.handle(.read(none, scope: .latest))
        guard case .empty(let texts) = state.content else {
            Issue.record("\(state.content)")
            return
        }
        #expect(texts.title == "No Started Episodes" && texts.button == nil)
        _ = state.handle(.arranged(.inbox))
        _ = state.handle(.read(PodcastsState.Lists(shows: state.shows, arrangement: .inbox), scope: .latest))
        #expect(state.content != .loading)
        guard case .empty(let heard) = state.content else {
            Issue.record("\(state.content)")
            return
        }
        #expect(heard.title == "All Heard")
    }

    @Test func `All or the older episodes of a list are marked, and the message offers to undo it`() {
        let date = Date(timeIntervalSince1970: 1_000)
        let episodes = [
            PodcastEpisode(id: 7, show: 1, title: "A", published: date), PodcastEpisode(id: 8, show: 1, title: "B"),
        ]
        var state = ready(episodes)
        #expect(state.handle(.mark(7, isPlayed: false)) == [.mark(.episode(7), isPlayed: false)])
        #expect(state.handle(.markAll) == [.mark(.listed(podcast: nil, .inbox, before: nil), isPlayed: true)])
        #expect(state.handle(.markOlder(7)) == [.mark(.listed(podcast: nil, .inbox, before: date), isPlayed: true)])
        #expect(state.handle(.markOlder(8)) == [.toast("The episode has no date, so none is older.")])
        #expect(state.handle(.markOlder(9)).isEmpty)
        _ = state.handle(.chosen(.show(2)))
        let all = EpisodeArrangement()
        #expect(state.handle(.markAll) == [.mark(.listed(podcast: 2, all, before: nil), isPlayed: true)])
        #expect(state.handle(.marked(400, isPlayed: true)) == [.undoableToast("400 episodes marked as played.")])
        #expect(state.handle(.marked(0, isPlayed: true)) == [.toast("No episode was left to mark.")])
        #expect(state.handle(.undoMark) == [.undoMark])
        #expect(state.handle(.unmarked(400)) == [.toast("400 episodes marked as before.")])
        #expect(state.handle(.unmarked(nil)) == [.toast("There is no mark to undo.")])
    }

    @Test func `Closing ends what runs for the page, and nothing counts after it`() {
        var state = ready()
        _ = state.handle(.refresh(nil))
        #expect(state.handle(.closed) == [.cancelAll])
        #expect(state.handle(.refreshed(1, added: 1, nil)).isEmpty && state.handle(.closed).isEmpty)
    }

    @Test func `Any order of events leaves counts that fit`() {
        var chance = Chance(11)
        for _ in 0..<300 {
            var state = ready([PodcastEpisode(id: 1, show: 1, title: "A"), PodcastEpisode(id: 2, show: 2, title: "B")])
            for _ in 0..<40 {
                let id = Int64(chance.int(0...3))
                let isFailed = chance.int(0...1) == 0
                let events: [PodcastsState.Event] = [
                    .refresh(id == 0 ? nil : id),
                    .refreshed(id, added: chance.int(0...8) - 4, isFailed ? failure : nil),
                    .download(id), .downloaded(id, share: Double(chance.int(0...29)) / 10 - 1),
                    .downloadEnded(id, isFailed ? failure : nil), .removeDownload(id), .chosen(.show(id)), .more,
                    .searched(isFailed ? "a" : ""), .subscribe("x\(id)"),
                ]
                _ = state.handle(events[chance.int(0...events.count - 1)])
                if let progress = state.refreshProgress {
                    #expect(progress.done >= 0 && progress.done < progress.total)
                }
                for episode in state.episodes {
                    if case .running(let share?) = episode.download { #expect((0...1).contains(share)) }
                }
            }
        }
    }
}
