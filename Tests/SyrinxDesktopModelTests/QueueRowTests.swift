import Foundation
import Testing

@testable import SyrinxDesktopModel

@Suite struct QueueRowTests {
    @Test func `A row shows the title, the performer and the length of the tags`() {
        let tags = QueueTags(title: " The\nTide ", artist: "Nobody", album: "Shores", duration: 194.6)
        let row = QueueRowText(name: "02.mp3", tags: tags)
        #expect(row.title == "The Tide" && row.detail == "Nobody" && row.length == "3:14")
        #expect(row.spoken == "The Tide, Nobody, 3 minutes 14 seconds")
    }

    @Test func `A row without tags shows the name, and of an address the host`() {
        let row = QueueRowText(name: "02.mp3")
        #expect(row == QueueRowText(name: "02.mp3", tags: QueueTags(title: "  ", artist: "")))
        #expect(row.title == "02.mp3" && row.detail.isEmpty && row.length.isEmpty && row.spoken == "02.mp3")
        #expect(QueueRowText(name: "live", host: "radio.example").detail == "radio.example")
        #expect(QueueRowText(name: "a", tags: QueueTags(album: "Shores")).detail == "Shores")
    }

    @Test func `An episode keeps the title that it was chosen by`() {
        let row = QueueRowText(name: "Low Water", keepsName: true, tags: QueueTags(title: "ep-12", artist: "Nobody"))
        #expect(row.title == "Low Water" && row.detail == "Nobody")
    }

    @Test func `A text without end is cut, and a length that is none is not shown`() {
        let long = String(repeating: "a b", count: 100_000)
        let row = QueueRowText(name: "x", tags: QueueTags(title: long, duration: .infinity))
        #expect(row.title.count == QueueRowText.maximumCount && row.length.isEmpty)
        for length in [Double.nan, -1, 0, -Double.infinity] { #expect(QueueTags(duration: length).duration == nil) }
    }

    @Test func `Letters with marks without end are cut too`() {
        let long = "e" + String(repeating: "\u{301}", count: 100_000)
        let tags = QueueTags(title: long, artist: long, album: long)
        #expect(
            [tags.title, tags.artist, tags.album].allSatisfy { $0?.unicodeScalars.count == QueueRowText.maximumRead }
        )
        #expect(QueueRowText(name: long).title.utf8.count <= 4 * QueueRowText.maximumRead)
        #expect(QueueTags(title: "Zoe\u{308}").title == "Zoë")
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

    @Test func `Tags are read one at a time, each once, and only of what is seen`() {
        var reading = TagReading<Int>(limit: 10)
        #expect(reading.want(["a", "b", "c"]) == "a")
        #expect(reading.want(["b", "c", "d"]) == nil)
        #expect(reading.take(1, of: "a") == "b")
        #expect(reading.take(nil, of: "b") == "c")
        #expect(reading.want(["a", "b"]) == nil)
        #expect(reading.take(3, of: "c") == nil)
        #expect(reading.value(of: "a") == 1 && reading.value(of: "b") == nil && reading.value(of: "c") == 3)
        #expect(reading.want(["d", "a"]) == "d")
    }

    @Test func `What was seen longest ago is forgotten first, what is seen never`() {
        var reading = TagReading<Int>(limit: 3)
        for key in ["a", "b", "c"] {
            #expect(reading.want([key]) == key)
            #expect(reading.take(1, of: key) == nil)
        }
        #expect(reading.want(["a"]) == nil)
        #expect(reading.want(["d"]) == "d")
        #expect(reading.take(1, of: "d") == nil)
        #expect(reading.value(of: "b") == nil && reading.value(of: "a") == 1 && reading.keptCount == 3)
        let many = (0..<8).map { "\($0)" }
        var next = reading.want(many)
        for _ in many { next = next.flatMap { reading.take(1, of: $0) } }
        #expect(next == nil && many.allSatisfy { reading.value(of: $0) == 1 } && reading.keptCount == 8)
    }

    @Test func `Reading ends, whatever is scrolled meanwhile`() {
        var chance = Chance(11)
        for _ in 0..<200 {
            let limit = chance.int(1...12)
            var reading = TagReading<Int>(limit: limit)
            var (running, reads, seen): (String?, Int, [String]) = (nil, 0, [])
            for _ in 0..<60 {
                if let key = running, chance.int(0...1) == 0 {
                    reads += 1
                    running = reading.take(chance.int(0...3) == 0 ? nil : 1, of: key)
                } else {
                    let first = chance.int(0...20)
                    seen = (first..<first + chance.int(0...6)).map { "\($0)" }
                    let next = reading.want(seen)
                    #expect(running == nil || next == nil)
                    running = running ?? next
                }
            }
            var rest = 0
            while let key = running {
                (running, rest) = (reading.take(1, of: key), rest + 1)
                guard rest < 10 else { break }
            }
            #expect(rest <= 7 && reading.want(seen) == nil && reading.keptCount <= max(limit, seen.count))
        }
    }
}
