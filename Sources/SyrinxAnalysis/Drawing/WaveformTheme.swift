/// A color of a drawing: red, green, blue and opacity, 0…255 each.
public struct WaveformColor: Sendable, Equatable {
    /// The red component, 0…255.
    public var red: UInt8
    /// The green component, 0…255.
    public var green: UInt8
    /// The blue component, 0…255.
    public var blue: UInt8
    /// The opacity: 255 is opaque, 0 is transparent.
    public var opacity: UInt8

    /// Creates a color from its components.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, opacity: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.opacity = opacity
    }

    /// Parses `rrggbb` or `rrggbbaa` in hexadecimal, with or without `#`; returns `nil` for anything else.
    public init?(hexadecimal text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6 || digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: 16)
        else { return nil }
        let all = digits.utf8.count == 6 ? number << 8 | 0xFF : number
        self.init(
            UInt8(truncatingIfNeeded: all >> 24),
            UInt8(truncatingIfNeeded: all >> 16),
            UInt8(truncatingIfNeeded: all >> 8),
            opacity: UInt8(truncatingIfNeeded: all)
        )
    }
}

/// The colors of a drawing.
public struct WaveformTheme: Sendable, Equatable {
    /// The background color.
    public var background: WaveformColor
    /// The colors of the channels; the last one applies to all further channels.
    public var waveform: [WaveformColor]
    /// The color of a border of one pixel around the drawing; `nil` for none.
    public var border: WaveformColor?

    /// Creates a theme.
    public init(background: WaveformColor, waveform: [WaveformColor], border: WaveformColor? = nil) {
        self.background = background
        self.waveform = waveform
        self.border = border
    }

    /// Blue on grey, as in Audacity; audiowaveform's default.
    public static let audacity = WaveformTheme(
        background: WaveformColor(214, 214, 214),
        waveform: [WaveformColor(63, 77, 155)]
    )
    /// Green on dark, as in Audition.
    public static let audition = WaveformTheme(
        background: WaveformColor(0, 63, 34),
        waveform: [WaveformColor(134, 252, 199)]
    )
}

/// The style of a waveform drawing.
public enum WaveformStyle: Sendable, Equatable {
    /// One column for each pixel.
    case line
    /// Bars with a width and a gap in pixels, optionally with rounded corners.
    case bars(width: Int, gap: Int, isRounded: Bool)
}
