internal import SyrinxByteStream

/// Decides which packets of a recording are copied for a part of it, and which of their frames are not to be heard.
///
/// Frames are those of the recording. A pure value.
package struct CopiedPart: Sendable {
    /// The way in which a file hides frames that its packets hold and that are not part of it.
    package enum Means: Sendable, Equatable {
        /// Frames are bytes, and those that are not part of it are left out.
        case bytes
        /// So many frames before the part can be hidden, if there are at least so many.
        case hiding(ClosedRange<Int64>)
        /// None can: the part begins and ends with whole packets.
        case wholePackets
    }

    /// The frames of a packet.
    package struct Span: Sendable, Equatable {
        /// The first of them; negative before the recording's first.
        package var start: Int64
        /// All of them.
        package var count: Int64
        /// Those at the start that are not part of it.
        package var startCut: Int64
        /// Those at the end that are not part of it.
        package var endCut: Int64

        var end: Int64 { start.addingClamped(count) }
    }

    /// The part, which ends with the recording if that is known.
    package let range: Range<Int64>
    package let means: Means
    private var next: Int64?

    package init(_ range: Range<Int64>, _ means: Means) {
        self.range = range
        self.means = means
    }

    /// Returns the frames of the next packet; `nil` if it lies behind the part.
    /// - Parameters:
    ///   - start: The frame that it begins at, if that is known: if not, it follows on the one before.
    ///   - count: The frames that it decodes to.
    ///   - padding: Those at its end that are not heard.
    package mutating func place(start: Int64?, count: Int, padding: Int) -> Span? {
        let first = start ?? next ?? 0
        guard first < range.upperBound else { return nil }
        let count = Int64(max(count, 0))
        let end = first.addingClamped(count)
        next = end
        let before = min(max(range.lowerBound.subtractingClamped(first), 0), count)
        let behind = min(max(end.subtractingClamped(range.upperBound), Int64(max(padding, 0))), count)
        return Span(start: first, count: count, startCut: before, endCut: behind)
    }

    /// Whether a packet has frames that are part of it.
    package func isHeard(_ span: Span) -> Bool {
        // Of some packets the container does not tell how long they are.
        guard span.count > 0 else { return span.start >= range.lowerBound }
        return span.startCut.addingClamped(span.endCut) < span.count
    }

    /// Returns how many of the packets up to the first that is heard are copied: the last of them.
    package func leadCount(_ spans: [Span]) -> Int {
        guard case .hiding(let lengths) = means else {
            // At the recording's start the delay of its encoder stays, as in the recording itself.
            return means == .wholePackets && range.lowerBound == 0 ? spans.count : min(spans.count, 1)
        }
        let fitting = spans.reversed().prefix { range.lowerBound.subtractingClamped($0.start) <= lengths.upperBound }
        return max(fitting.count, min(spans.count, 1))
    }

    /// Returns the frames before the part that a copy hides which begins with a packet.
    package func lead(of first: Span) -> Int64 {
        guard case .hiding(let lengths) = means else { return 0 }
        let length = range.lowerBound.subtractingClamped(first.start)
        return lengths.contains(length) ? length : 0
    }
}
