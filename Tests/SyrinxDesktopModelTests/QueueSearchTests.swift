import Foundation
import SyrinxListening
import Testing

@testable import SyrinxDesktopModel

@Suite struct QueueSearchTests {
    private static func text(_ title: String, _ artist: String? = nil, _ album: String? = nil, file: String = "")
        -> String
    {
        let tags = ListeningTags(title: title, artist: artist, album: album)
        return QueueSearch.text(of: QueueRowText(name: file, tags: tags), tags: tags, names: [file])
    }

    private static let texts = [
        text("The Tide", "Nobody", "Shores", file: "01.ogg"),
        text("Brève Étude", "Zoë Müller", file: "étude.flac"),
        text("Salt", "The Shore Birds", file: "tide-2.mp3"),
        text("Straße", "Nobody", file: "04.ogg"),
    ]

    private func found(_ query: String, _ texts: [String] = texts) -> [Int]? {
        var search = QueueSearch()
        search.setTexts(texts)
        search.find(query)
        return search.matches
    }

    @Test func `A row is found by its title, performer, album or file`() {
        #expect(found("salt") == [2] && found("nobody") == [0, 3] && found("shores") == [0])
        #expect(found("01.ogg") == [0] && found("tide") == [0, 2] && found("nothing at all") == [])
    }

    @Test func `All words must occur, in any order and any part`() {
        #expect(found("shore tide") == [0, 2] && found("tide shore") == [0, 2])
        #expect(found("nobody tide") == [0] && found("nobody salt") == [])
        #expect(found(" \t nobody \n") == [0, 3])
        // The end of the title and the beginning of the performer are no word.
        #expect(found("tidenobody") == [])
    }

    @Test func `Case, accents and the width of letters make no difference`() {
        for query in ["etude", "ÉTUDE", "E\u{301}tude", "ｅｔｕｄｅ"] { #expect(found(query) == [1], "\(query)") }
        #expect(found("zoe muller") == [1] && found("MÜLLER") == [1] && found("breve") == [1])
        #expect(found("strasse") == [3] && found("STRASSE") == [3])
        let names = ["Cafe\u{301}.ogg", "Café.ogg", "ДВОЕ", "двое", "서울".decomposedStringWithCanonicalMapping]
        #expect(found("café", names) == [0, 1] && found("cafe", names) == [0, 1])
        #expect(found("Двое", names) == [2, 3] && found("서울", names) == [4])
    }

    @Test func `A query without words shows all rows`() {
        for query in ["", "  ", "\n"] { #expect(found(query) == nil, "\(query)") }
        var search = QueueSearch()
        search.setTexts(Self.texts)
        #expect(!search.isActive && search.shownCount(of: 4) == 4 && search.rows(at: 1..<3) == [1, 2])
        search.find("salt")
        #expect(search.isActive && search.shownCount(of: 4) == 1 && search.rows(at: 0..<9) == [2])
        #expect(search.rows(at: 5..<9).isEmpty)
        search.find("")
        #expect(!search.isActive && search.matches == nil)
        #expect(found("x", []) == [])
    }

    @Test func `Tags that are read later show or hide a row`() {
        var search = QueueSearch()
        search.setTexts(["a.ogg", "b.ogg", "c.ogg", "d.ogg"])
        search.find("nobody")
        #expect(search.matches == [])
        #expect(search.setText("b.ogg\nNobody", of: 1) && search.matches == [1])
        #expect(search.setText("d.ogg\nNobody", of: 3) && search.setText("a.ogg\nNobody", of: 0))
        #expect(search.matches == [0, 1, 3])
        #expect(!search.setText("b.ogg\nNobody again", of: 1) && !search.setText("c.ogg\nSome", of: 2))
        #expect(search.setText("b.ogg", of: 1) && search.matches == [0, 3])
        #expect(!search.setText("Nobody", of: 4) && !search.setText("Nobody", of: -1))
        search.find("ogg")
        #expect(search.matches == [0, 1, 2, 3])
        search.find("")
        #expect(!search.setText("Nobody", of: 2) && search.matches == nil)
        search.find("nobody")
        #expect(search.matches == [0, 2, 3])
    }

    @Test func `Other rows are searched for the same words`() {
        var search = QueueSearch()
        search.setTexts(Self.texts)
        search.find("nobody")
        search.setTexts(Array(Self.texts.dropFirst()))
        #expect(search.matches == [2])
        search.setTexts([])
        #expect(search.matches == [] && search.isActive)
    }

    @Test func `The focus goes to the next row that is shown, else to the last`() {
        var search = QueueSearch()
        #expect(search.nearest(to: 3, count: 4) == 3 && search.nearest(to: 4, count: 4) == 3)
        #expect(search.nearest(to: -1, count: 4) == 0 && search.nearest(to: 0, count: 0) == nil)
        search.setTexts(Self.texts)
        search.find("tide")
        #expect(search.nearest(to: 0, count: 4) == 0 && search.nearest(to: 1, count: 4) == 2)
        #expect(search.nearest(to: 3, count: 4) == 2)
        search.find("nothing at all")
        #expect(search.nearest(to: 0, count: 4) == nil)
    }

    @Test func `A long queue and a long query are searched`() {
        let texts = (0..<2000).map { Self.text("Recording \($0)", "Singer \($0 % 7)", file: "\($0).mp3") }
        #expect(found("singer 3", texts)?.contains(3) == true)
        #expect(found("recording 1999", texts) == [1999])
        #expect(found("r", texts)?.count == 2000)
        let long = String(repeating: "singer ", count: 100_000)
        #expect(found(long, texts)?.count == 2000)
        #expect(found(String(repeating: "a", count: 100_000), texts) == [])
    }

    @Test func `Each text occurs once in what is searched`() {
        let text = QueueSearch.text(
            of: QueueRowText(name: "a.ogg"),
            tags: ListeningTags(),
            names: ["a.ogg", "", "b.ogg"]
        )
        #expect(text == "a.ogg\nb.ogg")
        #expect(Self.text("Salt", "Birds", "Shores", file: "x") == "Salt\nBirds\nShores\nx")
    }

    @Test func `An empty list says why, and the heading tells how many are found`() {
        #expect(QueueRows.emptyText(isSearch: true) == "Nothing found")
        #expect(QueueRows.emptyText(isSearch: false).contains("open or drop"))
        #expect(QueueRows.summary(found: 3, of: 30) == "3 of 30")
    }
}
