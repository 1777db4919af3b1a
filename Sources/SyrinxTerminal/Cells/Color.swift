/// The color of a cell.
package struct Color: Hashable, Sendable {
    /// The type in the highest byte (0 default, 1 indexed, 2 RGB), and the value below it.
    private let bits: UInt32

    private init(bits: UInt32) { self.bits = bits }

    /// The terminal's default color.
    package static let standard = Self(bits: 0)

    /// Returns a color by index: 0…15 are the terminal's colors, 16…231 a cube of 6 × 6 × 6, 232…255 grays.
    package static func indexed(_ index: UInt8) -> Self { Self(bits: 1 << 24 | UInt32(index)) }

    /// Returns a color in sRGB.
    package static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Self {
        Self(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// Whether this is the terminal's default color.
    package var isStandard: Bool { bits == 0 }

    fileprivate var index: UInt8? { bits >> 24 == 1 ? UInt8(truncatingIfNeeded: bits) : nil }

    fileprivate var channels: RGB {
        if let index { return RGB.standard(index) }
        return RGB(
            red: UInt8(truncatingIfNeeded: bits >> 16),
            green: UInt8(truncatingIfNeeded: bits >> 8),
            blue: UInt8(truncatingIfNeeded: bits)
        )
    }
}

/// The number of colors that a terminal can display.
package enum ColorDepth: Int, Equatable, Sendable, Comparable {
    case none, sixteen, indexed, trueColor

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Creates the depth from the environment variables `NO_COLOR`, `COLORTERM` and `TERM`.
    ///
    /// A nonempty `NO_COLOR` disables colors (no-color.org), and so does `TERM=dumb`. `COLORTERM` is set by terminals
    /// with true color.
    package init(environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        let colorTerm = environment["COLORTERM"] ?? ""
        if environment["NO_COLOR"]?.isEmpty == false || term.isEmpty || term == "dumb" {
            self = .none
        } else if colorTerm == "truecolor" || colorTerm == "24bit" || term.hasSuffix("-direct") {
            self = .trueColor
        } else if term.hasSuffix("-256color") || term == "xterm-kitty" || term == "xterm-ghostty" {
            self = .indexed
        } else {
            self = .sixteen
        }
    }
}

extension Color {
    /// Returns whether an X11 color is light, such as `rgb:` or `rgba:` with channels of one to four hexadecimal
    /// digits.
    ///
    /// - Returns: `nil` for other text.
    static func isLight(x11 text: some StringProtocol) -> Bool? {
        guard let colon = text.firstIndex(of: ":"), ["rgb", "rgba"].contains(text[..<colon]) else { return nil }
        let channels = text[text.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false)
        guard channels.count >= 3 else { return nil }
        // The luma coefficients of ITU-R BT.709.
        let weights = [0.2126, 0.7152, 0.0722]
        var luminance = 0.0
        for (weight, digits) in zip(weights, channels) {
            guard (1...4).contains(digits.count), let value = UInt32(digits, radix: 16) else { return nil }
            luminance += weight * Double(value) / Double((1 << (4 * digits.count)) - 1)
        }
        return luminance > 0.5
    }

    /// Whether `COLORFGBG`, which some terminals set, states a light background, because its last color is 7 or 15.
    package static func hasLightBackground(environment: [String: String]) -> Bool {
        ["7", "15"].contains(environment["COLORFGBG"]?.split(separator: ";").last ?? "")
    }

    /// Appends the SGR parameters that select the color.
    ///
    /// - Parameter first: The code of color 0: 30 for the foreground, 40 for the background.
    func appendCode(to bytes: inout [UInt8], depth: ColorDepth, first: UInt8) {
        if isStandard || depth == .none {
            bytes.append(decimal: Int(first) + 9)
            return
        }
        if depth == .trueColor, index == nil {
            let channels = channels
            bytes.append(decimal: Int(first) + 8)
            bytes.append(contentsOf: [0x3B, 0x32])  // ;2
            for value in [channels.red, channels.green, channels.blue] {
                bytes.append(0x3B)
                bytes.append(decimal: Int(value))
            }
            return
        }
        let index = self.index ?? channels.nearestIndex
        if depth != .sixteen, index >= 16 {
            bytes.append(decimal: Int(first) + 8)
            bytes.append(contentsOf: [0x3B, 0x35, 0x3B])  // ;5;
            bytes.append(decimal: Int(index))
            return
        }
        let low = index < 16 ? index : channels.nearestOfSixteen
        bytes.append(decimal: Int(first) + Int(low & 7) + (low & 8 == 0 ? 0 : 60))
    }
}

/// A color in sRGB.
private struct RGB {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    /// Returns xterm's color for an index.
    static func standard(_ index: UInt8) -> RGB {
        let value = Int(index)
        if value < 16 { return sixteen(value) }
        if value >= 232 {
            let grey = UInt8(8 + (value - 232) * 10)
            return RGB(red: grey, green: grey, blue: grey)
        }
        let cell = value - 16
        return RGB(red: level(cell / 36), green: level(cell / 6 % 6), blue: level(cell % 6))
    }

    private static func level(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + step * 40) }

    private static func sixteen(_ index: Int) -> RGB {
        switch index {
        case 7: RGB(red: 229, green: 229, blue: 229)
        case 8: RGB(red: 127, green: 127, blue: 127)
        case 15: RGB(red: 255, green: 255, blue: 255)
        default:
            RGB(
                red: index & 1 == 0 ? 0 : index & 8 == 0 ? 205 : 255,
                green: index & 2 == 0 ? 0 : index & 8 == 0 ? 205 : 255,
                blue: index & 4 == 0 ? 0 : index & 8 == 0 ? 205 : 255
            )
        }
    }

    private func distance(_ other: RGB) -> Int {
        let (red, green, blue) = (
            Int(self.red) - Int(other.red), Int(self.green) - Int(other.green), Int(self.blue) - Int(other.blue)
        )
        // The eye is most sensitive to green, and least to blue.
        return 3 * red * red + 4 * green * green + 2 * blue * blue
    }

    /// The index of the nearest color of the cube and the grays.
    var nearestIndex: UInt8 {
        func step(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        let cube = UInt8(16 + 36 * step(red) + 6 * step(green) + step(blue))
        let mean = (Int(red) + Int(green) + Int(blue)) / 3
        let grey = UInt8(232 + min(max((mean - 3) / 10, 0), 23))
        return distance(Self.standard(grey)) < distance(Self.standard(cube)) ? grey : cube
    }

    /// The index of the nearest of the terminal's 16 colors, as defined by xterm.
    var nearestOfSixteen: UInt8 {
        let best = (0..<16).min { distance(Self.sixteen($0)) < distance(Self.sixteen($1)) }
        return UInt8(best ?? 7)
    }
}

extension [UInt8] {
    /// Appends a nonnegative number in decimal digits.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(0x30 + number % 10))
    }

    /// Appends a constant escape sequence.
    mutating func append(sequence text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
