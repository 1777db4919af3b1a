/// The places in a view of what lies over a waveform: chapters, bookmarks, pauses, and the parts that have arrived.
///
/// Marks on the same pixel are drawn once, so that the work is bounded by the width of the view and not by the recording.
public enum WaveformMarks {
    /// A mark of the view.
    public struct Mark: Sendable, Equatable {
        /// Its place in the list that it is from; that of the first where several fall together.
        public var index: Int
        /// Pixels from the left edge.
        public var x: Double
    }

    /// A part of the view.
    public struct Span: Sendable, Equatable {
        /// The left edge in pixels, 0 or more.
        public var from: Double
        /// The right edge in pixels, at most the width.
        public var to: Double
    }

    /// Returns the marks that the view shows.
    /// - Parameters:
    ///   - times: Seconds, in order.
    ///   - viewport: The view.
    ///   - spacing: The least pixels between two marks; of those closer together the first is kept.
    /// - Returns: The marks from left to right.
    public static func marks(_ times: [Double], in viewport: WaveformViewport, spacing: Double = 3) -> [Mark] {
        var marks: [Mark] = []
        var index = firstIndex(times) { $0 >= viewport.start }
        while index < times.count, times[index] <= viewport.end {
            let x = viewport.pixel(at: times[index])
            if let last = marks.last, x - last.x < spacing {
                // The next one that is far enough away is looked up, not walked to.
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

    /// Returns the parts of the view that ranges of time take up, each at least a pixel wide.
    /// - Parameters:
    ///   - ranges: Starts and ends in seconds, in order and apart from each other.
    ///   - viewport: The view.
    ///   - minimumGap: The pixels of a gap that is still shown; narrower ones are closed.
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
            // Ranges that begin within the gap are looked up, not walked over.
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
