import Foundation

/// An equalizer curve with draggable handles, over a logarithmic frequency axis and a gain axis.
///
/// Positions are in pixels from the top left corner of the view.
public struct EqualizerCurve: Sendable, Equatable {
    /// An effect of an input.
    public enum Action: Sendable, Equatable {
        /// A band has changed: update the sound and redraw the view.
        case changed(band: Int)
        /// The selection has changed: redraw the view.
        case selected(Int?)
    }

    /// The maximum distance from a handle at which it can be grabbed, in pixels.
    private static let reach = 16.0
    /// The gains at the lower and upper edge in decibels, beyond the maximum gain, so that handles are inside the view.
    public static let decibelRange = -27.0...27.0

    /// The bands, in any order.
    public private(set) var bands: [EqualizerBand]
    /// The width in pixels, at least 1.
    public private(set) var width: Double
    /// The height in pixels, at least 1.
    public private(set) var height: Double
    /// The sample rate, in hertz.
    public private(set) var sampleRate: Double
    /// The index of the band that keys change; `nil` for none.
    public private(set) var selected: Int?
    private var drag: Drag?

    private struct Drag: Sendable, Equatable {
        var band: Int
        /// The position of the press.
        var x: Double
        var y: Double
        /// The distance of the handle from the pointer.
        var dx: Double
        var dy: Double
        var origin: EqualizerBand
    }

    /// Creates a curve.
    /// - Parameters:
    ///   - bands: The bands.
    ///   - width: The width, in pixels.
    ///   - height: The height, in pixels.
    ///   - sampleRate: The sample rate, in hertz (default: 44,100).
    public init(bands: [EqualizerBand], width: Double, height: Double, sampleRate: Double = 44_100) {
        self.bands = bands
        self.width = width.finite(or: 1).clamped(to: 1...1e5)
        self.height = height.finite(or: 1).clamped(to: 1...1e5)
        self.sampleRate = sampleRate.isFinite && sampleRate > 0 ? sampleRate : 44_100
    }

    /// Sets the size of the view.
    /// - Parameters:
    ///   - width: The width, in pixels.
    ///   - height: The height, in pixels.
    public mutating func setSize(width: Double, height: Double) {
        self.width = width.finite(or: 1).clamped(to: 1...1e5)
        self.height = height.finite(or: 1).clamped(to: 1...1e5)
    }

    /// Replaces all bands, for example by a preset, and ends a drag.
    /// - Parameter bands: The bands.
    public mutating func setBands(_ bands: [EqualizerBand]) {
        self.bands = bands
        drag = nil
        if let selected, !bands.indices.contains(selected) { self.selected = nil }
    }

    // MARK: Axes

    private static let octaves = log2(EqualizerBand.frequencies.upperBound / EqualizerBand.frequencies.lowerBound)

    /// Returns the horizontal position of a frequency.
    /// - Parameter hertz: The frequency, clamped to 20…20,000 Hz.
    /// - Returns: The distance from the left edge, in pixels.
    public func x(of hertz: Double) -> Double {
        let hertz = hertz.clamped(to: EqualizerBand.frequencies)
        return log2(hertz / EqualizerBand.frequencies.lowerBound) / Self.octaves * width
    }

    /// Returns the frequency at a horizontal position.
    /// - Parameter x: The distance from the left edge, in pixels.
    /// - Returns: The frequency, 20…20,000 Hz.
    public func frequency(at x: Double) -> Double {
        guard x < width else { return EqualizerBand.frequencies.upperBound }
        return (EqualizerBand.frequencies.lowerBound * exp2((x / width).clamped(to: 0...1) * Self.octaves))
            .clamped(to: EqualizerBand.frequencies)
    }

    /// Returns the vertical position of a gain.
    /// - Parameter decibels: The gain, clamped to −27…27 dB.
    /// - Returns: The distance from the top edge, in pixels.
    public func y(of decibels: Double) -> Double {
        let range = Self.decibelRange
        return (range.upperBound - decibels.clamped(to: range)) / (range.upperBound - range.lowerBound) * height
    }

    /// Returns the gain at a vertical position.
    /// - Parameter y: The distance from the top edge, in pixels.
    /// - Returns: The gain, −24…24 dB.
    public func gain(at y: Double) -> Double {
        let range = Self.decibelRange
        let decibels = range.upperBound - (y / height).clamped(to: 0...1) * (range.upperBound - range.lowerBound)
        return decibels.clamped(to: EqualizerBand.gains)
    }

    /// The frequencies of the grid lines, with their labels.
    public static let axis: [(hertz: Double, text: String)] = [
        (50, "50"), (100, "100"), (200, "200"), (500, "500"), (1000, "1k"), (2000, "2k"), (5000, "5k"), (10_000, "10k"),
    ]

    /// The distance between a line and its label, and the minimum distance between two labels, in pixels.
    private static let (labelOffset, labelGap) = (3.0, 6.0)

    /// Returns the labels that fit next to each other, from left to right, preferring powers of ten.
    /// - Parameter width: Returns the width of a text, in pixels.
    /// - Returns: The labels with their left edges.
    public func labels(_ width: (String) -> Double) -> [(x: Double, text: String)] {
        var taken: [(x: Double, end: Double, text: String)] = []
        let tens = Self.axis.filter { $0.text.hasPrefix("1") }
        for (hertz, text) in tens + Self.axis.filter({ !$0.text.hasPrefix("1") }) {
            let start = x(of: hertz).rounded() + Self.labelOffset
            let end = start + width(text)
            let isFree = taken.allSatisfy { end + Self.labelGap <= $0.x || $0.end + Self.labelGap <= start }
            if isFree, end <= self.width { taken.append((start, end, text)) }
        }
        return taken.sorted { $0.x < $1.x }.map { ($0.x, $0.text) }
    }

    // MARK: The curve

    /// Returns the curve, which is the sum of all bands.
    /// - Parameter count: The number of points, evenly spaced from the left to the right edge, 2…8192.
    /// - Returns: The distances from the top edge, in pixels.
    public func points(_ count: Int) -> [Double] {
        let count = count.clamped(to: 2...8192)
        let filters = bands.filter { !$0.isBypassed }.map { Biquad($0, sampleRate: sampleRate) }
        return (0..<count).map { index in
            let hertz = min(frequency(at: width * Double(index) / Double(count - 1)), 0.499 * sampleRate)
            return y(of: filters.reduce(0) { $0 + $1.decibels(at: hertz, sampleRate: sampleRate) })
        }
    }

    /// Returns the position of a band's handle, which is at its gain, or at 0 dB if it has no gain.
    /// - Parameter band: The index of the band in `bands`.
    /// - Returns: The distances from the left and top edge in pixels; `nil` if there is no such band.
    public func handle(of band: Int) -> (x: Double, y: Double)? {
        guard bands.indices.contains(band) else { return nil }
        return (x(of: bands[band].frequency), y(of: bands[band].shape.hasGain ? bands[band].gain : 0))
    }

    /// Returns the band whose handle is nearest to a position; of equally near ones, the selected band.
    /// - Parameters:
    ///   - x: The distance from the left edge, in pixels.
    ///   - y: The distance from the top edge, in pixels.
    /// - Returns: The index of the band in `bands`; `nil` if no handle is near.
    public func band(atX x: Double, y: Double) -> Int? {
        let distances = bands.indices.compactMap { index -> (Int, Double)? in
            guard let place = handle(of: index) else { return nil }
            let distance = ((place.x - x) * (place.x - x) + (place.y - y) * (place.y - y)).squareRoot()
            return distance <= Self.reach ? (index, index == selected ? distance - 1e-6 : distance) : nil
        }
        return distances.min { $0.1 < $1.1 }?.0
    }

    // MARK: Input

    /// Processes a press, which selects the band at that position and starts to drag it.
    /// - Parameters:
    ///   - x: The distance from the left edge, in pixels.
    ///   - y: The distance from the top edge, in pixels.
    ///   - clicks: The number of clicks in quick succession; the second one sets the gain to 0.
    /// - Returns: The effects.
    public mutating func press(x: Double, y: Double, clicks: Int = 1) -> [Action] {
        drag = nil
        let found = band(atX: x, y: y)
        let selects: [Action] = found == selected ? [] : [.selected(found)]
        selected = found
        guard let found, let place = handle(of: found) else { return selects }
        if clicks == 2 {
            return selects + change(found) { $0.gain = 0 }
        }
        // The handle keeps its distance from the pointer, so that it does not jump.
        drag = Drag(band: found, x: x, y: y, dx: place.x - x, dy: place.y - y, origin: bands[found])
        return selects
    }

    /// Processes a movement of the pointer during a drag.
    /// - Parameters:
    ///   - x: The distance from the left edge, in pixels.
    ///   - y: The distance from the top edge, in pixels.
    /// - Returns: The effects.
    public mutating func move(x: Double, y: Double) -> [Action] {
        guard let drag, x.isFinite, y.isFinite, bands.indices.contains(drag.band) else { return [] }
        // A press without movement changes nothing, not even by rounding.
        if x == drag.x, y == drag.y { return change(drag.band) { $0 = drag.origin } }
        let hertz = frequency(at: x + drag.dx)
        let decibels = gain(at: y + drag.dy)
        return change(drag.band) {
            $0.frequency = hertz
            // Snap to 0 dB within about a pixel.
            if $0.shape.hasGain { $0.gain = abs(decibels) < 0.25 ? 0 : decibels }
        }
    }

    /// Processes the end of a press.
    public mutating func release() { drag = nil }

    /// Processes the Escape key during a drag, which restores the band.
    /// - Returns: The effects.
    public mutating func cancel() -> [Action] {
        guard let drag else { return [] }
        self.drag = nil
        return change(drag.band) { $0 = drag.origin }
    }

    /// Processes the scroll wheel, which changes the bandwidth of the band at the pointer, or of the selected band.
    /// - Parameters:
    ///   - x: The distance from the left edge, in pixels.
    ///   - y: The distance from the top edge, in pixels.
    ///   - steps: The number of notches downward, which make the band narrower.
    /// - Returns: The effects.
    public mutating func turn(x: Double, y: Double, steps: Double) -> [Action] {
        guard steps.isFinite, let band = band(atX: x, y: y) ?? selected, bands.indices.contains(band) else { return [] }
        guard bands[band].shape.hasBandwidth else { return [] }
        return change(band) {
            let factor = pow(1.1, -steps.clamped(to: -100...100))
            $0.bandwidth = ($0.bandwidth * factor).clamped(to: EqualizerBand.bandwidths)
        }
    }

    /// Processes arrow keys for the selected band.
    /// - Parameters:
    ///   - right: The number of steps of a twelfth of an octave; negative to the left.
    ///   - up: The number of steps of half a decibel; negative downward.
    /// - Returns: The effects.
    public mutating func step(right: Int, up: Int) -> [Action] {
        guard let selected, bands.indices.contains(selected) else { return [] }
        let (right, up) = (Double(right.clamped(to: -1000...1000)), Double(up.clamped(to: -1000...1000)))
        return change(selected) {
            $0.frequency = ($0.frequency * exp2(right / 12)).clamped(to: EqualizerBand.frequencies)
            if $0.shape.hasGain { $0.gain = ($0.gain + up / 2).clamped(to: EqualizerBand.gains) }
        }
    }

    /// Selects the next or previous band, for keyboard navigation.
    /// - Parameter forward: Whether to select the next band. After the last band, and before the first, no band is
    ///   selected.
    /// - Returns: Whether a band is selected.
    public mutating func selectNext(forward: Bool) -> Bool {
        let next = selected.map { $0 + (forward ? 1 : -1) } ?? (forward ? 0 : bands.count - 1)
        selected = bands.indices.contains(next) ? next : nil
        return selected != nil
    }

    /// Returns the values of a band as text for screen readers.
    /// - Parameter band: The index of the band in `bands`.
    /// - Returns: A text such as "Band 2: 1000 Hz, +3.5 dB"; empty if there is no such band.
    public func spoken(_ band: Int) -> String {
        guard bands.indices.contains(band) else { return "" }
        let values = bands[band]
        var text = "Band \(band + 1): \(Int(nearest: values.frequency)) Hz"
        if values.shape.hasGain {
            let tenths = Int(nearest: values.gain * 10)
            let sign = tenths > 0 ? "+" : tenths < 0 ? "\u{2212}" : ""
            text += ", \(sign)\(abs(tenths) / 10).\(abs(tenths) % 10) dB"
        }
        return values.isBypassed ? text + ", off" : text
    }

    private mutating func change(_ band: Int, _ body: (inout EqualizerBand) -> Void) -> [Action] {
        let former = bands[band]
        body(&bands[band])
        return bands[band] == former ? [] : [.changed(band: band)]
    }
}
