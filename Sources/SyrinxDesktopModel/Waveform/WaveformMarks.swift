/// Computes the positions of marks over a waveform: chapters, bookmarks, pauses, and downloaded parts.
///
/// Marks at the same pixel are combined, so that the work is limited by the width of the view and not by the recording.
public enum WaveformMarks {
    /// A mark in the view.
    public struct Mark: Sendable, Equatable {
        /// The index of the mark in its list; of combined marks, the index of the first.
        public var index: Int
        /// The distance from the left edge, in pixels.
        public var x: Double
    }

    /// A part of the view.
    public struct Span: Sendable, Equatable {
        /// The left edge in pixels, not negative.
        public var from: Double
        /// The right edge in pixels, at most the width of the view.
        public var to: Double
    }

    /// Returns the marks that are visible in the view.
    /// - Parameters:
    ///   - times: The times of all marks in seconds, in order.
    ///   - viewport: The view.
    ///   - spacing: The minimum distance between two marks, in pixels; of closer ones only the first is returned.
    /// - Returns: The marks from left to right.
    public static func marks(_ times: [Double], in viewport: WaveformViewport, spacing: Double = 3) -> [Mark] {
        var marks: [Mark] = []
        var index = firstIndex(times) { $0 >= viewport.start }
        while index < times.count, times[index] <= viewport.end {
            let x = viewport.pixel(at: times[index])
            if let last = marks.last, x - last.x < spacing {
                // Find the next mark that is far enough away with a binary search.
                let limit = viewport.time(atPixel: last.x + spacing)
                let next = firstIndex(times) { $0 >= limit }
                index = max(next, index + 1)
                continue
            }
            marks.append(Mark(index: index, x: x))
            index += 1
        }
        return marks
    }

    /// Returns the parts of the view that time ranges cover, each at least one pixel wide.
    /// - Parameters:
    ///   - ranges: The starts and ends in seconds, sorted and not overlapping.
    ///   - viewport: The view.
    ///   - minimumGap: The minimum width of a visible gap, in pixels; smaller gaps are closed.
    /// - Returns: The parts from left to right.
    public static func spans(
        _ ranges: [(start: Double, end: Double)],
        in viewport: WaveformViewport,
        minimumGap: Double = 1
    ) -> [Span] {
        var spans: [Span] = []
        let gap = max(minimumGap.finite(or: 1), 0.25)
        var index = firstIndex(ranges) { $0.end > viewport.start }
        while index < ranges.count, ranges[index].start < viewport.end {
            var from = viewport.pixel(at: ranges[index].start).clamped(to: 0...viewport.width)
            var to = viewport.pixel(at: ranges[index].end).clamped(to: from...viewport.width)
            index += 1
            // Skip ranges that start within the gap with a binary search.
            while true {
                let next = firstIndex(ranges) { viewport.pixel(at: $0.start) >= to + gap }
                guard next > index else { break }
                to = viewport.pixel(at: ranges[next - 1].end).clamped(to: to...max(viewport.width, to))
                index = next
            }
            if to - from < 1 {
                from = min(from, max(viewport.width - 1, 0))
                to = min(from + 1, viewport.width)
            }
            spans.append(Span(from: from, to: to))
        }
        return spans
    }

    private static func firstIndex<Element>(_ list: [Element], where isAtOrBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if isAtOrBehind(list[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
