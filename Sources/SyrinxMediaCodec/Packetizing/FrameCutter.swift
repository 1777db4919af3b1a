/// Splits a stream into frames that state their own length.
///
/// A frame that directly follows the previous one is returned as soon as its last byte has arrived. Otherwise, and if
/// the bytes may continue at another position, the header of the following frame must confirm it.
package struct FrameCutter: PacketCutter {
    private let syntax: FrameSyntax
    private var backlog: ByteBacklog
    /// The `kind` of the last frame's header.
    private var kind: UInt32?
    /// Whether a frame is expected to start at the current position.
    private var isLocked = true
    /// The index of the first byte that may come from another position.
    private var junction: Int?
    /// Whether bytes came from another position, so that file offsets are unknown.
    private var hasJumped = false
    private var isAtEnd = false

    /// - Parameter offset: The file offset of the first frame.
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
        // A second junction within the same frame needs no check of its own.
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

    /// The result of looking for a header.
    private enum Found {
        case head(FrameHead)
        case nothing
        /// Not enough bytes have arrived.
        case open
    }

    private func look(at place: Int) -> Found {
        guard place + syntax.headSize <= backlog.count else { return isAtEnd ? .nothing : .open }
        return syntax.head(backlog.bytes[place...]).map { .head($0) } ?? .nothing
    }

    /// Returns the frame that is expected to start here.
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
                // The bytes before the junction belong to this frame only if another frame follows it.
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

    /// Starts to search, because no frame starts at the expected position.
    private mutating func lose() -> Step {
        isLocked = false
        if let junction, junction > backlog.place {
            backlog.place = junction
            hasJumped = true
        }
        junction = nil
        return .again
    }

    /// Searches for two headers of one kind, of which the first leads to the second.
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
                // The last frame is not followed by another header.
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
        // A frame after a junction has already been confirmed.
        junction = junction.flatMap { $0 > backlog.place + head.byteCount ? $0 : nil }
        return .packet(cut(head))
    }

    private mutating func cut(_ head: FrameHead) -> PacketCut {
        let offset = hasJumped ? nil : backlog.fileOffset
        return PacketCut(bytes: backlog.take(head.byteCount), offset: offset)
    }
}
