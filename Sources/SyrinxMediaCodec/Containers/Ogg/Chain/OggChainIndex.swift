internal import SyrinxByteStream

/// The recordings of a chain of Ogg, each of which is a file of its own; looked for as far as they are asked for.
struct OggChainIndex {
    struct Link {
        let bytes: Range<Int64>
        /// The frames in the whole chain, at the rate of the first recording.
        let frames: Range<Int64>
    }

    private let bridge: AVIOBridge
    private let finder: OggPageFinder
    /// The stream that the file ends with.
    private let last: ArraySlice<UInt8>
    private(set) var found: [Link] = []

    /// - Returns: `nil` if the end of the file cannot be had.
    init?(_ bridge: AVIOBridge) {
        guard let length = bridge.stream.length,
            let last = OggLastPage.lastPage(in: OggLastPage.read({ bridge.tail($0) }), where: { _ in true })?.serial
        else { return nil }
        self.bridge = bridge
        self.last = last
        finder = OggPageFinder(bridge: bridge, length: length)
    }

    var areAllFound: Bool { found.last?.bytes.upperBound == finder.length }

    /// The bytes of the recording behind those that are found; `nil` if there is none, or it cannot be found out.
    func nextBytes() -> Range<Int64>? {
        let start = found.last?.bytes.upperBound ?? 0
        guard start < finder.length else { return nil }
        return end(of: start).map { start..<$0 }
    }

    /// - Returns: False, and nothing is added, if there are more than any real chain has.
    mutating func add(_ bytes: Range<Int64>, frameCount: Int64) -> Bool {
        let start = found.last?.frames.upperBound ?? 0
        // Bounded: no link ends behind `mostFrames`.
        guard found.count < Self.mostLinks, 0...Self.mostFrames - start ~= frameCount else { return false }
        found.append(Link(bytes: bytes, frames: start..<start + frameCount))
        return true
    }

    /// A day of songs of a minute and a half, as a recorder of a station may join them.
    private static let mostLinks = 1000
    private static let mostFrames: Int64 = 1 << 60

    /// Returns the end of the recording that begins at `start`, by bisection: its streams are in no other recording.
    private func end(of start: Int64) -> Int64? {
        let own = serials(at: start)
        if own.isEmpty { return nil }
        if own.contains(last) { return finder.length }
        var low = start
        var high = finder.length
        // Bounded: both are offsets in the file.
        while high - low > OggLastPage.reach {
            let middle = low + (high - low) / 2
            switch finder.first(in: middle..<high, where: { _ in true }) {
            case .page(let page, let bytes) where own.contains(page.serial): low = bytes.lowerBound
            case .page, .nothing: high = middle
            case .failure: return nil
            }
        }
        return firstPage(notOf: own, in: low..<min(high.addingClamped(OggLastPage.reach), finder.length))
    }

    /// Goes through the pages from one of `own` on, to the first of another.
    private func firstPage(notOf own: [ArraySlice<UInt8>], in range: Range<Int64>) -> Int64? {
        var place = range.lowerBound
        while place < range.upperBound {
            guard case .page(let page, let bytes) = finder.first(in: place..<range.upperBound, where: { _ in true })
            else { return nil }
            if !own.contains(page.serial) { return bytes.lowerBound }
            place = bytes.upperBound
        }
        return nil
    }

    /// The streams that begin at `start`.
    private func serials(at start: Int64) -> [ArraySlice<UInt8>] {
        OggChain.firstSerials(in: bridge.read(at: start, count: OggLastPage.frontSize))
    }
}
