import Foundation
import Testing

@testable import SyrinxDesktopModel

extension EqualizerBand {
    /// The gain at a frequency in decibels.
    fileprivate func response(at hertz: Double, sampleRate: Double) -> Double {
        Biquad(self, sampleRate: sampleRate).decibels(at: hertz, sampleRate: sampleRate)
    }
}

@Suite struct EqualizerCurveTests {
    private func curve(_ bands: [EqualizerBand]) -> EqualizerCurve {
        EqualizerCurve(bands: bands, width: 600, height: 270)
    }

    /// The gain of a filter by its own impulse: an independent way to the same number.
    private func measured(_ band: EqualizerBand, at hertz: Double, sampleRate: Double = 44_100) -> Double {
        var curve = 0.0
        let w = 2 * Double.pi * band.frequency / sampleRate
        let quality: Double
        switch band.shape {
        case .lowPass, .highPass, .lowShelf, .highShelf: quality = 0.5.squareRoot()
        default: quality = 1 / (2 * sinh(log(2.0) / 2 * band.bandwidth * w / sin(w)))
        }
        let alpha = sin(w) / (2 * quality)
        let gain = pow(10, band.gain / 40)
        var (b, a): ([Double], [Double])
        switch band.shape {
        case .parametric:
            (b, a) = (
                [1 + alpha * gain, -2 * cos(w), 1 - alpha * gain], [1 + alpha / gain, -2 * cos(w), 1 - alpha / gain]
            )
        case .bandStop: (b, a) = ([1, -2 * cos(w), 1], [1 + alpha, -2 * cos(w), 1 - alpha])
        default: (b, a) = ([(1 - cos(w)) / 2, 1 - cos(w), (1 - cos(w)) / 2], [1 + alpha, -2 * cos(w), 1 - alpha])
        }
        (b, a) = (b.map { $0 / a[0] }, a.map { $0 / a[0] })
        var (x, y) = ([0.0, 0], [0.0, 0])
        var (real, imaginary) = (0.0, 0.0)
        for frame in 0..<40_000 {
            let input = frame == 0 ? 1.0 : 0
            let output = b[0] * input + b[1] * x[0] + b[2] * x[1] - a[1] * y[0] - a[2] * y[1]
            (x, y) = ([input, x[0]], [output, y[0]])
            let angle = 2 * Double.pi * hertz / sampleRate * Double(frame)
            real += output * cos(angle)
            imaginary -= output * sin(angle)
        }
        curve = 10 * log10(real * real + imaginary * imaginary)
        return curve
    }

    @Test func `The curve is what the filter does to an impulse`() {
        let bands = [
            EqualizerBand(frequency: 1000, gain: 6), EqualizerBand(frequency: 60, gain: -12, bandwidth: 0.5),
            EqualizerBand(frequency: 9000, gain: 18, bandwidth: 3), EqualizerBand(.lowPass, frequency: 500),
            EqualizerBand(.resonantLowPass, frequency: 2000, bandwidth: 0.3), EqualizerBand(.bandStop, frequency: 3000),
        ]
        for band in bands {
            for hertz in [50.0, 300, 1000, 2500, 8000, 15_000] {
                let expected = measured(band, at: hertz)
                guard expected > -70 else { continue }
                #expect(abs(band.response(at: hertz, sampleRate: 44_100) - expected) < 0.05)
            }
        }
    }

    @Test func `Each shape has its gain where it is said to have it`() {
        func response(_ band: EqualizerBand, _ hertz: Double) -> Double { band.response(at: hertz, sampleRate: 48_000) }
        #expect(abs(response(.init(frequency: 1000, gain: 9), 1000) - 9) < 1e-9)
        #expect(abs(response(.init(.lowShelf, frequency: 1000, gain: 8), 20) - 8) < 0.01)
        #expect(abs(response(.init(.lowShelf, frequency: 1000, gain: 8), 1000) - 4) < 1e-9)
        #expect(abs(response(.init(.lowShelf, frequency: 1000, gain: 8), 20_000)) < 0.01)
        #expect(abs(response(.init(.highShelf, frequency: 1000, gain: -8), 1000) + 4) < 1e-9)
        #expect(abs(response(.init(.highShelf, frequency: 1000, gain: -8), 23_000) + 8) < 0.01)
        #expect(abs(response(.init(.resonantHighShelf, frequency: 1000, gain: -8), 1000) + 4) < 1e-9)
        #expect(abs(response(.init(.resonantLowShelf, frequency: 1000, gain: 8), 1000) - 4) < 1e-9)
        #expect(abs(response(.init(.lowPass, frequency: 1000), 1000) + 3.01) < 0.01)
        #expect(abs(response(.init(.highPass, frequency: 1000), 1000) + 3.01) < 0.01)
        #expect(abs(response(.init(.highPass, frequency: 1000), 100) + 40) < 0.1)
        #expect(abs(response(.init(.bandPass, frequency: 1000), 1000)) < 1e-9)
        #expect(response(.init(.bandStop, frequency: 1000), 1000) < -100)
        #expect(response(.init(.resonantHighPass, frequency: 1000, bandwidth: 0.2), 1000) > 12)
    }

    @Test func `The axis is logarithmic, and pixels and values are each other's inverse`() {
        let curve = curve([])
        #expect(curve.x(of: 20) == 0 && abs(curve.x(of: 20_000) - 600) < 1e-9)
        #expect(abs(curve.x(of: 200) - 200) < 1e-9 && abs(curve.x(of: 2000) - 400) < 1e-9)
        for x in stride(from: 0.0, through: 600, by: 7) { #expect(abs(curve.x(of: curve.frequency(at: x)) - x) < 1e-9) }
        for decibels in stride(from: -24.0, through: 24, by: 1) {
            #expect(abs(curve.gain(at: curve.y(of: decibels)) - decibels) < 1e-9)
        }
        for number in hostileNumbers {
            #expect(EqualizerBand.frequencies.contains(curve.frequency(at: number)))
            #expect(EqualizerBand.gains.contains(curve.gain(at: number)))
            #expect((0...600.001).contains(curve.x(of: number)) && (0...270).contains(curve.y(of: number)))
        }
    }

    @Test func `The curve is the sum of its bands and flat without any`() {
        #expect(curve([]).points(64).allSatisfy { $0 == 135 })
        let both = curve([.init(frequency: 100, gain: 6), .init(frequency: 5000, gain: -6)])
        let points = both.points(601)
        #expect(abs(points[Int(both.x(of: 100))] - both.y(of: 6)) < 1)
        #expect(abs(points[Int(both.x(of: 5000))] - both.y(of: -6)) < 1)
        let twice = curve([.init(frequency: 100, gain: 6), .init(frequency: 100, gain: 6)])
        #expect(abs(twice.points(601)[Int(twice.x(of: 100))] - twice.y(of: 12)) < 1)
        #expect(curve([.init(frequency: 100, gain: 6, isBypassed: true)]).points(64).allSatisfy { $0 == 135 })
        #expect(curve([]).points(-5).count == 2 && curve([]).points(.max).count == 8192)
    }

    @Test func `A band is dragged with the pointer and keeps its distance to it`() {
        var curve = curve([.init(frequency: 200, gain: 0), .init(frequency: 2000, gain: 0)])
        #expect(curve.press(x: 405, y: 138) == [.selected(1)])
        #expect(curve.move(x: 405, y: 138).isEmpty)
        #expect(curve.move(x: 505, y: 108) == [.changed(band: 1)])
        #expect(abs(curve.x(of: curve.bands[1].frequency) - 500) < 1e-6)
        #expect(abs(curve.bands[1].gain - 6) < 1e-9)
        _ = curve.move(x: 9999, y: -9999)
        #expect(curve.bands[1].frequency == 20_000 && curve.bands[1].gain == 24)
        curve.release()
        #expect(curve.move(x: 0, y: 0).isEmpty)
        #expect(curve.bands[0] == EqualizerBand(frequency: 200, gain: 0))
    }

    @Test func `Escape gives the band back as it was, and a double-click makes it flat`() {
        var curve = curve([.init(frequency: 200, gain: 5)])
        let place = curve.handle(of: 0) ?? (0, 0)
        _ = curve.press(x: place.x, y: place.y)
        _ = curve.move(x: 300, y: 20)
        #expect(curve.cancel() == [.changed(band: 0)])
        #expect(curve.bands[0] == EqualizerBand(frequency: 200, gain: 5))
        #expect(curve.press(x: place.x, y: place.y, clicks: 2) == [.changed(band: 0)])
        #expect(curve.bands[0].gain == 0)
    }

    @Test func `The nearest handle is hit, and nothing where none is near`() {
        var curve = curve([
            .init(frequency: 200, gain: 0), .init(frequency: 220, gain: 0), .init(.lowPass, frequency: 5000, gain: 20),
        ])
        #expect(curve.band(atX: 199, y: 135) == 0)
        #expect(curve.band(atX: 212, y: 135) == 1)
        #expect(curve.band(atX: 200, y: 200) == nil)
        #expect(curve.band(atX: curve.x(of: 5000), y: 135) == 2)
        #expect(curve.band(atX: .nan, y: 135) == nil)
        _ = curve.press(x: 212, y: 135)
        #expect(curve.press(x: 300, y: 20) == [.selected(nil)])
        curve.setBands([])
        #expect(curve.handle(of: 0) == nil && curve.spoken(0).isEmpty)
    }

    @Test func `The wheel changes the bandwidth, keys the frequency and the gain`() {
        var curve = curve([.init(frequency: 200, gain: 0, bandwidth: 1), .init(.lowPass, frequency: 5000)])
        #expect(curve.turn(x: 200, y: 135, steps: 1) == [.changed(band: 0)])
        #expect(abs(curve.bands[0].bandwidth - 1 / 1.1) < 1e-9)
        _ = curve.turn(x: 200, y: 135, steps: -1e9)
        #expect(curve.bands[0].bandwidth == 5)
        #expect(curve.turn(x: curve.x(of: 5000), y: 135, steps: 1).isEmpty)
        #expect(curve.selectNext(forward: true) == true)
        #expect(curve.step(right: 12, up: 7) == [.changed(band: 0)])
        #expect(curve.bands[0].frequency == 400 && curve.bands[0].gain == 3.5)
        #expect(curve.spoken(0) == "Band 1: 400 Hz, +3.5 dB")
        #expect(curve.selectNext(forward: true) == true)
        #expect(curve.spoken(1) == "Band 2: 5000 Hz")
        #expect(curve.selectNext(forward: true) == false)
        #expect(curve.step(right: .max, up: .min).isEmpty)
        #expect(curve.selectNext(forward: false) == true && curve.selected == 1)
    }

    @Test func `No numbers end the program`() {
        for number in hostileNumbers {
            let band = EqualizerBand(frequency: number, gain: number, bandwidth: number)
            for shape in EqualizerBand.Shape.allCases {
                var shaped = band
                shaped.shape = shape
                for rate in hostileNumbers + [8000] {
                    var curve = EqualizerCurve(bands: [shaped], width: number, height: number, sampleRate: rate)
                    #expect(curve.points(16).allSatisfy { $0.isFinite })
                    _ = curve.press(x: number, y: number)
                    _ = curve.move(x: number, y: number)
                    _ = curve.turn(x: number, y: number, steps: number)
                    _ = curve.spoken(0)
                }
            }
        }
    }

    @Test func `Texts of the axis never touch, and powers of ten are there longest`() {
        let curve = EqualizerCurve(bands: [], width: 300, height: 150)
        #expect(curve.labels { 5 * Double($0.count) }.map(\.text) == EqualizerCurve.axis.map(\.text))
        for scale in [5.0, 10, 15, 20, 30, 100] {
            let labels = curve.labels { scale * Double($0.count) }
            for (label, next) in zip(labels, labels.dropFirst()) {
                #expect(label.x + scale * Double(label.text.count) < next.x)
            }
            if scale <= 15 { #expect(Set(labels.map(\.text)).isSuperset(of: ["100", "1k"])) }
            #expect(labels.allSatisfy { $0.x + scale * Double($0.text.count) <= 300 })
        }
    }
}
