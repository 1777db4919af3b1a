internal import SyrinxByteStream

/// Selects the packets to copy for a part of a recording, and the number of their frames that must be hidden.
///
/// All frame numbers are those of the recording.
package struct CopiedPart: Sendable {
    /// The way in which a file hides frames of its packets that do not belong to the part.
    package enum Means: Sendable, Equatable {
        /// The samples are uncompressed, so the frames are removed.
        case bytes
        /// The file can hide a number of frames in this range before the part.
        case hiding(ClosedRange<Int64>)
        /// The file cannot hide frames, so the part consists of whole packets.
        case wholePackets
    }

    /// The frames of a packet.
    package struct Span: Sendable, Equatable {
        /// The first frame; negative before the start of the recording.
        package var start: Int64
        /// The number of frames.
        package var count: Int64
        /// The number of frames at the start that precede the part.
        package var startCut: Int64
        /// The number of frames at the end that follow the part or are padding.
        package var endCut: Int64

        var end: Int64 { start.addingClamped(count) }
    }

    /// The frames of the part, up to the end of the recording if that is known.
    package let range: Range<Int64>
    package let means: Means
    private var next: Int64?

    package init(_ range: Range<Int64>, _ means: Means) {
        self.range = range
        self.means = means
    }

    /// Returns the frames of the next packet; `nil` if the packet follows the part.
    /// - Parameters:
    ///   - start: The packet's first frame; if it is `nil`, the packet follows the previous one.
    ///   - count: The number of frames that the packet decodes to.
    ///   - padding: The number of inaudible frames at the end of the packet.
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

    /// Whether a packet contains frames of the part.
    package func isHeard(_ span: Span) -> Bool {
        // The container may not state the length of a packet.
        guard span.count > 0 else { return span.start >= range.lowerBound }
        return span.startCut.addingClamped(span.endCut) < span.count
    }

    /// Returns the number of packets to copy from the end of `spans`, the packets up to the first audible one.
    package func leadCount(_ spans: [Span]) -> Int {
        guard case .hiding(let lengths) = means else {
            // At the start of the recording, the encoder delay is kept, as in the recording itself.
            return means == .wholePackets && range.lowerBound == 0 ? spans.count : min(spans.count, 1)
        }
        let fitting = spans.reversed().prefix { range.lowerBound.subtractingClamped($0.start) <= lengths.upperBound }
        return max(fitting.count, min(spans.count, 1))
    }

    /// Returns the number of frames before the part to hide, if the copy starts with packet `first`.
    package func lead(of first: Span) -> Int64 {
        guard case .hiding(let lengths) = means else { return 0 }
        let length = range.lowerBound.subtractingClamped(first.start)
        return lengths.contains(length) ? length : 0
    }
}
