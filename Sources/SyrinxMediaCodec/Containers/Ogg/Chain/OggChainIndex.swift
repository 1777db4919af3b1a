internal import SyrinxByteStream

/// The recordings of an Ogg chain, each like a separate file; found as far as needed.
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

    /// Returns the bytes of the recording after those already found; `nil` if there is none, or it cannot be
    /// determined.
    func nextBytes() -> Range<Int64>? {
        let start = found.last?.bytes.upperBound ?? 0
        guard start < finder.length else { return nil }
        return end(of: start).map { start..<$0 }
    }

    /// - Returns: False, without adding anything, if there are more recordings than in any real chain.
    mutating func add(_ bytes: Range<Int64>, frameCount: Int64) -> Bool {
        let start = found.last?.frames.upperBound ?? 0
        // Bounded: no link ends behind `mostFrames`.
        guard found.count < Self.mostLinks, 0...Self.mostFrames - start ~= frameCount else { return false }
        found.append(Link(bytes: bytes, frames: start..<start + frameCount))
        return true
    }

    /// A day of songs of a minute and a half, as a station recorder may concatenate them.
    private static let mostLinks = 1000
    private static let mostFrames: Int64 = 1 << 60

    /// Returns the end of the recording at `start`, by bisection: its streams occur in no other recording.
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

    /// Searches the pages, starting with one of `own`, for the first of another stream.
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

    /// Returns the streams that start at `start`.
    private func serials(at start: Int64) -> [ArraySlice<UInt8>] {
        OggChain.firstSerials(in: bridge.read(at: start, count: OggLastPage.frontSize))
    }
}
