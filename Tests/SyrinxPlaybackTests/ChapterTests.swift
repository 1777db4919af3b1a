import Foundation
import SyrinxByteStream
import SyrinxPlayback
import SyrinxTestSupport
import Testing

@Suite("Chapters") struct ChapterTests {
    @Test("The source with more chapters gives the times, and the others fill in what it lacks") func merge() {
        var list = ChapterList(duration: 100)
        list.set([Chapter(start: 0, title: "File"), Chapter(start: 50)], from: .file)
        #expect(list.chapters.map(\.end) == [50, 100])
        list.set(
            [
                Chapter(start: 0.4, title: "Feed", link: "https://a"),
                Chapter(start: 20, title: "Hidden", isHidden: true),
                Chapter(start: 50.6, title: "Second"),
            ],
            from: .podcastDocument
        )
        // Hidden chapters do not count, so that the file's times stay.
        #expect(list.chapters.map(\.start) == [0, 50])
        #expect(list.chapters.map(\.title) == ["File", "Second"])
        #expect(list.chapters[0].link == "https://a")
        list.set([0, 30, 60].map { Chapter(start: $0) }, from: .podlove)
        #expect(list.chapters.map(\.start) == [0, 30, 60])
        #expect(list.chapters.map(\.title) == ["File", nil, nil])
        list.set([], from: .podlove)
        #expect(list.chapters.map(\.start) == [0, 50])
    }

    @Test("Chapters that start together are one") func duplicates() {
        var list = ChapterList()
        list.set(
            [
                Chapter(start: 10, link: "l"), Chapter(start: .nan), Chapter(start: -1),
                Chapter(start: 10.01, title: "t"),
            ],
            from: .file
        )
        #expect(list.chapters == [Chapter(start: 10, title: "t", link: "l")])
    }

    @Test("Next and previous lead from chapter to chapter, and previous has a grace") func moving() {
        var list = ChapterList(duration: 40)
        list.set([Chapter(start: 0), Chapter(start: 20, end: 25), Chapter(start: 30)], from: .file)
        #expect(list.next(after: 0)?.start == 20)
        #expect(list.next(after: 30) == nil)
        #expect(list.previous(before: 24)?.start == 20)
        #expect(list.previous(before: 22)?.start == 0)
        #expect(list.previous(before: 1)?.start == 0)
        #expect(list.previous(before: .nan) == nil)
        #expect(list.index(at: 24.9) == 1)
        #expect(list.index(at: 25) == nil)
        #expect(list.index(at: .nan) == nil)
        #expect(list.index(at: -1) == nil)
    }

    @Test("A hidden chapter is a marker within a chapter, which it does not end") func hidden() {
        var list = ChapterList(duration: 40)
        list.set(
            [
                Chapter(start: 0, title: "A"), Chapter(start: 10, image: "i", isHidden: true), Chapter(start: 20),
                Chapter(start: 30, end: 35, isHidden: true),
            ],
            from: .podcastDocument
        )
        #expect(list.chapters.map(\.end) == [20, 40])
        #expect(list.chapter(at: 12)?.title == "A")
        #expect(list.marker(at: 9) == nil)
        #expect(list.marker(at: 12)?.image == "i")
        // The picture of a marker does not outlast the chapter.
        #expect(list.markers.map(\.end) == [20, 35])
        list.set([Chapter(start: 0), Chapter(start: 1), Chapter(start: 2)], from: .file)
        #expect(list.markers.map(\.start) == [10, 30])
    }

    @Test("Any reports in any order give ordered chapters that do not overlap", arguments: 0..<200) func random(
        seed: Int
    ) {
        var generator = SplitMixGenerator(seed: UInt64(seed))
        var list = ChapterList()
        var reports: [ChapterSource: [Chapter]] = [:]
        for _ in 0..<20 {
            let source = ChapterSource.allCases.randomElement(using: &generator) ?? .file
            let special = [Double.nan, .infinity, -1, 1e300]
            let chapters = (0..<Int.random(in: 0..<8, using: &generator)).map { _ in
                Chapter(
                    start: Int.random(in: 0..<8, using: &generator) == 0
                        ? special.randomElement(using: &generator) ?? 0 : .random(in: 0..<20, using: &generator),
                    end: Bool.random(using: &generator) ? .random(in: -5..<30, using: &generator) : nil,
                    isHidden: Int.random(in: 0..<4, using: &generator) == 0
                )
            }
            reports[source] = chapters
            list.set(chapters, from: source)
            if Bool.random(using: &generator) { list.duration = .random(in: 1..<30, using: &generator) }
            for chapters in [list.chapters, list.markers] {
                for (one, two) in zip(chapters, chapters.dropFirst()) {
                    #expect(one.start < two.start)
                    #expect((one.end ?? .infinity) <= two.start)
                }
            }
            #expect(list.chapters.allSatisfy { !$0.isHidden } && list.markers.allSatisfy(\.isHidden))
            for (index, chapter) in list.chapters.enumerated() {
                #expect(list.index(at: chapter.start) == index)
                #expect((chapter.end ?? .infinity) > chapter.start)
            }
        }
        // The order in which sources report does not matter.
        var again = ChapterList(duration: list.duration)
        for (source, chapters) in reports { again.set(chapters, from: source) }
        #expect(again.chapters == list.chapters && again.markers == list.markers)
    }
}

@Suite("Documents of chapters") struct ChapterDocumentTests {
    @Test("A Podcasting 2.0 document keeps fractions and hidden chapters, and bad entries do not spoil it")
    func podcastDocument() throws {
        let text = """
            {"version":"1.2.0","chapters":[{"startTime":1.25,"title":" A ","url":"u","img":"i","endTime":3},
            {"title":"no start"},{"startTime":"00:01:02.5","toc":false},{"startTime":-4},{"startTime":1e999}, 7, null,
            {"startTime":true},{"startTime":1e10},{"startTime":[[]]},{"startTime":70,"title":7,"endTime":-1,"toc":"no"}]}
            """
        #expect(
            try ChapterDocuments.podcastDocument(Data(text.utf8)) == [
                Chapter(start: 1.25, end: 3, title: "A", link: "u", image: "i"), Chapter(start: 62.5, isHidden: true),
                Chapter(start: 70),
            ]
        )
    }

    @Test(
        "What is no document of chapters has a typed error",
        arguments: [
            "", "[]", "{}", #"{"chapters":{}}"#, #"{"chapters":[{"startTime":1}"#,
            String(repeating: "[", count: 1 << 20),
            #"{"chapters":"# + String(repeating: "[", count: 1 << 20),
            String(repeating: #"{"chapters":"#, count: 1 << 16),
        ]
    ) func badDocument(text: String) {
        #expect { try ChapterDocuments.podcastDocument(Data(text.utf8)) } throws: {
            // A sentence, and not "error 1".
            ($0 as? PlaybackError)?.code == .badChapters && $0.localizedDescription.hasSuffix(".")
        }
    }

    @Test("Documents with more chapters than are read, and entities, cost little") func hostile() throws {
        let entry = #"{"startTime":1},"#
        let many = #"{"chapters":["# + String(repeating: entry, count: 200_000) + "{}]}"
        #expect(try ChapterDocuments.podcastDocument(Data(many.utf8)).count == ChapterList.maximumCount)
        let elements = "<chapters>" + String(repeating: "<chapter start='1'/>", count: 100_000) + "</chapters>"
        #expect(try ChapterDocuments.podlove(Data(elements.utf8)).count == ChapterList.maximumCount)
        // Gigabytes, if all were expanded.
        let piece = String(repeating: "e", count: 1 << 20)
        let blowUp =
            "<!DOCTYPE a [<!ENTITY e '\(piece)'>]><chapters>"
            + String(
                repeating: "<chapter start='1' title='&e;'/>",
                count: 5_000
            )
        let titles = try ChapterDocuments.podlove(Data(blowUp.utf8)).compactMap(\.title)
        #expect(titles.map(\.utf8.count).reduce(0, +) <= ChapterDocuments.maximumBytes)
        var list = ChapterList(duration: 1e300)
        list.set((0..<1_000_000).lazy.map { Chapter(start: Double($0) * 2_000) }, from: .file)
        #expect(list.chapters.count == ChapterList.maximumCount)
    }

    @Test("Podlove chapters are read under any prefix, and before a break") func podlove() throws {
        let text = """
            <psc:chapters xmlns:psc="http://podlove.org/simple-chapters"><psc:chapter start="00:00:01.5" title="A &amp; B"
            href="h" image="i"/><psc:chapter title="none"/><psc:chapter start="1:00:00"/><psc:chapter start="2:
            """
        #expect(
            try ChapterDocuments.podlove(Data(text.utf8)) == [
                Chapter(start: 1.5, title: "A & B", link: "h", image: "i"), Chapter(start: 3_600),
            ]
        )
        #expect(throws: PlaybackError.self) { try ChapterDocuments.podlove(Data("<a".utf8)) }
        #expect(throws: PlaybackError.self) { try ChapterDocuments.podlove(Data(count: (4 << 20) + 1)) }
    }

    @Test(
        "Only play times are taken as such",
        arguments: [
            "", ":", "1:", "-1", "1e5", "nan", "1:2:3:4", "1.5:2", "1..2", "٣", "1\u{301}",
            String(repeating: "9", count: 400),
        ]
    )
    func badTime(text: String) { #expect(ChapterDocuments.playTime(text) == nil) }

    @Test("Chapters are read and merged in time and memory proportional to their number", arguments: [false, true])
    func growth(isXML: Bool) throws {
        let growth = try Growth(from: 2_000) { count in
            let chapters: [Chapter]
            if isXML {
                let entries = (0..<count).map { "<psc:chapter start=\"\($0)\" title=\"T\"/>" }.joined()
                let text = "<psc:chapters xmlns:psc=\"http://podlove.org/simple-chapters\">\(entries)</psc:chapters>"
                chapters = try ChapterDocuments.podlove(Data(text.utf8))
            } else {
                let entries = (0..<count).map { "{\"startTime\":\($0),\"title\":\"T\"}" }.joined(separator: ",")
                chapters = try ChapterDocuments.podcastDocument(Data("{\"chapters\":[\(entries)]}".utf8))
            }
            var list = ChapterList(duration: 1e6)
            list.set(chapters, from: isXML ? .podlove : .podcastDocument)
            list.set(chapters, from: .file)
            #expect(list.chapters.count >= 1_000)
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Podlove chapters whose names are no text end nothing, and other encodings are read")
    func encodings() throws {
        let text = "<c \u{1}=\"1\"><chapter start=\"1\" title=\"Über\" \u{1}=\"\u{1}\"/></c>"
        _ = try? ChapterDocuments.podlove(Data(text.utf8.flatMap { $0 == 1 ? [0xFF, 0xFF] : [$0] }))
        let latin = "<?xml version=\"1.0\" encoding=\"windows-1252\"?><c><chapter start=\"1\" title=\"Über\"/></c>"
        let chapters = try ChapterDocuments.podlove(Data(latin.unicodeScalars.map { UInt8($0.value) }))
        #expect(chapters.map(\.title) == ["Über"])
    }
}
