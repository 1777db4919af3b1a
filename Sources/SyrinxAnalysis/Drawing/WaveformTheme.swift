/// A colour of a drawing: red, green, blue and opacity, 0 … 255 each.
public struct WaveformColor: Sendable, Equatable {
    /// 0 … 255.
    public var red: UInt8
    /// 0 … 255.
    public var green: UInt8
    /// 0 … 255.
    public var blue: UInt8
    /// 255 covers what is beneath, 0 leaves it as it is.
    public var opacity: UInt8

    /// A colour of these parts.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, opacity: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.opacity = opacity
    }

    /// Reads `rrggbb` or `rrggbbaa` in hexadecimal, with or without `#`; `nil` for anything else.
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

/// The colours of a drawing.
public struct WaveformTheme: Sendable, Equatable {
    /// Behind the waveform.
    public var background: WaveformColor
    /// One for each channel; the last one is used for all that are left.
    public var waveform: [WaveformColor]
    /// A frame of one pixel around the drawing, if there is one.
    public var border: WaveformColor?

    /// Colours of the caller's own.
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

/// The form in which a waveform is drawn.
public enum WaveformStyle: Sendable, Equatable {
    /// One column for each pixel.
    case line
    /// Bars of a width with gaps between them, in pixels; their corners may be round.
    case bars(width: Int, gap: Int, isRounded: Bool)
}
