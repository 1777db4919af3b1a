import SyrinxByteStream
import SyrinxListening

/// The status line of `play`.
///
/// A value without side effects, which formats the current state to a given width.
struct TerminalLine: Equatable, Sendable {
    /// The progress of the current input.
    var progress = PlaybackProgress()
    /// The sound settings.
    var settings = SoundSettings()

    /// Returns the line for a terminal of `width` columns, without a line break.
    ///
    /// If it is too long, the least important parts are omitted: loop, volume, pitch, rate, bar, duration, in this
    /// order.
    func text(width: Int) -> String {
        let state = progress.lacksOutput ? "no output" : progress.state.rawValue
        let head = state.padded(to: 9)
        var clock = clockText
        let settings = settingTexts
        for kept in stride(from: settings.count, through: 0, by: -1) {
            let tail = settings.prefix(kept).map { "  " + $0 }.joined()
            let room = width - head.count - clock.count - tail.count - 6
            if room >= 10 { return "\(head) \(clock)  [\(bar(width: min(room, 60)))]\(tail)".cut(to: width) }
        }
        if head.count + 1 + clock.count > width { clock = ClockTime.text(progress.time) }
        if clock.count > width { return "".cut(to: width) }
        if head.count + 1 + clock.count > width { return clock }
        return "\(head) \(clock)"
    }

    private var clockText: String {
        let time = progress.time
        guard let duration = progress.duration else { return ClockTime.text(time) }
        let total = ClockTime.text(duration)
        return "\(ClockTime.text(time, like: duration)) / \(progress.durationIsEstimate ? "~" : "")\(total)"
    }

    /// The texts of the settings: always the rate, and others if they differ from their defaults.
    private var settingTexts: [String] {
        let rate = settings.rate
        let pitch = settings.pitch
        var texts = ["\(Self.number(rate, decimals: rate < 0.1 ? 3 : 2))×"]
        if pitch != 0 { texts.append("\(pitch > 0 ? "+" : "")\(SoundLimits.number(pitch.rounded())) ct") }
        if settings.isMuted {
            texts.append("muted")
        } else if settings.volume != 1 {
            texts.append("vol \(Int(clamped: (settings.volume * 100).rounded())) %")
        }
        if settings.loop != .none { texts.append("loop \(settings.loop.rawValue)") }
        return texts
    }

    /// Returns a bar of exactly `width` cells: `=` is played, `-` is downloaded, a space is neither.
    private func bar(width: Int) -> String {
        let played = progress.duration.map { $0 > 0 ? min(max(progress.time / $0, 0), 1) : 0 } ?? 0
        let playedCells = Int(played * Double(width))
        var cells = [Character](repeating: " ", count: width)
        for range in progress.received {
            // A cell counts as downloaded if its middle is.
            let from = max(0, Int(clamped: (range.lowerBound * Double(width) - 0.5).rounded(.up)))
            let to = min(width, Int(clamped: (range.upperBound * Double(width) - 0.5).rounded(.up)))
            for cell in from..<max(from, to) { cells[cell] = "-" }
        }
        for cell in 0..<playedCells { cells[cell] = "=" }
        return String(cells)
    }

    private static func number(_ value: Double, decimals: Int) -> String {
        let scale = decimals == 2 ? 100 : 1000
        let scaled = Int(clamped: (value * Double(scale)).rounded())
        var fraction = String(scaled % scale).leftPadded(to: decimals, with: "0")
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        return "\(scaled / scale).\(fraction)"
    }
}

extension String {
    /// Returns the text, padded with trailing spaces to at least `width` characters.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// Returns the text, padded with leading `filler` characters to at least `width` characters.
    func leftPadded(to width: Int, with filler: Character) -> String {
        String(repeating: filler, count: max(0, width - count)) + self
    }

    /// Returns the first `width` characters.
    func cut(to width: Int) -> String { String(prefix(max(0, width))) }
}
