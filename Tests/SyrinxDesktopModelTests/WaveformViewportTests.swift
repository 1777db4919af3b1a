import Testing

@testable import SyrinxDesktopModel

@Suite struct WaveformViewportTests {
    private static let tenHours = 36_000.0

    private func viewport(_ seconds: Double = tenHours, width: Double = 1920) -> WaveformViewport {
        var viewport = WaveformViewport(width: width)
        viewport.setExtent(.known(seconds))
        return viewport
    }

    @Test func `A recording of known length is shown whole at first`() {
        let viewport = viewport()
        #expect(viewport.isWhole)
        #expect(viewport.time(atPixel: 0) == 0)
        #expect(viewport.time(atPixel: 1920) == Self.tenHours)
        #expect(viewport.pixel(at: Self.tenHours) == 1920)
    }

    @Test func `Ten hours are zoomed to milliseconds while the anchor stays at its pixel`() {
        var viewport = viewport()
        let anchor = viewport.time(atPixel: 700)
        for _ in 0..<200 {
            viewport.zoom(by: 1.25, aroundPixel: 700)
            #expect(abs(viewport.pixel(at: anchor) - 700) < 1e-3)
        }
        #expect(abs(viewport.length - 0.0192) < 1e-9)
        #expect(!viewport.isWhole)
        for _ in 0..<200 { viewport.zoom(by: 0.8, aroundPixel: 700) }
        #expect(viewport.isWhole)
        #expect(viewport.start == 0)
        #expect(viewport.length == Self.tenHours)
    }

    @Test func `Times and pixels are each other's inverse and rise together at every zoom`() {
        var chance = Chance(1)
        for _ in 0..<2000 {
            var viewport = viewport(chance.double(0.5...Self.tenHours), width: chance.double(1...4000))
            viewport.zoom(
                by: .init(sign: .plus, exponent: chance.int(0...24), significand: 1),
                aroundPixel: chance.double(0...4000)
            )
            viewport.scroll(byPixels: chance.double(-5000...5000))
            let pixels = (0..<16).map { _ in chance.double(0...viewport.width) }.sorted()
            let times = pixels.map { viewport.time(atPixel: $0) }
            for (pixel, time) in zip(pixels, times) where time < viewport.contentLength {
                #expect(abs(viewport.pixel(at: time) - pixel) < 1e-4)
            }
            for index in 1..<times.count {
                #expect(times[index - 1] <= times[index])
                #expect(viewport.pixel(at: times[index - 1]) <= viewport.pixel(at: times[index]))
            }
            #expect(viewport.time(atPixel: 0) == viewport.start)
            #expect(viewport.time(atPixel: viewport.width) == viewport.end)
        }
    }

    @Test func `The view never leaves the recording, whatever is done to it`() {
        var chance = Chance(2)
        var viewport = viewport(3600)
        for _ in 0..<20_000 {
            let number = chance.int(0...20) == 0 ? hostileNumbers[chance.int(0...hostileNumbers.count - 1)] : nil
            switch chance.int(0...8) {
            case 0: viewport.zoom(by: number ?? chance.double(0.1...4), aroundPixel: chance.double(-100...2000))
            case 1: viewport.zoom(by: chance.double(0.5...2), aroundPixel: number ?? 5)
            case 2: viewport.scroll(byPixels: number ?? chance.double(-3000...3000))
            case 3: viewport.setWidth(number ?? chance.double(100...4000))
            case 4: viewport.setExtent(.known(number ?? chance.double(1...Self.tenHours)))
            case 5: viewport.setExtent(.growing(number ?? chance.double(1...Self.tenHours)))
            case 6: _ = viewport.follow(number ?? chance.double(0...Self.tenHours))
            case 7: viewport.zoom(by: 2, aroundTime: number)
            default: viewport.show(from: number ?? 3, to: number ?? 90)
            }
            #expect(viewport.start >= 0 && viewport.length > 0 && viewport.length.isFinite)
            #expect(viewport.start + viewport.length <= viewport.contentLength * (1 + 1e-12))
            #expect(viewport.isWhole == (viewport.length == viewport.contentLength))
            #expect(viewport.width >= 1)
            for pixel in hostileNumbers {
                let time = viewport.time(atPixel: pixel)
                #expect(time >= 0 && time <= viewport.contentLength)
                #expect(!viewport.pixel(at: pixel).isNaN)
            }
        }
    }

    @Test func `A growing recording is not scaled with everything that arrives`() {
        var viewport = WaveformViewport(width: 1000)
        var scales: Set<Double> = []
        var seconds = 0.1
        while seconds < Self.tenHours {
            viewport.setExtent(.growing(seconds))
            #expect(viewport.isWhole && viewport.contentLength >= seconds)
            scales.insert(viewport.secondsPerPixel)
            seconds += 1
        }
        #expect(scales.count < 32)
        #expect(viewport.contentLength < 1.26 * Self.tenHours)
        viewport.setExtent(.known(seconds))
        #expect(viewport.end == seconds)
    }

    @Test func `A zoomed view keeps its place while the recording grows`() {
        var viewport = WaveformViewport(width: 1000)
        viewport.setExtent(.growing(50))
        viewport.zoom(by: 10, aroundPixel: 500)
        let (start, length) = (viewport.start, viewport.length)
        viewport.setExtent(.growing(500))
        #expect(viewport.start == start && viewport.length == length && !viewport.isWhole)
    }

    @Test func `Nothing can be pointed at beyond the end of what is known`() {
        var viewport = WaveformViewport(width: 1000)
        #expect(viewport.position(atPixel: 500) == 0)
        viewport.setExtent(.growing(30))
        #expect(viewport.time(atPixel: 1000) == 60)
        #expect(viewport.position(atPixel: 1000) == 30)
    }

    @Test func `A wider window shows more of a zoomed recording at the same zoom`() {
        var viewport = viewport(3600, width: 500)
        viewport.zoom(by: 100, aroundPixel: 250)
        let (perPixel, start) = (viewport.secondsPerPixel, viewport.start)
        viewport.setWidth(1000)
        #expect(abs(viewport.secondsPerPixel - perPixel) < 1e-12)
        #expect(viewport.start == start)
        viewport.setWidth(1_000_000)
        #expect(viewport.isWhole)
    }

    @Test func `The playhead turns the page near the right edge and after a jump, but not once the view was scrolled`()
    {
        var viewport = viewport(3600, width: 1000)
        viewport.zoom(by: 60, aroundPixel: 0)
        #expect(viewport.follow(0) == false)
        #expect(viewport.follow(53) == false)
        #expect(viewport.follow(54.5) == true)
        #expect(abs(viewport.pixel(at: 54.5) - 100) < 1e-9)
        #expect(viewport.follow(2000) == true)
        #expect(abs(viewport.pixel(at: 2000) - 100) < 1e-9)
        #expect(viewport.follow(10) == true)
        #expect(viewport.start == 4)
        viewport.scroll(byPixels: 500)
        #expect(viewport.follow(2000) == false)
        viewport.followsPlayhead = true
        #expect(viewport.follow(3599) == true)
        #expect(viewport.follow(3599.5) == false)
        #expect(viewport.end == 3600)
    }

    @Test func `Scrolling stops at the ends`() {
        var viewport = viewport(3600, width: 1000)
        viewport.scroll(byPixels: 100)
        #expect(viewport.isWhole && viewport.followsPlayhead)
        viewport.zoom(by: 4, aroundPixel: 1000)
        #expect(viewport.end == 3600)
        viewport.scroll(byPixels: 1e9)
        #expect(viewport.end == 3600 && viewport.start == 2700)
        viewport.scroll(byPixels: -1e9)
        #expect(viewport.start == 0)
    }

    @Test func `A part is shown from edge to edge, and in the middle where it is shorter than the zoom allows`() {
        var viewport = viewport(3600, width: 1000)
        viewport.show(from: 90, to: 210)
        #expect(viewport.start == 90 && viewport.end == 210)
        viewport.show(from: 500, to: 500)
        #expect(abs(viewport.pixel(at: 500) - 500) < 1e-3)
    }
}
