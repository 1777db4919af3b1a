import SyrinxMediaCodec

/// Determines where the files of a recording begin.
///
/// It has no side effects. Files are split at frames: at the first frame of a title, or at the header of an Ogg stream. Together the files
/// contain all bytes of the broadcast from the first frame.
struct RecordingCutter: Sendable {
    /// A step of writing.
    enum Action: Equatable, Sendable {
        /// Begin a file, after closing the previous one.
        case begin(title: String?)
        case write([UInt8])
    }

    private var splitter = StreamSplitter()
    /// The offset of the next unit.
    private var offset: Int64
    private var buffered: Int64 = 0
    /// The offset of the title of the current file.
    private var cutOffset: Int64 = -1
    /// Whether a frame was found.
    private(set) var hasBegun = false
    /// The header of the Ogg stream in whose middle the recording begins.
    private let head: OggStreamHead?
    /// The ending of the files of the current Ogg stream.
    private var headExtension: String?

    /// The ending of the files; `nil` until the format is known.
    var pathExtension: String? {
        splitter.format == .ogg ? headExtension ?? splitter.pathExtension : splitter.pathExtension
    }

    /// Creates a cutter for the bytes from `offset` on.
    /// - Parameter head: The header of the Ogg stream in whose middle they begin.
    init(offset: Int64, head: OggStreamHead? = nil) {
        (self.offset, self.head, headExtension) = (offset, head, head?.pathExtension)
    }

    /// Processes bytes.
    /// - Parameter titles: The titles that begin before the end of these bytes, with their offsets, ascending.
    mutating func push(_ bytes: [UInt8], titles: [(offset: Int64, title: String)]) -> [Action] {
        buffered += Int64(bytes.count)
        return take(splitter.push(bytes), titles)
    }

    /// Notes that bytes are missing before the next ones.
    mutating func skip(_ count: Int64) { offset = offset.addingClamped(count) }

    /// Ends the recording, without an incomplete last frame.
    mutating func finish(titles: [(offset: Int64, title: String)]) -> [Action] { take(splitter.finish(), titles) }

    private mutating func take(_ units: [StreamSplitter.Unit], _ titles: [(offset: Int64, title: String)]) -> [Action] {
        var actions: [Action] = []
        if !hasBegun, !units.isEmpty {
            // Bytes before the first frame belong to a frame that began earlier.
            let rest = splitter.unfinishedByteCount
            let count = units.reduce(0) { $0 + $1.bytes.count }
            offset = offset.addingClamped(buffered - Int64(rest) - Int64(count))
        }
        for unit in units {
            let title = titles.last { $0.offset <= offset }
            if let head = unit.head {
                headExtension = head.pathExtension
                begin(head.title, at: offset, &actions)
            } else if !hasBegun {
                let own = splitter.format == .ogg ? head : nil
                begin(own?.title ?? title?.title, at: title?.offset ?? -1, &actions)
                if let own { actions.append(.write(own.bytes)) }
            } else if unit.isFrame, splitter.format != .ogg, let title, title.offset > cutOffset {
                begin(title.title, at: title.offset, &actions)
            }
            if case .write(let former) = actions.last {
                actions[actions.count - 1] = .write(former + unit.bytes)
            } else {
                actions.append(.write(unit.bytes))
            }
            offset = offset.addingClamped(Int64(unit.bytes.count))
        }
        return actions
    }

    private mutating func begin(_ title: String?, at offset: Int64, _ actions: inout [Action]) {
        (hasBegun, cutOffset) = (true, offset)
        actions.append(.begin(title: title.flatMap { $0.isEmpty ? nil : $0 }))
    }
}
