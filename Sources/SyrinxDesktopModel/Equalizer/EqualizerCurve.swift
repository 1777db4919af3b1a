import Foundation

/// The curve of an equalizer with a handle for each band to drag: frequency across on a logarithmic axis, gain upwards.
///
/// Positions are pixels from the top left corner of the view.
public struct EqualizerCurve: Sendable, Equatable {
    /// An effect on the view or the sound.
    public enum Action: Sendable, Equatable {
        /// A band has changed: the sound follows, and the view is drawn.
        case changed(band: Int)
        /// Another band is selected: the view is drawn.
        case selected(Int?)
    }

    /// The pixels by which a handle may be missed.
    private static let reach = 16.0
    /// The decibels at the upper and the lower edge, beyond the greatest gain, so that handles lie inside.
    public static let decibelRange = -27.0...27.0

    /// The bands, in any order.
    public private(set) var bands: [EqualizerBand]
    /// The width in pixels, at least 1.
    public private(set) var width: Double
    /// The height in pixels, at least 1.
    public private(set) var height: Double
    /// Frames per second of the sound.
    public private(set) var sampleRate: Double
    /// The band that keys move.
    public private(set) var selected: Int?
    private var drag: Drag?

    private struct Drag: Sendable, Equatable {
        var band: Int
        /// The place of the press.
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
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - sampleRate: Frames per second of the sound; 44 100 by default.
    public init(bands: [EqualizerBand], width: Double, height: Double, sampleRate: Double = 44_100) {
        self.bands = bands
        self.width = width.finite(or: 1).clamped(to: 1...1e5)
        self.height = height.finite(or: 1).clamped(to: 1...1e5)
        self.sampleRate = sampleRate.isFinite && sampleRate > 0 ? sampleRate : 44_100
    }

    /// Sets the size of the view.
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    public mutating func setSize(width: Double, height: Double) {
        self.width = width.finite(or: 1).clamped(to: 1...1e5)
        self.height = height.finite(or: 1).clamped(to: 1...1e5)
    }

    /// Sets all bands, as a preset does; a drag ends.
    /// - Parameter bands: The bands.
    public mutating func setBands(_ bands: [EqualizerBand]) {
        self.bands = bands
        drag = nil
        if let selected, !bands.indices.contains(selected) { self.selected = nil }
    }

    // MARK: Axes

    private static let octaves = log2(EqualizerBand.frequencies.upperBound / EqualizerBand.frequencies.lowerBound)

    /// Returns the pixel of a frequency.
    /// - Parameter hertz: 20 … 20 000; others count as the nearer end.
    /// - Returns: Pixels from the left edge.
    public func x(of hertz: Double) -> Double {
        let hertz = hertz.clamped(to: EqualizerBand.frequencies)
        return log2(hertz / EqualizerBand.frequencies.lowerBound) / Self.octaves * width
    }

    /// Returns the frequency at a pixel.
    /// - Parameter x: Pixels from the left edge.
    /// - Returns: Hertz, 20 … 20 000.
    public func frequency(at x: Double) -> Double {
        guard x < width else { return EqualizerBand.frequencies.upperBound }
        return (EqualizerBand.frequencies.lowerBound * exp2((x / width).clamped(to: 0...1) * Self.octaves))
            .clamped(to: EqualizerBand.frequencies)
    }

    /// Returns the pixel of a gain.
    /// - Parameter decibels: −27 … 27; others count as the nearer end.
    /// - Returns: Pixels from the upper edge.
    public func y(of decibels: Double) -> Double {
        let range = Self.decibelRange
        return (range.upperBound - decibels.clamped(to: range)) / (range.upperBound - range.lowerBound) * height
    }

    /// Returns the gain at a pixel.
    /// - Parameter y: Pixels from the upper edge.
    /// - Returns: Decibels, −24 … 24.
    public func gain(at y: Double) -> Double {
        let range = Self.decibelRange
        let decibels = range.upperBound - (y / height).clamped(to: 0...1) * (range.upperBound - range.lowerBound)
        return decibels.clamped(to: EqualizerBand.gains)
    }

    /// The frequencies of the lines of the axis, with their texts.
    public static let axis: [(hertz: Double, text: String)] = [
        (50, "50"), (100, "100"), (200, "200"), (500, "500"), (1000, "1k"), (2000, "2k"), (5000, "5k"), (10_000, "10k"),
    ]

    /// The pixels between a line and its text, and the least between two texts.
    private static let (labelOffset, labelGap) = (3.0, 6.0)

    /// Returns the texts of the axis that have room beside each other, from left to right; powers of ten come before the others.
    /// - Parameter width: Returns the pixels that a text takes.
    /// - Returns: The texts with their left edges.
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

    /// Returns the heights of the curve: the sum of all bands.
    /// - Parameter count: The number of points, evenly spaced from the left to the right edge; 2 … 8192.
    /// - Returns: Pixels from the upper edge.
    public func points(_ count: Int) -> [Double] {
        let count = count.clamped(to: 2...8192)
        let filters = bands.filter { !$0.isBypassed }.map { Biquad($0, sampleRate: sampleRate) }
        return (0..<count).map { index in
            let hertz = min(frequency(at: width * Double(index) / Double(count - 1)), 0.499 * sampleRate)
            return y(of: filters.reduce(0) { $0 + $1.decibels(at: hertz, sampleRate: sampleRate) })
        }
    }

    /// Returns the place of the handle of a band: at its gain, or on the line of 0 dB where it has none.
    /// - Parameter band: The place of the band in `bands`.
    /// - Returns: Pixels from the left and the upper edge; `nil` if there is no such band.
    public func handle(of band: Int) -> (x: Double, y: Double)? {
        guard bands.indices.contains(band) else { return nil }
        return (x(of: bands[band].frequency), y(of: bands[band].shape.hasGain ? bands[band].gain : 0))
    }

    /// Returns the band whose handle lies at a place; of several the nearest, and of equals the selected one.
    /// - Parameters:
    ///   - x: Pixels from the left edge.
    ///   - y: Pixels from the upper edge.
    /// - Returns: The place of the band in `bands`.
    public func band(atX x: Double, y: Double) -> Int? {
        let distances = bands.indices.compactMap { index -> (Int, Double)? in
            guard let place = handle(of: index) else { return nil }
            let distance = ((place.x - x) * (place.x - x) + (place.y - y) * (place.y - y)).squareRoot()
            return distance <= Self.reach ? (index, index == selected ? distance - 1e-6 : distance) : nil
        }
        return distances.min { $0.1 < $1.1 }?.0
    }

    // MARK: Input

    /// Takes a press: selects the band there and begins to drag it.
    /// - Parameters:
    ///   - x: Pixels from the left edge.
    ///   - y: Pixels from the upper edge.
    ///   - clicks: The number of presses in a row; the second one sets the gain of the band to 0.
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
        // The handle keeps its distance to the pointer, so that it does not jump.
        drag = Drag(band: found, x: x, y: y, dx: place.x - x, dy: place.y - y, origin: bands[found])
        return selects
    }

    /// Takes a movement of the pressed pointer.
    /// - Parameters:
    ///   - x: Pixels from the left edge.
    ///   - y: Pixels from the upper edge.
    /// - Returns: The effects.
    public mutating func move(x: Double, y: Double) -> [Action] {
        guard let drag, x.isFinite, y.isFinite, bands.indices.contains(drag.band) else { return [] }
        // A press alone changes nothing, not even by rounding.
        if x == drag.x, y == drag.y { return change(drag.band) { $0 = drag.origin } }
        let hertz = frequency(at: x + drag.dx)
        let decibels = gain(at: y + drag.dy)
        return change(drag.band) {
            $0.frequency = hertz
            // Within a pixel or so of the line, it is the line.
            if $0.shape.hasGain { $0.gain = abs(decibels) < 0.25 ? 0 : decibels }
        }
    }

    /// Takes the end of a press.
    public mutating func release() { drag = nil }

    /// Takes Escape during a drag: the band is as it was.
    /// - Returns: The effects.
    public mutating func cancel() -> [Action] {
        guard let drag else { return [] }
        self.drag = nil
        return change(drag.band) { $0 = drag.origin }
    }

    /// Takes a turn of the wheel over a band, or over the view for the selected one: the bandwidth.
    /// - Parameters:
    ///   - x: Pixels from the left edge.
    ///   - y: Pixels from the upper edge.
    ///   - steps: Notches downwards, which make the band narrower.
    /// - Returns: The effects.
    public mutating func turn(x: Double, y: Double, steps: Double) -> [Action] {
        guard steps.isFinite, let band = band(atX: x, y: y) ?? selected, bands.indices.contains(band) else { return [] }
        guard bands[band].shape.hasBandwidth else { return [] }
        return change(band) {
            let factor = pow(1.1, -steps.clamped(to: -100...100))
            $0.bandwidth = ($0.bandwidth * factor).clamped(to: EqualizerBand.bandwidths)
        }
    }

    /// Takes arrow keys for the selected band.
    /// - Parameters:
    ///   - right: Steps of a twelfth of an octave, negative to the left.
    ///   - up: Steps of half a decibel, negative downwards.
    /// - Returns: The effects.
    public mutating func step(right: Int, up: Int) -> [Action] {
        guard let selected, bands.indices.contains(selected) else { return [] }
        let (right, up) = (Double(right.clamped(to: -1000...1000)), Double(up.clamped(to: -1000...1000)))
        return change(selected) {
            $0.frequency = ($0.frequency * exp2(right / 12)).clamped(to: EqualizerBand.frequencies)
            if $0.shape.hasGain { $0.gain = ($0.gain + up / 2).clamped(to: EqualizerBand.gains) }
        }
    }

    /// Selects the next band, for keys.
    /// - Parameter forward: Whether towards the last band; from the last, and from the first backwards, none is selected.
    /// - Returns: Whether there was one.
    public mutating func selectNext(forward: Bool) -> Bool {
        let next = selected.map { $0 + (forward ? 1 : -1) } ?? (forward ? 0 : bands.count - 1)
        selected = bands.indices.contains(next) ? next : nil
        return selected != nil
    }

    /// Returns the values of a band in words, for screen readers.
    /// - Parameter band: The place of the band in `bands`.
    /// - Returns: Such as "Band 2: 1000 Hz, +3.5 dB"; empty if there is no such band.
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
