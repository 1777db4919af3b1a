import Foundation

/// The VU meter between the bars of the button that pauses.
///
/// It takes levels as often as they are measured and time as often as the display has a frame.
public struct VUMeter: Sendable, Equatable {
    /// The level at the bottom, in decibels of full scale.
    public static let minimumDecibels = -80.0

    /// Seconds in which the level comes to 99 % of a louder and of a softer one; the fall is that of a VU meter.
    private static let (rise, fall) = (0.1, 0.3)
    /// Seconds for which the peak stays.
    private static let peakHold = 1.5
    /// The share of the scale by which the peak falls each second after that.
    private static let peakFall = 0.5
    /// The level that is shown, 0 … 1.
    public private(set) var level = 0.0
    /// The peak that is shown, 0 … 1.
    public private(set) var peak = 0.0
    private var target = 0.0
    private var heldFor = 0.0

    /// Creates a meter that shows silence.
    public init() {}

    /// Returns the place of a level on the scale from −80 to 0 dB.
    /// - Parameter rms: The root mean square, 0 … 1.
    /// - Returns: 0 … 1: 0 for −80 dB and less and for what is no number, 1 for 0 dB and more.
    public static func place(ofRMS rms: Double) -> Double {
        guard rms > 0 else { return 0 }
        let decibels = 20 * log10(rms)
        guard decibels > minimumDecibels else { return 0 }
        return decibels >= 0 ? 1 : (decibels - minimumDecibels) / -minimumDecibels
    }

    /// Whether a further frame would look the same, so that none needs to be drawn.
    public var isStill: Bool { level == target && (peak <= target || peak == 0) }

    /// Takes a level.
    /// - Parameter rms: The root mean square of the newest samples, 0 … 1.
    public mutating func setRMS(_ rms: Double) { target = Self.place(ofRMS: rms) }

    /// Moves the level and the peak on.
    /// - Parameter elapsed: Seconds since the last call; less than 0 and no number count as 0.
    /// - Returns: Whether the meter looks different.
    @discardableResult
    public mutating func advance(by elapsed: Double) -> Bool {
        let elapsed = elapsed.clamped(to: 0...10)
        let former = (level, peak)
        let time = target > level ? Self.rise : Self.fall
        // A first-order lag is at 1 − e^(−t/τ): 99 % after τ·ln 100.
        level += (target - level) * (1 - exp(-elapsed * log(100) / time))
        // A difference of less than a pixel ends the movement.
        if abs(target - level) < 1e-3 { level = target }
        if level >= peak {
            peak = level
            heldFor = 0
        } else {
            let falling = max(elapsed - max(Self.peakHold - heldFor, 0), 0)
            heldFor += elapsed
            peak = max(peak - falling * Self.peakFall, level)
        }
        return former != (level, peak)
    }

    /// Falls to silence at once: the item was stopped.
    public mutating func reset() { (level, peak, target, heldFor) = (0, 0, 0, 0) }
}

/// A rectangle in the pixels of a view, from its top left corner.
public struct Rectangle: Sendable, Equatable {
    /// The left edge.
    public var x: Double
    /// The upper edge.
    public var y: Double
    /// The width, 0 or more.
    public var width: Double
    /// The height, 0 or more.
    public var height: Double

    /// Creates a rectangle.
    /// - Parameters:
    ///   - x: The left edge.
    ///   - y: The upper edge.
    ///   - width: The width.
    ///   - height: The height.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// The shapes of the sign for pausing with a meter between its bars.
public struct PauseMeterShape: Sendable, Equatable {
    /// The left bar.
    public let leftBar: Rectangle
    /// The right bar.
    public let rightBar: Rectangle
    /// The place of the meter between the bars.
    public let track: Rectangle

    /// Creates the shapes.
    /// - Parameter size: The edge of the square that they fill, in pixels; at least 8 are used.
    public init(size: Double) {
        let size = size.finite(or: 24).clamped(to: 8...4096)
        // The bars of a 16 pixel sign are 3 wide and 12 high; between them lie 6 pixels, of which the meter has 2.
        let unit = size / 16
        leftBar = Rectangle(x: 2 * unit, y: 2 * unit, width: 3 * unit, height: 12 * unit)
        rightBar = Rectangle(x: 11 * unit, y: 2 * unit, width: 3 * unit, height: 12 * unit)
        track = Rectangle(x: 7 * unit, y: 2 * unit, width: 2 * unit, height: 12 * unit)
    }

    /// Returns the part of the track that a level fills, from the bottom.
    /// - Parameter level: 0 … 1; other levels count as the nearer end.
    /// - Returns: A rectangle within the track.
    public func fill(level: Double) -> Rectangle {
        let height = track.height * level.clamped(to: 0...1)
        return Rectangle(x: track.x, y: track.y + track.height - height, width: track.width, height: height)
    }

    /// Returns the line of the peak.
    /// - Parameter peak: 0 … 1; other levels count as the nearer end.
    /// - Returns: A rectangle within the track, or `nil` for 0.
    public func line(peak: Double) -> Rectangle? {
        guard peak > 0 else { return nil }
        let thickness = track.height / 24
        let top = track.y + (track.height - thickness) * (1 - peak.clamped(to: 0...1))
        return Rectangle(x: track.x, y: top, width: track.width, height: thickness)
    }
}
