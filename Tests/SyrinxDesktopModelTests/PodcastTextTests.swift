import Foundation
import SyrinxPlayback
import Testing

@testable import SyrinxDesktopModel

@Suite struct PodcastTextTests {
    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        return calendar
    }
    // 2026-03-03 12:00 UTC.
    private let now = Date(timeIntervalSince1970: 1_772_539_200)

    @Test func `Days are named as people name them`() {
        let days = [0.0, 13, 36, 72, 24 * 100].map { hours in
            PodcastText.day(now.addingTimeInterval(-hours * 3600), now: now, calendar: calendar)
        }
        #expect(days == ["Today", "Yesterday", "Yesterday", "28 February", "23 November 2025"])
    }

    @Test func `Lengths are rounded to what one plans with`() {
        let lengths = [0, 45, 59.6, 600, 3570, 3600, 3900, 86_400].map { PodcastText.length($0) }
        #expect(lengths == ["0 s", "45 s", "1 min", "10 min", "1 h", "1 h", "1 h 5 min", "24 h"])
        for value: Double in [-1, .nan, .infinity, 1e300] { #expect(PodcastText.length(value).isEmpty) }
    }

    @Test func `The line of an episode says what is left, and where it is`() {
        var episode = PodcastEpisode(id: 1, show: 1, title: "A", published: now, duration: 3600)
        func line() -> String { PodcastText.detail(episode, now: now, calendar: calendar) }
        #expect(line() == "Today · 1 h")
        episode.position = 1800
        #expect(line() == "Today · 30 min left")
        episode.download = .running(0.426)
        #expect(line() == "Today · 30 min left · Downloading… 42 %")
        (episode.duration, episode.download) = (nil, .done)
        #expect(line() == "Today · From 30:00 · Downloaded")
        (episode.duration, episode.isPlayed, episode.position, episode.showTitle) = (
            600, true, 0, "One"
        )
        #expect(line() == "One · Today · 10 min · Played · Downloaded")
        (episode.hasRecording, episode.isQueued, episode.download) = (false, true, .failed("x"))
        #expect(
            line() == "One · Today · 10 min · Played · Download failed · No recording · In the queue"
        )
    }

    @Test func `Numbers from feeds that are no numbers show nothing`() {
        for value: Double in [-1, .nan, .infinity, -.infinity] {
            var episode = PodcastEpisode(id: 1, show: 1, title: "A", duration: value, position: value)
            #expect(episode.share == nil)
            #expect(PodcastText.detail(episode, now: now, calendar: calendar).isEmpty)
            episode.download = .running(value)
            #expect(!PodcastText.detail(episode, now: now, calendar: calendar).contains("nan"))
        }
    }

    @Test func `A podcast says that it is being refreshed before anything else`() {
        let show = PodcastShow(id: 1, title: "One", author: "Ann", episodeCount: 2, failure: "No.")
        #expect(PodcastText.detail(show, isRefreshing: true) == "Refreshing…")
        #expect(PodcastText.detail(show, isRefreshing: false) == "Could not be refreshed")
        #expect(
            PodcastText.detail(PodcastShow(id: 1, title: ""), isRefreshing: false) == "No episodes yet"
        )
    }
}
