internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Holds the last seconds of converted audio unencoded, because a session may end before audio that was already
/// appended.
///
/// Use it on one thread at a time.
final class HeldSound {
    /// The held duration in seconds.
    static let duration = 10.0
    private static let chunk = 4096

    private let format: AudioStreamBasicDescription
    private let limit: Int
    private var parts: [(memory: SampleMemory, count: Int)] = []
    private var count = 0

    /// - Parameter format: Deinterleaved floats.
    init(_ format: AudioStreamBasicDescription) {
        self.format = format
        limit = Int(clamping: Int64(clamped: (Self.duration * format.mSampleRate).rounded(.up)))
    }

    /// Takes the samples that `conversion` has ready, and passes samples beyond the held duration to `write`, oldest
    /// first.
    func fill(from conversion: AudioConversion, _ write: (SampleMemory, Int) throws -> Void) throws {
        while true {
            if parts.last.map({ $0.count == Self.chunk }) ?? true {
                parts.append((SampleMemory(format, capacity: Self.chunk), 0))
            }
            let (memory, filled) = parts[parts.count - 1]
            let new = conversion.pull(into: memory.list, from: filled, count: Self.chunk - filled)
            guard new > 0 else { return }
            parts[parts.count - 1].count += new
            count += new
            while count - parts[0].count >= limit { try giveFirst(write) }
        }
    }

    /// Passes all held samples to `write`.
    func empty(_ write: (SampleMemory, Int) throws -> Void) throws {
        while !parts.isEmpty { try giveFirst(write) }
    }

    private func giveFirst(_ write: (SampleMemory, Int) throws -> Void) throws {
        let first = parts.removeFirst()
        count -= first.count
        if first.count > 0 { try write(first.memory, first.count) }
    }
}
