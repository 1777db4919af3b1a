public import CoreAudioTypes
import Foundation

/// A buffer of packets in a compressed format.
open class AVAudioCompressedBuffer: AVAudioBuffer, @unchecked Sendable {
    // Unchecked: as its superclass.

    /// The maximum number of packets in the buffer.
    public let packetCapacity: AVAudioPacketCount
    /// The maximum size of a packet in bytes.
    public let maximumPacketSize: Int

    private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

    /// A buffer without packets, with room for `packetCapacity` of them of up to `maximumPacketSize` bytes.
    ///
    /// Stops the program with a message if `format` is uncompressed or the capacity would be 4 GiB or more.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
        let description = format.streamDescription.pointee
        require(
            description.mFormatID != kAudioFormatLinearPCM,
            "Uncompressed samples go into an AVAudioPCMBuffer."
        )
        let bytes = Int(packetCapacity).multipliedReportingOverflow(by: maximumPacketSize)
        require(
            maximumPacketSize >= 0 && !bytes.overflow && bytes.partialValue <= Int(UInt32.max),
            "A buffer of \(packetCapacity) packets of \(maximumPacketSize) bytes is too large."
        )
        self.packetCapacity = packetCapacity
        self.maximumPacketSize = maximumPacketSize
        if description.mBytesPerPacket == 0 {
            let list = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
                capacity: max(1, Int(packetCapacity))
            )
            list.initialize(repeating: AudioStreamPacketDescription(), count: max(1, Int(packetCapacity)))
            descriptions = list
        } else {
            descriptions = nil
        }
        let memory = BufferMemory(
            bufferCount: 1,
            byteCapacity: bytes.partialValue,
            channelsPerBuffer: format.channelCount
        )
        super.init(format: format, memory: memory)
    }

    /// Creates an empty buffer with capacity for `packetCapacity` packets of the constant size in the format.
    ///
    /// Stops the program with a message if `format` is uncompressed or has packets of variable size.
    public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
        let size = format.streamDescription.pointee.mBytesPerPacket
        require(size > 0, "The packets of \(format) differ in size: pass their maximum size.")
        self.init(format: format, packetCapacity: packetCapacity, maximumPacketSize: Int(size))
    }

    deinit { descriptions?.deallocate() }

    /// The number of valid packets: 0 … `packetCapacity`.
    public var packetCount: AVAudioPacketCount = 0 {
        didSet {
            require(packetCount <= packetCapacity, "\(packetCount) packets are over \(packetCapacity)")
        }
    }

    /// The bytes of the packets, in order and without gaps.
    ///
    /// The pointer is valid as long as this object exists.
    public var data: UnsafeMutableRawPointer {
        guard let data = list[0].mData else { fatalError("A buffer always has memory.") }
        return data
    }

    /// The capacity of the buffer in bytes.
    public var byteCapacity: UInt32 { UInt32(memorySize) }

    /// The number of valid bytes: 0 … `byteCapacity`.
    ///
    /// Setting it sets the byte sizes in the buffer lists.
    public var byteLength: UInt32 = 0 {
        didSet {
            require(byteLength <= byteCapacity, "a byte length of \(byteLength) is over \(byteCapacity)")
            setUsedByteCount(Int(byteLength))
        }
    }

    /// The offsets and sizes of the packets, with room for `packetCapacity`; `nil` if all packets have the same size.
    ///
    /// The pointer is valid as long as this object exists.
    public var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? { descriptions }

    override func duplicate() -> AVAudioBuffer {
        let copy = AVAudioCompressedBuffer(
            format: format,
            packetCapacity: packetCapacity,
            maximumPacketSize: maximumPacketSize
        )
        copy.copyBytes(of: self)
        copy.byteLength = byteLength
        copy.packetCount = packetCount
        if let descriptions { copy.descriptions?.update(from: descriptions, count: max(1, Int(packetCapacity))) }
        return copy
    }
}
