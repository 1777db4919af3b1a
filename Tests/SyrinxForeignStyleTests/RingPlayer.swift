import AVFoundation
import AudioToolbox.AudioFileStream

// The way of the queue players: the packet callback converts at once into a ring of interleaved floats, and a render callback
// takes from it. A context is passed as a pointer to a struct.

struct ConvertInfo {
    var done: Bool
    let packetCount: UInt32
    var buffer = AudioBuffer()
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
}

enum ConvertStatus: OSStatus {
    case done = 100
    case processed = 0
}

final class RingPlayer {
    let engine = AVAudioEngine()
    private(set) var format = AudioStreamBasicDescription()
    private(set) var fileFormat = ""
    private(set) var dataOffset: UInt64 = 0
    private(set) var packetCount: UInt64 = 0
    private(set) var failure: OSStatus = noErr
    private var stream: AudioFileStreamID?
    private var converter: AudioConverterRef?
    private var isDiscontinuous = false
    private var hasFormat = false
    let output: AVAudioFormat
    private let ring: UnsafeMutablePointer<Float>
    private let capacity = 1 << 20
    private let lock = NSLock()
    private var start = 0
    private var used = 0
    /// Samples that were converted at once at most, for tests of odd sizes.
    var chunk: UInt32 = 3000

    init() {
        output = AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 44100, channels: 2, interleaved: true)!
        ring = .allocate(capacity: capacity)
        ring.initialize(repeating: 0, count: capacity)
        let context = Unmanaged.passUnretained(self).toOpaque()
        AudioFileStreamOpen(context, _properties, _packets, kAudioFileM4AType, &stream)
        let planar = AVAudioFormat(standardFormatWithSampleRate: 44100, channels: 2)!
        let source = AVAudioSourceNode(format: planar) { [unowned self] isSilence, _, frameCount, list -> OSStatus in
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            self.lock.lock()
            defer { self.lock.unlock() }
            let count = min(Int(frameCount), self.used / 2)
            isSilence.pointee = ObjCBool(count == 0)
            for frame in 0..<Int(frameCount) {
                for channel in 0..<2 {
                    let place = (self.start + 2 * frame + channel) % self.capacity
                    let value: Float = frame < count ? self.ring[place] : 0
                    buffers[channel].mData!.assumingMemoryBound(to: Float.self)[frame] = value
                }
            }
            self.start = (self.start + 2 * count) % self.capacity
            self.used -= 2 * count
            return noErr
        }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: planar)
    }

    deinit {
        if let stream = stream { AudioFileStreamClose(stream) }
        if let converter = converter { AudioConverterDispose(converter) }
        ring.deallocate()
    }

    var framesInRing: Int {
        lock.lock()
        defer { lock.unlock() }
        return used / 2
    }

    func parse(_ data: Data) -> OSStatus {
        let flags: AudioFileStreamParseFlags = isDiscontinuous ? .discontinuity : .init()
        return data.withUnsafeBytes { buffer -> OSStatus in
            AudioFileStreamParseBytes(stream!, UInt32(buffer.count), buffer.baseAddress, flags)
        }
    }

    /// Empties the ring, and says which byte of the file to go on with.
    func seek(toPacket packet: Int64) -> Int64? {
        var flags = AudioFileStreamSeekFlags(rawValue: 0)
        var offset: Int64 = 0
        guard AudioFileStreamSeek(stream!, packet, &offset, &flags) == noErr, !flags.contains(.offsetIsEstimated) else {
            return nil
        }
        if let converter = converter { AudioConverterReset(converter) }
        lock.lock()
        (start, used) = (0, 0)
        lock.unlock()
        return offset + Int64(dataOffset)
    }

    func property(_ id: AudioFileStreamPropertyID) {
        switch id {
        case kAudioFileStreamProperty_FileFormat:
            var code: [UInt8] = Array(repeating: 0, count: 4)
            var size = UInt32(4)
            AudioFileStreamGetProperty(stream!, id, &size, &code)
            fileFormat = String(data: Data(code), encoding: .utf8) ?? ""
        case kAudioFileStreamProperty_DataFormat:
            guard !hasFormat else { return }
            get(&format, id)
            if fileFormat != "fa4m" { makeConverter() }
        case kAudioFileStreamProperty_FormatList:
            var size: UInt32 = 0
            guard AudioFileStreamGetPropertyInfo(stream!, id, &size, nil) == noErr else { return }
            var list = [AudioFormatListItem](repeating: AudioFormatListItem(), count: Int(size))
            AudioFileStreamGetProperty(stream!, id, &size, &list)
            if fileFormat == "fa4m" { makeConverter() }
        case kAudioFileStreamProperty_DataOffset:
            get(&dataOffset, id)
            hasFormat = true
        case kAudioFileStreamProperty_AudioDataPacketCount:
            get(&packetCount, id)
        case kAudioFileStreamProperty_ReadyToProducePackets:
            isDiscontinuous = format.mFormatID != kAudioFormatLinearPCM
        default: break
        }
    }

    private func get<Value: BitwiseCopyable>(_ value: inout Value, _ id: AudioFileStreamPropertyID) {
        var size: UInt32 = 0
        guard AudioFileStreamGetPropertyInfo(stream!, id, &size, nil) == noErr else { return }
        AudioFileStreamGetProperty(stream!, id, &size, &value)
    }

    private func makeConverter() {
        var input = format
        var target = output.streamDescription.pointee
        failure = AudioConverterNew(&input, &target, &converter)
    }

    func take(
        _ byteCount: UInt32,
        _ packetCount: UInt32,
        _ data: UnsafeRawPointer,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) {
        guard let converter = converter, hasFormat else { return }
        isDiscontinuous = false
        var info = ConvertInfo(done: false, packetCount: packetCount, descriptions: descriptions)
        info.buffer.mData = UnsafeMutableRawPointer(mutating: data)
        info.buffer.mDataByteSize = byteCount
        info.buffer.mNumberChannels = format.mChannelsPerFrame
        while true {
            lock.lock()
            let end = (start + used) % capacity
            let free = min(capacity - used, capacity - end)
            lock.unlock()
            guard free > 0 else { return failure = -1 }
            var frames = min(UInt32(free / 2), chunk)
            let list = AudioBufferList.allocate(maximumBuffers: 1)
            defer { list.unsafeMutablePointer.deallocate() }
            list[0].mData = UnsafeMutableRawPointer(ring + end)
            list[0].mDataByteSize = frames * 8
            list[0].mNumberChannels = 2
            let status = AudioConverterFillComplexBuffer(
                converter,
                _convert,
                &info,
                &frames,
                list.unsafeMutablePointer,
                nil
            )
            lock.lock()
            used += 2 * Int(frames)
            lock.unlock()
            if status == ConvertStatus.done.rawValue { return }
            guard status == noErr else { return failure = status }
        }
    }
}

private func _properties(
    clientData: UnsafeMutableRawPointer,
    fileStream: AudioFileStreamID,
    propertyId: AudioFileStreamPropertyID,
    flags: UnsafeMutablePointer<AudioFileStreamPropertyFlags>
) {
    Unmanaged<RingPlayer>.fromOpaque(clientData).takeUnretainedValue().property(propertyId)
}

private func _packets(
    clientData: UnsafeMutableRawPointer,
    inNumberBytes: UInt32,
    inNumberPackets: UInt32,
    inInputData: UnsafeRawPointer,
    inPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) {
    Unmanaged<RingPlayer>.fromOpaque(clientData).takeUnretainedValue()
        .take(inNumberBytes, inNumberPackets, inInputData, inPacketDescriptions)
}

private func _convert(
    inAudioConverter _: AudioConverterRef,
    ioNumberDataPackets: UnsafeMutablePointer<UInt32>,
    ioData: UnsafeMutablePointer<AudioBufferList>,
    outDataPacketDescription: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
    inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let info = inUserData?.assumingMemoryBound(to: ConvertInfo.self) else { return 0 }
    if info.pointee.done {
        ioNumberDataPackets.pointee = 0
        return ConvertStatus.done.rawValue
    }
    ioData.pointee.mNumberBuffers = 1
    ioData.pointee.mBuffers = info.pointee.buffer
    if outDataPacketDescription != nil { outDataPacketDescription?.pointee = info.pointee.descriptions }
    ioNumberDataPackets.pointee = info.pointee.packetCount
    info.pointee.done = true
    return ConvertStatus.processed.rawValue
}
