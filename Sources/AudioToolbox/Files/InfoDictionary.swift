internal import CoreAudioTypes
internal import Foundation
internal import SyrinxMediaCodec

/// The album of the recording.
public let kAFInfoDictionary_Album = "album"
/// Seconds, as a decimal number.
public let kAFInfoDictionary_ApproximateDurationInSeconds = "approximate duration in seconds"
/// The performer.
public let kAFInfoDictionary_Artist = "artist"
/// The arrangement of the channels in words.
public let kAFInfoDictionary_ChannelLayout = "channel layout"
/// Anything.
public let kAFInfoDictionary_Comments = "comments"
/// The composer of the music.
public let kAFInfoDictionary_Composer = "composer"
/// The holder of the rights.
public let kAFInfoDictionary_Copyright = "copyright"
/// The program that has made the file.
public let kAFInfoDictionary_EncodingApplication = "encoding application"
/// The kind of music.
public let kAFInfoDictionary_Genre = "genre"
/// The International Standard Recording Code.
public let kAFInfoDictionary_ISRC = "ISRC"
/// The key of the music.
public let kAFInfoDictionary_KeySignature = "key signature"
/// The author of the words.
public let kAFInfoDictionary_Lyricist = "lyricist"
/// Bits per second.
public let kAFInfoDictionary_NominalBitRate = "nominal bit rate"
/// When it was recorded.
public let kAFInfoDictionary_RecordedDate = "recorded date"
/// The bit depth of the samples before compression.
public let kAFInfoDictionary_SourceBitDepth = "source bit depth"
/// The encoder.
public let kAFInfoDictionary_SourceEncoder = "source encoder"
/// A second title.
public let kAFInfoDictionary_SubTitle = "subtitle"
/// Beats per minute.
public let kAFInfoDictionary_Tempo = "tempo"
/// The time of the music.
public let kAFInfoDictionary_TimeSignature = "time signature"
/// The title.
public let kAFInfoDictionary_Title = "title"
/// Which one of the album it is: `3`, or `3/12`.
public let kAFInfoDictionary_TrackNumber = "track number"
/// The year of the recording.
public let kAFInfoDictionary_Year = "year"

/// The info dictionary of a recording: strings throughout, as in Apple's.
enum InfoDictionary {
    /// The keys of the dictionary, each with its source tags.
    ///
    /// The first existing tag is used.
    private static let tags: [(key: String, tags: [String])] = [
        (kAFInfoDictionary_Album, ["album"]), (kAFInfoDictionary_Artist, ["artist"]),
        (kAFInfoDictionary_Comments, ["comment", "description"]), (kAFInfoDictionary_Composer, ["composer"]),
        (kAFInfoDictionary_Copyright, ["copyright"]), (kAFInfoDictionary_EncodingApplication, ["encoder"]),
        (kAFInfoDictionary_Genre, ["genre"]), (kAFInfoDictionary_ISRC, ["isrc", "tsrc"]),
        (kAFInfoDictionary_KeySignature, ["initialkey", "tkey"]), (kAFInfoDictionary_Lyricist, ["lyricist", "text"]),
        (kAFInfoDictionary_RecordedDate, ["date"]), (kAFInfoDictionary_SourceEncoder, ["encoded_by"]),
        (kAFInfoDictionary_SubTitle, ["subtitle", "tit3"]), (kAFInfoDictionary_Tempo, ["bpm", "tbpm", "tmpo"]),
        (kAFInfoDictionary_Title, ["title"]), (kAFInfoDictionary_TrackNumber, ["track", "tracknumber"]),
    ]

    static func of(_ info: MediaInfo) -> [String: String] {
        var values: [String: String] = [:]
        for (key, names) in tags { values[key] = names.lazy.compactMap { info.tags[$0] }.first }
        // A date begins with the year in all common forms.
        if let year = info.tags["date"]?.prefix(4), year.utf8.count == 4, Int(year) != nil {
            values[kAFInfoDictionary_Year] = String(year)
        }
        values[kAFInfoDictionary_ChannelLayout] = info.channelLayout.isEmpty ? nil : info.channelLayout
        if let duration = info.duration {
            // To the millisecond; `String` would write very short ones with an exponent.
            let thousandths = Int64(exactly: (duration * 1000).rounded()) ?? 0
            let fraction = String(thousandths % 1000 + 1000).dropFirst()
            values[kAFInfoDictionary_ApproximateDurationInSeconds] = "\(thousandths / 1000).\(fraction)"
        }
        if let rate = info.bitRate { values[kAFInfoDictionary_NominalBitRate] = String(rate) }
        let depth = info.streamDescription.mBitsPerChannel
        if depth > 0 { values[kAFInfoDictionary_SourceBitDepth] = String(depth) }
        return values
    }

    /// A dictionary with one reference to it, which belongs to the caller.
    static func retained(_ info: MediaInfo) -> UnsafeMutableRawPointer {
        Unmanaged<NSDictionary>.passRetained(NSDictionary(dictionary: of(info))).toOpaque()
    }
}
