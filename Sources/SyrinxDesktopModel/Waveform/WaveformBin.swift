/// A column of a waveform, like `WaveformPyramid.Column` of `SyrinxAnalysis`.
public struct WaveformBin: Sendable, Equatable {
    /// The minimum sample, −32,768…32,767.
    public var minimum: Int16
    /// The maximum sample, not less than `minimum`.
    public var maximum: Int16
    /// The root mean square, 0…1; 0 if it was not measured.
    public var rms: Float
    /// Whether any audio of the column is available.
    public var isKnown: Bool

    /// Creates a column.
    /// - Parameters:
    ///   - minimum: The minimum sample.
    ///   - maximum: The maximum sample.
    ///   - rms: The root mean square, 0…1.
    ///   - isKnown: Whether any audio of the column is available.
    public init(minimum: Int16, maximum: Int16, rms: Float, isKnown: Bool = true) {
        (self.minimum, self.maximum, self.rms, self.isKnown) = (minimum, maximum, rms, isKnown)
    }

    /// A column without available audio.
    public static let unknown = WaveformBin(minimum: 0, maximum: 0, rms: 0, isKnown: false)
}

/// The waveform to draw.
public struct WaveformSource {
    /// The sample rate in hertz, greater than 0.
    public var sampleRate: Double
    /// Returns a number of columns that together cover a range of frames, like `WaveformPyramid.columns(in:width:)`.
    ///
    /// The range may extend beyond the end. Missing columns count as unavailable.
    public var columns: (_ frames: Range<Int64>, _ count: Int) -> [WaveformBin]

    /// Creates a source.
    /// - Parameters:
    ///   - sampleRate: The sample rate in hertz, greater than 0.
    ///   - columns: Returns a number of columns that together cover a range of frames.
    public init(sampleRate: Double, columns: @escaping (_ frames: Range<Int64>, _ count: Int) -> [WaveformBin]) {
        self.sampleRate = sampleRate
        self.columns = columns
    }
}

/// A color with 8 bits per component, not premultiplied.
public struct Color: Sendable, Hashable {
    /// The red component, 0…255.
    public var red: UInt8
    /// The green component, 0…255.
    public var green: UInt8
    /// The blue component, 0…255.
    public var blue: UInt8
    /// The alpha component, 0…255.
    public var alpha: UInt8

    /// Creates a color.
    /// - Parameters:
    ///   - red: The red component, 0…255.
    ///   - green: The green component, 0…255.
    ///   - blue: The blue component, 0…255.
    ///   - alpha: The alpha component (default: 255).
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Creates a color from components 0…1, as used by GDK; other values are clamped.
    /// - Parameters:
    ///   - red: The red component, 0…1.
    ///   - green: The green component, 0…1.
    ///   - blue: The blue component, 0…1.
    ///   - alpha: The alpha component, 0…1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        func byte(_ part: Double) -> UInt8 { UInt8(Int(nearest: part.clamped(to: 0...1) * 255)) }
        self.init(byte(red), byte(green), byte(blue), alpha: byte(alpha))
    }

    /// Returns the color with its alpha component multiplied.
    /// - Parameter opacity: The factor, 0…1.
    /// - Returns: The same color with the alpha component times `opacity`.
    public func opacity(_ opacity: Double) -> Color {
        var color = self
        color.alpha = UInt8(Int(nearest: Double(alpha) * opacity.clamped(to: 0...1)))
        return color
    }

    /// Returns the opaque color that results from drawing this one over another.
    /// - Parameter background: The background color, treated as opaque.
    public func over(_ background: Color) -> Color {
        func mix(_ part: UInt8, _ under: UInt8) -> UInt8 {
            let (share, rest) = (Int(part) * Int(alpha), Int(under) * (255 - Int(alpha)))
            // Bounded: 0 … 255.
            return UInt8((share + rest + 127) / 255)
        }
        return Color(mix(red, background.red), mix(green, background.green), mix(blue, background.blue))
    }
}

/// The appearance of a waveform.
public struct WaveformStyle: Sendable, Hashable {
    /// The shape of the columns.
    public enum Shape: Sendable, Hashable {
        /// Bars around the middle; width and gap in pixels, the width at least 1.
        case bars(width: Int, gap: Int)
        /// A column per pixel, from the minimum to the maximum sample.
        case columns

        /// The view width in pixels from which bars are 3 pixels wide with gaps of 2.
        ///
        /// In a wide view, bars of 2 pixels look like a texture, and the time to draw a frame depends on their number.
        static let wideWidth = 2000.0

        /// Returns the bars for a view.
        /// - Parameter width: The width of the view, in pixels.
        public static func bars(forWidth width: Double) -> Shape {
            width < wideWidth ? .bars(width: 2, gap: 1) : .bars(width: 3, gap: 2)
        }
    }

    /// The colors on one side of the playhead.
    public struct Palette: Sendable, Hashable {
        /// The color of peaks.
        public var peak: Color
        /// The color of the root mean square, drawn over the peaks.
        public var rms: Color
        /// The color of the line for audio that is not available yet.
        public var missing: Color

        /// Creates a palette.
        /// - Parameters:
        ///   - peak: The color of peaks.
        ///   - rms: The color of the root mean square.
        ///   - missing: The color of unavailable audio.
        public init(peak: Color, rms: Color, missing: Color) {
            (self.peak, self.rms, self.missing) = (peak, rms, missing)
        }
    }

    /// The shape of the columns.
    public var shape: Shape
    /// The colors before the playhead.
    public var played: Palette
    /// The colors after the playhead.
    public var unplayed: Palette

    /// Creates an appearance.
    /// - Parameters:
    ///   - shape: The shape of the columns (default: bars of 2 pixels with gaps of 1).
    ///   - played: The colors before the playhead.
    ///   - unplayed: The colors after the playhead.
    public init(shape: Shape = .bars(width: 2, gap: 1), played: Palette, unplayed: Palette) {
        (self.shape, self.played, self.unplayed) = (shape, played, unplayed)
    }

    /// Creates an appearance from two theme colors, with a paler shade for peaks.
    ///
    /// All colors are opaque, because Cairo draws them twice as fast as translucent ones.
    /// - Parameters:
    ///   - accent: The color of the played part.
    ///   - foreground: The text color.
    ///   - background: The background color, treated as opaque.
    ///   - shape: The shape of the columns.
    public init(
        accent: Color,
        foreground: Color,
        background: Color,
        shape: Shape = .bars(width: 2, gap: 1)
    ) {
        func palette(_ color: Color, _ peak: Double, _ rms: Double, _ missing: Double) -> Palette {
            Palette(
                peak: color.opacity(peak).over(background),
                rms: color.opacity(rms).over(background),
                missing: color.opacity(missing).over(background)
            )
        }
        self.init(
            shape: shape,
            played: palette(accent, 0.6, 1, 0.35),
            unplayed: palette(foreground, 0.38, 0.68, 0.15)
        )
    }
}
