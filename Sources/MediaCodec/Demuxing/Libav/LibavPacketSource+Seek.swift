internal import ByteStream

extension LibavPacketSource {
    func seek(toFrame frame: Int64) throws(MediaError) {
        if info.frameCount.map({ frame > $0 }) ?? true { lookAtFLACEnd() }
        let target = min(max(frame, 0), info.frameCount ?? .max / 4)
        let isBroken = try clearFailure()
        guard timing.method != .counted else { return try seekByCount(toFrame: target, isBroken: isBroken) }
        guard stream.isSeekable else { return try readOn(toFrame: target) }
        let start = start(forFrame: target)
        if try seekAmongFLACFrames(toFrame: start) { return }
        try seekByTimestamp(to: start)
    }

    var canJump: Bool { stream.isSeekable }

    var countsFromStart: Bool { stream.isSeekable && timing.method == .rounded && !stream.isRemote }

    func readAnew(toFrame frame: Int64) throws(MediaError) -> Bool { try readFromStart(toFrame: frame) ?? true }
}
