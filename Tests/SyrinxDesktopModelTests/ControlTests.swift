import Testing

@testable import SyrinxDesktopModel

@Suite struct ControlTests {
    @Test func `The level of −80 dB and less is 0, of 0 dB and more 1`() {
        #expect(VUMeter.place(ofRMS: 1) == 1)
        #expect(VUMeter.place(ofRMS: 7) == 1)
        #expect(VUMeter.place(ofRMS: 1e-4) == 0)
        #expect(abs(VUMeter.place(ofRMS: 0.01) - 0.5) < 1e-12)
        #expect(abs(VUMeter.place(ofRMS: 0.1) - 0.75) < 1e-12)
        for number in hostileNumbers where !(number > 1e-4) { #expect(VUMeter.place(ofRMS: number) == 0) }
        #expect(VUMeter.place(ofRMS: .infinity) == 1)
    }

    @Test func `The meter comes to 99 % in the times of its ballistics, whatever the frames are`() {
        for rate in [30.0, 60, 144, 1000] {
            var meter = VUMeter()
            meter.setRMS(1)
            for _ in 0..<Int(0.1 * rate) { meter.advance(by: 1 / rate) }
            #expect(abs(meter.level - 0.99) < 0.012)
            meter.advance(by: 10)
            meter.setRMS(0)
            for _ in 0..<Int(0.3 * rate) { meter.advance(by: 1 / rate) }
            #expect(abs(meter.level - 0.01) < 0.012)
        }
    }

    @Test func `The peak stays for its time and falls to the level`() {
        var meter = VUMeter()
        meter.setRMS(1)
        meter.advance(by: 1)
        meter.setRMS(0)
        for _ in 0..<14 { meter.advance(by: 0.1) }
        #expect(meter.peak == 1)
        for _ in 0..<11 { meter.advance(by: 0.1) }
        #expect(abs(meter.peak - 0.5) < 0.01)
        for _ in 0..<20 { meter.advance(by: 0.1) }
        #expect(meter.peak == 0 && meter.level == 0)
    }

    @Test func `A meter that shows what it is given needs no more frames`() {
        var meter = VUMeter()
        #expect(meter.isStill)
        meter.setRMS(0.5)
        #expect(!meter.isStill)
        var frames = 0
        while !meter.isStill, frames < 1000 {
            meter.advance(by: 1.0 / 60)
            frames += 1
        }
        #expect(frames < 60)
        #expect(meter.advance(by: 1.0 / 60) == false)
        meter.setRMS(0)
        frames = 0
        while !meter.isStill, frames < 1000 {
            meter.advance(by: 1.0 / 60)
            frames += 1
        }
        #expect(frames < 300 && meter.peak == 0)
        for elapsed in hostileNumbers { meter.advance(by: elapsed) }
        #expect(meter.level.isFinite)
    }

    @Test(arguments: [0, 16, 24, 48, 1e9, Double.nan])
    func `The meter lies between the bars of the sign for pausing`(size: Double) {
        let shape = PauseMeterShape(size: size)
        #expect(shape.leftBar.x + shape.leftBar.width < shape.track.x)
        #expect(shape.track.x + shape.track.width < shape.rightBar.x)
        for level in [0, 0.3, 1, 7, Double.nan] {
            let fill = shape.fill(level: level)
            #expect(fill.y >= shape.track.y - 1e-9)
            #expect(abs(fill.y + fill.height - shape.track.y - shape.track.height) < 1e-9)
            if let line = shape.line(peak: level) {
                #expect(line.y >= shape.track.y && line.y + line.height <= shape.track.y + shape.track.height + 1e-9)
            }
        }
        #expect(shape.fill(level: 0).height == 0 && shape.line(peak: 0) == nil)
    }

    @Test func `The rate goes from a quarter to four in quarters`() {
        let scale = SliderScale.rate
        let values = Set((0...450).map { scale.stepped(Double($0) / 100) })
        #expect(values.sorted() == (1...16).map { Double($0) / 4 })
        #expect(scale.stepped(1.3) == 1.25 && scale.stepped(1.03) == 1)
        #expect(scale.stepped(scale.normal) == scale.normal)
        for number in hostileNumbers { #expect(scale.range.contains(scale.stepped(number))) }
    }

    @Test func `Values are written as people write them`() {
        #expect(SliderScale.rateText(1) == "1×")
        #expect(SliderScale.rateText(1.25) == "1.25×")
        #expect(SliderScale.rateText(0.5) == "0.5×")
        #expect(SliderScale.rateText(1.0 / 32) == "0.031×")
        #expect(SliderScale.pitchText(0) == "±0")
        #expect(SliderScale.pitchText(100) == "+1 semitone")
        #expect(SliderScale.pitchText(-700) == "−7 semitones")
        #expect(SliderScale.pitchText(50) == "+50 cents")
        #expect(SliderScale.volumeText(0.256) == "26 %")
        #expect(SliderScale.volumeText(2) == "100 %")
        for number in hostileNumbers {
            _ = (SliderScale.rateText(number), SliderScale.pitchText(number), SliderScale.volumeText(number))
        }
    }

    @Test func `A button that skips tells its seconds, and its icon no others`() {
        let usual = SkipButton(seconds: 5, isForward: false)
        #expect(usual.label == "Back 5 Seconds" && usual.icon == "syrinx-skip-back-symbolic")
        let other = SkipButton(seconds: 24.6, isForward: true)
        #expect(other.label == "Forward 25 Seconds" && other.icon == "syrinx-skip-forward-plain-symbolic")
        #expect(SkipButton(seconds: 1, isForward: true).label == "Forward 1 Second")
        for (seconds, shown) in [(0.0, 1), (-5, 1), (1e300, 600), (.infinity, 5), (.nan, 5)] {
            #expect(SkipButton(seconds: seconds, isForward: true).seconds == shown)
        }
    }
}
