/// Holds what comes out against the recording, where it has to be the recording bit for bit, and tells where in it that is.
struct OutputCheck {
    private let expected: [Float]
    /// The frame of the recording that the next block begins with; `nil` until a block has been found in it.
    private var next: Int?

    /// - Parameter expected: The first channel.
    init(_ expected: [Float]) { self.expected = expected }

    /// Whether it is known what has to come next.
    var isFollowing: Bool { next != nil }

    /// Forgets the previous output, which the next has nothing to do with.
    mutating func breakOff() { next = nil }

    /// Seconds of the recording that end with the last block; `nil` if that was none of it.
    private(set) var time: Double?

    /// The distance from the reported time within which a block is searched, in frames.
    private static let reach = 30_000

    /// Takes a block in which there is nothing but the recording, or its end.
    /// - Parameter told: Where it ends in the recording, in frames, as the player says.
    /// - Returns: Whether it goes on where the last one ended, or else is anywhere near.
    mutating func takes(_ block: [Float], told: Int) -> Bool {
        let begin = told - block.count
        let places = next.map { $0...$0 } ?? max(0, begin - Self.reach)...max(0, begin + Self.reach)
        guard let place = places.first(where: { holds(block, at: $0) }) else {
            breakOff()
            time = nil
            return false
        }
        next = place + block.count
        time = Double(place + block.count) / 44_100
        return true
    }

    private func holds(_ block: [Float], at place: Int) -> Bool {
        for index in block.indices {
            let frame = place + index
            guard block[index] == (frame < expected.count ? expected[frame] : 0) else { return false }
        }
        return true
    }
}
