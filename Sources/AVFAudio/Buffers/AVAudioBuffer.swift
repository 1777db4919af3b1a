public import CoreAudioTypes
public import Foundation

/// A buffer of audio data in one format, described by an `AudioBufferList`.
///
/// Use one buffer from one thread at a time. After you schedule a buffer on a node, do not change the buffer until the
/// node calls the completion handler.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Unchecked: the owner makes sure that no thread writes while another reads, as with any memory.

    /// The format of the data.
    public let format: AVAudioFormat

    /// The buffer list for readers: each `mDataByteSize` is the number of valid bytes.
    let list: UnsafeMutableAudioBufferListPointer
    /// The buffer list for writers: each `mDataByteSize` is the capacity in bytes.
    private let writableList: UnsafeMutableAudioBufferListPointer
    private let memory: BufferMemory

    init(format: AVAudioFormat, memory: BufferMemory) {
        self.format = format
        self.memory = memory
        list = memory.makeList()
        writableList = memory.makeList()
        super.init()
        setUsedByteCount(0)
    }

    deinit {
        list.unsafeMutablePointer.deallocate()
        writableList.unsafeMutablePointer.deallocate()
    }

    /// The buffers, for reading: each `mDataByteSize` is that of the data.
    ///
    /// Valid as long as this object exists.
    public var audioBufferList: UnsafePointer<AudioBufferList> { list.unsafePointer }

    /// The buffer list for writing.
    ///
    /// Each call resets every `mDataByteSize` to the capacity in bytes.
    ///
    /// After writing, set the length of the buffer, for example `frameLength`. The pointer is valid as long as this
    /// object exists.
    public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
        for index in writableList.indices { writableList[index].mDataByteSize = UInt32(memory.byteCapacity) }
        return writableList.unsafeMutablePointer
    }

    /// The bytes that each buffer has room for.
    var memorySize: Int { memory.byteCapacity }

    func setUsedByteCount(_ count: Int) {
        for index in list.indices {
            list[index].mDataByteSize = UInt32(count)
            writableList[index].mDataByteSize = UInt32(count)
        }
    }

    /// Copies the contents of `other`, which must have the same size.
    func copyBytes(of other: AVAudioBuffer) {
        for (target, source) in zip(list, other.list) {
            guard let from = source.mData else { continue }
            target.mData?.copyMemory(from: from, byteCount: min(memorySize, other.memorySize))
        }
    }

    /// Returns a new buffer of the subclass for a copy.
    func duplicate() -> AVAudioBuffer { self }

    /// Returns a copy with the same format, capacity, data and length.
    public func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    /// Returns a copy with the same format, capacity, data and length.
    public func mutableCopy(with zone: NSZone? = nil) -> Any { duplicate() }
}
