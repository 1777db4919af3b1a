internal import Foundation

/// A key space: a family of metadata keys.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
    /// The four-character code or the name of the key space.
    public let rawValue: String

    /// Creates a key space from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The common key space, for keys that several formats share.
    public static let common = AVMetadataKeySpace(rawValue: "comn")
    /// ID3 tags.
    public static let id3 = AVMetadataKeySpace(rawValue: "org.id3")
    /// Atoms of MPEG-4 files as iTunes writes them.
    public static let iTunes = AVMetadataKeySpace(rawValue: "itsk")
    /// Metadata of QuickTime files.
    public static let quickTimeMetadata = AVMetadataKeySpace(rawValue: "mdta")
    /// User data of QuickTime files.
    public static let quickTimeUserData = AVMetadataKeySpace(rawValue: "udta")
    /// User data of MPEG-4 files.
    public static let isoUserData = AVMetadataKeySpace(rawValue: "uiso")
    /// Titles of SHOUTcast and Icecast streams.
    public static let icy = AVMetadataKeySpace(rawValue: "icy")
    /// Chunks of WAVE, AIFF and Core Audio files.
    public static let audioFile = AVMetadataKeySpace(rawValue: "caaf")
    /// Vorbis comments, as in Ogg and FLAC files.
    ///
    /// Apple's AVFoundation does not have this key space.
    public static let vorbisComment = AVMetadataKeySpace(rawValue: "org.xiph.comment")
}

/// A format of metadata in a file.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
    /// The name of the format.
    public let rawValue: String

    /// Creates a format from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// ID3 tags.
    public static let id3Metadata = AVMetadataFormat(rawValue: "org.id3")
    /// Atoms of MPEG-4 files as iTunes writes them.
    public static let iTunesMetadata = AVMetadataFormat(rawValue: "com.apple.itunes")
    /// Metadata of QuickTime files.
    public static let quickTimeMetadata = AVMetadataFormat(rawValue: "com.apple.quicktime.mdta")
    /// User data of QuickTime files.
    public static let quickTimeUserData = AVMetadataFormat(rawValue: "com.apple.quicktime.udta")
    /// Titles of SHOUTcast and Icecast streams.
    public static let icyMetadata = AVMetadataFormat(rawValue: "icy")
    /// A format without a name in Apple's AVFoundation.
    public static let unknown = AVMetadataFormat(rawValue: "unknown")
    /// Vorbis comments, as in Ogg and FLAC files.
    public static let vorbisComment = AVMetadataFormat(rawValue: "org.xiph.comment")

    /// The key space of the format.
    var keySpace: AVMetadataKeySpace {
        switch self {
        case .id3Metadata: .id3
        case .iTunesMetadata: .iTunes
        case .quickTimeMetadata: .quickTimeMetadata
        case .quickTimeUserData: .quickTimeUserData
        case .icyMetadata: .icy
        case .vorbisComment: .vorbisComment
        default: .audioFile
        }
    }
}

/// A metadata key: a common key, or a key of one key space.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
    /// The text of the key.
    public let rawValue: String

    /// Creates a key from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The title.
    public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
    /// The maker, such as the composer.
    public static let commonKeyCreator = AVMetadataKey(rawValue: "creator")
    /// The subject.
    public static let commonKeySubject = AVMetadataKey(rawValue: "subject")
    /// A description.
    public static let commonKeyDescription = AVMetadataKey(rawValue: "description")
    /// The publisher.
    public static let commonKeyPublisher = AVMetadataKey(rawValue: "publisher")
    /// A contributor.
    public static let commonKeyContributor = AVMetadataKey(rawValue: "contributor")
    /// The creation date.
    public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
    /// The date of the last change.
    public static let commonKeyLastModifiedDate = AVMetadataKey(rawValue: "lastModifiedDate")
    /// The type, such as the genre.
    public static let commonKeyType = AVMetadataKey(rawValue: "type")
    /// The format.
    public static let commonKeyFormat = AVMetadataKey(rawValue: "format")
    /// An identifier.
    public static let commonKeyIdentifier = AVMetadataKey(rawValue: "identifier")
    /// The source.
    public static let commonKeySource = AVMetadataKey(rawValue: "source")
    /// The language.
    public static let commonKeyLanguage = AVMetadataKey(rawValue: "language")
    /// The copyright holder.
    public static let commonKeyCopyrights = AVMetadataKey(rawValue: "copyrights")
    /// The album.
    public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
    /// The author.
    public static let commonKeyAuthor = AVMetadataKey(rawValue: "author")
    /// The performer.
    public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
    /// The cover picture.
    public static let commonKeyArtwork = AVMetadataKey(rawValue: "artwork")
    /// The manufacturer of the recording device.
    public static let commonKeyMake = AVMetadataKey(rawValue: "make")
    /// The model of the recording device.
    public static let commonKeyModel = AVMetadataKey(rawValue: "model")
    /// The software that created the file.
    public static let commonKeySoftware = AVMetadataKey(rawValue: "software")
}

/// A metadata key together with its key space: the name of the key space, a slash, and the key.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    /// The text of the identifier.
    public let rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates the identifier of a key; characters other than ASCII letters, digits, dots, hyphens and underscores are
    /// percent-encoded.
    init(_ key: String, in keySpace: AVMetadataKeySpace) {
        let name =
            switch keySpace {
            case .common: "common"
            case .id3: "id3"
            default: keySpace.rawValue
            }
        // iTunes writes a copyright sign as the single byte of Mac Roman, which is valid percent-encoding but not
        // UTF-8.
        let text = key.unicodeScalars.map { scalar -> String in
            if scalar == "\u{A9}" { return "%A9" }
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789.-_".unicodeScalars.contains(scalar))
            return isPlain ? String(scalar) : scalar.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
        }
        rawValue = "\(name)/\(text.joined())"
    }

    /// The title.
    public static let commonIdentifierTitle = AVMetadataIdentifier("title", in: .common)
    /// The maker, such as the composer.
    public static let commonIdentifierCreator = AVMetadataIdentifier("creator", in: .common)
    /// A description.
    public static let commonIdentifierDescription = AVMetadataIdentifier("description", in: .common)
    /// The publisher.
    public static let commonIdentifierPublisher = AVMetadataIdentifier("publisher", in: .common)
    /// The creation date.
    public static let commonIdentifierCreationDate = AVMetadataIdentifier("creationDate", in: .common)
    /// The type, such as the genre.
    public static let commonIdentifierType = AVMetadataIdentifier("type", in: .common)
    /// The language.
    public static let commonIdentifierLanguage = AVMetadataIdentifier("language", in: .common)
    /// The copyright holder.
    public static let commonIdentifierCopyrights = AVMetadataIdentifier("copyrights", in: .common)
    /// The album.
    public static let commonIdentifierAlbumName = AVMetadataIdentifier("albumName", in: .common)
    /// The performer.
    public static let commonIdentifierArtist = AVMetadataIdentifier("artist", in: .common)
    /// The cover picture.
    public static let commonIdentifierArtwork = AVMetadataIdentifier("artwork", in: .common)
    /// The software that created the file.
    public static let commonIdentifierSoftware = AVMetadataIdentifier("software", in: .common)
    /// The title, in ID3 tags.
    public static let id3MetadataTitleDescription = AVMetadataIdentifier("TIT2", in: .id3)
    /// The performer in ID3 tags.
    public static let id3MetadataLeadPerformer = AVMetadataIdentifier("TPE1", in: .id3)
    /// The band in ID3 tags.
    public static let id3MetadataBand = AVMetadataIdentifier("TPE2", in: .id3)
    /// The album in ID3 tags.
    public static let id3MetadataAlbumTitle = AVMetadataIdentifier("TALB", in: .id3)
    /// The composer in ID3 tags.
    public static let id3MetadataComposer = AVMetadataIdentifier("TCOM", in: .id3)
    /// The genre in ID3 tags.
    public static let id3MetadataContentType = AVMetadataIdentifier("TCON", in: .id3)
    /// When it was recorded, in ID3 tags.
    public static let id3MetadataRecordingTime = AVMetadataIdentifier("TDRC", in: .id3)
    /// The number of the track in ID3 tags.
    public static let id3MetadataTrackNumber = AVMetadataIdentifier("TRCK", in: .id3)
    /// The number of the disc in ID3 tags.
    public static let id3MetadataPartOfASet = AVMetadataIdentifier("TPOS", in: .id3)
    /// Comments in ID3 tags.
    public static let id3MetadataComments = AVMetadataIdentifier("COMM", in: .id3)
    /// The lyrics of the song, in ID3 tags.
    public static let id3MetadataUnsynchronizedLyric = AVMetadataIdentifier("USLT", in: .id3)
    /// The cover picture in ID3 tags.
    public static let id3MetadataAttachedPicture = AVMetadataIdentifier("APIC", in: .id3)
    /// The title, in MPEG-4 files.
    public static let iTunesMetadataSongName = AVMetadataIdentifier("\u{A9}nam", in: .iTunes)
    /// The performer in MPEG-4 files.
    public static let iTunesMetadataArtist = AVMetadataIdentifier("\u{A9}ART", in: .iTunes)
    /// The performer of the album in MPEG-4 files.
    public static let iTunesMetadataAlbumArtist = AVMetadataIdentifier("aART", in: .iTunes)
    /// The album in MPEG-4 files.
    public static let iTunesMetadataAlbum = AVMetadataIdentifier("\u{A9}alb", in: .iTunes)
    /// The composer in MPEG-4 files.
    public static let iTunesMetadataComposer = AVMetadataIdentifier("\u{A9}wrt", in: .iTunes)
    /// The genre in MPEG-4 files.
    public static let iTunesMetadataUserGenre = AVMetadataIdentifier("\u{A9}gen", in: .iTunes)
    /// When it was released, in MPEG-4 files.
    public static let iTunesMetadataReleaseDate = AVMetadataIdentifier("\u{A9}day", in: .iTunes)
    /// The number of the track in MPEG-4 files.
    public static let iTunesMetadataTrackNumber = AVMetadataIdentifier("trkn", in: .iTunes)
    /// The number of the disc in MPEG-4 files.
    public static let iTunesMetadataDiscNumber = AVMetadataIdentifier("disk", in: .iTunes)
    /// A comment in MPEG-4 files.
    public static let iTunesMetadataUserComment = AVMetadataIdentifier("\u{A9}cmt", in: .iTunes)
    /// The lyrics of the song, in MPEG-4 files.
    public static let iTunesMetadataLyrics = AVMetadataIdentifier("\u{A9}lyr", in: .iTunes)
    /// The software that created the file, in MPEG-4 files.
    public static let iTunesMetadataEncodingTool = AVMetadataIdentifier("\u{A9}too", in: .iTunes)
    /// The cover picture in MPEG-4 files.
    public static let iTunesMetadataCoverArt = AVMetadataIdentifier("covr", in: .iTunes)
    /// The title that a radio station is playing.
    public static let icyMetadataStreamTitle = AVMetadataIdentifier("StreamTitle", in: .icy)
    /// The web page for the title that a radio station is playing.
    public static let icyMetadataStreamURL = AVMetadataIdentifier("StreamUrl", in: .icy)
}

/// A key of an additional attribute of a metadata item.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Hashable, Sendable {
    /// The text of the key.
    public let rawValue: String

    /// Creates a key from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The URI of a value that is stored elsewhere.
    public static let valueURI = AVMetadataExtraAttributeKey(rawValue: "valueURI")
    /// The MIME type of a picture, such as `image/jpeg`.
    public static let info = AVMetadataExtraAttributeKey(rawValue: "info")
}
