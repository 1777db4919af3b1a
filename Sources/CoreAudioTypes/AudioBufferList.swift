public import CSyrinxCoreAudioTypes

extension AudioBufferList {
    /// The bytes that a list of `maximumBuffers` buffers takes; its one declared buffer is counted in the struct.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        MemoryLayout<AudioBufferList>.size + (max(maximumBuffers, 1) - 1) * MemoryLayout<AudioBuffer>.stride
    }

    /// Allocates a list with room for `maximumBuffers` buffers, all of them zero.
    ///
    /// Free it with `free(list.unsafeMutablePointer)` or `list.unsafeMutablePointer.deallocate()`. The samples that its
    /// buffers point to are the caller's.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let size = sizeInBytes(maximumBuffers: maximumBuffers)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size,
            alignment: MemoryLayout<AudioBufferList>.alignment
        )
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
        list.pointee.mNumberBuffers = UInt32(maximumBuffers)
        return UnsafeMutableAudioBufferListPointer(list)
    }
}

/// A view of an `AudioBufferList` as a mutable, random-access collection of its buffers.
///
/// It does not own the memory it looks at.
public struct UnsafeMutableAudioBufferListPointer {
    /// The list looked at.
    public let unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// Creates a view of `list`, whose memory has to outlive the view.
    public init(_ list: UnsafeMutablePointer<AudioBufferList>) {
        unsafeMutablePointer = list
    }

    /// Creates a view of `list`; `nil` if `list` is `nil`.
    public init?(_ list: UnsafeMutablePointer<AudioBufferList>?) {
        guard let list else { return nil }
        self.init(list)
    }

    /// The same list, for reading.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    private var first: UnsafeMutablePointer<AudioBuffer> {
        let offset = MemoryLayout<AudioBufferList>.offset(of: \AudioBufferList.mBuffers) ?? 0
        return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset).assumingMemoryBound(to: AudioBuffer.self)
    }
}

extension UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    /// The number of buffers, `mNumberBuffers`.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
    }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of buffers.
    public var endIndex: Int { count }

    /// The buffer at `index`.
    public subscript(index: Int) -> AudioBuffer {
        get {
            precondition(index >= 0 && index < count, "an audio buffer list of \(count) has no buffer \(index)")
            return first[index]
        }
        nonmutating set {
            precondition(index >= 0 && index < count, "an audio buffer list of \(count) has no buffer \(index)")
            first[index] = newValue
        }
    }
}

extension AudioBuffer {
    /// A buffer over the samples of `typedBuffer`, of `numberOfChannels` interleaved channels.
    public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
        self.init()
        mNumberChannels = UInt32(numberOfChannels)
        mData = UnsafeMutableRawPointer(typedBuffer.baseAddress)
        mDataByteSize = UInt32(typedBuffer.count * MemoryLayout<Element>.stride)
    }
}

extension UnsafeBufferPointer {
    /// Creates a view of the complete samples in `audioBuffer`; a partial sample at the end is ignored.
    public init(_ audioBuffer: AudioBuffer) {
        let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
        self.init(
            start: audioBuffer.mData.map { UnsafePointer($0.assumingMemoryBound(to: Element.self)) },
            count: count
        )
    }
}

extension UnsafeMutableBufferPointer {
    /// Creates a view of the complete samples in `audioBuffer`; a partial sample at the end is ignored.
    public init(_ audioBuffer: AudioBuffer) {
        let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
        self.init(start: audioBuffer.mData?.assumingMemoryBound(to: Element.self), count: count)
    }
}
