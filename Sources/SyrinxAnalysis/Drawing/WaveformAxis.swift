internal import SyrinxByteStream

/// The time axis of a drawing: marks at the edges, with times as text.
///
/// A value; any thread may use it.
public struct WaveformAxis: Sendable, Equatable {
    /// The scale in pixels per second, above 0.
    public let pixelsPerSecond: Double
    /// The time at the left edge in seconds, at least 0.
    public let start: Double
    /// The color of the marks and the times.
    public let color: WaveformColor

    /// Creates a time axis for a drawing.
    /// - Precondition: `pixelsPerSecond` is above 0, `start` is at least 0, and both are finite.
    public init(pixelsPerSecond: Double, start: Double = 0, color: WaveformColor = WaveformColor(0, 0, 0)) {
        precondition(pixelsPerSecond > 0 && pixelsPerSecond.isFinite, "a second has a width")
        precondition(start >= 0 && start.isFinite, "a drawing begins in its recording")
        self.pixelsPerSecond = pixelsPerSecond
        self.start = start
        self.color = color
    }

    private static let markHeight = 6
    private static let gap = 2
    /// The minimum distance in pixels of two marks: a text `hh:mm:ss` with margins.
    private static let leastDistance = 60.0
    private static let steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800]

    /// The interval between marks in seconds: the smallest common interval with enough space for the text.
    public var interval: Int {
        let wanted = Self.leastDistance / pixelsPerSecond
        if let step = Self.steps.first(where: { Double($0) >= wanted }) { return step }
        // Multiples of an hour.
        return max(Int(clamped: (wanted / 3600).rounded(.up)), 1).multipliedClamped(by: 3600)
    }

    /// Formats a time in seconds, such as `01:30` or `01:00:00`.
    public static func text(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = "\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        return seconds < 3600 ? minutes : "\(two(seconds / 3600)):\(minutes)"
    }

    /// Returns all marks and times of a drawing as rectangles.
    func bars(width: Int, height: Int) -> [WaveformBar] {
        let step = interval
        var bars: [WaveformBar] = []
        var next: Int? = Int(clamped: (start / Double(step)).rounded(.up)).multipliedClamped(by: step)
        while let time = next {
            let x = Int(clamped: ((Double(time) - start) * pixelsPerSecond).rounded())
            guard x < width else { break }
            let mark = min(Self.markHeight, height)
            bars.append(Self.bar(x, 0, 1, mark))
            bars.append(Self.bar(x, height - mark, 1, mark))
            let text = Self.text(time)
            let left = x - DigitFont.width(text) / 2
            let room = 2 * (mark + Self.gap + DigitFont.height)
            if left >= 0, left + DigitFont.width(text) <= width, height > room {
                bars += DigitFont.bars(text, x: left, y: mark + Self.gap)
                bars += DigitFont.bars(text, x: left, y: height - mark - Self.gap - DigitFont.height)
            }
            next = time.addingChecked(step)
        }
        return bars
    }

    private static func bar(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> WaveformBar {
        WaveformBar(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
    }
}

/// A font with digits and a colon, 5 pixels wide and 7 high, so that no system fonts are needed.
private enum DigitFont {
    static let height = 7
    private static let advance = 6

    /// Rows from top to bottom; the most significant of 5 bits is the leftmost pixel.
    private static let glyphs: [Character: [UInt8]] = [
        "0": [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
        "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        "2": [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
        "3": [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
        "4": [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
        "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
        "6": [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
        "7": [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
        "8": [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
        "9": [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
        ":": [0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b00000],
    ]

    static func width(_ text: String) -> Int { text.count * advance - 1 }

    /// Returns a rectangle for each run of pixels in a row.
    static func bars(_ text: String, x: Int, y: Int) -> [WaveformBar] {
        var bars: [WaveformBar] = []
        for (index, character) in text.enumerated() {
            for (row, bits) in (glyphs[character] ?? []).enumerated() {
                var column = 0
                while column < 5 {
                    let first = column
                    while column < 5, bits & (0b10000 >> UInt8(column)) != 0 { column += 1 }
                    if column > first {
                        let left = Double(x + index * advance + first)
                        bars.append(
                            WaveformBar(x: left, y: Double(y + row), width: Double(column - first), height: 1)
                        )
                    } else {
                        column += 1
                    }
                }
            }
        }
        return bars
    }
}
