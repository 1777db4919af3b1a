import SyrinxByteStream

/// Maps times to the player frames that are heard.
///
/// Between two renders, frames are interpolated, which is correct even if the rate changes while frames are in the
/// output. Times are nanoseconds of the monotonic clock.
struct HeardFrames {
    private struct Point {
        var frame: Double
        var time: UInt64
    }

    /// The maximum number of renders in the output: two seconds in blocks of about 10 ms.
    private static let capacity = 200

    private var points: [Point] = []

    /// Records that the frames before `frame` were heard at `time`.
    ///
    /// The record restarts with a discontinuous frame or time, as after a seek or when the output was overwritten.
    mutating func note(frame: Double, heardAt time: UInt64) {
        if let last = points.last {
            if frame == last.frame, time == last.time { return }
            if frame < last.frame || time <= last.time { points.removeAll(keepingCapacity: true) }
        }
        points.append(Point(frame: frame, time: time))
        if points.count > Self.capacity { points.removeFirst(points.count - Self.capacity) }
    }

    /// Returns the frame that is heard at `now`; `nil` if nothing was recorded.
    ///
    /// Removes older records.
    /// - Parameter framesPerSecond: The player frames for each second of output, used before the first record and
    ///   across pauses.
    mutating func frame(at now: UInt64, framesPerSecond: Double) -> Double? {
        let next = points.firstIndex { $0.time > now } ?? points.endIndex
        if next > 1 { points.removeFirst(next - 1) }
        guard let first = points.first else { return nil }
        guard first.time <= now else {
            return first.frame - Double(first.time - now) / 1e9 * framesPerSecond
        }
        // Nothing is heard after the last record.
        guard points.count > 1 else { return first.frame }
        let second = points[1]
        let share = Double(now - first.time) / Double(second.time - first.time)
        let between = first.frame + (second.frame - first.frame) * share
        return min(between, max(first.frame, second.frame - Double(second.time - now) / 1e9 * framesPerSecond))
    }

    /// Forgets everything.
    mutating func removeAll() { points.removeAll(keepingCapacity: true) }
}
