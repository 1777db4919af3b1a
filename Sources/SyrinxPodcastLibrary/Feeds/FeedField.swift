/// The text fields of a feed.
enum FeedField: Sendable {
    case title, otherTitle, author, link, language, summary, content, subtitle, category
    case guid, id, published, updated, duration, season, number, kind, isExplicit, image
    case funding, soundbite, person

    /// The fields that supply the notes, in order of preference.
    static let notes: [FeedField] = [.content, .summary, .subtitle]

    /// Whether the field is text for readers, which Atom may write as HTML.
    var isProse: Bool {
        switch self {
        case .title, .otherTitle, .summary, .content, .subtitle: true
        default: false
        }
    }

    /// Creates the field of an element name; `nil` for elements whose text is ignored.
    init?(_ name: String) {
        switch name {
        case "title", "atom.title", "itunes.title": self = .title
        case "media.title", "dc.title": self = .otherTitle
        case "itunes.author", "dc.creator", "dc.author", "author", "managingeditor", "name", "atom.name",
            "googleplay.author":
            self = .author
        case "link": self = .link
        case "language", "dc.language": self = .language
        case "content.encoded", "atom.content", "content", "xhtml.body", "body", "fullitem": self = .content
        case "description", "itunes.summary", "atom.summary", "summary", "googleplay.description",
            "media.description", "dc.description", "dcterms.abstract":
            self = .summary
        case "itunes.subtitle", "atom.subtitle", "subtitle", "atom.tagline", "tagline", "atom.info": self = .subtitle
        case "guid": self = .guid
        case "atom.id", "id": self = .id
        case "pubdate", "atom.published", "published", "atom.issued", "issued", "dcterms.issued": self = .published
        case "atom.updated", "updated", "atom.modified", "modified", "dc.date", "dcterms.modified", "dcterms.created",
            "atom.created", "lastbuilddate":
            self = .updated
        case "itunes.duration": self = .duration
        case "itunes.season", "podcast.season": self = .season
        case "itunes.episode", "podcast.episode": self = .number
        case "itunes.episodetype": self = .kind
        case "itunes.explicit": self = .isExplicit
        case "url", "atom.logo", "logo": self = .image
        case "category", "dc.subject": self = .category
        case "podcast.funding": self = .funding
        case "podcast.soundbite": self = .soundbite
        case "podcast.person": self = .person
        default: return nil
        }
    }
}
