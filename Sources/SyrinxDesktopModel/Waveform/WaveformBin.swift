/// One column of a waveform, in the terms of `WaveformPyramid.Column` of `SyrinxAnalysis`.
public struct WaveformBin: Sendable, Equatable {
    /// The least sample, −32 768 … 32 767.
    public var minimum: Int16
    /// The greatest sample, not below `minimum`.
    public var maximum: Int16
    /// The root mean square, 0 … 1; 0 where it was not measured.
    public var rms: Float
    /// Whether any of it has arrived.
    public var isKnown: Bool

    /// Creates a column.
    /// - Parameters:
    ///   - minimum: The least sample.
    ///   - maximum: The greatest sample.
    ///   - rms: The root mean square, 0 … 1.
    ///   - isKnown: Whether any of it has arrived.
    public init(minimum: Int16, maximum: Int16, rms: Float, isKnown: Bool = true) {
        (self.minimum, self.maximum, self.rms, self.isKnown) = (minimum, maximum, rms, isKnown)
    }

    /// A column of which nothing has arrived.
    public static let unknown = WaveformBin(minimum: 0, maximum: 0, rms: 0, isKnown: false)
}

/// The waveform that is drawn.
public struct WaveformSource {
    /// Frames per second; more than 0.
    public var sampleRate: Double
    /// Returns so many columns that together cover a range of frames, as `WaveformPyramid.columns(in:width:)` does for
    /// one channel.
    ///
    /// The range may reach beyond the end. Missing columns count as unknown.
    public var columns: (_ frames: Range<Int64>, _ count: Int) -> [WaveformBin]

    /// Creates a source.
    /// - Parameters:
    ///   - sampleRate: Frames per second; more than 0.
    ///   - columns: Returns so many columns that together cover a range of frames.
    public init(sampleRate: Double, columns: @escaping (_ frames: Range<Int64>, _ count: Int) -> [WaveformBin]) {
        self.sampleRate = sampleRate
        self.columns = columns
    }
}

/// A colour with 8 bits for each part, not premultiplied.
public struct Color: Sendable, Hashable {
    /// Red, 0 … 255.
    public var red: UInt8
    /// Green, 0 … 255.
    public var green: UInt8
    /// Blue, 0 … 255.
    public var blue: UInt8
    /// The opacity, 0 … 255.
    public var alpha: UInt8

    /// Creates a colour.
    /// - Parameters:
    ///   - red: Red, 0 … 255.
    ///   - green: Green, 0 … 255.
    ///   - blue: Blue, 0 … 255.
    ///   - alpha: The opacity; 255 by default.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Creates a colour of parts from 0 to 1, as GDK has them; other numbers count as the nearer end.
    /// - Parameters:
    ///   - red: Red, 0 … 1.
    ///   - green: Green, 0 … 1.
    ///   - blue: Blue, 0 … 1.
    ///   - alpha: The opacity, 0 … 1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        func byte(_ part: Double) -> UInt8 { UInt8(Int(nearest: part.clamped(to: 0...1) * 255)) }
        self.init(byte(red), byte(green), byte(blue), alpha: byte(alpha))
    }

    /// The colour less opaque.
    /// - Parameter opacity: The share that remains, 0 … 1.
    /// - Returns: The same colour with the opacity times `opacity`.
    public func opacity(_ opacity: Double) -> Color {
        var color = self
        color.alpha = UInt8(Int(nearest: Double(alpha) * opacity.clamped(to: 0...1)))
        return color
    }

    /// Returns the opaque colour that is seen where this one lies over another.
    /// - Parameter background: The colour beneath, which counts as opaque.
    public func over(_ background: Color) -> Color {
        func mix(_ part: UInt8, _ under: UInt8) -> UInt8 {
            let (share, rest) = (Int(part) * Int(alpha), Int(under) * (255 - Int(alpha)))
            // Bounded: 0 … 255.
            return UInt8((share + rest + 127) / 255)
        }
        return Color(mix(red, background.red), mix(green, background.green), mix(blue, background.blue))
    }
}

/// The look of a waveform.
public struct WaveformStyle: Sendable, Hashable {
    /// The shape of the columns.
    public enum Shape: Sendable, Hashable {
        /// Bars around the middle, with gaps; sizes in pixels before scaling, the width at least 1.
        case bars(width: Int, gap: Int)
        /// A column for each pixel, from the least to the greatest sample.
        case columns

        /// The width from which a view has bars of 3 pixels with gaps of 2, in pixels.
        ///
        /// Bars of 2 look like a texture there, and a frame is as expensive as their number.
        static let wideWidth = 2000.0

        /// Returns the bars for a view.
        /// - Parameter width: The width of the view, in pixels.
        public static func bars(forWidth width: Double) -> Shape {
            width < wideWidth ? .bars(width: 2, gap: 1) : .bars(width: 3, gap: 2)
        }
    }

    /// The colours of one side of the playhead.
    public struct Palette: Sendable, Hashable {
        /// Peaks.
        public var peak: Color
        /// The root mean square, drawn over the peaks.
        public var rms: Color
        /// The line that stands for what has not arrived.
        public var missing: Color

        /// Creates a palette.
        /// - Parameters:
        ///   - peak: The colour of peaks.
        ///   - rms: The colour of the root mean square.
        ///   - missing: The colour of what has not arrived.
        public init(peak: Color, rms: Color, missing: Color) {
            (self.peak, self.rms, self.missing) = (peak, rms, missing)
        }
    }

    /// The shape of the columns.
    public var shape: Shape
    /// The colours before the playhead.
    public var played: Palette
    /// The colours behind the playhead.
    public var unplayed: Palette

    /// Creates a look.
    /// - Parameters:
    ///   - shape: The shape of the columns; bars of 2 pixels with gaps of 1 by default.
    ///   - played: The colours before the playhead.
    ///   - unplayed: The colours behind the playhead.
    public init(shape: Shape = .bars(width: 2, gap: 1), played: Palette, unplayed: Palette) {
        (self.shape, self.played, self.unplayed) = (shape, played, unplayed)
    }

    /// Creates a look of two colours of a theme: peaks are their paler shade.
    ///
    /// All colours are opaque, which Cairo draws twice as fast as others.
    /// - Parameters:
    ///   - accent: The colour of what has been played.
    ///   - foreground: The colour of text.
    ///   - background: The colour beneath, which counts as opaque.
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
