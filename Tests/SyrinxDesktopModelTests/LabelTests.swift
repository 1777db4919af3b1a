import SyrinxListening
import SyrinxPlayback
import Testing

@testable import SyrinxDesktopModel

@Suite struct LabelTests {
    @Test(arguments: [
        (0.0, "0:00"), (59.99, "0:59"), (60, "1:00"), (100, "1:40"), (3599, "59:59"), (3600, "1:00:00"),
        (36_061, "10:01:01"), (-5, "0:00"),
    ])
    func `A time has minutes, and hours from the first on`(seconds: Double, text: String) {
        #expect(TimeText.clock(seconds) == text)
    }

    @Test func `The title is that of the tags, else the name, and none while nothing is open`() {
        #expect(TrackText(name: "a.flac", tags: ["title": "Song"]).title == "Song")
        #expect(TrackText(name: "a.flac", tags: ["title": ""]).title == "a.flac")
        #expect(TrackText(name: nil, tags: ["title": "Song"]).title.isEmpty)
        #expect(TrackText(ListeningSession(inputs: [], lifetime: .window)) == TrackText(name: nil, tags: [:]))
    }

    @Test func `Below the title are performer and album, or the station`() {
        func detail(_ tags: [String: String]) -> String { TrackText(name: "a", tags: tags).detail }
        #expect(detail(["artist": "Ann", "album": "First"]) == "Ann · First")
        #expect(detail(["artist": "", "album_artist": "Bob", "station": "Radio"]) == "Bob · Radio")
        #expect(detail(["artist": "Ann", "album_artist": "Bob"]) == "Ann")
        // An episode has its podcast for both.
        #expect(detail(["artist": "Show", "album": "Show"]) == "Show")
        #expect(detail([:]).isEmpty)
    }

    @Test func `All times of a long recording have hours`() {
        #expect(TimeText.clock(65, of: 3600) == "0:01:05")
        #expect(TimeText.clock(65, of: 3599.9) == "1:05")
    }

    @Test func `A label at the pointer has the decimals that the zoom tells apart`() {
        #expect(TimeText.precise(62.3456, secondsPerPixel: 0.5) == "1:02")
        #expect(TimeText.precise(62.3456, secondsPerPixel: 0.05) == "1:02.3")
        #expect(TimeText.precise(62.0456, secondsPerPixel: 0.005) == "1:02.04")
        #expect(TimeText.precise(62.0056, of: 7200, secondsPerPixel: 1e-5) == "0:01:02.005")
        #expect(TimeText.precise(0.3, secondsPerPixel: 0.05) == "0:00.3")
    }

    @Test func `The remaining time changes together with the position and ends at nothing`() {
        for tenth in 0...1255 {
            let position = Double(tenth) / 10
            let whole = Int(position)
            let rest = 125 - whole
            let seconds = rest % 60
            #expect(TimeText.remaining(position, of: 125.5) == "−\(rest / 60):\(seconds < 10 ? "0" : "")\(seconds)")
        }
        #expect(TimeText.remaining(200, of: 125.5) == "−0:00")
    }

    @Test func `The remaining time says how long listening takes at another speed`() {
        #expect(TimeText.remaining(20, of: 60, rate: 1.5) == "0:26 at 1.5×   −0:40")
        #expect(TimeText.remaining(0, of: 7200, rate: 2) == "1:00:00 at 2×   −2:00:00")
        #expect(TimeText.remaining(20, of: 60, rate: 1) == "−0:40")
        for rate in hostileNumbers where !(rate > 0) || rate.isInfinite {
            #expect(TimeText.remaining(20, of: 60, rate: rate).hasSuffix("−0:40"))
        }
    }

    @Test func `A screen reader hears the position in words`() {
        #expect(TimeText.spoken(65, of: 7200) == "1 minute 5 seconds of 2 hours")
        #expect(TimeText.spoken(0, of: nil) == "0 seconds")
        #expect(TimeText.spoken(3661, of: 3661) == "1 hour 1 minute 1 second of 1 hour 1 minute 1 second")
    }

    @Test(arguments: hostileNumbers)
    func `No number ends the program`(number: Double) {
        for other in hostileNumbers + [3600] {
            _ = TimeText.clock(number, of: other)
            _ = TimeText.precise(number, of: other, secondsPerPixel: other)
            _ = TimeText.precise(number, secondsPerPixel: 1e-5)
            _ = TimeText.remaining(number, of: other)
            _ = TimeText.spoken(number, of: other)
        }
        #expect(TimeText.clock(.nan) == TimeText.unknown)
    }

    @Test func `A bookmark is called by its title, or else by its position`() {
        #expect(BookmarkText.title(Bookmark(position: 65, title: "The bell")) == "The bell")
        #expect(BookmarkText.title(Bookmark(position: 65)) == "At 1:05")
    }
}
