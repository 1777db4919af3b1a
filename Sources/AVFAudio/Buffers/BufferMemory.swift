import CoreAudioTypes

/// The memory of a buffer: owned by the buffer, or borrowed from a caller and released through the caller's closure.
final class BufferMemory: @unchecked Sendable {
    // Unchecked: the pointers never change, and the owner guards the memory behind them.
    let byteCapacity: Int
    private let buffers: [AudioBuffer]
    private let release: () -> Void

    /// Cache lines, so that two channels never share one, and wide enough for every vector load.
    private static let alignment = 64

    /// Zeros: `bufferCount` pieces of `byteCapacity` bytes.
    init(bufferCount: Int, byteCapacity: Int, channelsPerBuffer: UInt32) {
        let rounded = (max(byteCapacity, 1) + Self.alignment - 1) / Self.alignment * Self.alignment
        let data = UnsafeMutableRawPointer.allocate(byteCount: rounded * bufferCount, alignment: Self.alignment)
        data.initializeMemory(as: UInt8.self, repeating: 0, count: rounded * bufferCount)
        self.byteCapacity = byteCapacity
        buffers = (0..<bufferCount).map { index in
            AudioBuffer(
                mNumberChannels: channelsPerBuffer,
                mDataByteSize: UInt32(byteCapacity),
                mData: data + index * rounded
            )
        }
        release = { data.deallocate() }
    }

    /// Uses the memory that `list` points to.
    ///
    /// `deallocator` is called when it is no longer used.
    init(
        of list: UnsafePointer<AudioBufferList>,
        byteCapacity: Int,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)?
    ) {
        let original = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        let buffers = Array(original)
        self.byteCapacity = byteCapacity
        self.buffers = buffers
        // The caller may already have freed its list, so the deallocator receives a copy.
        release = {
            let copy = Self.list(of: buffers)
            deallocator?(copy.unsafePointer)
            copy.unsafeMutablePointer.deallocate()
        }
    }

    deinit { release() }

    /// Returns a list of the buffers, which the caller has to free.
    func makeList() -> UnsafeMutableAudioBufferListPointer { Self.list(of: buffers) }

    private static func list(of buffers: [AudioBuffer]) -> UnsafeMutableAudioBufferListPointer {
        let list = AudioBufferList.allocate(maximumBuffers: buffers.count)
        for (index, buffer) in buffers.enumerated() { list[index] = buffer }
        return list
    }
}
