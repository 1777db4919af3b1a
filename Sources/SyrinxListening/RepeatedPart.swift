/// The value of `--ab`: the part of an input that is repeated, two times with a hyphen between.
package struct RepeatedPart: Hashable, Sendable {
    /// The start and the end of the part, in seconds.
    package let start: Double
    package let end: Double

    /// The part between two times, the first before the second.
    package init(start: Double, end: Double) { (self.start, self.end) = (start, end) }

    /// Reads `argument`, such as `1:00-1:30`, or is `nil` if it is no part of some length.
    package init?(argument: String) {
        let times = argument.split(separator: "-", omittingEmptySubsequences: false)
            .map { ClockTime(argument: String($0)) }
        guard times.count == 2, let start = times[0]?.seconds, let end = times[1]?.seconds, start < end else {
            return nil
        }
        (self.start, self.end) = (start, end)
    }
}
