import Testing

@testable import SyrinxStreaming

@Suite("Frames by the times at which they are heard") struct HeardFramesTests {
    private let second: UInt64 = 1_000_000_000

    @Test("Frames between two renders are interpolated")
    func interpolation() {
        var heard = HeardFrames()
        #expect(heard.frame(at: 0, framesPerSecond: 100) == nil)
        heard.note(frame: 100, heardAt: 5 * second)
        heard.note(frame: 200, heardAt: 6 * second)
        #expect(heard.frame(at: 4 * second + second / 2, framesPerSecond: 100) == 50)
        #expect(heard.frame(at: 5 * second, framesPerSecond: 100) == 100)
        #expect(heard.frame(at: 5 * second + second / 4, framesPerSecond: 100) == 125)
        #expect(heard.frame(at: 9 * second, framesPerSecond: 100) == 200)
    }

    @Test("Frames that were rendered at another rate count at that rate")
    func rates() {
        var heard = HeardFrames()
        heard.note(frame: 100, heardAt: 5 * second)
        heard.note(frame: 300, heardAt: 6 * second)
        heard.note(frame: 350, heardAt: 7 * second)
        #expect(heard.frame(at: 5 * second + second / 2, framesPerSecond: 50) == 200)
        #expect(heard.frame(at: 6 * second + second / 2, framesPerSecond: 50) == 325)
    }

    @Test("The frame stands during a pause, and goes on when the next render is heard")
    func pause() {
        var heard = HeardFrames()
        heard.note(frame: 100, heardAt: 5 * second)
        heard.note(frame: 200, heardAt: 60 * second)
        #expect(heard.frame(at: 30 * second, framesPerSecond: 100) == 100)
        #expect(heard.frame(at: 59 * second + second / 2, framesPerSecond: 100) == 150)
    }

    @Test("A seek and overwritten sound begin anew")
    func restart() {
        var heard = HeardFrames()
        heard.note(frame: 100, heardAt: 5 * second)
        heard.note(frame: 200, heardAt: 6 * second)
        heard.note(frame: 10, heardAt: 7 * second)
        #expect(heard.frame(at: 6 * second + 950_000_000, framesPerSecond: 100) == 5)
        heard.note(frame: 20, heardAt: 6 * second)
        #expect(heard.frame(at: 6 * second, framesPerSecond: 100) == 20)
        heard.removeAll()
        #expect(heard.frame(at: 6 * second, framesPerSecond: 100) == nil)
    }

    @Test("The renders that are kept are bounded")
    func bound() {
        var heard = HeardFrames()
        for number in 1...1_000 { heard.note(frame: Double(number), heardAt: UInt64(number) * second) }
        #expect(heard.frame(at: 801 * second, framesPerSecond: 1) == 801)
        #expect(heard.frame(at: 900 * second, framesPerSecond: 1) == 900)
    }
}
