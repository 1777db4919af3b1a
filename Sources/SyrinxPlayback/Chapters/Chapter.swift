/// A named part of a recording.
///
/// Times are seconds from the start of the recording.
public struct Chapter: Sendable, Equatable, Codable {
    /// The first moment; finite and not negative in a ``ChapterList``.
    public var start: Double
    /// The moment after the last one; `nil` while it is not known.
    public var end: Double?
    /// The title, if there is one.
    public var title: String?
    /// The address of a page about the chapter.
    public var link: String?
    /// The address of a picture.
    public var image: String?
    /// Whether it is a marker that only carries data, such as another picture within a chapter (`"toc": false` of Podcasting 2.0).
    public var isHidden: Bool

    /// A chapter from `start`.
    ///
    /// The chapters that a decoder finds in a file (ID3, MP4, Matroska, Vorbis comments) have a start, an end and a title.
    public init(
        start: Double,
        end: Double? = nil,
        title: String? = nil,
        link: String? = nil,
        image: String? = nil,
        isHidden: Bool = false
    ) {
        self.start = start
        self.end = end
        self.title = title
        self.link = link
        self.image = image
        self.isHidden = isHidden
    }

    /// Takes the fields that are missing here from `other`.
    mutating func fill(from other: Chapter) {
        title = title ?? other.title
        link = link ?? other.link
        image = image ?? other.image
    }
}

/// The origin of chapters, in order of precedence among sources with equally many.
///
/// The file's own come first. Times in a feed do not fit a file into which advertisements were inserted later.
public enum ChapterSource: Int, Sendable, CaseIterable, Codable {
    /// The file: ID3 `CHAP`, MP4, Matroska, Vorbis comments.
    case file
    /// A JSON document of Podcasting 2.0.
    case podcastDocument
    /// Podlove Simple Chapters in a feed.
    case podlove
}
