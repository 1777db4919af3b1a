import SyrinxByteStream

/// The frames of a player that have been rendered, by the times at which they are heard.
///
/// Between two renders the frame is interpolated, so that it is right while frames that were rendered at different rates are on
/// their way. Times are nanoseconds of the monotonic clock.
struct HeardFrames {
    private struct Point {
        var frame: Double
        var time: UInt64
    }

    /// Renders that are on their way at the same time: two seconds in blocks of some 10 ms.
    private static let capacity = 200

    private var points: [Point] = []

    /// Records that the frames before `frame` have been heard at `time`.
    ///
    /// The record begins anew with a frame or a time that does not follow: after a seek, or where the output was overwritten.
    mutating func note(frame: Double, heardAt time: UInt64) {
        if let last = points.last {
            if frame == last.frame, time == last.time { return }
            if frame < last.frame || time <= last.time { points.removeAll(keepingCapacity: true) }
        }
        points.append(Point(frame: frame, time: time))
        if points.count > Self.capacity { points.removeFirst(points.count - Self.capacity) }
    }

    /// Returns the frame that is heard at `now`; `nil` if nothing has been recorded.
    ///
    /// Forgets what lies before.
    /// - Parameter framesPerSecond: The frames of the player in a second at the output, before the first that is recorded, and
    ///   where a pause lies between two.
    mutating func frame(at now: UInt64, framesPerSecond: Double) -> Double? {
        let next = points.firstIndex { $0.time > now } ?? points.endIndex
        if next > 1 { points.removeFirst(next - 1) }
        guard let first = points.first else { return nil }
        guard first.time <= now else {
            return first.frame - Double(first.time - now) / 1e9 * framesPerSecond
        }
        // Beyond the last nothing is heard.
        guard points.count > 1 else { return first.frame }
        let second = points[1]
        let share = Double(now - first.time) / Double(second.time - first.time)
        let between = first.frame + (second.frame - first.frame) * share
        return min(between, max(first.frame, second.frame - Double(second.time - now) / 1e9 * framesPerSecond))
    }

    /// Forgets everything.
    mutating func removeAll() { points.removeAll(keepingCapacity: true) }
}
