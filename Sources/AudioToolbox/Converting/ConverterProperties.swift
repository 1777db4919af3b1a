internal import CoreAudioTypes
internal import SyrinxMediaCodec

/// The properties of an `AudioConverterRef`.
struct ConverterProperties {
    let converter: Converter

    static let writable: Set<AudioConverterPropertyID> = [
        kAudioConverterSampleRateConverterQuality, kAudioConverterSampleRateConverterComplexity,
        kAudioConverterCodecQuality, kAudioConverterPrimeMethod, kAudioConverterChannelMap,
        kAudioConverterDecompressionMagicCookie, kAudioConverterEncodeBitRate,
    ]

    func read(
        _ property: AudioConverterPropertyID,
        _ size: UnsafeMutablePointer<UInt32>,
        _ target: UnsafeMutableRawPointer
    ) -> OSStatus {
        let bad = kAudioConverterErr_BadPropertySizeError
        func give<Value>(_ value: Value) -> OSStatus { put(value, size, target, badSize: bad) }
        let source = converter.source
        switch property {
        case kAudioConverterPropertyMinimumInputBufferSize: return give(max(source.mBytesPerPacket, 1))
        case kAudioConverterPropertyMinimumOutputBufferSize, kAudioConverterPropertyMaximumOutputPacketSize:
            return give(converter.largestOutputPacket)
        case kAudioConverterPropertyMaximumInputPacketSize:
            return give(source.isPCM ? source.mBytesPerPacket : source.mChannelsPerFrame * 24576)
        case kAudioConverterPropertyCalculateInputBufferSize, kAudioConverterPropertyCalculateOutputBufferSize:
            return calculate(property, size, target)
        case kAudioConverterSampleRateConverterQuality, kAudioConverterSampleRateConverterComplexity,
            kAudioConverterCodecQuality:
            return give(UInt32(min(converter.settings.tapCount / 2, 127)))
        case kAudioConverterPrimeMethod:
            return give(converter.settings.keepsDelay ? kConverterPrimeMethod_None : kConverterPrimeMethod_Normal)
        case kAudioConverterPrimeInfo:
            guard let conversion = try? converter.made() else { return kAudioConverterErr_UnspecifiedError }
            let reach = UInt32(conversion.filterReach)
            let lead = conversion.encoder.map { UInt32($0.leadingFrames) } ?? reach
            return give(AudioConverterPrimeInfo(leadingFrames: lead, trailingFrames: reach))
        case kAudioConverterChannelMap:
            guard let map = converter.settings.channelMap else { return kAudioConverterErr_PropertyNotSupported }
            return put(
                bytes: map.flatMap { value in withUnsafeBytes(of: Int32(value)) { Array($0) } },
                size,
                target,
                badSize: bad
            )
        case kAudioConverterDecompressionMagicCookie:
            return put(bytes: converter.settings.magicCookie, size, target, badSize: bad)
        case kAudioConverterCompressionMagicCookie:
            guard let encoder = (try? converter.made())?.encoder, !encoder.magicCookie.isEmpty else {
                return kAudioConverterErr_PropertyNotSupported
            }
            return put(bytes: encoder.magicCookie, size, target, badSize: bad)
        case kAudioConverterEncodeBitRate: return give(UInt32(clamping: converter.settings.bitRate ?? 0))
        case kAudioConverterCurrentInputStreamDescription: return give(source)
        case kAudioConverterCurrentOutputStreamDescription:
            return give((try? converter.made())?.encoder?.description ?? converter.destination)
        default: return kAudioConverterErr_PropertyNotSupported
        }
    }

    /// Converts a size in bytes from one side of the converter to the other, rounded up to whole packets.
    private func calculate(
        _ property: AudioConverterPropertyID,
        _ size: UnsafeMutablePointer<UInt32>,
        _ target: UnsafeMutableRawPointer
    ) -> OSStatus {
        guard size.pointee >= 4 else { return kAudioConverterErr_BadPropertySizeError }
        let isInput = property == kAudioConverterPropertyCalculateInputBufferSize
        let here = isInput ? converter.destination : converter.source
        let there = isInput ? converter.source : converter.destination
        guard here.mBytesPerPacket > 0, here.mFramesPerPacket > 0 else {
            return kAudioConverterErr_OperationNotSupported
        }
        let packets = Double(target.loadUnaligned(as: UInt32.self)) / Double(here.mBytesPerPacket)
        let frames = packets * Double(here.mFramesPerPacket) * there.mSampleRate / here.mSampleRate
        let count = (frames / Double(max(there.mFramesPerPacket, 1))).rounded(.up)
        let largest = there.isPCM ? there.mBytesPerPacket : there.mChannelsPerFrame * 24576
        return put(
            UInt32(min(count * Double(largest), Double(UInt32.max))),
            size,
            target,
            badSize: kAudioConverterErr_BadPropertySizeError
        )
    }

    func write(_ property: AudioConverterPropertyID, _ bytes: UnsafeRawBufferPointer) -> OSStatus {
        func number() -> UInt32? { bytes.count >= 4 ? bytes.loadUnaligned(as: UInt32.self) : nil }
        switch property {
        case kAudioConverterSampleRateConverterQuality:
            guard let quality = number() else { return kAudioConverterErr_BadPropertySizeError }
            let steps: [(UInt32, Int)] = [(127, 256), (96, 128), (64, 64), (32, 32)]
            let taps = steps.first { quality >= $0.0 }?.1 ?? 16
            return converter.change { $0.tapCount = taps }
        // There is one algorithm of each kind.
        case kAudioConverterSampleRateConverterComplexity, kAudioConverterCodecQuality:
            return number() == nil ? kAudioConverterErr_BadPropertySizeError : noErr
        case kAudioConverterPrimeMethod:
            guard let method = number() else { return kAudioConverterErr_BadPropertySizeError }
            return converter.change { $0.keepsDelay = method == kConverterPrimeMethod_None }
        case kAudioConverterChannelMap:
            guard bytes.count == 4 * Int(converter.destination.mChannelsPerFrame) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            let map = (0..<bytes.count / 4).map { Int(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)) }
            return converter.change { $0.channelMap = map }
        case kAudioConverterDecompressionMagicCookie:
            let cookie = Array(bytes)
            return converter.change { $0.magicCookie = cookie }
        case kAudioConverterEncodeBitRate:
            guard let rate = number() else { return kAudioConverterErr_BadPropertySizeError }
            return converter.change { $0.bitRate = rate > 0 ? Int(rate) : nil }
        default: return kAudioConverterErr_PropertyNotSupported
        }
    }
}
