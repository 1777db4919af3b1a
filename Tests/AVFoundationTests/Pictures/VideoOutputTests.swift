import Foundation
import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// The pictures of an item by its time.
@Suite struct VideoOutputTests {
    private let files: FilmFiles

    init() throws { files = try FilmFiles() }

    /// The number of the picture that is shown at a time.
    private func number(at time: CMTime) -> Int { min(Int((time.seconds * FilmFiles.rate + 1e-4).rounded(.down)), 99) }

    /// Waits until the picture for a time is there.
    private func picture(_ output: AVPlayerItemVideoOutput, at time: CMTime) -> CVPixelBuffer? {
        var found: CVPixelBuffer?
        waitUntil(timeout: 20) {
            found = output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil)
            return found != nil
        }
        return found
    }

    /// Whether the output comes to give the picture of that number for a time.
    private func shows(_ output: AVPlayerItemVideoOutput, _ number: Int, at time: CMTime) -> Bool {
        waitUntil(timeout: 20) { output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil)?.number == number }
    }

    /// Seeks as a hand on a slider does, without waiting for the sound.
    private func seek(_ player: AVPlayer, to time: CMTime) { player.seek(to: time) }

    private func rig(_ url: URL, rate: Float = 0) throws -> (PlayerRig, AVPlayerItemVideoOutput) {
        let item = AVPlayerItem(url: url)
        let output = AVPlayerItemVideoOutput(pixelBufferAttributes: bgraSettings)
        item.add(output)
        #expect(item.outputs.count == 1)
        let rig = PlayerRig([item])
        rig.player.rate = rate
        return (rig, output)
    }

    @Test("Frames follow the clock of the item")
    func picturesFollowTheItemsClock() async throws {
        let (rig, output) = try rig(files.film())
        let item = try #require(rig.player.currentItem)
        #expect(rig.crank { item.status == .readyToPlay })
        #expect(picture(output, at: item.currentTime())?.number == 0)
        for rate in [Float(1), 2, 0.5] {
            rig.player.rate = rate
            #expect(rig.crank { rig.player.timeControlStatus == .playing })
            for _ in 0..<5 {
                rig.crank(seconds: 0.1)
                let time = item.currentTime()
                #expect(shows(output, number(at: time), at: time), "at \(time.seconds) s, rate \(rate)")
            }
            rig.player.pause()
            let time = item.currentTime()
            #expect(shows(output, number(at: time), at: time))
        }
        #expect(item.currentTime().seconds > 1)
        #expect(item.presentationSize == CGSize(width: 64, height: 48))
    }

    @Test("Scrubbing gives the frame of each time")
    func scrubbingGivesThePictureOfEachTime() async throws {
        let (rig, output) = try rig(files.film())
        let item = try #require(rig.player.currentItem)
        #expect(rig.crank { item.status == .readyToPlay })
        for value in [50, 99, 3, 3, 75, 74, 73, 72, 26, 27, 0, 98] {
            let time = CMTime(value: Int64(value), timescale: 25)
            seek(rig.player, to: time)
            #expect(abs(item.currentTime().seconds - time.seconds) < 1e-6)
            var display = CMTime.invalid
            #expect(picture(output, at: item.currentTime())?.number == value)
            #expect(output.copyPixelBuffer(forItemTime: item.currentTime(), itemTimeForDisplay: &display) != nil)
            #expect(abs(display.seconds - time.seconds) < 1e-6)
        }
    }

    @Test("A frame is new until it is copied")
    func aPictureIsNewUntilItIsCopied() async throws {
        let (rig, output) = try rig(files.film())
        let item = try #require(rig.player.currentItem)
        #expect(rig.crank { item.status == .readyToPlay })
        let time = CMTime(value: 1, timescale: 1)
        #expect(waitUntil(timeout: 20) { output.hasNewPixelBuffer(forItemTime: time) })
        #expect(output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil)?.number == 25)
        #expect(!output.hasNewPixelBuffer(forItemTime: time))
        #expect(output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil)?.number == 25)
        #expect(waitUntil(timeout: 20) { output.hasNewPixelBuffer(forItemTime: CMTime(value: 26, timescale: 25)) })
        #expect(!output.hasNewPixelBuffer(forItemTime: .invalid))
        item.remove(output)
        #expect(!output.hasNewPixelBuffer(forItemTime: time) && item.outputs.isEmpty)
        #expect(output.itemTime(forHostTime: 0) == .invalid)
    }

    @Test("Item time for a host time is extrapolated at the rate")
    func theTimeOfTheHostIsCarriedOnAtTheRate() async throws {
        let (rig, output) = try rig(files.film())
        let item = try #require(rig.player.currentItem)
        #expect(rig.crank { item.status == .readyToPlay })
        let now = CMClockGetTime(CMClockGetHostTimeClock()).seconds
        #expect(output.itemTime(forHostTime: now + 1) == item.currentTime())
        rig.player.rate = 2
        #expect(rig.crank { rig.player.timeControlStatus == .playing })
        let later = CMClockGetTime(CMClockGetHostTimeClock()).seconds + 0.5
        let ahead = output.itemTime(forHostTime: later).seconds - item.currentTime().seconds
        #expect(ahead > 0.5 && ahead < 1.1)
    }

    private final class Delegate: AVPlayerItemOutputPullDelegate, Sendable {
        let events = EventList()
        func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) { events.add("change") }
        func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) { events.add("flush") }
    }

    @Test("The delegate is called for seeks and new frames")
    func theDelegateIsToldOfJumpsAndNewPictures() async throws {
        let (rig, output) = try rig(files.film())
        let item = try #require(rig.player.currentItem)
        let delegate = Delegate()
        let queue = DispatchQueue(label: "test")
        output.setDelegate(delegate, queue: queue)
        #expect(output.delegate === delegate && output.delegateQueue === queue)
        #expect(rig.crank { item.status == .readyToPlay })
        #expect(delegate.events.all.isEmpty)
        output.requestNotificationOfMediaDataChange(withAdvanceInterval: 0.1)
        #expect(waitUntil(timeout: 20) { delegate.events.all == ["change"] })
        #expect(picture(output, at: .zero)?.number == 0)
        // Without a request only jumps are reported.
        seek(rig.player, to: CMTime(value: 2, timescale: 1))
        #expect(waitUntil(timeout: 20) { delegate.events.all == ["change", "flush"] })
        output.requestNotificationOfMediaDataChange(withAdvanceInterval: 0.1)
        #expect(waitUntil(timeout: 20) { delegate.events.all == ["change", "flush", "change"] })
        #expect(picture(output, at: item.currentTime())?.number == 50)
        output.requestNotificationOfMediaDataChange(withAdvanceInterval: 0.1)
        rig.player.play()
        #expect(rig.crank { delegate.events.count(of: "change") == 3 })
    }

    @Test("A movie without sound plays")
    func aSilentFilmIsPlayed() async throws {
        let (rig, output) = try rig(files.film(hasSound: false), rate: 1)
        let item = try #require(rig.player.currentItem)
        #expect(rig.crank { rig.player.timeControlStatus == .playing })
        #expect(abs(item.duration.seconds - 4) < 1e-3)
        rig.crank(seconds: 0.3)
        let time = item.currentTime()
        #expect(time.seconds > 0.2 && shows(output, number(at: time), at: time))
        seek(rig.player, to: CMTime(value: 395, timescale: 100))
        let list = NotificationList(of: item, ["end": .AVPlayerItemDidPlayToEndTime])
        #expect(rig.crank { list.events.count(of: "end") == 1 })
        #expect(shows(output, 99, at: item.currentTime()))
        #expect(rig.output.allSatisfy { $0 == 0 })
    }

    @Test("An item with neither sound nor video fails")
    func anItemWithoutPicturesStillFailsWhereItHasNoSound() async throws {
        let url = files.scratch.url("text.mp4")
        try Data("nothing of the kind".utf8).write(to: url)
        let (rig, output) = try rig(url, rate: 1)
        let item = try #require(rig.player.currentItem)
        #expect(rig.crank { item.status == .failed })
        #expect(output.copyPixelBuffer(forItemTime: .zero, itemTimeForDisplay: nil) == nil)
    }

    @Test("Missing video is recorded in the error log")
    func soundWithoutPicturesIsNotedInTheErrorLog() async throws {
        let url = files.scratch.url("sound.wav")
        try FFmpeg.run(["-f", "lavfi", "-i", "sine=d=1", url.path])
        let (rig, output) = try rig(url)
        let item = try #require(rig.player.currentItem)
        #expect(rig.crank { item.status == .readyToPlay })
        #expect(!output.hasNewPixelBuffer(forItemTime: .zero))
        #expect(waitUntil(timeout: 20) { item.errorLog()?.events.last?.errorComment != nil })
        #expect(item.status == .readyToPlay)
    }

    @Test("Only a few frames are buffered")
    func aFewPicturesAreHeld() async throws {
        let settings = try PictureSettings(bgraSettings)
        let asset = AVURLAsset(url: try files.film())
        let feed = PictureFeed(asset, settings, events: PictureFeed.Events(decoded: {}, failed: { _ in }))
        defer { feed.cancel() }
        // While times go back, nothing is decoded ahead.
        for (time, count) in [(0, 4), (1, 4), (2.5, 4), (0.2, 1), (0.4, 4)] {
            feed.want(time)
            #expect(waitUntil(timeout: 20) { feed.heldCount == count })
        }
        try await Task.sleep(for: .milliseconds(200))
        #expect(feed.heldCount == 4)
    }
}
