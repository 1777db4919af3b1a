import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// Tags of files in the words of their family, and in those that all families have in common.
@Suite struct MetadataTests {
    private let files: AssetFiles
    private let source: URL

    init() throws {
        files = try AssetFiles()
        source = try files.wav("source.wav", AssetFiles.stereoNoise(132_300))
    }

    private static let tags = [
        "title=Weißer Rauch", "artist=Die Säulen", "album=Türme", "genre=Noise", "date=2024-05-17", "track=3/12",
        "composer=K. Ton", "comment=Aus dem Archiv",
    ]

    private func tagged(_ name: String) throws -> AVURLAsset {
        let options = Self.tags.flatMap { ["-metadata", $0] }
        return AVURLAsset(url: try files.encode(source, to: name, options))
    }

    @Test(
        "A tag has the key and identifier of its key space",
        arguments: [
            ("a.mp3", AVMetadataFormat.id3Metadata, AVMetadataKeySpace.id3, "TIT2", "id3/TIT2"),
            ("a.m4a", AVMetadataFormat.iTunesMetadata, AVMetadataKeySpace.iTunes, "\u{A9}nam", "itsk/%A9nam"),
            (
                "a.flac", AVMetadataFormat.vorbisComment, AVMetadataKeySpace.vorbisComment, "TITLE",
                "org.xiph.comment/TITLE"
            ),
            (
                "a.ogg", AVMetadataFormat.vorbisComment, AVMetadataKeySpace.vorbisComment, "TITLE",
                "org.xiph.comment/TITLE"
            ),
        ]
    )
    func aTagHasTheNameOfItsFamily(
        _ name: String,
        _ format: AVMetadataFormat,
        _ family: AVMetadataKeySpace,
        _ key: String,
        _ identifier: String
    ) async throws {
        let asset = try tagged(name)
        let (all, common, formats) = try await asset.load(.metadata, .commonMetadata, .availableMetadataFormats)
        #expect(formats == [format])
        let loaded = try await asset.loadMetadata(for: format)
        #expect(loaded.count == all.count)
        #expect(try await asset.loadMetadata(for: .icyMetadata).isEmpty)

        let titles = AVMetadataItem.metadataItems(from: all, withKey: key, keySpace: family)
        let title = try #require(titles.first)
        #expect(titles.count == 1)
        #expect(title.keySpace == family)
        #expect(title.key as? NSString == NSString(string: key))
        #expect(title.identifier?.rawValue == identifier)
        #expect(title.commonKey == .commonKeyTitle)
        #expect(title.stringValue == "Weißer Rauch")
        #expect(try await title.load(.stringValue) == "Weißer Rauch")
        #expect(title.numberValue == nil && title.dataValue == Data("Weißer Rauch".utf8))

        func text(_ key: AVMetadataKey) -> String? {
            AVMetadataItem.metadataItems(from: common, withKey: key, keySpace: .common).first?.stringValue
        }
        #expect(text(.commonKeyArtist) == "Die Säulen")
        #expect(text(.commonKeyAlbumName) == "Türme")
        #expect(text(.commonKeyType) == "Noise")
        #expect(text(.commonKeyCreator) == "K. Ton")
        #expect(common.count < all.count)
        let byIdentifier = AVMetadataItem.metadataItems(from: all, filteredByIdentifier: .commonIdentifierArtist)
        #expect(byIdentifier.map(\.stringValue) == ["Die Säulen"])
    }

    @Test("Numbers and dates are parsed")
    func numbersAndDatesAreRead() async throws {
        let asset = try tagged("a.m4a")
        let all = try await asset.load(.metadata)
        let track = AVMetadataItem.metadataItems(from: all, filteredByIdentifier: .iTunesMetadataTrackNumber).first
        #expect(track?.numberValue == 3)
        #expect(track?.stringValue == "3/12")
        let date = AVMetadataItem.metadataItems(from: all, filteredByIdentifier: .iTunesMetadataReleaseDate).first
        // 17 May 2024, midnight in Greenwich.
        #expect(date?.dateValue == Date(timeIntervalSince1970: 1_715_904_000))
        #expect(try await asset.load(.creationDate)?.stringValue == "2024-05-17")
    }

    @Test("The iTunes identifiers are the same as Apple's")
    func iTunesIdentifiersAreThoseOfApple() {
        #expect(AVMetadataIdentifier.iTunesMetadataSongName.rawValue == "itsk/%A9nam")
        #expect(AVMetadataIdentifier.iTunesMetadataCoverArt.rawValue == "itsk/covr")
        #expect(AVMetadataIdentifier.id3MetadataAttachedPicture.rawValue == "id3/APIC")
        #expect(AVMetadataIdentifier.commonIdentifierTitle.rawValue == "common/title")
        #expect(AVMetadataItem.identifier(forKey: "\u{A9}ART", keySpace: .iTunes) == .iTunesMetadataArtist)
    }

    @Test("The cover has the same bytes as the embedded file", arguments: ["a.mp3", "a.m4a", "a.flac"])
    func theCoverIsTheFileThatWasPutIn(_ name: String) async throws {
        let picture = files.url("cover.png")
        try FFmpeg.make(picture.path, from: "testsrc=s=40x30:d=1", ["-frames:v", "1"])
        let options = [
            "-i", picture.path, "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic",
        ]
        let asset = AVURLAsset(url: try files.encode(source, to: name, options))
        let common = try await asset.load(.commonMetadata)
        let cover = try #require(
            AVMetadataItem.metadataItems(from: common, filteredByIdentifier: .commonIdentifierArtwork).first
        )
        #expect(try await cover.load(.dataValue) == Data(contentsOf: picture))
        #expect(cover.stringValue == nil)
        #expect(cover.extraAttributes?[.info] as? String == "image/png")
        #expect(try await asset.loadTracks(withMediaType: .video).isEmpty)
    }

    @Test("Chapters have times and titles", arguments: ["a.mp3", "a.m4a", "a.mka"])
    func chaptersHaveTimesAndTitles(_ name: String) async throws {
        let list = files.url("chapters.txt")
        let chapters = [(0, 1_000, "Anfang"), (1_000, 2_500, "Mitte"), (2_500, 3_000, "Ende")]
        let text = chapters.map { "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($1)\ntitle=\($2)\n" }.joined()
        try Data((";FFMETADATA1\n" + text).utf8).write(to: list)
        let url = try files.encode(source, to: name, ["-f", "ffmetadata", "-i", list.path, "-map_chapters", "1"])
        let asset = AVURLAsset(url: url)
        #expect(try await asset.load(.availableChapterLocales).count == 1)
        let groups = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["de"])
        #expect(groups.map { $0.items.first?.stringValue } == chapters.map(\.2))
        for (group, chapter) in zip(groups, chapters) {
            #expect(abs(group.timeRange.start.seconds - Double(chapter.0) / 1_000) < 0.001)
            #expect(abs(group.timeRange.end.seconds - Double(chapter.1) / 1_000) < 0.001)
            #expect(group.items.first?.commonKey == .commonKeyTitle)
        }
    }

    @Test("A file without tags has no metadata")
    func aFileWithoutTagsHasNone() async throws {
        let asset = AVURLAsset(url: source)
        #expect(try await asset.load(.metadata).isEmpty)
        #expect(try await asset.load(.availableMetadataFormats).isEmpty)
        #expect(try await asset.load(.availableChapterLocales).isEmpty)
        #expect(try await asset.load(.lyrics) == nil)
    }

    // MARK: Items

    private func item(_ identifier: AVMetadataIdentifier, _ text: String, language: String? = nil) -> AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = identifier
        item.value = NSString(string: text)
        item.extendedLanguageTag = language
        return item
    }

    @Test("Metadata items are filtered by key, key space and identifier")
    func itemsAreChosenByKeyFamilyAndIdentifier() {
        let items = [
            item(.id3MetadataTitleDescription, "a"), item(.iTunesMetadataSongName, "b"),
            item(.iTunesMetadataLyrics, "c"), item(.commonIdentifierTitle, "d"),
        ]
        func texts(_ items: [AVMetadataItem]) -> [String] { items.compactMap(\.stringValue) }
        #expect(texts(AVMetadataItem.metadataItems(from: items, withKey: nil, keySpace: .iTunes)) == ["b", "c"])
        #expect(texts(AVMetadataItem.metadataItems(from: items, withKey: "TIT2", keySpace: nil)) == ["a"])
        #expect(texts(AVMetadataItem.metadataItems(from: items, withKey: "TIT2", keySpace: .iTunes)) == [])
        #expect(
            texts(AVMetadataItem.metadataItems(from: items, withKey: AVMetadataKey.commonKeyTitle, keySpace: .common))
                == ["a", "b", "d"]
        )
        #expect(
            texts(AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .commonIdentifierTitle))
                == ["a", "b", "d"]
        )
        #expect(
            texts(AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .iTunesMetadataSongName)) == ["b"]
        )
    }

    @Test("The preferred language comes first")
    func thePreferredLanguageComesFirst() {
        let items = [
            item(.commonIdentifierTitle, "Tree", language: "en"), item(.commonIdentifierTitle, "Arbre", language: "fr"),
            item(.commonIdentifierTitle, "Baum", language: "de"),
        ]
        let sorted = AVMetadataItem.metadataItems(
            from: items,
            filteredAndSortedAccordingToPreferredLanguages: ["de", "en"]
        )
        #expect(sorted.first?.stringValue == "Baum")
        #expect(sorted.prefix(2).last?.stringValue == "Tree")
    }

    @Test(
        "Dates with different precisions are parsed",
        arguments: [
            ("2024", 1_704_067_200.0), ("2024-05", 1_714_521_600.0), ("2024-05-17", 1_715_904_000.0),
            ("2024-05-17T12:00:00Z", 1_715_947_200.0),
        ]
    )
    func datesHaveSeveralPrecisions(_ text: String, _ seconds: Double) {
        #expect(item(.id3MetadataRecordingTime, text).dateValue == Date(timeIntervalSince1970: seconds))
    }

    @Test("An invalid date gives nil", arguments: ["", "-", "99999999999999999999", "2024-13-01", "20x4", "yesterday"])
    func whatIsNoDateGivesNone(_ text: String) {
        #expect(item(.id3MetadataRecordingTime, text).dateValue == nil)
    }

    @Test("The identifier of a mutable item follows its key")
    func aMutableItemFollowsItsKey() {
        let item = AVMutableMetadataItem()
        item.keySpace = .id3
        item.key = NSString(string: "TALB")
        #expect(item.identifier == .id3MetadataAlbumTitle)
        #expect(item.commonKey == .commonKeyAlbumName)
        item.value = NSNumber(value: 7)
        #expect(item.stringValue == "7" && item.numberValue == 7 && item.dataValue == nil)
        let copy = item.copy() as? AVMetadataItem
        item.value = NSNumber(value: 8)
        #expect(copy?.numberValue == 7)
    }
}
