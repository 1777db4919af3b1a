import Foundation
import SyrinxByteStream

/// An episode while its elements arrive.
struct FeedItem {
    /// The episode so far.
    private(set) var episode = FeedEpisode()
    private let limits: FeedLimits
    /// A title that counts where there is no other.
    private var otherTitle = ""
    /// The date of the last change, which counts where no other is stated.
    private var updated: Double?
    /// The link that the identity is.
    private var permanentLink: String?
    private var notes: [FeedField: String] = [:]
    /// Whether the enclosure that was taken can be heard.
    private var isSure = false

    /// An episode begins.
    /// - Parameter about: The URI that RDF gives it.
    init(about: String?, limits: FeedLimits) {
        self.limits = limits
        episode.guid = about.map(identity) ?? ""
    }

    /// The episode; `nil` if there is nothing to know it by.
    var finished: FeedEpisode? {
        var episode = episode
        episode.summary = HTMLText.notes(notes)
        episode.published = episode.published ?? updated
        episode.link = episode.link ?? permanentLink
        if episode.title.isEmpty { episode.title = otherTitle }
        guard episode.identity != nil else { return nil }
        if episode.title.isEmpty {
            episode.title = Redaction.redact(episode.link ?? episode.mediaURL ?? episode.guid)
        }
        return episode
    }

    private func identity(_ text: String) -> String {
        FeedTexts.cut(text.trimmingCharacters(in: .whitespacesAndNewlines), to: limits.url)
    }

    /// Adds a part, up to the limit.
    mutating func add<Part>(_ part: Part, to list: WritableKeyPath<Episode.Details, [Part]>) {
        if episode.details[keyPath: list].count < limits.parts { episode.details[keyPath: list].append(part) }
    }

    /// Takes the page about the episode; of several, the first.
    mutating func take(link: String) { episode.link = episode.link ?? link }

    /// Takes a picture; of several, the first, unless one is of the first choice.
    mutating func take(picture: String, isFirstChoice: Bool) {
        if episode.artworkURL == nil || isFirstChoice { episode.artworkURL = picture }
    }

    /// Takes the file of chapters.
    mutating func take(chaptersFile: Episode.Resource?) { episode.details.chaptersFile = chaptersFile }

    /// Takes a recording; of several, the first that can be heard.
    mutating func enclose(_ name: String, _ attributes: [String: String], _ texts: FeedTexts) {
        let type = attributes["type"] ?? attributes["enc.type"]
        if name == "media.content" {
            if let seconds = attributes["duration"].flatMap(FeedDates.duration), episode.duration == nil {
                episode.duration = seconds
            }
            // What Media RSS has beside an enclosure are other qualities of it, and pictures.
            if episode.mediaURL != nil || (type ?? attributes["medium"])?.hasPrefix("image") == true { return }
        }
        guard let url = texts.url(attributes["url"] ?? attributes["enc.url"] ?? attributes["rdf.resource"] ?? "") else {
            return
        }
        let isHeard = type.map { $0.hasPrefix("audio") || $0.hasPrefix("video") } ?? false
        guard episode.mediaURL == nil || (isHeard && !isSure) else { return }
        isSure = isHeard
        episode.mediaURL = url
        episode.mediaType = type.map { texts.title($0) }
        let length = attributes["length"] ?? attributes["enc.length"] ?? attributes["filesize"]
        episode.mediaLength = length.flatMap { Int64($0) }.flatMap { 1..<1 << 48 ~= $0 ? $0 : nil }
    }

    /// Takes the text of an element.
    mutating func take(_ capture: FeedCapture, _ value: String, _ texts: FeedTexts) {
        let attributes = capture.attributes
        switch capture.field {
        case .title: if episode.title.isEmpty { episode.title = texts.title(value) }
        case .otherTitle: if otherTitle.isEmpty { otherTitle = texts.title(value) }
        case .author: episode.author = episode.author ?? texts.author(value)
        case .id: episode.guid = identity(value)
        case .guid:
            episode.guid = identity(value)
            let isLink = attributes["ispermalink"]?.lowercased() != "false" && value.contains("://")
            permanentLink = isLink ? texts.url(value) : nil
        case .published: episode.published = episode.published ?? FeedDates.seconds(value)
        case .updated: updated = updated ?? FeedDates.seconds(value)
        case .duration: episode.duration = FeedDates.duration(value) ?? episode.duration
        case .season: episode.season = texts.number(value)
        case .number: episode.number = texts.number(value)
        case .kind: episode.kind = texts.nonempty(texts.title(value).lowercased())
        case .isExplicit: episode.isExplicit = ["yes", "true", "explicit"].contains(texts.title(value).lowercased())
        case .summary, .content, .subtitle:
            if value.utf8.count > notes[capture.field, default: ""].utf8.count { notes[capture.field] = value }
        case .soundbite:
            guard let start = attributes["starttime"].flatMap(FeedDates.duration),
                let duration = attributes["duration"].flatMap(FeedDates.duration), duration > 0
            else { return }
            add(Episode.Soundbite(start: start, duration: duration, title: texts.title(value)), to: \.soundbites)
        case .person:
            if let person = texts.person(value, attributes) { add(person, to: \.persons) }
        case .link, .language, .category, .image, .funding: break
        }
    }
}
