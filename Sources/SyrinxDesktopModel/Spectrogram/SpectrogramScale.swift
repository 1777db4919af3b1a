import Foundation

/// The frequencies of a spectrogram's rows, evenly spaced on the mel scale.
public struct SpectrogramScale: Sendable, Equatable {
    /// A label of the frequency axis.
    public struct Label: Sendable, Equatable {
        /// The text, such as `1 kHz`.
        public var text: String
        /// The position from the bottom, 0…1.
        public var place: Double
    }

    /// The number of rows.
    public let rowCount: Int
    /// The frequency at the top edge, in hertz.
    public let top: Double

    /// Creates a scale from 0 Hz to a frequency.
    /// - Parameters:
    ///   - rowCount: The number of rows, at least 1.
    ///   - top: The frequency at the top edge, clamped to 100…96,000 Hz.
    public init(rowCount: Int, top: Double) {
        self.rowCount = rowCount.clamped(to: 1...4096)
        self.top = top.clamped(to: 100...96_000)
    }

    private static func mel(_ frequency: Double) -> Double { 2595 * log10(1 + frequency / 700) }
    private static func hertz(_ mel: Double) -> Double { 700 * (pow(10, mel / 2595) - 1) }

    /// Returns the position of a frequency from the bottom.
    /// - Parameter frequency: The frequency, in hertz.
    /// - Returns: A position 0…1, or greater than 1 above the top edge.
    public func place(of frequency: Double) -> Double {
        Self.mel(max(frequency.finite(or: 0), 0)) / Self.mel(top)
    }

    /// Returns the frequency at a position.
    /// - Parameter place: The position from the bottom, 0…1.
    /// - Returns: The frequency, in hertz.
    public func frequency(at place: Double) -> Double { Self.hertz(Self.mel(top) * place.clamped(to: 0...1)) }

    /// Returns the row that contains a frequency; row 0 is the lowest.
    /// - Parameter frequency: The frequency, in hertz.
    public func row(of frequency: Double) -> Int {
        Int(floor: place(of: frequency) * Double(rowCount)).clamped(to: 0...rowCount - 1)
    }

    /// The row boundaries in hertz, from bottom to top; one more than there are rows.
    public var edges: [Double] { (0...rowCount).map { frequency(at: Double($0) / Double(rowCount)) } }

    /// Returns labels of round frequencies that fit on the axis.
    /// - Parameters:
    ///   - height: The height of the picture, in pixels.
    ///   - spacing: The minimum distance between two labels, and between a label and an edge, in pixels.
    /// - Returns: The labels from bottom to top.
    public func labels(height: Double, spacing: Double = 18) -> [Label] {
        guard height.isFinite, height > 0 else { return [] }
        let gap = max(spacing.finite(or: 18), 1)
        var labels: [Label] = []
        // The most useful labels are placed first.
        for frequency in [1000.0, 4000, 10_000, 250, 2000, 500, 16_000, 6000, 100, 20_000] where frequency < top {
            let place = place(of: frequency)
            let y = place * height
            guard y >= gap / 2, height - y >= gap / 2 else { continue }
            guard labels.allSatisfy({ abs($0.place * height - y) >= gap }) else { continue }
            // Bounded: round numbers up to 20 000.
            let text = frequency < 1000 ? "\(Int(frequency)) Hz" : "\(Int(frequency / 1000)) kHz"
            labels.append(Label(text: text, place: place))
        }
        return labels.sorted { $0.place < $1.place }
    }
}
