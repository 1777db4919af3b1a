import AVFoundation

// The way of the time-pitch tutorials: parsed packets, a converter that pulls them through a C callback, buffers scheduled on a
// player node behind a time-pitch unit.

let EndOfPackets: OSStatus = 1_000_001

final class ListenerPlayer {
    let file = StreamFile()
    let engine = AVAudioEngine()
    let playerNode = AVAudioPlayerNode()
    let timePitch = AVAudioUnitTimePitch()
    let readFormat = AVAudioFormat(
        commonFormat: .pcmFormatFloat32,
        sampleRate: 44100,
        channels: 2,
        interleaved: false
    )!
    var converter: AudioConverterRef?
    var currentPacket = 0
    private var allocated: [UnsafeMutableRawPointer] = []

    init() {
        engine.attach(playerNode)
        engine.attach(timePitch)
        engine.connect(playerNode, to: timePitch, format: readFormat)
        engine.connect(timePitch, to: engine.mainMixerNode, format: readFormat)
        engine.prepare()
    }

    deinit {
        if let converter = converter { AudioConverterDispose(converter) }
        for memory in allocated { memory.deallocate() }
    }

    func makeConverter() throws {
        let source = file.format!.streamDescription
        let result = AudioConverterNew(source, readFormat.streamDescription, &converter)
        guard result == noErr else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(result)) }
        if let cookie = file.cookie {
            _ = cookie.withUnsafeBytes {
                AudioConverterSetProperty(
                    converter!,
                    kAudioConverterDecompressionMagicCookie,
                    UInt32(cookie.count),
                    $0.baseAddress!
                )
            }
        }
    }

    /// The next buffer; `nil` at the end.
    func read(_ frames: AVAudioFrameCount) throws -> AVAudioPCMBuffer? {
        let buffer = AVAudioPCMBuffer(pcmFormat: readFormat, frameCapacity: frames)!
        buffer.frameLength = frames
        var count = frames / readFormat.streamDescription.pointee.mFramesPerPacket
        let context = unsafeBitCast(self, to: UnsafeMutableRawPointer.self)
        let status = AudioConverterFillComplexBuffer(
            converter!,
            ReadPacket,
            context,
            &count,
            buffer.mutableAudioBufferList,
            nil
        )
        guard status == noErr || status == EndOfPackets else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
        }
        buffer.frameLength = count
        return count > 0 ? buffer : nil
    }

    fileprivate func give(
        _ packetCount: UnsafeMutablePointer<UInt32>,
        _ list: UnsafeMutablePointer<AudioBufferList>,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
        guard currentPacket < file.packets.count else {
            packetCount.pointee = 0
            return EndOfPackets
        }
        let data = file.packets[currentPacket].data
        list.pointee.mNumberBuffers = 1
        let memory = UnsafeMutableRawPointer.allocate(byteCount: data.count, alignment: 0)
        allocated.append(memory)
        data.copyBytes(to: memory.assumingMemoryBound(to: UInt8.self), count: data.count)
        list.pointee.mBuffers.mData = memory
        list.pointee.mBuffers.mDataByteSize = UInt32(data.count)
        if file.format!.streamDescription.pointee.mFormatID != kAudioFormatLinearPCM {
            if descriptions?.pointee == nil {
                let made = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: 1)
                allocated.append(UnsafeMutableRawPointer(made))
                descriptions?.pointee = made
            }
            descriptions?.pointee?.pointee.mDataByteSize = UInt32(data.count)
            descriptions?.pointee?.pointee.mStartOffset = 0
            descriptions?.pointee?.pointee.mVariableFramesInPacket = 0
        }
        packetCount.pointee = 1
        currentPacket += 1
        return noErr
    }
}

func ReadPacket(
    _ converter: AudioConverterRef,
    _ packetCount: UnsafeMutablePointer<UInt32>,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
    _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    let player = Unmanaged<ListenerPlayer>.fromOpaque(context!).takeUnretainedValue()
    return player.give(packetCount, list, descriptions)
}
