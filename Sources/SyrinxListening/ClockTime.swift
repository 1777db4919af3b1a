/// A time on the command line: seconds (`90`, `90.5`) or `[hh:]mm:ss[.fff]`.
package struct ClockTime: Hashable, Sendable {
    /// The limit of accepted times in seconds, about 31 years; its number of frames fits into 64 bits.
    package static let limit = 1e9

    /// The time in seconds: finite, and not negative.
    package let seconds: Double

    /// Creates a time, clamped to the accepted range; NaN becomes 0.
    package init(seconds: Double) { self.seconds = seconds.isNaN ? 0 : min(max(seconds, 0), Self.limit.nextDown) }

    /// Parses an argument; returns `nil` if it is not a time.
    package init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last, let seconds = Self.decimal(last) else { return nil }
        var total = 0.0
        for (index, part) in parts.dropLast().enumerated() {
            guard let whole = Self.whole(part), index == 0 || whole < 60 else { return nil }
            total = total * 60 + whole
        }
        guard parts.count == 1 || seconds < 60 else { return nil }
        total = total * 60 + seconds
        guard total < Self.limit else { return nil }
        self.seconds = total
    }

    private static func whole(_ text: Substring) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Double(text)
    }

    private static func decimal(_ text: Substring) -> Double? {
        let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.allSatisfy({ whole($0) != nil }) else { return nil }
        return Double(text)
    }

    /// Returns a time as `m:ss`, or as `h:mm:ss` if it is an hour or more.
    ///
    /// - Parameters:
    ///   - seconds: The time; a negative, infinite or undefined one counts as 0.
    ///   - other: A time that is shown beside this one. If it is an hour or more, this one has hours too.
    package static func text(_ seconds: Double, like other: Double = 0) -> String {
        let whole = seconds.isFinite ? Int(min(max(seconds, 0), limit)) : 0
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        guard whole >= 3600 || other >= 3600 else { return "\(whole / 60):\(two(whole % 60))" }
        return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }
}
