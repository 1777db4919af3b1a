internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The properties of an `AudioFileID`.
struct FileProperties {
    let file: PacketFile

    /// The bytes that a property takes; `nil` if it has no value.
    func size(of property: AudioFilePropertyID) throws(SyrinxError) -> UInt32? {
        // A dictionary is not made only to be measured, and packets are not counted for that.
        switch property {
        case kAudioFilePropertyInfoDictionary: return UInt32(MemoryLayout<UnsafeRawPointer>.size)
        case kAudioFilePropertyAudioDataPacketCount, kAudioFilePropertyAudioDataByteCount: return 8
        case kAudioFilePropertyMaximumPacketSize: return 4
        default: break
        }
        var value = [UInt8](repeating: 0, count: max(file.known.cookie.count, 64))
        var size = UInt32(value.count)
        var status = kAudioFileUnspecifiedError
        var failure: SyrinxError?
        value.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            do throws(SyrinxError) { status = try read(property, &size, base) } catch { failure = error }
        }
        if let failure { throw failure }
        return status == noErr ? size : nil
    }

    /// Writes a property.
    func read(
        _ property: AudioFilePropertyID,
        _ size: UnsafeMutablePointer<UInt32>,
        _ target: UnsafeMutableRawPointer
    ) throws(SyrinxError) -> OSStatus {
        func give<Value>(_ value: Value?) -> OSStatus {
            value.map { put($0, size, target, badSize: kAudioFileBadPropertySizeError) }
                ?? kAudioFileUnsupportedPropertyError
        }
        let info = file.known.info
        switch property {
        case kAudioFilePropertyAudioDataPacketCount: return give(UInt64(clamping: try file.packetCount()))
        case kAudioFilePropertyAudioDataByteCount: return give(UInt64(clamping: try file.soundByteCount()))
        case kAudioFilePropertyMaximumPacketSize: return give(try file.countedLargest())
        case kAudioFilePropertyEstimatedDuration: return give(file.countedDuration ?? info.duration)
        // The audio data is contiguous, and there is one track.
        case kAudioFilePropertyIsOptimized, kAudioFilePropertyAudioTrackCount: return give(UInt32(1))
        case kAudioFilePropertySourceBitDepth:
            let depth = info.streamDescription.mBitsPerChannel
            return give(depth > 0 ? Int32(clamping: depth) : nil)
        default:
            // The other properties equal those of a stream, with the same numbers.
            let status = file.facts.read(property, file, size, target)
            return status == kAudioFileStreamError_ValueUnknown ? kAudioFileUnsupportedPropertyError : status
        }
    }
}
