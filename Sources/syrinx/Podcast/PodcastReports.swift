import Foundation
import SyrinxListening
import SyrinxPodcastLibrary
import SyrinxTerminal

/// A list entry that can be written as JSON or as text.
protocol ListedReport: Encodable {
    /// The entry as a line of text.
    var text: String { get }
}

extension Console {
    /// Writes a list entry.
    func write(_ report: some ListedReport, asJSON: Bool) {
        write(asJSON ? (try? JSONText.encode(report)) ?? "{}" : PrintableText.line(report.text))
    }
}

/// A podcast in a list.
struct FeedReport: ListedReport, Equatable {
    var id: Int64
    var title: String
    var url: String
    /// The number of episodes, and of unplayed episodes.
    var episodes: Int
    var unplayed: Int
    /// The number of episodes that a refresh added; omitted by other commands.
    var added: Int?
    /// The number of episodes that `podcast mark` changed; omitted by other commands.
    var marked: Int?
    /// The error message of the last refresh; `null` if it succeeded.
    @NullEncoded var error: String?

    init(_ podcast: Podcast, addedCount: Int? = nil, markedCount: Int? = nil) {
        (id, title, url) = (podcast.id, podcast.title, podcast.feedURL)
        (episodes, unplayed) = (podcast.episodeCount, podcast.unplayedCount)
        (added, marked) = (addedCount, markedCount)
        error = podcast.failure?.message
    }

    var text: String {
        let news = (added.map { ", \($0) new" } ?? "") + (marked.map { ", \($0) marked" } ?? "")
        let problem = error.map { "  ! \($0)" } ?? ""
        return "\(id)  \(title)  (\(episodes) episodes, \(unplayed) unplayed\(news))\(problem)"
    }
}

/// An episode in a list.
struct EpisodeReport: ListedReport, Equatable {
    var id: Int64
    var feed: Int64
    var title: String
    @NullEncoded var url: String?
    /// The date of publication, in ISO 8601.
    @NullEncoded var published: String?
    /// The duration in seconds; `position` has the same unit.
    @NullEncoded var duration: Double?
    var played: Bool
    var position: Double
    var downloaded: Bool

    init(_ episode: Episode, isDownloaded: Bool) {
        (id, feed, title, url) = (episode.id, episode.podcastID, episode.title, episode.mediaURL)
        published = episode.published?.ISO8601Format()
        duration = JSONText.seconds(episode.duration)
        (played, position) = (episode.isPlayed, JSONText.seconds(episode.position) ?? 0)
        downloaded = isDownloaded
    }

    var text: String {
        let day = published.map { String($0.prefix(10)) } ?? "          "
        let length = duration.map { ClockTime.text($0) } ?? "–"
        let state = played ? "played" : position > 0 ? "at \(ClockTime.text(position))" : "new"
        let disk = downloaded ? ", on disk" : ""
        return "\(id)  \(day)  \(length)  \(title)  (\(state)\(disk))"
    }
}

/// A podcast of a directory.
struct DirectoryReport: ListedReport, Equatable {
    var title: String
    /// The URL of the feed.
    var url: String
    @NullEncoded var author: String?
    @NullEncoded var summary: String?
    @NullEncoded var website: String?

    init(_ entry: PodcastDirectory.Entry) {
        (title, url, author) = (entry.title, Redaction.redact(entry.url), entry.author)
        (summary, website) = (entry.summary, entry.website.map { Redaction.redact($0) })
    }

    var text: String { "\(url)  \(title)" + (author.map { "  (\($0))" } ?? "") }
}

/// The notes of an episode, or the description of a podcast.
struct NotesReport: ListedReport, Equatable {
    /// The number of the episode or, for a description, of the podcast.
    var id: Int64
    /// The number of the podcast.
    var feed: Int64
    var title: String
    /// The text, in which the URL of a link follows its text in angle brackets; empty if there are no notes.
    var notes: String

    init(_ episode: Episode) {
        (id, feed, title) = (episode.id, episode.podcastID, episode.title)
        notes = ShowNotes(episode.summary, duration: episode.duration).text
    }

    init(_ podcast: Podcast) {
        (id, feed, title) = (podcast.id, podcast.id, podcast.title)
        notes = ShowNotes(podcast.summary, hasTimes: false).text
    }

    var text: String { title + "\n\n" + (notes.isEmpty ? "There are no notes." : notes) }
}
