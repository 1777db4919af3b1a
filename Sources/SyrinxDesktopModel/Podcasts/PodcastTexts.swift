public import Foundation

/// Formats texts about podcasts and episodes.
public enum PodcastText {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Returns a date as "Today", "Yesterday", "3 March", or "3 March 2025" in another year.
    /// - Parameters:
    ///   - date: The date.
    ///   - now: The current time.
    ///   - calendar: The calendar with its time zone.
    /// - Returns: The text.
    public static func day(_ date: Date, now: Date, calendar: Calendar) -> String {
        if calendar.isDate(date, inSameDayAs: now) { return "Today" }
        if let before = calendar.date(byAdding: .day, value: -1, to: now), calendar.isDate(date, inSameDayAs: before) {
            return "Yesterday"
        }
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        guard let year = parts.year, let month = parts.month, let day = parts.day, (1...12).contains(month) else {
            return ""
        }
        let text = "\(day) \(months[month - 1])"
        return year == calendar.component(.year, from: now) ? text : "\(text) \(year)"
    }

    /// Returns a duration as "45 s", "42 min" or "1 h 5 min".
    /// - Parameter seconds: The duration, in seconds.
    /// - Returns: The text; empty for negative values, infinity and NaN.
    public static func length(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds <= 1e9 else { return "" }
        if seconds < 59.5 { return "\(Int(nearest: seconds)) s" }
        let minutes = Int(nearest: seconds / 60)
        guard minutes >= 60 else { return "\(minutes) min" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// Returns the line below an episode's title: podcast, date, and duration or remaining time.
    /// - Parameters:
    ///   - episode: The episode.
    ///   - now: The current time.
    ///   - calendar: The calendar with its time zone.
    /// - Returns: The parts, separated by dots.
    public static func detail(_ episode: PodcastEpisode, now: Date, calendar: Calendar) -> String {
        var parts = [episode.showTitle ?? ""]
        if let date = episode.published { parts.append(day(date, now: now, calendar: calendar)) }
        let duration = episode.duration.flatMap { $0 > 0 ? $0 : nil }
        if episode.isPlayed {
            parts += [duration.map(length) ?? "", "Played"]
        } else if let share = episode.share, let duration {
            parts.append(length(duration * (1 - share)) + " left")
        } else if episode.position.isFinite, episode.position > 0 {
            parts.append("From " + TimeText.clock(episode.position))
        } else {
            parts.append(duration.map(length) ?? "")
        }
        switch episode.download {
        case .none: break
        case .waiting: parts.append("Download not finished")
        case .running(let share): parts.append(downloading(share))
        case .done: parts.append("Downloaded")
        case .failed: parts.append("Download failed")
        }
        if !episode.hasRecording { parts.append("No recording") }
        if episode.isQueued { parts.append("In the queue") }
        return parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private static func downloading(_ share: Double?) -> String {
        guard let share, share.isFinite else { return "Downloading…" }
        return "Downloading… \(Int(floor: share.clamped(to: 0...1) * 100)) %"
    }

    /// Returns the line below a podcast's title in the list of podcasts.
    /// - Parameters:
    ///   - show: The podcast.
    ///   - isRefreshing: Whether its feed is being refreshed.
    /// - Returns: The text.
    public static func detail(_ show: PodcastShow, isRefreshing: Bool) -> String {
        if isRefreshing { return "Refreshing…" }
        if show.failure != nil { return "Could not be refreshed" }
        if show.episodeCount == 0 { return "No episodes yet" }
        return show.author ?? count(show.episodeCount, "episode")
    }

    /// Returns a count with a noun, such as "1 episode" or "2 episodes".
    /// - Parameters:
    ///   - number: The number.
    ///   - noun: The noun in the singular.
    /// - Returns: The text.
    public static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Returns an error message with advice.
    /// - Parameters:
    ///   - failure: The error.
    ///   - action: The start of the sentence, which says what failed.
    /// - Returns: Up to three sentences.
    public static func failure(_ failure: PageState.Failure, _ action: String) -> String {
        let hint: String
        switch failure.code {
        case "media.feedIsWebPage": hint = "Look for a link named RSS or Feed on that page."
        case "usage.badURL": hint = "An address looks like https://example.org/feed.xml."
        case "http.401", "http.403": hint = "The feed may need a user and password: https://user:password@host/feed."
        case "http.404", "http.410": hint = "Ask the podcast's site for its present address."
        case "file.diskFull": hint = "Remove downloads or other files."
        case "file.inUse": hint = "Another window or command downloads it."
        case "file.libraryBusy": hint = "Try again when the other program has finished."
        default: hint = failure.code.hasPrefix("network.") ? "Check the connection to the network." : ""
        }
        let message = failure.message.isEmpty ? action + "." : action + ": " + failure.message
        return hint.isEmpty ? message : message + " " + hint
    }
}
