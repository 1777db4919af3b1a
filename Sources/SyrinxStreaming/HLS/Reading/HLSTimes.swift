import SyrinxByteStream

/// The relation between the timestamps of some segments and the frames of the presentation.
struct HLSAnchor {
    /// Seconds by the clock of the segments.
    let seconds: Double
    /// The frame that is played then.
    let frame: Int64
    /// The number of frames in each packet, to which rounded timestamps are aligned; 0 if packets differ.
    let grid: Double

    /// Returns the relation for a timeline that is moved by a number of frames.
    func moved(by frames: Int64) -> HLSAnchor {
        HLSAnchor(seconds: seconds, frame: frame.addingClamped(frames), grid: grid)
    }

    /// Returns the frame that is played at `seconds` of the clock.
    /// - Parameter expected: A nearby frame, which resolves the wraparound of timestamps.
    func frame(at seconds: Double, near expected: Int64, sampleRate: Double) -> Int64 {
        var elapsed = seconds - self.seconds
        let likely = Double(expected.subtractingClamped(frame)) / sampleRate
        let turns = ((likely - elapsed) / SegmentContent.wrap).rounded()
        if turns.isFinite, abs(turns) >= 1 { elapsed += turns * SegmentContent.wrap }
        var frames = elapsed * sampleRate
        if grid > 0 {
            let nearest = (frames / grid).rounded() * grid
            if abs(nearest - frames) < 2 { frames = nearest }
        }
        return frame.addingClamped(Int64(clamped: frames.rounded()))
    }
}

/// The pending tags, by the frames from which they apply.
struct HLSMarks {
    private var marks: [(frame: Int64, tags: [String: String])] = []

    /// The maximum number of pending tags; further ones are dropped.
    private static let maximumCount = 10_000

    /// The frame from which the next tags apply.
    var next: Int64? { marks.first?.frame }

    /// Moves all tags by a number of frames.
    mutating func move(by frames: Int64) {
        for index in marks.indices { marks[index].frame = marks[index].frame.addingClamped(frames) }
    }

    mutating func add(_ tags: [String: String], at frame: Int64) {
        guard marks.count < Self.maximumCount else { return }
        let place = marks.lastIndex { $0.frame <= frame }.map { $0 + 1 } ?? 0
        marks.insert((frame, tags), at: place)
    }

    /// Removes the tags up to `frame`, and returns those that apply at `frame`.
    mutating func take(upTo frame: Int64, _ current: [String: String]) -> [String: String] {
        var tags = current
        while let mark = marks.first, mark.frame <= frame {
            // A new title replaces all tags of the previous one.
            if mark.tags["title"] != nil, mark.tags["title"] != tags["title"] {
                tags = tags.filter { $0.key == "date_time" }
            }
            tags.merge(mark.tags) { $1 }
            marks.removeFirst()
        }
        return tags
    }
}
