import Foundation

/// The level meter between the bars of the pause button.
///
/// Levels can be set at any rate, independently of the display's frames.
public struct VUMeter: Sendable, Equatable {
    /// The level at the bottom of the scale, in dBFS.
    public static let minimumDecibels = -80.0

    /// The time in seconds to reach 99 % of a higher and of a lower level; the fall time is that of a VU meter.
    private static let (rise, fall) = (0.1, 0.3)
    /// The duration of the peak hold, in seconds.
    private static let peakHold = 1.5
    /// The speed at which the peak falls afterwards, as a fraction of the scale per second.
    private static let peakFall = 0.5
    /// The displayed level, 0…1.
    public private(set) var level = 0.0
    /// The displayed peak, 0…1.
    public private(set) var peak = 0.0
    private var target = 0.0
    private var heldFor = 0.0

    /// Creates a meter at silence.
    public init() {}

    /// Returns the position of a level on the scale from −80 dB to 0 dB.
    /// - Parameter rms: The root mean square, 0…1.
    /// - Returns: A value 0…1; 0 for −80 dB or less and for NaN, 1 for 0 dB or more.
    public static func place(ofRMS rms: Double) -> Double {
        guard rms > 0 else { return 0 }
        let decibels = 20 * log10(rms)
        guard decibels > minimumDecibels else { return 0 }
        return decibels >= 0 ? 1 : (decibels - minimumDecibels) / -minimumDecibels
    }

    /// Whether the meter would look the same in the next frame, so that it need not be drawn.
    public var isStill: Bool { level == target && (peak <= target || peak == 0) }

    /// Sets the level.
    /// - Parameter rms: The root mean square of the latest samples, 0…1.
    public mutating func setRMS(_ rms: Double) { target = Self.place(ofRMS: rms) }

    /// Advances the displayed level and peak.
    /// - Parameter elapsed: The time since the last call, in seconds; negative values and NaN count as 0.
    /// - Returns: Whether the meter looks different.
    @discardableResult
    public mutating func advance(by elapsed: Double) -> Bool {
        let elapsed = elapsed.clamped(to: 0...10)
        let former = (level, peak)
        let time = target > level ? Self.rise : Self.fall
        // A first-order lag reaches 1 − e^(−t/τ), which is 99 % after τ·ln 100.
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

    /// Resets the meter to silence, after playback was stopped.
    public mutating func reset() { (level, peak, target, heldFor) = (0, 0, 0, 0) }
}

/// A rectangle in a view, in pixels from the top left corner.
public struct Rectangle: Sendable, Equatable {
    /// The left edge.
    public var x: Double
    /// The upper edge.
    public var y: Double
    /// The width, which is not negative.
    public var width: Double
    /// The height, which is not negative.
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

/// The shapes of a pause symbol with a level meter between its bars.
public struct PauseMeterShape: Sendable, Equatable {
    /// The left bar.
    public let leftBar: Rectangle
    /// The right bar.
    public let rightBar: Rectangle
    /// The area of the meter.
    public let track: Rectangle

    /// Creates the shapes.
    /// - Parameter size: The side of the square that contains them, in pixels; at least 8.
    public init(size: Double) {
        let size = size.finite(or: 24).clamped(to: 8...4096)
        // The bars of a 16-pixel symbol are 3 pixels wide and 12 high; the meter takes 2 of the 6 pixels between them.
        let unit = size / 16
        leftBar = Rectangle(x: 2 * unit, y: 2 * unit, width: 3 * unit, height: 12 * unit)
        rightBar = Rectangle(x: 11 * unit, y: 2 * unit, width: 3 * unit, height: 12 * unit)
        track = Rectangle(x: 7 * unit, y: 2 * unit, width: 2 * unit, height: 12 * unit)
    }

    /// Returns the part of the track that a level fills, starting at the bottom.
    /// - Parameter level: The level, clamped to 0…1.
    /// - Returns: A rectangle inside the track.
    public func fill(level: Double) -> Rectangle {
        let height = track.height * level.clamped(to: 0...1)
        return Rectangle(x: track.x, y: track.y + track.height - height, width: track.width, height: height)
    }

    /// Returns the line that shows the peak.
    /// - Parameter peak: The peak, clamped to 0…1.
    /// - Returns: A rectangle inside the track; `nil` for 0.
    public func line(peak: Double) -> Rectangle? {
        guard peak > 0 else { return nil }
        let thickness = track.height / 24
        let top = track.y + (track.height - thickness) * (1 - peak.clamped(to: 0...1))
        return Rectangle(x: track.x, y: top, width: track.width, height: thickness)
    }
}
