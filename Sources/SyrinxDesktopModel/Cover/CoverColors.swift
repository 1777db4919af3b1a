import Foundation

/// The two dominant colors of a cover.
public struct CoverColors: Sendable, Equatable {
    /// The most frequent color.
    public var first: Color
    /// The frequent color that differs most from the first.
    public var second: Color
    /// The minimum difference between a color's components; with less, it counts as gray.
    static let leastChroma = 24

    /// Creates a pair of colors.
    public init(first: Color, second: Color) { (self.first, self.second) = (first, second) }

    /// Finds the colors of a small picture; `nil` if it is mostly gray.
    /// - Parameter pixels: The pixels in any order, each with alpha, red, green and blue from the highest byte.
    public init?(pixels: [UInt32]) {
        struct Bin {
            var (red, green, blue, count) = (0, 0, 0, 0)
            var color: Color {
                func mean(_ sum: Int) -> Double { Double(sum) / Double(max(count, 1)) / 255 }
                return Color(red: mean(red), green: mean(green), blue: mean(blue))
            }
        }
        var bins: [UInt32: Bin] = [:]
        for pixel in pixels where pixel >> 24 > 127 {
            let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
            // Bounded: components are bytes, and a picture has fewer than 2^40 pixels.
            let part = (Int(red), Int(green), Int(blue))
            var bin = bins[(red >> 5) << 6 | (green >> 5) << 3 | blue >> 5] ?? Bin()
            (bin.red, bin.green, bin.blue) = (bin.red + part.0, bin.green + part.1, bin.blue + part.2)
            bin.count += 1
            bins[(red >> 5) << 6 | (green >> 5) << 3 | blue >> 5] = bin
        }
        let colors = bins.sorted { $0.key < $1.key }.map { (color: $0.value.color, count: Double($0.value.count)) }
            .filter { $0.color.chroma >= Self.leastChroma }
        let total = colors.reduce(0) { $0 + $1.count }
        // A few colored pixels in a gray cover are ignored.
        guard total * 20 >= Double(pixels.count),
            let first = colors.max(by: { $0.count * $0.color.vividness < $1.count * $1.color.vividness })
        else { return nil }
        let second = colors.filter { $0.count * 30 >= total }
            .max { first.color.distance(to: $0.color) < first.color.distance(to: $1.color) }
        self.init(first: first.color, second: second?.color ?? first.color)
    }
}

/// The colors of a window that is tinted by a cover.
public struct CoverTint: Sendable {
    /// The color of the upper left corner.
    public var start: Color
    /// The color of the lower right corner.
    public var end: Color
    /// The paler colors of the upper and lower edge of the side pane.
    public var pane: (top: Color, bottom: Color)
    /// The opacity of dim text over these colors.
    public static let dimOpacity = 0.8
    /// The minimum contrast of dim text.
    public static let leastContrast = 4.5

    /// Creates the colors of a window; `nil` if the theme's text color would not be readable on any tint.
    /// - Parameters:
    ///   - colors: The colors of the cover.
    ///   - background: The theme's window background, treated as opaque.
    ///   - text: The theme's text color.
    ///   - isDark: Whether the theme is dark.
    public init?(_ colors: CoverColors, background: Color, text: Color, isDark: Bool) {
        let dim = text.opacity(Self.dimOpacity)
        for share in stride(from: isDark ? 0.38 : 0.27, to: 0.05, by: -0.03) {
            func mixed(_ color: Color, _ share: Double) -> Color {
                color.scaled(toBrightest: isDark ? 0.6 : 1).opacity(share).over(background)
            }
            func pair(_ share: Double) -> (Color, Color) { (mixed(colors.first, share), mixed(colors.second, share)) }
            let (page, side) = (pair(share), pair(share * 0.7))
            let all = [page.0, page.1, side.0, side.1]
            guard all.allSatisfy({ dim.over($0).contrast(with: $0) >= Self.leastContrast }) else { continue }
            (start, end, pane) = (page.0, page.1, side)
            return
        }
        return nil
    }

    /// The color in the middle, on which the waveform is drawn.
    public var middle: Color { start.opacity(0.5).over(end) }
}

extension Color {
    /// The difference between the largest and the smallest component, 0…255.
    var chroma: Int { Int(max(red, green, blue)) - Int(min(red, green, blue)) }

    /// The weight of the color relative to equally frequent ones.
    fileprivate var vividness: Double { 0.2 + Double(chroma) / 255 }

    /// Returns the sum of the differences between components, 0…765.
    fileprivate func distance(to other: Color) -> Int {
        abs(Int(red) - Int(other.red)) + abs(Int(green) - Int(other.green)) + abs(Int(blue) - Int(other.blue))
    }

    /// Returns the color, scaled so that its largest component is `value`, 0…1.
    fileprivate func scaled(toBrightest value: Double) -> Color {
        let factor = value / max(Double(max(red, green, blue)), 1)
        return Color(red: Double(red) * factor, green: Double(green) * factor, blue: Double(blue) * factor)
    }

    /// The relative luminance of WCAG 2, 0…1, ignoring the alpha component.
    var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return value > 0.04045 ? pow((value + 0.055) / 1.055, 2.4) : value / 12.92
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the contrast ratio of two opaque colors according to WCAG 2, 1…21.
    /// - Parameter other: The other color.
    public func contrast(with other: Color) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The color in CSS notation, without its alpha component.
    public var css: String { "rgb(\(red),\(green),\(blue))" }
}
