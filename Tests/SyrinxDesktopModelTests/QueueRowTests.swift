import Foundation
import SyrinxListening
import Testing

@testable import SyrinxDesktopModel

@Suite struct QueueRowTests {
    @Test func `A row shows the title, the performer and the length of the tags`() {
        let tags = ListeningTags(title: " The\nTide ", artist: "Nobody", album: "Shores", duration: 194.6)
        let row = QueueRowText(name: "02.mp3", tags: tags)
        #expect(row.title == "The Tide" && row.detail == "Nobody" && row.length == "3:14")
        #expect(row.spoken == "The Tide, Nobody, 3 minutes 14 seconds")
    }

    @Test func `A row without tags shows the name, and of an address the host`() {
        let row = QueueRowText(name: "02.mp3")
        #expect(row == QueueRowText(name: "02.mp3", tags: ListeningTags(title: "  ", artist: "")))
        #expect(row.title == "02.mp3" && row.detail.isEmpty && row.length.isEmpty && row.spoken == "02.mp3")
        #expect(QueueRowText(name: "live", host: "radio.example").detail == "radio.example")
        #expect(QueueRowText(name: "a", tags: ListeningTags(album: "Shores")).detail == "Shores")
    }

    @Test func `A text without end is cut, and a length that is none is not shown`() {
        let long = String(repeating: "a b", count: 100_000)
        let row = QueueRowText(name: "x", tags: ListeningTags(title: long, duration: .infinity))
        #expect(row.title.count == QueueRowText.maximumCount && row.length.isEmpty)
    }

    @Test func `Letters with marks without end are cut too`() {
        let long = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect(QueueRowText(name: long).title.utf8.count <= 4 * ListeningTags.maximumLength)
        #expect(QueueRowText(name: "x", tags: ListeningTags(title: long)).title.utf8.count < 4_000)
    }

    @Test func `The sum of the lengths is told once all are known`() {
        #expect(QueueRows.summary([]).isEmpty)
        #expect(QueueRows.summary([60]) == "1 recording · 1:00")
        #expect(QueueRows.summary([60, nil, 30]) == "3 recordings")
        #expect(QueueRows.summary([3600, 125]) == "2 recordings · 1:02:05")
        #expect(QueueRows.summary([60, .nan]) == "2 recordings")
        var reads = 0
        _ = QueueRows.summary(
            (0..<1000).lazy.map { _ in
                reads += 1
                return nil
            }
        )
        #expect(reads == 1, "the first that is not known ends it")
    }

    @Test func `Rows are filled that are seen, and half a page around them`() {
        func rows(_ top: Double, height: Double = 400, pitch: Double = 50, count: Int = 1000) -> Range<Int> {
            QueueRows.visible(top: top, height: height, pitch: pitch, count: count)
        }
        #expect(rows(0) == 0..<13 && rows(5000) == 96..<113 && rows(-200) == 0..<9)
        #expect(rows(49_600) == 988..<1000 && rows(1e12).isEmpty && rows(0, count: 3) == 0..<3)
        #expect(
            rows(0, pitch: 0).isEmpty && rows(.nan).isEmpty && rows(0, height: 0).isEmpty && rows(0, count: 0).isEmpty
        )
    }

    @Test func `Rows are hidden in an order in which rows that are shown are near`() {
        #expect(QueueRows.hidingOrder(count: 7) == [0, 2, 4, 6, 1, 5, 3] && QueueRows.hidingOrder(count: 0).isEmpty)
        for count in [1, 2, 100, 2000] {
            let order = QueueRows.hidingOrder(count: count)
            #expect(order.sorted() == Array(0..<count))
            var (isHidden, steps) = ([Bool](repeating: false, count: count), 0)
            for row in order {
                isHidden[row] = true
                steps += isHidden[..<row].reversed().prefix { $0 }.count + isHidden[(row + 1)...].prefix { $0 }.count
            }
            #expect(steps <= 16 * count, "one after the other they would be half the square of the number")
        }
    }

    @Test func `What was seen longest ago is forgotten first, what is seen never`() {
        var covers = KeptCovers<String, Int>(limit: 3)
        for key in ["a", "b", "c"] {
            #expect(covers.see([key]) == [key])
            covers.keep(1, of: key)
        }
        #expect(covers.see(["a"]).isEmpty)
        #expect(covers.see(["d", "a"]) == ["d"])
        covers.keep(nil, of: "d")
        #expect(covers["b"] == nil && covers["a"] == 1 && covers.count == 3)
        #expect(covers.see(["d"]).isEmpty, "it has no cover")
        let many = (0..<8).map { "\($0)" }
        #expect(covers.see(many) == many)
        for key in many { covers.keep(2, of: key) }
        #expect(many.allSatisfy { covers[$0] == 2 } && covers.count == 8)
        covers.keepOnly(["1", "2"])
        #expect(covers.count == 2 && covers.see(["0", "1"]) == ["0"])
    }
}
