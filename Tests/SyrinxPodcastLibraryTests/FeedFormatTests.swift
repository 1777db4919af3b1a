import Foundation
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Formats of feeds") struct FeedFormatTests {
    private func atom(_ entry: String, head: String = "", version: String = "http://www.w3.org/2005/Atom") throws
        -> ParsedFeed
    {
        try parse("<feed xmlns=\"\(version)\">\(head)<entry><id>1</id>\(entry)</entry></feed>")
    }

    @Test("RSS 1.0 has its items beside the channel, and names them by their URI", arguments: ["", "rss:"])
    func rdfIsRead(prefix: String) throws {
        let name = prefix.isEmpty ? "xmlns" : "xmlns:rss"
        let text = """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \(name)="http://purl.org/rss/1.0/"
                xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#"
                xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
            <_channel rdf:about="https://host.example/"><_title>A show</_title><_link>https://host.example/</_link>
            <_description>About</_description><dc:language>de</dc:language><dc:creator>Me</dc:creator><sy:title>No</sy:title>
            <_items><rdf:Seq><rdf:li resource="https://host.example/1"/></rdf:Seq></_items></_channel>
            <_image><_title>Logo</_title><_url>https://host.example/i.png</_url><_link>https://no.example/</_link></_image>
            <_item rdf:about="https://host.example/1"><_title>One</_title><_link>https://host.example/one</_link>
            <dc:date>2020-09-01T10:00:00Z</dc:date><dc:description>Notes</dc:description><dc:creator>Ada</dc:creator>
            <enc:enclosure rdf:resource="/1.mp3" enc:type="audio/mpeg" enc:length="7"/></_item></rdf:RDF>
            """
        let feed = try parse(text.replacing("<_", with: "<\(prefix)").replacing("</_", with: "</\(prefix)"))
        #expect(feed.header.title == "A show" && feed.header.link == "https://host.example/")
        #expect(feed.header.summary == "About" && feed.header.language == "de" && feed.header.author == "Me")
        #expect(feed.header.artworkURL == "https://host.example/i.png")
        let episode = try #require(feed.episodes.first)
        #expect(feed.episodes.count == 1 && episode.title == "One" && episode.identity == "https://host.example/1")
        #expect(episode.link == "https://host.example/one" && episode.published == 1_598_954_400)
        #expect(episode.summary == "Notes" && episode.author == "Ada")
        #expect(episode.mediaURL == "https://host.example/1.mp3" && episode.mediaType == "audio/mpeg")
        #expect(episode.mediaLength == 7)
    }

    @Test(
        "RSS with a prefix or a namespace is RSS",
        arguments: ["http://purl.org/rss/1.0/", "http://backend.userland.com/rss2"]
    )
    func prefixedRSSIsRead(uri: String) throws {
        let feed = try parse(
            """
            <r:rss xmlns:r="\(uri)"><r:channel><r:title>A show</r:title><r:item><r:title>One</r:title><r:guid>1</r:guid>
            <r:pubDate>1 Sep 2020</r:pubDate></r:item></r:channel></r:rss>
            """
        )
        #expect(feed.header.title == "A show" && feed.episodes.map(\.title) == ["One"])
        #expect(feed.episodes.first?.published == 1_598_918_400)
    }

    @Test("Atom 0.3 has a tagline, other names of dates, and a mode of each text")
    func atom03IsRead() throws {
        let feed = try atom(
            """
            <title mode="escaped" type="text/html">One &lt;b&gt;two&lt;/b&gt;</title><issued>2020-09-01T10:00:00Z</issued>
            <modified>2021-01-01</modified><summary type="text/html" mode="base64">PHA+QSAmbHQ7YiZndDs8L3A+</summary>
            <content type="text/plain" mode="escaped">Less &lt; more</content>
            """,
            head:
                "<title>A show</title><tagline mode=\"base64\">PEE+ICYgQg==</tagline><author><name>Me</name></author>",
            version: "http://purl.org/atom/ns#"
        )
        #expect(feed.header.title == "A show" && feed.header.summary == "<A> & B" && feed.header.author == "Me")
        let entry = try #require(feed.episodes.first)
        #expect(entry.title == "One two" && entry.published == 1_598_954_400 && entry.summary == "Less < more")
        #expect(
            try atom("<summary type=\"text/html\" mode=\"base64\">PHA+QSAmbHQ7YiZndDs8L3A+</summary>").episodes[0]
                .summary == "A <b>"
        )
    }

    @Test(
        "The type of a text of Atom says what is markup in it",
        arguments: [
            ("", "All about &lt;b&gt; &amp;amp;", "All about <b> &amp;"), ("text", "&lt;p&gt;", "<p>"),
            ("html", "All &lt;b&gt;bold&lt;/b&gt; &amp;lt;i&amp;gt; &amp;amp;", "All bold <i> &"),
            (
                "xhtml",
                "<div xmlns=\"http://www.w3.org/1999/xhtml\">A &lt;b&gt; <b>c</b><script>no &lt;p&gt; no</script></div>",
                "A <b> c"
            ),
            ("application/xhtml+xml", "<div>A &lt;b&gt; <b>c</b></div>", "A <b> c"),
        ]
    )
    func textTypes(type: String, text: String, plain: String) throws {
        let attribute = type.isEmpty ? "" : " type=\"\(type)\""
        let entry = try atom("<title\(attribute)>\(text)</title><summary\(attribute)>\(text)</summary>").episodes[0]
        #expect(entry.title == plain && entry.summary == plain)
    }

    @Test("Content of Atom of an unknown type is Base64 of HTML")
    func encodedTexts() throws {
        // "A <b>B</b>" as bytes of an unknown type.
        #expect(
            try atom("<title type=\"application/octet-stream\">QSA8Yj5C\nPC9iPg==</title>").episodes[0].title == "A B"
        )
    }

    @Test("The language of a feed is its own element, or xml:lang of its root", arguments: [("de", "en"), ("", "fr")])
    func languages(element: String, language: String) throws {
        let own = element.isEmpty ? "" : "<language>en</language>"
        let feed = try parse("<rss xml:lang=\"fr\"><channel xml:lang=\"de\">\(own)<title>T</title></channel></rss>")
        #expect(feed.header.language == language)
    }

    @Test("Notes may be an item's body", arguments: ["body", "fullitem", "xhtml:body"])
    func bodies(name: String) throws {
        let item = "<item><guid>1</guid><\(name)>One <b>two</b><script>no</script></\(name)></item>"
        let feed = try parse("<rss xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"><channel>\(item)</channel></rss>")
        #expect(feed.episodes[0].summary == "One two")
    }

    @Test("Content that is no text is none, and the summary counts")
    func otherContent() throws {
        let entry = try atom("<summary>Notes</summary><content type=\"image/png\">iVBORw0KGgo=</content>").episodes[0]
        #expect(entry.summary == "Notes")
        #expect(
            try atom("<summary>Notes</summary><content type=\"html\">&lt;img src='a'&gt;</content>").episodes[0].summary
                == "Notes"
        )
    }

    @Test(
        "In a title of RSS only elements of HTML are markup",
        arguments: [
            ("All about &lt;Tea&gt; &amp;amp; co", "All about <Tea> & co"),
            ("<![CDATA[<Tea> <i>time</i>]]>", "<Tea> time"),
            ("I &lt;3 you", "I <3 you"), ("List&lt;Int&gt;", "List<Int>"),
            ("&lt;p&gt;One&lt;/p&gt;&lt;p&gt;two", "One two"),
            ("Safe&lt;script&gt;no()&lt;/script&gt; text", "Safe text"),
        ]
    )
    func titles(text: String, title: String) throws {
        #expect(try parse(rss("<item><guid>1</guid><title>\(text)</title></item>")).episodes[0].title == title)
    }

    @Test(
        "Scripts, styles and comments are no text",
        arguments: [
            ("<p>One</p><script>if (a < b) { '</p>' }</script><p>two</p>", "One\n\ntwo"),
            ("<STYLE type='a'>p > b { }</Style >One", "One"), ("One<!-- <p>no --> two -->", "One two -->"),
            ("One<script src='a'/> two", "One two"), ("One<script>no end", "One"),
            ("One <?php echo 1 ?>two", "One two"),
            ("One <!-- no end", "One"), ("<scripture>One</scripture>", "One"),
        ]
    )
    func silentElements(html: String, plain: String) throws {
        #expect(HTMLText.plain(html) == plain)
        let feed = try parse(rss("<item><guid>1</guid><description><![CDATA[\(html)]]></description></item>"))
        #expect(feed.episodes[0].summary == plain)
    }

    @Test("Relative URLs are relative to xml:base of their own or of an outer element")
    func bases() throws {
        let feed = try parse(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/one/"><link href="page"/>
            <entry xml:base="two/"><id>1</id><link rel="enclosure" type="audio/mpeg" href="1.mp3"/>
            <link href="1" xml:base="https://b.example/"/></entry>
            <entry><id>2</id><link rel="enclosure" type="audio/mpeg" href="2.mp3"/><link href="2" xml:base="javascript:1"/></entry>
            <link rel="next" href="?page=2"/></feed>
            """
        )
        #expect(feed.header.link == "https://a.example/one/page")
        #expect(feed.episodes.map(\.mediaURL) == ["https://a.example/one/two/1.mp3", "https://a.example/one/2.mp3"])
        #expect(feed.episodes.map(\.link) == ["https://b.example/1", "https://a.example/one/2"])
        #expect(feed.header.nextPage == "https://a.example/one/?page=2")
    }

    @Test(
        "The base of a document is its Content-Location, if it has one that is a URL of the web",
        arguments: [
            ("https://a.example/x/", "https://a.example/x/"), ("sub/f.xml", "https://host.example/sub/f.xml"),
            ("ftp://a.example/", "https://host.example/feed"),
        ]
    )
    func contentLocation(location: String, base: String) {
        #expect(FeedURL.base("https://host.example/feed", contentLocation: location)?.absoluteString == base)
    }

    @Test(
        "An author is a name, however the feed writes it",
        arguments: [
            ("<author>me@host.example (Ada L.)</author>", "Ada L."),
            ("<author>Ada &lt;me@host.example&gt;</author>", "Ada"),
            ("<dc:creator>Ada (me@host.example)</dc:creator>", "Ada"),
            ("<itunes:author>Ada (host)</itunes:author>", "Ada (host)"),
            ("<author>me@host.example</author>", "me@host.example"), ("<author/><dc:creator>Ada</dc:creator>", "Ada"),
        ]
    )
    func authors(element: String, name: String) throws {
        let feed = try parse(rss("<item><guid>1</guid>\(element)</item>", channel: element))
        #expect(feed.episodes[0].author == name && feed.header.author == name)
    }

    @Test("Names of contributors and e-mail addresses are not the author of an Atom feed")
    func atomAuthors() throws {
        let people = """
            <contributor><name>Bob</name></contributor><author><email>me@host.example</email><name>Ada</name></author>
            """
        let feed = try atom(people, head: people)
        #expect(feed.header.author == "Ada" && feed.episodes[0].author == "Ada")
        #expect(try parse("<feed><author><email>e</email><name>Ada</name></author></feed>").header.author == "Ada")
    }

    @Test("Media RSS gives title, notes, picture, recording and its length, also in a group")
    func mediaFields() throws {
        let group = """
            <media:group><media:title>Other</media:title><media:description type="html">&lt;b&gt;Notes&lt;/b&gt;</media:description>
            <media:thumbnail url="/t.png"/><media:content url="/p.png" medium="image"/>
            <media:content url="/1.mp3" type="audio/mpeg" fileSize="9" duration="61"/></media:group>
            """
        let start = "<rss xmlns:media=\"http://search.yahoo.com/mrss/\"><channel>"
        let items = "<item><guid>1</guid>\(group)</item><item><guid>2</guid>\(group)<title>Own</title></item>"
        let feed = try parse("\(start)\(items)</channel></rss>")
        #expect(feed.episodes.map(\.title) == ["Other", "Own"])
        let episode = feed.episodes[0]
        #expect(episode.summary == "Notes" && episode.artworkURL == "https://host.example/t.png")
        #expect(episode.mediaURL == "https://host.example/1.mp3" && episode.mediaLength == 9 && episode.duration == 61)
    }

    @Test("An identity that is a permanent link is the link of an episode without one")
    func permanentLinks() throws {
        let items = """
            <item><guid>https://host.example/1</guid></item><item><guid isPermaLink="false">https://host.example/2</guid></item>
            <item><guid>https://host.example/3</guid><link>/three</link></item><item><guid>4</guid></item>
            """
        #expect(
            try parse(rss(items)).episodes.map(\.link) == [
                "https://host.example/1", nil, "https://host.example/three", nil,
            ]
        )
    }
}
