import Foundation
import SyrinxByteStream

/// Puts podcasts and episodes together from the elements of a feed: a pure state machine.
struct FeedItemReader {
    private(set) var header = FeedHeader()
    private let limits: FeedLimits
    private let texts: FeedTexts
    private var path: [String] = []
    private var item: FeedEpisode?
    private var itemDepth = 0
    /// The depth of the element whose text is being taken, and what for.
    private var capture: (field: FeedField, depth: Int)?
    /// The depth of an element of which nothing is taken.
    private var skipped: Int?
    private var text: [UInt8] = []
    private var attributes: [String: String] = [:]
    private var notes: [FeedField: String] = [:]
    private var headerNotes: [FeedField: String] = [:]
    private var isSure = false

    init(base: URL?, limits: FeedLimits) {
        self.limits = limits
        texts = FeedTexts(base: base, limits: limits)
    }

    /// An element begins.
    mutating func begin(_ name: String, _ attributes: [String: String]) {
        path.append(name)
        if skipped != nil { return }
        if let capture {
            // HTML that stands in a text without being escaped.
            if Self.isBlock(name), capture.field != .title { append("\n") }
            return
        }
        switch name {
        case "item", "atom.entry", "entry":
            if item == nil {
                item = FeedEpisode()
                itemDepth = path.count
                isSure = false
                notes = [:]
            }
            return
        case "podcast.value", "podcast.liveitem", "atom.source", "source", "textinput", "podcast.alternateenclosure",
            "podcast.podroll":
            skipped = path.count
            return
        default: break
        }
        if takesAttributes(name, attributes) { return }
        guard isDirect(name), let field = Self.field(name, isInItem: item != nil) else { return }
        capture = (field, path.count)
        text.removeAll(keepingCapacity: true)
        self.attributes = attributes
    }

    /// Text comes.
    mutating func text(_ string: String) {
        guard capture != nil, skipped == nil else { return }
        append(string)
    }

    private mutating func append(_ string: String) {
        let room = limits.summary - text.count
        guard room > 0 else { return }
        if string.utf8.count <= room {
            text += string.utf8
        } else {
            text += FeedTexts.cut(string, to: room).utf8
        }
    }

    /// An element ends; returns the episode if it was one.
    mutating func end(_ name: String) -> FeedEpisode? {
        defer { _ = path.popLast() }
        if let depth = skipped {
            if path.count == depth { skipped = nil }
            return nil
        }
        if let capture {
            if path.count == capture.depth {
                self.capture = nil
                take(capture.field, String(decoding: text, as: UTF8.self))
            } else if Self.isBlock(name), capture.field != .title {
                append("\n")
            }
            return nil
        }
        guard var episode = item, path.count == itemDepth else {
            if name == "channel" || name == "atom.feed" || name == "feed" || path.count == 1 { finishHeader() }
            return nil
        }
        item = nil
        episode.summary = Self.notes(notes)
        guard episode.identity != nil else { return nil }
        if episode.title.isEmpty { episode.title = Redaction.redact(episode.link ?? episode.mediaURL ?? episode.guid) }
        return episode
    }

    private mutating func finishHeader() {
        if !headerNotes.isEmpty { header.summary = Self.notes(headerNotes) }
        headerNotes = [:]
    }

    private static func notes(_ texts: [FeedField: String]) -> String {
        let plain = FeedField.notes.compactMap { texts[$0] }.first { !$0.isEmpty } ?? ""
        return HTMLText.plain(plain)
    }

    // MARK: Elements

    private static func isBlock(_ name: String) -> Bool {
        ["br", "p", "li", "div", "xhtml.br", "xhtml.p", "xhtml.li", "xhtml.div"].contains(name)
    }

    /// Whether the element that begins is a part of the episode or podcast itself, and not of something in it.
    private func isDirect(_ name: String) -> Bool {
        if item != nil {
            return path.count == itemDepth + 1 || (name == "atom.name" || name == "name") && isIn("author", 2)
        }
        let isInChannel = path.count <= 3
        return isInChannel || (name == "atom.name" || name == "name") && isIn("author", 2)
            || name == "url" && isIn("image", 2)
    }

    private func isIn(_ name: String, _ distance: Int) -> Bool {
        guard path.count >= distance else { return false }
        let parent = path[path.count - distance]
        return parent == name || parent == "atom.\(name)"
    }

    private static func field(_ name: String, isInItem: Bool) -> FeedField? {
        switch name {
        case "title", "atom.title", "itunes.title": .title
        case "itunes.author", "dc.creator", "author", "managingeditor", "name", "atom.name", "googleplay.author":
            .author
        case "link": .link
        case "language", "dc.language": .language
        case "content.encoded", "atom.content", "content": .content
        case "description", "itunes.summary", "atom.summary", "summary", "googleplay.description", "media.description":
            .summary
        case "itunes.subtitle", "atom.subtitle", "subtitle": .subtitle
        case "guid", "atom.id", "id": .guid
        case "pubdate", "atom.published", "published", "dc.date": .published
        case "atom.updated", "updated", "lastbuilddate": .updated
        case "itunes.duration": .duration
        case "itunes.season", "podcast.season": .season
        case "itunes.episode", "podcast.episode": .number
        case "itunes.episodetype": .kind
        case "itunes.explicit": .isExplicit
        case "url" where !isInItem: .image
        case "category": .category
        case "podcast.funding": .funding
        case "podcast.soundbite": .soundbite
        case "podcast.person": .person
        default: nil
        }
    }

    /// Takes an element whose attributes say all; false if its text is wanted.
    private mutating func takesAttributes(_ name: String, _ attributes: [String: String]) -> Bool {
        switch name {
        case "enclosure", "media.content":
            guard item?.mediaURL == nil || name == "enclosure" else { return true }
            let type = attributes["type"]
            if name == "media.content", let kind = type ?? attributes["medium"], kind.hasPrefix("image") { return true }
            enclose(attributes["url"], type: type, length: attributes["length"] ?? attributes["filesize"])
        case "atom.link", "link":
            guard let target = attributes["href"] else { return false }
            switch attributes["rel"] ?? "alternate" {
            case "enclosure": enclose(target, type: attributes["type"], length: attributes["length"])
            case "alternate": setLink(target)
            default: break
            }
        case "itunes.image", "googleplay.image", "media.thumbnail":
            guard let url = texts.url(attributes["href"] ?? attributes["url"] ?? "") else { return true }
            if item == nil {
                if header.artworkURL == nil || name == "itunes.image" { header.artworkURL = url }
            } else if item?.artworkURL == nil || name == "itunes.image" {
                item?.artworkURL = url
            }
        case "itunes.category", "category", "atom.category":
            guard let name = attributes["text"] ?? attributes["term"] else { return false }
            addCategory(name)
        case "podcast.chapters": item?.details.chaptersFile = texts.resource(attributes)
        case "podcast.transcript":
            guard let resource = texts.resource(attributes),
                item.map({ $0.details.transcripts.count < limits.parts }) == true
            else { return true }
            item?.details.transcripts.append(resource)
        case "psc.chapter":
            guard let start = attributes["start"].flatMap(FeedDates.duration),
                item.map({ $0.details.chapters.count < limits.parts }) == true
            else { return true }
            let chapter = Episode.Chapter(
                start: start,
                title: texts.title(attributes["title"] ?? ""),
                link: texts.url(attributes["href"] ?? ""),
                artworkURL: texts.url(attributes["image"] ?? "")
            )
            item?.details.chapters.append(chapter)
        default: return false
        }
        return true
    }

    private mutating func enclose(_ target: String?, type: String?, length: String?) {
        guard item != nil, let url = texts.url(target ?? "") else { return }
        // Of several, the first that can be heard counts.
        let isHeard = type.map { $0.hasPrefix("audio") || $0.hasPrefix("video") } ?? false
        guard item?.mediaURL == nil || (isHeard && !isSure) else { return }
        isSure = isHeard
        item?.mediaURL = url
        item?.mediaType = type.map { texts.title($0) }
        item?.mediaLength = length.flatMap { Int64($0) }.flatMap { 1..<1 << 48 ~= $0 ? $0 : nil }
    }

    private mutating func setLink(_ target: String) {
        guard let url = texts.url(target) else { return }
        if item == nil {
            header.link = header.link ?? url
        } else if item?.link == nil {
            item?.link = url
        }
    }

    private mutating func addCategory(_ text: String) {
        let name = texts.title(text)
        guard item == nil, header.categories.count < limits.parts, !name.isEmpty else { return }
        if !header.categories.contains(name) { header.categories.append(name) }
    }

    // MARK: Texts

    private mutating func take(_ field: FeedField, _ value: String) {
        guard item == nil else { return takeForItem(field, value) }
        switch field {
        case .title where header.title.isEmpty && !isIn("image", 2): header.title = texts.title(value)
        case .author where header.author == nil: header.author = texts.nonempty(texts.title(value))
        case .link where !isIn("image", 2): setLink(value)
        case .language: header.language = texts.nonempty(texts.title(value))
        case .image where header.artworkURL == nil: header.artworkURL = texts.url(value)
        case .summary, .content, .subtitle:
            guard !isIn("image", 2) else { return }
            if value.utf8.count > headerNotes[field, default: ""].utf8.count { headerNotes[field] = value }
        case .category: addCategory(value)
        case .funding where header.fundingURL == nil: header.fundingURL = texts.url(attributes["url"] ?? "")
        case .person where header.persons.count < limits.parts:
            if let person = texts.person(value, attributes) { header.persons.append(person) }
        default: break
        }
    }

    private mutating func takeForItem(_ field: FeedField, _ value: String) {
        switch field {
        case .title where item?.title.isEmpty == true: item?.title = texts.title(value)
        case .link: setLink(value)
        case .guid: item?.guid = FeedTexts.cut(value.trimmingCharacters(in: .whitespacesAndNewlines), to: limits.url)
        case .published: item?.published = FeedDates.seconds(value)
        case .updated where item?.published == nil: item?.published = FeedDates.seconds(value)
        case .duration: item?.duration = FeedDates.duration(value)
        case .season: item?.season = texts.number(value)
        case .number: item?.number = texts.number(value)
        case .kind: item?.kind = texts.nonempty(texts.title(value).lowercased())
        case .isExplicit: item?.isExplicit = ["yes", "true", "explicit"].contains(texts.title(value).lowercased())
        case .summary, .content, .subtitle:
            if value.utf8.count > notes[field, default: ""].utf8.count { notes[field] = value }
        case .soundbite:
            guard let start = attributes["starttime"].flatMap(FeedDates.duration),
                let duration = attributes["duration"].flatMap(FeedDates.duration), duration > 0,
                item.map({ $0.details.soundbites.count < limits.parts }) == true
            else { return }
            item?.details.soundbites.append(.init(start: start, duration: duration, title: texts.title(value)))
        case .person:
            guard let person = texts.person(value, attributes),
                item.map({ $0.details.persons.count < limits.parts }) == true
            else { return }
            item?.details.persons.append(person)
        default: break
        }
    }
}
