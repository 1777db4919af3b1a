import Foundation

/// The tags of an input, and the pending titles of a broadcast or of a chain of recordings.
struct InputMetadata {
    /// Fields that apply from a time on.
    struct Title {
        /// The time of the input from which it applies.
        var time: TimeInterval
        let fields: [String: String]
        /// Whether it is of a recording of a chain, and not of a broadcast.
        let isOfRecording: Bool
    }

    /// Titles that were not heard yet, in order.
    private(set) var titles: [Title] = []
    /// The tags of the recording that was decoded last.
    private var decodedTags: [String: String] = [:]
    /// The tags of the recording that was heard last.
    private(set) var heardTags: [String: String] = [:]

    /// Records the tags of an input that has been opened.
    mutating func opened(tags: [String: String]) {
        decodedTags = tags
        heardTags = tags
    }

    /// Records the tags of the recording to which the samples decoded last belong.
    mutating func decoded(tags: [String: String], at time: TimeInterval) {
        guard tags != decodedTags else { return }
        decodedTags = tags
        titles.append(Title(time: time, fields: tags, isOfRecording: true))
    }

    /// Records the title of a broadcast.
    mutating func received(title fields: [String: String], at time: TimeInterval) {
        titles.append(Title(time: time, fields: fields, isOfRecording: false))
    }

    /// Removes and returns the titles that apply up to `time`, in order.
    mutating func takeTitles(until time: TimeInterval) -> [[String: String]] {
        var taken: [[String: String]] = []
        while let title = titles.first, title.time <= time {
            titles.removeFirst()
            if title.isOfRecording { heardTags = title.fields }
            taken.append(title.fields)
        }
        return taken
    }

    /// Drops the titles that a seek skips.
    mutating func dropTitles() {
        titles = []
        decodedTags = heardTags
    }

    /// Makes all titles apply from the start.
    mutating func applyFromStart() {
        for index in titles.indices { titles[index].time = 0 }
    }

    /// Returns the tags for the fields of a Shoutcast title.
    static func tags(ofBroadcast fields: [String: String]) -> [String: String] {
        var tags: [String: String] = [:]
        for (name, value) in fields {
            switch name.lowercased() {
            case "streamtitle": tags["title"] = value
            case "streamurl": tags["titleURL"] = value
            default: tags[name] = value
            }
        }
        return tags
    }
}
