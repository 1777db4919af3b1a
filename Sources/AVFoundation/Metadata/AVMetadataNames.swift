internal import Foundation

/// A family of metadata keys.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
    /// The four characters of the family, or its name.
    public let rawValue: String

    /// The family of this name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Keys that several formats have in common.
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
    /// Vorbis comments, which Ogg and FLAC files have.
    ///
    /// Apple's has no such family.
    public static let vorbisComment = AVMetadataKeySpace(rawValue: "org.xiph.comment")
}

/// A format of metadata in a file.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
    /// The name of the format.
    public let rawValue: String

    /// The format of this name.
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
    /// A format that Apple has no name for.
    public static let unknown = AVMetadataFormat(rawValue: "unknown")
    /// Vorbis comments, which Ogg and FLAC files have.
    public static let vorbisComment = AVMetadataFormat(rawValue: "org.xiph.comment")

    /// The family of the format's keys.
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

/// A key of metadata that several formats have in common, or one of a family of its own.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
    /// The text of the key.
    public let rawValue: String

    /// The key of this text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name of the recording.
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
    /// When it was made.
    public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
    /// When it was last changed.
    public static let commonKeyLastModifiedDate = AVMetadataKey(rawValue: "lastModifiedDate")
    /// The kind, such as the genre.
    public static let commonKeyType = AVMetadataKey(rawValue: "type")
    /// The format.
    public static let commonKeyFormat = AVMetadataKey(rawValue: "format")
    /// An identifier.
    public static let commonKeyIdentifier = AVMetadataKey(rawValue: "identifier")
    /// The source.
    public static let commonKeySource = AVMetadataKey(rawValue: "source")
    /// The language.
    public static let commonKeyLanguage = AVMetadataKey(rawValue: "language")
    /// The holder of the rights.
    public static let commonKeyCopyrights = AVMetadataKey(rawValue: "copyrights")
    /// The album.
    public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
    /// The author.
    public static let commonKeyAuthor = AVMetadataKey(rawValue: "author")
    /// The performer.
    public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
    /// The cover picture.
    public static let commonKeyArtwork = AVMetadataKey(rawValue: "artwork")
    /// The maker of the device.
    public static let commonKeyMake = AVMetadataKey(rawValue: "make")
    /// The device.
    public static let commonKeyModel = AVMetadataKey(rawValue: "model")
    /// The program.
    public static let commonKeySoftware = AVMetadataKey(rawValue: "software")
}

/// A key of metadata together with its family: the family's name, a slash, and the key.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    /// The text of the identifier.
    public let rawValue: String

    /// The identifier of this text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The identifier of a key; what is no letter, digit, dot, hyphen or underscore of it is escaped.
    init(_ key: String, in keySpace: AVMetadataKeySpace) {
        let name =
            switch keySpace {
            case .common: "common"
            case .id3: "id3"
            default: keySpace.rawValue
            }
        // iTunes writes a copyright sign as the one byte that it has in Mac Roman, which is a valid escape and no UTF-8.
        let text = key.unicodeScalars.map { scalar -> String in
            if scalar == "\u{A9}" { return "%A9" }
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789.-_".unicodeScalars.contains(scalar))
            return isPlain ? String(scalar) : scalar.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
        }
        rawValue = "\(name)/\(text.joined())"
    }

    /// The name of the recording.
    public static let commonIdentifierTitle = AVMetadataIdentifier("title", in: .common)
    /// The maker, such as the composer.
    public static let commonIdentifierCreator = AVMetadataIdentifier("creator", in: .common)
    /// A description.
    public static let commonIdentifierDescription = AVMetadataIdentifier("description", in: .common)
    /// The publisher.
    public static let commonIdentifierPublisher = AVMetadataIdentifier("publisher", in: .common)
    /// When it was made.
    public static let commonIdentifierCreationDate = AVMetadataIdentifier("creationDate", in: .common)
    /// The kind, such as the genre.
    public static let commonIdentifierType = AVMetadataIdentifier("type", in: .common)
    /// The language.
    public static let commonIdentifierLanguage = AVMetadataIdentifier("language", in: .common)
    /// The holder of the rights.
    public static let commonIdentifierCopyrights = AVMetadataIdentifier("copyrights", in: .common)
    /// The album.
    public static let commonIdentifierAlbumName = AVMetadataIdentifier("albumName", in: .common)
    /// The performer.
    public static let commonIdentifierArtist = AVMetadataIdentifier("artist", in: .common)
    /// The cover picture.
    public static let commonIdentifierArtwork = AVMetadataIdentifier("artwork", in: .common)
    /// The program.
    public static let commonIdentifierSoftware = AVMetadataIdentifier("software", in: .common)
    /// The name of the recording in ID3 tags.
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
    /// The words of the song in ID3 tags.
    public static let id3MetadataUnsynchronizedLyric = AVMetadataIdentifier("USLT", in: .id3)
    /// The cover picture in ID3 tags.
    public static let id3MetadataAttachedPicture = AVMetadataIdentifier("APIC", in: .id3)
    /// The name of the recording in MPEG-4 files.
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
    /// The words of the song in MPEG-4 files.
    public static let iTunesMetadataLyrics = AVMetadataIdentifier("\u{A9}lyr", in: .iTunes)
    /// The program in MPEG-4 files.
    public static let iTunesMetadataEncodingTool = AVMetadataIdentifier("\u{A9}too", in: .iTunes)
    /// The cover picture in MPEG-4 files.
    public static let iTunesMetadataCoverArt = AVMetadataIdentifier("covr", in: .iTunes)
    /// The title of what a station plays.
    public static let icyMetadataStreamTitle = AVMetadataIdentifier("StreamTitle", in: .icy)
    /// The page of what a station plays.
    public static let icyMetadataStreamURL = AVMetadataIdentifier("StreamUrl", in: .icy)
}

/// A key of what a metadata item has beside its value.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Hashable, Sendable {
    /// The text of the key.
    public let rawValue: String

    /// The key of this text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The address of a value that lies elsewhere.
    public static let valueURI = AVMetadataExtraAttributeKey(rawValue: "valueURI")
    /// The kind of a picture, `image/jpeg` for example.
    public static let info = AVMetadataExtraAttributeKey(rawValue: "info")
}
