/// A named part of a recording.
///
/// Times are seconds from the start of the recording.
public struct Chapter: Sendable, Equatable, Codable {
    /// The start time in seconds; finite and not negative in a ``ChapterList``.
    public var start: Double
    /// The end time in seconds; `nil` while it is unknown.
    public var end: Double?
    /// The title; `nil` if there is none.
    public var title: String?
    /// The URL of a web page about the chapter.
    public var link: String?
    /// The URL of a picture.
    public var image: String?
    /// Whether the chapter is a hidden marker, such as a change of the picture within a chapter.
    ///
    /// Podcasting 2.0 marks such chapters as `"toc": false`.
    public var isHidden: Bool

    /// Creates a chapter.
    ///
    /// Chapters from a file (ID3, MP4, Matroska, Vorbis comments) have a start, an end and a title.
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

    /// Copies the fields that this chapter lacks from `other`.
    mutating func fill(from other: Chapter) {
        title = title ?? other.title
        link = link ?? other.link
        image = image ?? other.image
    }
}

/// The origin of chapters, in order of precedence if several sources have the same number of chapters.
///
/// The file comes first, because the times in a feed are wrong for a file into which advertisements were inserted
/// later.
public enum ChapterSource: Int, Sendable, CaseIterable, Codable {
    /// The file: ID3 `CHAP`, MP4, Matroska, Vorbis comments.
    case file
    /// A JSON document of Podcasting 2.0.
    case podcastDocument
    /// Podlove Simple Chapters from a feed.
    case podlove
}
