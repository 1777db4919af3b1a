public import CoreAudioTypes
public import Foundation

/// Memory for audio data of one format, described by an `AudioBufferList`.
///
/// Not safe to change from two threads at once; once it is scheduled on a node, leave it as it is until the node has
/// called back.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Unchecked: the owner makes sure that no thread writes while another reads, as with any memory.

    /// The format of the data.
    public let format: AVAudioFormat

    /// Says how much there is, for those who read.
    let list: UnsafeMutableAudioBufferListPointer
    /// Says how much there may be, for those who write.
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
    /// Valid as long as this object lives.
    public var audioBufferList: UnsafePointer<AudioBufferList> { list.unsafePointer }

    /// The buffers, for writing: each `mDataByteSize` is, anew with every call of this, that of the memory.
    ///
    /// A writer sets the length of the buffer afterwards. Valid as long as this object lives.
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

    /// Copies the memory of `other`, which has to be as large.
    func copyBytes(of other: AVAudioBuffer) {
        for (target, source) in zip(list, other.list) {
            guard let from = source.mData else { continue }
            target.mData?.copyMemory(from: from, byteCount: min(memorySize, other.memorySize))
        }
    }

    /// Subclasses answer with a buffer of their own.
    func duplicate() -> AVAudioBuffer { self }

    /// A copy with the same format, capacity, data and length.
    public func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    /// A copy with the same format, capacity, data and length.
    public func mutableCopy(with zone: NSZone? = nil) -> Any { duplicate() }
}
