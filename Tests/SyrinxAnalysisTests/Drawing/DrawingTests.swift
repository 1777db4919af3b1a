import Foundation
import SyrinxAnalysis
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite("Drawings")
struct DrawingTests {
    /// Two channels of a swelling sine and its opposite, 60 blocks.
    private static let waveform: PeakWaveform = {
        var values: [Int16] = []
        for block in 0..<60 {
            let swell = Double(block) / 59 * 32767
            values += [Int16(-swell), Int16(swell * 0.8), Int16(-(32767 - swell) / 2), Int16(32767 - swell)]
        }
        return PeakWaveform(sampleRate: 100, samplesPerPixel: 10, channelCount: 2, values: values)
    }()
    private static let levels = DecibelWaveform(values: (0..<12).map { -70 + 6 * Double(($0 * 5) % 12) })

    private static let cases: [(name: String, drawing: WaveformDrawing)] = [
        ("line", WaveformDrawing(waveform, width: 64, height: 48)),
        (
            "bars",
            WaveformDrawing(
                waveform,
                width: 64,
                height: 48,
                style: .bars(width: 4, gap: 2, isRounded: false),
                theme: .audition
            )
        ),
        (
            "rounded",
            WaveformDrawing(
                waveform,
                width: 64,
                height: 48,
                style: .bars(width: 6, gap: 3, isRounded: true),
                theme: WaveformTheme(
                    background: WaveformColor(255, 255, 255, opacity: 0),
                    waveform: [WaveformColor(200, 0, 0), WaveformColor(0, 0, 200, opacity: 128)],
                    border: WaveformColor(0, 0, 0)
                )
            )
        ),
        (
            "decibels",
            WaveformDrawing(levels, width: 62, height: 40, style: .bars(width: 3, gap: 2, isRounded: false))
        ),
        (
            "axis",
            WaveformDrawing(
                waveform,
                width: 160,
                height: 64,
                theme: .audition,
                axis: WaveformAxis(pixelsPerSecond: 2.5, start: 3590, color: WaveformColor(255, 255, 255))
            )
        ),
    ]

    private static func pixels(ofPNG path: String) throws -> [UInt8] {
        [UInt8](try FFmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "rgba", "-"]))
    }

    @Test("Pictures look as those that were looked at", arguments: cases.indices)
    func goldens(index: Int) throws {
        let (name, drawing) = Self.cases[index]
        let scratch = try ScratchDirectory()
        try Data(try drawing.png()).write(to: scratch.url("a.png"))
        let actual = try Self.pixels(ofPNG: scratch.file("a.png"))
        #expect(actual == drawing.pixels)
        let golden =
            repositoryRoot
            .appending(path: "Tests/Goldens/Waveforms/\(name).png").path
        if !FileManager.default.fileExists(atPath: golden) {
            let kept = "/tmp/syrinx-golden-\(name).png"
            try Data(try drawing.png()).write(to: URL(fileURLWithPath: kept))
            Issue.record("there is no golden; what was drawn is \(kept)")
            return
        }
        let expected = try Self.pixels(ofPNG: golden)
        try #require(actual.count == expected.count)
        let different = zip(actual, expected).count { abs(Int($0) - Int($1)) > 8 }
        #expect(Double(different) <= 0.002 * Double(actual.count))
    }

    @Test("Values lie at the heights of the rule")
    func heights() {
        let waveform = PeakWaveform(
            sampleRate: 1,
            samplesPerPixel: 1,
            channelCount: 1,
            values: [-32768, 32767, 0, 0, -16384, 16384]
        )
        let red = WaveformColor(255, 0, 0)
        let theme = WaveformTheme(background: WaveformColor(0, 0, 0), waveform: [red])
        let pixels = WaveformDrawing(waveform, width: 4, height: 256, theme: theme).pixels
        let columns = (0..<4).map { x in (0..<256).filter { pixels[($0 * 4 + x) * 4] == 255 } }
        #expect(columns[0] == Array(0..<256))
        #expect(columns[1] == [127])
        #expect(columns[2] == Array(63...191))
        #expect(columns[3].isEmpty)
    }

    @Test("Times are as dense as there is room for")
    func axis() {
        let cases: [(Double, Int)] = [
            (22_050, 1), (60, 1), (59, 2), (10, 10), (5, 15), (1, 60), (0.1, 600), (0.01, 7200), (0.001, 61_200),
        ]
        for (perSecond, seconds) in cases {
            #expect(WaveformAxis(pixelsPerSecond: perSecond).interval == seconds, "\(perSecond)")
        }
        #expect(
            [0, 59, 61, 3600, 36_000 + 61].map(WaveformAxis.text) == [
                "00:00", "00:59", "01:01", "01:00:00", "10:01:01",
            ]
        )
    }

    @Test("SVG shows the same as the pixels")
    func svg() throws {
        let plain = WaveformDrawing(
            PeakWaveform(sampleRate: 1, samplesPerPixel: 1, channelCount: 1, values: [-32768, 32767, 0, 0]),
            width: 3,
            height: 4
        )
        #expect(
            plain.svg == """
                <svg xmlns="http://www.w3.org/2000/svg" width="3" height="4" viewBox="0 0 3 4">
                <rect width="3" height="4" fill="#d6d6d6"/>
                <path fill="#3f4d9b" d="M0 0V0H1V1H2V2H1V4H0Z"/>
                </svg>

                """
        )
        for (_, drawing) in Self.cases {
            let text = drawing.svg
            #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>\n") && text.contains("<path"))
            #expect(try XMLDocumentCheck.isWellFormed(text))
        }
    }

    @Test("Colours in hexadecimal")
    func colors() {
        #expect(WaveformColor(hexadecimal: "#01aBff") == WaveformColor(1, 171, 255))
        #expect(WaveformColor(hexadecimal: "00000080") == WaveformColor(0, 0, 0, opacity: 128))
        for text in ["", "#", "12345", "1234567", "gggggg", "+12345", "１２３４５６"] {
            #expect(WaveformColor(hexadecimal: text) == nil)
        }
    }
}

/// Whether a text is XML: every element that is opened is closed.
enum XMLDocumentCheck {
    static func isWellFormed(_ text: String) throws -> Bool {
        let opened = text.components(separatedBy: "<").dropFirst()
        var open: [String] = []
        for part in opened {
            guard let end = part.firstIndex(of: ">"), part[..<end].count(where: { $0 == "\"" }) % 2 == 0 else {
                return false
            }
            let tag = part[..<end]
            if tag.hasPrefix("/") {
                guard open.popLast() == String(tag.dropFirst()) else { return false }
            } else if !tag.hasSuffix("/") {
                open.append(String(tag.prefix { $0 != " " }))
            }
        }
        return open.isEmpty
    }
}
