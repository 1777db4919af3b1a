import AVFoundation
import AudioToolbox

// How tutorials wrap AudioFileStream: free functions as callbacks, a generic getter, an unretained context.

/// Packets of a stream as a parser with C callbacks finds them.
class StreamFile {
    var streamID: AudioFileStreamID?
    var format: AVAudioFormat?
    var packetCount: UInt64 = 0
    var dataOffset: Int64 = 0
    var isReady = false
    var packets: [(data: Data, description: AudioStreamPacketDescription?)] = []

    init() {
        let context = unsafeBitCast(self, to: UnsafeMutableRawPointer.self)
        guard
            AudioFileStreamOpen(context, PropertyListener, PacketListener, kAudioFileMP3Type, &streamID) == noErr
        else { fatalError("The stream could not be opened.") }
    }

    deinit {
        if let streamID = streamID { AudioFileStreamClose(streamID) }
    }

    func parse(_ data: Data, flags: AudioFileStreamParseFlags = []) throws {
        let result = data.withUnsafeBytes { bytes in
            AudioFileStreamParseBytes(streamID!, UInt32(data.count), bytes.baseAddress, flags)
        }
        guard result == noErr else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(result)) }
    }

    var cookie: Data? {
        var size: UInt32 = 0
        var isWritable: DarwinBoolean = false
        guard
            AudioFileStreamGetPropertyInfo(
                streamID!,
                kAudioFileStreamProperty_MagicCookieData,
                &size,
                &isWritable
            ) == noErr
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        AudioFileStreamGetProperty(streamID!, kAudioFileStreamProperty_MagicCookieData, &size, &bytes)
        return Data(bytes)
    }
}

func PropertyListener(
    _ context: UnsafeMutableRawPointer,
    _ streamID: AudioFileStreamID,
    _ propertyID: AudioFileStreamPropertyID,
    _ flags: UnsafeMutablePointer<AudioFileStreamPropertyFlags>
) {
    let file = Unmanaged<StreamFile>.fromOpaque(context).takeUnretainedValue()
    switch propertyID {
    case kAudioFileStreamProperty_DataFormat:
        var description = AudioStreamBasicDescription()
        GetProperty(&description, streamID, propertyID)
        file.format = AVAudioFormat(streamDescription: &description)
    case kAudioFileStreamProperty_AudioDataPacketCount:
        GetProperty(&file.packetCount, streamID, propertyID)
    case kAudioFileStreamProperty_DataOffset:
        GetProperty(&file.dataOffset, streamID, propertyID)
    case kAudioFileStreamProperty_ReadyToProducePackets:
        file.isReady = true
    default:
        break
    }
}

func PacketListener(
    _ context: UnsafeMutableRawPointer,
    _ byteCount: UInt32,
    _ packetCount: UInt32,
    _ data: UnsafeRawPointer,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>
) {
    let file = Unmanaged<StreamFile>.fromOpaque(context).takeUnretainedValue()
    let descriptionsOrNil: UnsafeMutablePointer<AudioStreamPacketDescription>? = descriptions
    guard let format = file.format else { return }
    if descriptionsOrNil != nil {
        for index in 0..<Int(packetCount) {
            let description = descriptions[index]
            let start = data.advanced(by: Int(description.mStartOffset))
            file.packets.append((Data(bytes: start, count: Int(description.mDataByteSize)), description))
        }
    } else {
        let size = Int(format.streamDescription.pointee.mBytesPerPacket)
        for index in 0..<Int(packetCount) {
            file.packets.append((Data(bytes: data.advanced(by: index * size), count: size), nil))
        }
    }
}

func GetProperty<T: BitwiseCopyable>(
    _ value: inout T,
    _ streamID: AudioFileStreamID,
    _ propertyID: AudioFileStreamPropertyID
) {
    var size: UInt32 = 0
    guard AudioFileStreamGetPropertyInfo(streamID, propertyID, &size, nil) == noErr else { return }
    AudioFileStreamGetProperty(streamID, propertyID, &size, &value)
}
