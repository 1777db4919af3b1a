import Testing

@testable import SyrinxDesktopModel

@Suite struct CoverColorsTests {
    private static func pixels(_ parts: [(color: UInt32, count: Int)]) -> [UInt32] {
        parts.flatMap { Array(repeating: 0xff00_0000 | $0.color, count: $0.count) }
    }

    private static let themes: [(background: Color, text: Color, isDark: Bool)] = [
        (Color(250, 250, 250), Color(0, 0, 0, alpha: 204), false), (Color(36, 36, 36), Color(255, 255, 255), true),
        (Color(255, 255, 255), Color(0, 0, 0), false), (Color(0, 0, 0), Color(255, 255, 255), true),
    ]

    @Test func `A cover has the colour that it has most of, and the one that differs most`() throws {
        let colors = try #require(
            CoverColors(pixels: Self.pixels([(0x14323f, 500), (0xe76f51, 150), (0xf4a261, 120), (0x808080, 200)]))
        )
        #expect(colors.first == Color(0x14, 0x32, 0x3f) || colors.first == Color(0xe7, 0x6f, 0x51))
        #expect(colors.first != colors.second)
        let plain = try #require(CoverColors(pixels: Self.pixels([(0x3d2c8d, 900), (0xffffff, 100)])))
        #expect(plain.first == Color(0x3d, 0x2c, 0x8d) && plain.second == plain.first)
    }

    @Test func `A cover in black, white and grey has none, nor one with a speck of colour`() {
        #expect(CoverColors(pixels: Self.pixels([(0, 400), (0xffffff, 400), (0x7f7f80, 200)])) == nil)
        #expect(CoverColors(pixels: Self.pixels([(0x303030, 990), (0xff0000, 10)])) == nil)
        #expect(CoverColors(pixels: []) == nil && CoverColors(pixels: Array(repeating: 0x00ff_0000, count: 99)) == nil)
    }

    @Test func `Dim text is readable over every tint`() {
        var chance = Chance(3)
        func part() -> UInt8 { UInt8(chance.int(0...255)) }
        for _ in 0..<2000 {
            let colors = CoverColors(first: Color(part(), part(), part()), second: Color(part(), part(), part()))
            for (background, text, isDark) in Self.themes {
                guard let tint = CoverTint(colors, background: background, text: text, isDark: isDark) else { continue }
                for color in [tint.start, tint.end, tint.pane.top, tint.pane.bottom, tint.middle] {
                    let dim = text.opacity(CoverTint.dimOpacity).over(color)
                    #expect(dim.contrast(with: color) >= 4.49 && text.over(color).contrast(with: color) >= 4.5)
                }
            }
        }
    }

    @Test func `The usual themes are tinted by every colour, and one without contrast by none`() {
        for red in stride(from: 0, through: 255, by: 51) {
            for blue in stride(from: 0, through: 255, by: 51) {
                let color = Color(UInt8(red), 120, UInt8(blue))
                for (background, text, isDark) in Self.themes {
                    let colors = CoverColors(first: color, second: color)
                    let tint = CoverTint(colors, background: background, text: text, isDark: isDark)
                    #expect(tint != nil && tint?.start != background)
                }
            }
        }
        let grey = Color(128, 128, 128)
        let colors = CoverColors(first: Color(255, 0, 0), second: Color(0, 0, 255))
        #expect(CoverTint(colors, background: grey, text: Color(150, 150, 150), isDark: false) == nil)
    }

    @Test func `The loudness of what has not been played can be seen over every tint`() {
        var chance = Chance(4)
        func part() -> UInt8 { UInt8(chance.int(0...255)) }
        for _ in 0..<500 {
            let colors = CoverColors(first: Color(part(), part(), part()), second: Color(part(), part(), part()))
            for (background, text, isDark) in Self.themes {
                let tint = CoverTint(colors, background: background, text: text, isDark: isDark)
                let under = tint?.middle ?? background
                let style = WaveformStyle(accent: text, foreground: text, background: under)
                #expect(style.unplayed.rms.contrast(with: under) >= 3)
                #expect(style.unplayed.peak.contrast(with: under) >= 1.7)
            }
        }
    }

    @Test func `Contrast is that of WCAG`() {
        let (black, white) = (Color(0, 0, 0), Color(255, 255, 255))
        #expect(abs(black.contrast(with: white) - 21) < 1e-9 && white.contrast(with: white) == 1)
        #expect(abs(Color(0x76, 0x76, 0x76).contrast(with: white) - 4.54) < 0.01)
        #expect(Color(1, 22, 255).css == "rgb(1,22,255)")
    }
}
