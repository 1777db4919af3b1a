import Foundation
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Feeds") struct FeedParserTests {
    private let full = rss(
        item(
            7,
            more: """
                <itunes:duration>1:02:03</itunes:duration><itunes:season>2</itunes:season><itunes:episode>7</itunes:episode>
                <itunes:episodeType>bonus</itunes:episodeType><itunes:explicit>yes</itunes:explicit>
                <itunes:image href="/art/7.jpg"/><link>https://host.example/7</link>
                <description>short</description><content:encoded><![CDATA[<p>First &amp; <b>bold</b></p><p>Second</p>]]></content:encoded>
                <podcast:chapters url="7.json" type="application/json+chapters"/>
                <podcast:transcript url="https://host.example/7.vtt" type="text/vtt" language="en"/>
                <podcast:soundbite startTime="10.5" duration="30">Best part</podcast:soundbite>
                <podcast:person role="Guest" href="https://p.example">Ada</podcast:person>
                <podcast:value type="lightning"><podcast:valueRecipient name="x"/><title>No</title></podcast:value>
                <psc:chapters><psc:chapter start="00:01:00.5" title="One"/></psc:chapters>
                """
        ),
        channel: """
            <title>A show</title><itunes:author>Me</itunes:author><description>About</description><language>en-gb</language>
            <link>https://host.example/</link><image><url>https://host.example/old.png</url><title>Logo</title></image>
            <itunes:image href="https://host.example/art.png"/><itunes:category text="Arts"><itunes:category text="Books"/></itunes:category>
            <podcast:funding url="https://pay.example">Give</podcast:funding><podcast:person>Host</podcast:person>
            """
    )

    @Test("RSS 2.0 with both name spaces of podcasts gives every field", arguments: [1, 7, 1 << 16])
    func rssIsRead(pieces: Int) throws {
        let feed = try parse(full, pieces: pieces)
        let header = feed.header
        #expect(header.title == "A show" && header.author == "Me" && header.summary == "About")
        #expect(header.artworkURL == "https://host.example/art.png" && header.link == "https://host.example/")
        #expect(header.categories == ["Arts", "Books"] && header.fundingURL == "https://pay.example")
        #expect(header.persons.map(\.name) == ["Host"] && header.language == "en-gb")
        let episode = try #require(feed.episodes.first)
        #expect(feed.episodes.count == 1 && !feed.isTruncated)
        #expect(episode.title == "Episode 7" && episode.guid == "guid-7" && episode.identity == "guid-7")
        #expect(episode.mediaURL == "https://host.example/7.mp3" && episode.mediaLength == 1_007)
        #expect(episode.published == 1_700_000_000 + 7 * 86_400 && episode.duration == 3_723)
        #expect(episode.season == 2 && episode.number == 7 && episode.kind == "bonus" && episode.isExplicit)
        #expect(episode.artworkURL == "https://host.example/art/7.jpg" && episode.link == "https://host.example/7")
        #expect(episode.summary == "First & bold\n\nSecond")
        #expect(episode.details.chaptersFile?.url == "https://host.example/show/7.json")
        #expect(episode.details.transcripts.map(\.type) == ["text/vtt"])
        #expect(episode.details.soundbites == [.init(start: 10.5, duration: 30, title: "Best part")])
        #expect(episode.details.persons.map(\.role) == ["guest"])
        #expect(episode.details.chapters.map(\.start) == [60.5])
    }

    @Test("Atom gives links by their relation, and the identity")
    func atomIsRead() throws {
        let feed = try parse(
            """
            <a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title type="html">An &amp;amp; show</a:title>
            <a:author><a:name>Me</a:name></a:author>
            <a:entry><a:id>urn:1</a:id><a:title>One</a:title><a:updated>2024-02-29T12:00:00.5+01:00</a:updated>
            <a:link rel="enclosure" href="/1.ogg" type="audio/ogg" length="5"/><a:link href="page"/>
            <a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One</p><p>two</p></div></a:content>
            </a:entry></a:feed>
            """
        )
        #expect(feed.header.title == "An & show" && feed.header.author == "Me")
        let entry = try #require(feed.episodes.first)
        #expect(entry.guid == "urn:1" && entry.mediaURL == "https://host.example/1.ogg" && entry.mediaLength == 5)
        #expect(entry.link == "https://host.example/show/page" && entry.published == 1_709_204_400)
        #expect(entry.summary == "One\n\ntwo")
    }

    @Test(
        "Broken XML is read as browsers read it",
        arguments: [
            (
                "<title>Salt & Pepper &nbsp;&copy; &bogus; &#8212; &#x1F600; &#150;</title>",
                "Salt & Pepper © &bogus; — 😀 –"
            ),
            ("<title>1 < 2 <b>bold</title>", "1 < 2 bold"),
            ("<title>Ctrl\u{1}\u{8} ok\u{FFFF}</title>", "Ctrl ok\u{FFFD}"),
            ("<title><![CDATA[A <i>tag</i> & more]]></title>", "A tag & more"),
            ("<TITLE>Upper</TITLE>", "Upper"),
            ("<title>In </wrong>the middle</title>", "In the middle"),
            ("<!-- <title>No</title> --><title>After a comment</title>", "After a comment"),
        ]
    )
    func brokenMarkupIsRepaired(markup: String, title: String) throws {
        for pieces in [1, 3, 1 << 16] {
            let feed = try parse(rss("<item>\(markup)<guid>g</guid></item>" + item(2)), pieces: pieces)
            #expect(feed.episodes.map(\.title) == [title, "Episode 2"], "in pieces of \(pieces)")
        }
    }

    @Test("A line ends with a line feed in text and with a space in attributes", arguments: [1, 3, 1 << 16])
    func lineEndsAreNormalized(pieces: Int) throws {
        let document = "<a b='1\r\n2\r3\t4&#13;&#10;5'>1\r\n2\r3\t4&#13;&#10;5<![CDATA[<\r\n\r>]]></a>"
        var (values, text) = ([""], "")
        var input = FeedInput(charset: nil, byteCount: 1_000)
        var rest = Array(document.utf8)[...]
        input.read {
            defer { rest = rest.dropFirst(pieces) }
            return Array(rest.prefix(pieces))
        } _: { event in
            switch event {
            case .start(_, let attributes): values = Array(attributes.values)
            case .text(let part): text += part
            case .end: break
            }
            return true
        }
        #expect(values == ["1 2 3 4 5"] && text == "1\n2\n3\t4\n5<\n\n>" && !input.isTruncated)
    }

    @Test("Attributes without quotes, twice, and with bare ampersands are read")
    func brokenAttributesAreRead() throws {
        let feed = try parse(
            rss(
                "<item><title>A</title><enclosure url='https://h.example/a?b=1&c=2&copy=3' type=audio/mpeg type=x length=9></item>"
            )
        )
        let episode = try #require(feed.episodes.first)
        #expect(episode.mediaURL == "https://h.example/a?b=1&c=2&copy=3")
        #expect(episode.mediaType == "audio/mpeg" && episode.mediaLength == 9)
        #expect(episode.identity == episode.mediaURL)
    }

    @Test("Episodes and texts whose end tags are missing end where the next begin")
    func missingEndTagsAreImplied() throws {
        let feed = try parse(
            rss(
                """
                <item><title>One<guid>1<enclosure url="https://h.example/1"/><description>Notes <b>of one
                <item><title>Two</title><guid>2</guid></item>
                """
            )
        )
        #expect(feed.episodes.map(\.title) == ["One", "Two"] && feed.episodes.map(\.guid) == ["1", "2"])
        #expect(
            feed.episodes.first?.summary == "Notes of one" && feed.episodes.first?.mediaURL == "https://h.example/1"
        )
    }

    @Test("Prefixes that are not declared or unusual mean their name spaces")
    func prefixesAreResolved() throws {
        let feed = try parse(
            """
            <rss xmlns:i="http://www.itunes.com/DTDs/Podcast-1.0.dtd"><channel><title>T</title>
            <item><title>A</title><guid>1</guid><i:duration>90</i:duration><podcast:season>3</podcast:season>
            <zz:title xmlns:zz="urn:zz">No</zz:title></item></channel></rss>
            """
        )
        let episode = try #require(feed.episodes.first)
        #expect(episode.duration == 90 && episode.season == 3 && episode.title == "A")
    }

    @Test("A feed that breaks off gives what came before")
    func truncatedFeedIsRead() throws {
        let whole = rss((1...5).map { item($0) }.joined())
        let end = try #require(whole.range(of: "guid-4"))
        let feed = try parse(String(whole[..<end.lowerBound]))
        #expect(feed.isTruncated)
        // The fourth has a title, and is known by it: nothing else of it has come.
        #expect(feed.episodes.prefix(3).map(\.guid) == ["guid-1", "guid-2", "guid-3"])
    }

    @Test("Texts in other encodings than stated, or in stated ones, are read")
    func encodingsAreRead() throws {
        func feed(_ declaration: String, _ title: [UInt8], charset: String? = nil) throws -> String {
            let head = [UInt8]("\(declaration)<rss><channel><title>".utf8)
            return try parse(head + title + [UInt8]("</title></channel></rss>".utf8), charset: charset).header.title
        }
        #expect(try feed("<?xml version='1.0' encoding='utf-8'?>", [0x47, 0xFC, 0x6E, 0x93]) == "Gün“")
        #expect(try feed("<?xml version='1.0' encoding='iso-8859-1'?>", [UInt8]("Gün".utf8)) == "Gün")
        #expect(try feed("<?xml version='1.0' encoding='windows-1251'?>", [0xCF, 0xF0, 0xE8]) == "При")
        #expect(try feed("", [0xCF, 0xF0, 0xE8], charset: "Windows-1251") == "При")
        #expect(try feed("<?xml version='1.0' encoding='shift_jis'?>", [0x83, 0x65, 0x83, 0x58]) == "テス")
        #expect(try feed("<?xml version='1.0' encoding='no-such'?>", [UInt8]("ü".utf8)) == "ü")
        for (encoding, mark) in [(String.Encoding.utf16LittleEndian, [0xFF, 0xFE] as [UInt8]), (.utf16BigEndian, [])] {
            let text = "<?xml version='1.0' encoding='utf-16'?><rss><channel><title>Zoë 😀</title></channel></rss>"
            let data = try #require(text.data(using: encoding))
            #expect(try parse(mark + data, pieces: 3).header.title == "Zoë 😀")
        }
        let wide: [(Bool, [UInt8])] = [
            (true, [0xFF, 0xFE, 0, 0]), (false, [0, 0, 0xFE, 0xFF]), (true, []), (false, []),
        ]
        for (isLittle, mark) in wide {
            let text = "<?xml version='1.0' encoding='utf-32'?><rss><channel><title>Zoë 😀</title></channel></rss>"
            let bytes = text.unicodeScalars.flatMap { scalar -> [UInt8] in
                let bytes = (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
                return isLittle ? bytes : bytes.reversed()
            }
            #expect(try parse(mark + bytes, charset: "utf-32", pieces: 3).header.title == "Zoë 😀")
        }
        #expect(try feed("<?xml version='1.0' encoding='utf-32'?>", [UInt8]("ü".utf8)) == "ü")
        #expect(try feed("<?xml version='1.0' encoding='iso-8859-16'?>", [0xAA]) == "Ș")
        #expect(try parse([0xEF, 0xBB, 0xBF] + Array(full.utf8)).header.title == "A show")
    }

    @Test(
        "What is no feed is refused with a sentence",
        arguments: [
            ("<!DOCTYPE html><html><head><title>x</title></head></html>", "media.feedIsWebPage"),
            ("<html><body>404</body></html>", "media.feedIsWebPage"), ("", "media.feedEmpty"),
            ("<opml version='2.0'><body/></opml>", "media.notAFeed"), ("{\"error\": 1}", "media.notAFeed"),
            ("\u{0}\u{1}\u{2}", "media.notAFeed"),
        ]
    )
    func otherDocumentsAreRefused(text: String, code: String) {
        let error = #expect(throws: PodcastError.self) { try parse(text) }
        #expect(error?.code.rawValue == code)
        #expect(error?.message.last == ".")
    }

    @Test("A picture in place of a feed is called a picture, whatever its bytes look like")
    func pictures() {
        let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("JFIF\u{0}<yo>text".utf8)
        let error = #expect(throws: PodcastError.self) { try parse(bytes) }
        #expect(error?.code == .notAFeed && error?.message == "This is an image, not a podcast.")
        let list = #expect(throws: PodcastError.self) { try parse("<opml version='2.0'><body/></opml>") }
        #expect(list?.message == "This is an XML document of the kind 'opml', not a podcast.")
        let text = #expect(throws: PodcastError.self) { try parse("Nothing here.") }
        #expect(text?.message == "This is a text file, not a podcast.")
    }

    @Test(
        "Dates and durations that are none are left out",
        arguments: ["", "soon", "99:99:99:99", "32 Foo 2020", "-1", "1e999"]
    )
    func badTimesAreLeftOut(text: String) {
        #expect(FeedDates.seconds(text) == nil)
        #expect(FeedDates.duration(text) == nil)
    }
}
