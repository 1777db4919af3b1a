import Foundation
import SyrinxByteStream

/// Builds podcasts and episodes from the elements of a feed, as a state machine without side effects.
struct FeedItemReader {
    private(set) var header = FeedHeader()
    private let limits: FeedLimits
    private var texts: FeedTexts
    private var path: [String] = []
    private var item: FeedItem?
    private var itemDepth = 0
    /// The element whose text is being collected.
    private var capture: FeedCapture?
    /// The depth of an element whose contents are ignored.
    private var skipped: Int?
    private var headerNotes: [FeedField: String] = [:]

    init(base: URL?, limits: FeedLimits) {
        self.limits = limits
        texts = FeedTexts(base: base, limits: limits)
    }

    /// Processes a start tag.
    mutating func begin(_ name: String, _ attributes: [String: String]) {
        path.append(name)
        if let base = attributes["xml.base"] { texts.begin(base: base, depth: path.count) }
        if path.count == 1 || name == "channel", header.language == nil, let language = attributes["xml.lang"] {
            header.language = texts.nonempty(texts.title(language))
        }
        if skipped != nil { return }
        if capture != nil {
            capture?.begin(name, attributes)
            return
        }
        switch name {
        case "item", "atom.entry", "entry":
            if item == nil {
                item = FeedItem(about: attributes["rdf.about"], limits: limits)
                itemDepth = path.count
            }
            return
        case "podcast.value", "podcast.liveitem", "atom.source", "source", "textinput", "podcast.alternateenclosure",
            "podcast.podroll":
            skipped = path.count
            return
        default: break
        }
        if takesAttributes(name, attributes) { return }
        guard isDirect(name), let field = FeedField(name) else { return }
        capture = FeedCapture(field, of: name, attributes, depth: path.count, limit: limits.summary)
    }

    /// Processes text.
    mutating func text(_ string: String) {
        if skipped == nil { capture?.text(string) }
    }

    /// Processes an end tag; returns an episode if the tag ends one.
    mutating func end(_ name: String) -> FeedEpisode? {
        defer {
            texts.end(depth: path.count)
            _ = path.popLast()
        }
        if let depth = skipped {
            if path.count == depth { skipped = nil }
            return nil
        }
        if let capture {
            if path.count == capture.depth {
                self.capture = nil
                take(capture)
            } else {
                self.capture?.end(name)
            }
            return nil
        }
        guard let item, path.count == itemDepth else {
            if name == "channel" || name == "atom.feed" || name == "feed" || path.count == 1 { finishHeader() }
            return nil
        }
        self.item = nil
        return item.finished
    }

    private mutating func finishHeader() {
        if !headerNotes.isEmpty { header.summary = HTMLText.notes(headerNotes) }
        headerNotes = [:]
    }

    // MARK: Elements

    /// Whether the new element is a direct property of the episode or podcast, rather than nested in another element.
    private func isDirect(_ name: String) -> Bool {
        switch name {
        case "name", "atom.name": isIn("author")
        case "url": isIn("image")
        case "media.title", "media.description":
            path.count == itemDepth + 1 || isIn("media.group") || isIn("media.content")
        default:
            // In an Atom feed, the author is an element with a name.
            if name == "author", path.first == "feed" {
                false
            } else if item != nil {
                path.count == itemDepth + 1
            } else {
                path.count <= 3 && !isIn("image") && !isIn("author") && !isIn("contributor")
            }
        }
    }

    /// Whether the parent of the new element has this name.
    private func isIn(_ name: String) -> Bool {
        guard path.count > 1 else { return false }
        let parent = path[path.count - 2]
        return parent == name || parent == "atom.\(name)"
    }

    /// Processes an element that has only attributes; returns false if its text is needed.
    private mutating func takesAttributes(_ name: String, _ attributes: [String: String]) -> Bool {
        switch name {
        case "enclosure", "enc.enclosure", "media.content":
            item?.enclose(name, attributes, texts)
        case "atom.link", "link", "itunes.link":
            guard let target = attributes["href"] else { return name != "link" }
            takeLink(target, attributes)
        case "itunes.image", "googleplay.image", "media.thumbnail":
            takePicture(attributes["href"] ?? attributes["url"] ?? "", isFirstChoice: name == "itunes.image")
        case "itunes.category", "category", "atom.category":
            guard let name = attributes["text"] ?? attributes["term"] else { return false }
            addCategory(name)
        case "podcast.chapters": item?.take(chaptersFile: texts.resource(attributes))
        case "podcast.transcript":
            if let resource = texts.resource(attributes) { item?.add(resource, to: \.transcripts) }
        case "psc.chapter":
            if let chapter = texts.chapter(attributes) { item?.add(chapter, to: \.chapters) }
        default: return false
        }
        return true
    }

    private mutating func takeLink(_ target: String, _ attributes: [String: String]) {
        switch attributes["rel"] ?? "alternate" {
        case "enclosure": item?.enclose("enclosure", attributes.merging(["url": target]) { $1 }, texts)
        case "alternate": setLink(target)
        case "image": takePicture(target, isFirstChoice: false)
        case "next", "prev-archive":
            if item == nil, path.count <= 3, header.nextPage == nil { header.nextPage = texts.url(target) }
        default: break
        }
    }

    private mutating func takePicture(_ target: String, isFirstChoice: Bool) {
        guard let url = texts.url(target) else { return }
        item?.take(picture: url, isFirstChoice: isFirstChoice)
        if item == nil, header.artworkURL == nil || isFirstChoice {
            header.artworkURL = url
        }
    }

    private mutating func setLink(_ target: String) {
        guard let url = texts.url(target) else { return }
        item?.take(link: url)
        if item == nil { header.link = header.link ?? url }
    }

    private mutating func addCategory(_ text: String) {
        let name = texts.title(text)
        guard item == nil, header.categories.count < limits.parts, !name.isEmpty else { return }
        if !header.categories.contains(name) { header.categories.append(name) }
    }

    // MARK: Texts

    private mutating func take(_ capture: FeedCapture) {
        let value = capture.html
        switch capture.field {
        case .link: setLink(value)
        case .image: takePicture(value, isFirstChoice: false)
        case .category: addCategory(value)
        default:
            if item == nil { takeForHeader(capture, value) } else { item?.take(capture, value, texts) }
        }
    }

    private mutating func takeForHeader(_ capture: FeedCapture, _ value: String) {
        switch capture.field {
        case .title, .otherTitle:
            if header.title.isEmpty { header.title = texts.title(value) }
        case .author: header.author = header.author ?? texts.author(value)
        case .language: header.language = texts.nonempty(texts.title(value))
        case .summary, .content, .subtitle:
            if value.utf8.count > headerNotes[capture.field, default: ""].utf8.count {
                headerNotes[capture.field] = value
            }
        case .funding: header.fundingURL = header.fundingURL ?? texts.url(capture.attributes["url"] ?? "")
        case .person:
            guard header.persons.count < limits.parts, let person = texts.person(value, capture.attributes) else {
                return
            }
            header.persons.append(person)
        default: break
        }
    }
}
