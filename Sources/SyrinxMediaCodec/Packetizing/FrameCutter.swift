/// Cuts a stream of frames that say how long they are.
///
/// A frame that follows from the one before is given out as soon as its last byte has come. Behind anything else, and where
/// bytes may come from another place, the head behind it has to confirm it.
package struct FrameCutter: PacketCutter {
    private let syntax: FrameSyntax
    private var backlog: ByteBacklog
    /// The kind of the last frame.
    private var kind: UInt32?
    /// Whether a frame begins at the place that has been reached.
    private var isLocked = true
    /// The first byte that may come from another place.
    private var junction: Int?
    /// Whether bytes have come from another place: then their offset is not known.
    private var hasJumped = false
    private var isAtEnd = false

    /// - Parameter offset: Where the first frame begins in the file.
    package init(_ syntax: FrameSyntax, at offset: Int64) {
        self.syntax = syntax
        backlog = ByteBacklog(at: offset)
    }

    package mutating func push(_ bytes: UnsafeRawBufferPointer) {
        let used = backlog.dropUsed()
        junction = junction.map { $0 - used }
        backlog.append(bytes)
    }

    package mutating func breakOff(at offset: Int64?, toFrame frame: Int64?) {
        // One that lies within the same frame is covered by the first.
        if junction == nil { junction = backlog.count }
    }

    package mutating func finish() { isAtEnd = true }

    package mutating func next() -> PacketCut? {
        while true {
            switch isLocked ? follow() : search() {
            case .packet(let packet): return packet
            case .needsBytes: return nil
            case .again: continue
            }
        }
    }

    private enum Step {
        case packet(PacketCut)
        case needsBytes
        case again
    }

    /// The possible contents of a place.
    private enum Found {
        case head(FrameHead)
        case nothing
        /// The bytes that would tell have not come.
        case open
    }

    private func look(at place: Int) -> Found {
        guard place + syntax.headSize <= backlog.count else { return isAtEnd ? .nothing : .open }
        return syntax.head(backlog.bytes[place...]).map { .head($0) } ?? .nothing
    }

    /// Takes the frame that begins here, where one is expected.
    private mutating func follow() -> Step {
        let start = backlog.place
        if let junction, junction <= start { self.junction = nil }
        guard backlog.waiting > 0 else { return .needsBytes }
        switch look(at: start) {
        case .open: return .needsBytes
        case .nothing: return lose()
        case .head(let head):
            guard kind == nil || kind == head.kind else { return lose() }
            let end = start + head.byteCount
            guard end <= backlog.count else { return .needsBytes }
            if junction != nil {
                // The part before the junction belongs to this frame only if another frame follows it.
                switch look(at: end) {
                case .open where end < backlog.count: return .needsBytes
                case .head(let next) where next.kind != head.kind: return lose()
                case .nothing where end < backlog.count: return lose()
                default: break
                }
                junction = nil
            }
            kind = head.kind
            return .packet(cut(head))
        }
    }

    /// Gives up the place where a frame was expected.
    private mutating func lose() -> Step {
        isLocked = false
        if let junction, junction > backlog.place {
            backlog.place = junction
            hasJumped = true
        }
        junction = nil
        return .again
    }

    /// Looks for two heads of one kind, of which the first leads to the second.
    private mutating func search() -> Step {
        while backlog.waiting > 0 {
            switch look(at: backlog.place) {
            case .open: return .needsBytes
            case .nothing: break
            case .head(let head):
                let end = backlog.place + head.byteCount
                switch look(at: end) {
                case .open: return .needsBytes
                case .head(let next) where next.kind == head.kind:
                    return lock(head)
                // At the end nothing can follow.
                case .nothing where isAtEnd && end == backlog.count:
                    return lock(head)
                default: break
                }
            }
            backlog.place += 1
        }
        return .needsBytes
    }

    private mutating func lock(_ head: FrameHead) -> Step {
        isLocked = true
        kind = head.kind
        // What was found behind a junction is confirmed already.
        junction = junction.flatMap { $0 > backlog.place + head.byteCount ? $0 : nil }
        return .packet(cut(head))
    }

    private mutating func cut(_ head: FrameHead) -> PacketCut {
        let offset = hasJumped ? nil : backlog.fileOffset
        return PacketCut(bytes: backlog.take(head.byteCount), offset: offset)
    }
}
