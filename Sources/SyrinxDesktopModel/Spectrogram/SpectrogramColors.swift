import Foundation

/// The color map of a spectrogram, whose lightness changes evenly from the background's to the opposite.
///
/// Colors are computed in Oklab, in which equal steps are perceived as equal.
public struct SpectrogramColors: Sendable, Equatable {
    /// The pixels of the levels 0…255, premultiplied, as `0xAARRGGBB`.
    public let pixels: [UInt32]

    /// Creates the color map of a theme.
    /// - Parameter isDark: Whether the background is dark; then high levels are light, otherwise dark.
    public init(isDark: Bool) {
        pixels = (0..<256).map { level in
            let share = Double(level) / 255
            // From blue over violet and red to yellow; reversed on a light background.
            let lightness = isDark ? 0.17 + 0.78 * share : 0.98 - 0.76 * share
            let hue = isDark ? 275 + 190 * share : 95 - 180 * share
            let chroma = 0.17 * sin(.pi * share * 0.88)
            return Self.pixel(lightness, chroma, hue * .pi / 180)
        }
    }

    /// Returns the perceived lightness of a level, 0…1.
    /// - Parameter level: The level, 0…255.
    public func lightness(of level: Int) -> Double {
        let pixel = pixels[level.clamped(to: 0...255)]
        let parts = [16, 8, 0].map { Self.linear(Double(pixel >> UInt32($0) & 255) / 255) }
        let cones = Self.cones(parts)
        return 0.2104542553 * cones[0] + 0.7936177850 * cones[1] - 0.0040720468 * cones[2]
    }

    private static func cones(_ rgb: [Double]) -> [Double] {
        [
            cbrt(0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2]),
            cbrt(0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2]),
            cbrt(0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2]),
        ]
    }

    private static func linear(_ part: Double) -> Double {
        part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ part: Double) -> Double {
        part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055
    }

    private static func rgb(_ lightness: Double, _ chroma: Double, _ hue: Double) -> [Double] {
        let (a, b) = (chroma * cos(hue), chroma * sin(hue))
        let l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3)
        let m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3)
        let s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3)
        return [
            4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
        ]
    }

    /// Returns the color, with reduced chroma if it is outside of sRGB; the lightness is kept.
    private static func pixel(_ lightness: Double, _ chroma: Double, _ hue: Double) -> UInt32 {
        var chroma = chroma
        var parts = rgb(lightness, chroma, hue)
        while chroma > 0.001, !parts.allSatisfy({ (-0.0005...1.0005).contains($0) }) {
            chroma *= 0.95
            parts = rgb(lightness, chroma, hue)
        }
        return parts.reduce(UInt32(255)) { pixel, part in
            // Bounded: 0 … 255.
            pixel << 8 | UInt32((encoded(part.clamped(to: 0...1)) * 255).rounded())
        }
    }
}
