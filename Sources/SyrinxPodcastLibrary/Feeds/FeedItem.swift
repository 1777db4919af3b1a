import Foundation
import SyrinxByteStream

/// Builds an episode while its elements are parsed.
struct FeedItem {
    /// The episode so far.
    private(set) var episode = FeedEpisode()
    private let limits: FeedLimits
    /// An alternative title, used if there is no other.
    private var otherTitle = ""
    /// The date of the last change, used if there is no publication date.
    private var updated: Double?
    /// The identifier, if it is a permanent link.
    private var permanentLink: String?
    private var notes: [FeedField: String] = [:]
    /// Whether the selected enclosure is audio or video, according to its type.
    private var isSure = false

    /// Starts an episode.
    /// - Parameter about: The URI of an RDF item.
    init(about: String?, limits: FeedLimits) {
        self.limits = limits
        episode.guid = about.map(identity) ?? ""
    }

    /// The finished episode; `nil` if it has no identifier.
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

    /// Appends a part, up to the limit.
    mutating func add<Part>(_ part: Part, to list: WritableKeyPath<Episode.Details, [Part]>) {
        if episode.details[keyPath: list].count < limits.parts { episode.details[keyPath: list].append(part) }
    }

    /// Sets the web page; the first one is kept.
    mutating func take(link: String) { episode.link = episode.link ?? link }

    /// Sets the picture; the first one is kept, unless a preferred one follows.
    mutating func take(picture: String, isFirstChoice: Bool) {
        if episode.artworkURL == nil || isFirstChoice { episode.artworkURL = picture }
    }

    /// Sets the chapters file.
    mutating func take(chaptersFile: Episode.Resource?) { episode.details.chaptersFile = chaptersFile }

    /// Sets the recording; the first one that is audio or video is kept.
    mutating func enclose(_ name: String, _ attributes: [String: String], _ texts: FeedTexts) {
        let type = attributes["type"] ?? attributes["enc.type"]
        if name == "media.content" {
            if let seconds = attributes["duration"].flatMap(FeedDates.duration), episode.duration == nil {
                episode.duration = seconds
            }
            // Media RSS elements next to an enclosure are other encodings of it, or pictures.
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

    /// Stores the text of an element.
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
