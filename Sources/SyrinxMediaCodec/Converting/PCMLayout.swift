package import CoreAudioTypes

/// The memory layout of uncompressed samples, and their conversion to and from floating point.
///
/// Full scale is ±1. Conversion to integers rounds to the nearest, ties to even. Samples beyond full scale are clipped,
/// and NaN becomes 0.
package struct PCMLayout {
    private enum Kind {
        case float32, float64, unsigned8
        /// An integer of `bytes` bytes, of which the lowest `bits` bits are used.
        case signed(bytes: Int, bits: Int)
    }

    package let channelCount: Int
    package let isInterleaved: Bool
    package let bytesPerSample: Int
    private let kind: Kind
    private let isSwapped: Bool

    /// Returns `nil` if the format is compressed, or its sample type is unsupported.
    package init?(_ description: AudioStreamBasicDescription) {
        let flags = description.mFormatFlags
        let channels = Int(description.mChannelsPerFrame)
        guard description.mFormatID == kAudioFormatLinearPCM, channels > 0 else { return nil }
        channelCount = channels
        isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
        bytesPerSample = Int(description.mBytesPerFrame) / (isInterleaved ? channels : 1)
        isSwapped = flags & kAudioFormatFlagIsBigEndian != 0
        let bits = Int(description.mBitsPerChannel)
        if flags & kAudioFormatFlagIsFloat != 0 {
            switch (bits, bytesPerSample) {
            case (32, 4): kind = .float32
            case (64, 8): kind = .float64
            default: return nil
            }
        } else if flags & kAudioFormatFlagIsSignedInteger != 0 {
            guard (1...4).contains(bytesPerSample), bits > 1, bits <= 8 * bytesPerSample else { return nil }
            let isHigh = flags & kAudioFormatFlagIsAlignedHigh != 0
            kind = .signed(bytes: bytesPerSample, bits: isHigh ? 8 * bytesPerSample : bits)
        } else {
            guard bits == 8, bytesPerSample == 1 else { return nil }
            kind = .unsigned8
        }
    }

    // Separate overloads for floats and doubles: the render thread calls them, and a generic function of another module
    // would look up type metadata.

    /// Converts `count` frames of `list`, from frame `frame`, to floats in `planes`, from index `place`.
    package func load(
        _ list: UnsafeMutableAudioBufferListPointer,
        from frame: Int,
        count: Int,
        into planes: UnsafePointer<UnsafeMutablePointer<Float>>,
        at place: Int
    ) {
        loadAny(list, from: frame, count: count, into: planes, at: place)
    }

    /// Converts as above, but to doubles, which represent every 32-bit integer exactly.
    package func load(
        _ list: UnsafeMutableAudioBufferListPointer,
        from frame: Int,
        count: Int,
        into planes: UnsafePointer<UnsafeMutablePointer<Double>>,
        at place: Int
    ) {
        loadAny(list, from: frame, count: count, into: planes, at: place)
    }

    /// Converts `count` floats of each of `planes`, from index `place`, into `list`, from frame `frame`.
    package func store(
        _ planes: UnsafePointer<UnsafeMutablePointer<Float>>,
        at place: Int,
        count: Int,
        into list: UnsafeMutableAudioBufferListPointer,
        from frame: Int
    ) {
        storeAny(planes, at: place, count: count, into: list, from: frame)
    }

    /// Converts as above, but from doubles.
    package func store(
        _ planes: UnsafePointer<UnsafeMutablePointer<Double>>,
        at place: Int,
        count: Int,
        into list: UnsafeMutableAudioBufferListPointer,
        from frame: Int
    ) {
        storeAny(planes, at: place, count: count, into: list, from: frame)
    }

    private func loadAny<Real: PCMSampleScale>(
        _ list: UnsafeMutableAudioBufferListPointer,
        from frame: Int,
        count: Int,
        into planes: UnsafePointer<UnsafeMutablePointer<Real>>,
        at place: Int
    ) {
        for channel in 0..<channelCount {
            guard let source = samples(list, channel, frame) else { continue }
            read(UnsafeRawPointer(source.base), source.stride, count, into: planes[channel] + place)
        }
    }

    private func storeAny<Real: PCMSampleScale>(
        _ planes: UnsafePointer<UnsafeMutablePointer<Real>>,
        at place: Int,
        count: Int,
        into list: UnsafeMutableAudioBufferListPointer,
        from frame: Int
    ) {
        for channel in 0..<channelCount {
            guard let target = samples(list, channel, frame) else { continue }
            write(planes[channel] + place, count, to: target.base, target.stride)
        }
    }

    private func samples(
        _ list: UnsafeMutableAudioBufferListPointer,
        _ channel: Int,
        _ frame: Int
    ) -> (base: UnsafeMutableRawPointer, stride: Int)? {
        let index = isInterleaved ? 0 : channel
        guard index < list.count, let base = list[index].mData else { return nil }
        let stride = bytesPerSample * (isInterleaved ? channelCount : 1)
        return (base + frame * stride + (isInterleaved ? channel * bytesPerSample : 0), stride)
    }

    // MARK: One channel

    private func read<Real: PCMSampleScale>(
        _ source: UnsafeRawPointer,
        _ stride: Int,
        _ count: Int,
        into target: UnsafeMutablePointer<Real>
    ) {
        switch kind {
        case .float32:
            for index in 0..<count {
                let bits = source.loadUnaligned(fromByteOffset: index * stride, as: UInt32.self)
                target[index] = Real(single: Float(bitPattern: isSwapped ? bits.byteSwapped : bits))
            }
        case .float64:
            for index in 0..<count {
                let bits = source.loadUnaligned(fromByteOffset: index * stride, as: UInt64.self)
                target[index] = Real(double: Double(bitPattern: isSwapped ? bits.byteSwapped : bits))
            }
        case .unsigned8:
            for index in 0..<count {
                let byte = source.load(fromByteOffset: index * stride, as: UInt8.self)
                target[index] = Real(whole: Int64(byte) - 128, times: 1 / 128)
            }
        case .signed(let bytes, let bits):
            let step = 1 / Double(Int64(1) << (bits - 1))
            let shift = 64 - bits
            for index in 0..<count {
                let value = (whole(source + index * stride, bytes) << shift) >> shift
                target[index] = Real(whole: value, times: step)
            }
        }
    }

    private func write<Real: PCMSampleScale>(
        _ source: UnsafePointer<Real>,
        _ count: Int,
        to target: UnsafeMutableRawPointer,
        _ stride: Int
    ) {
        switch kind {
        case .float32:
            for index in 0..<count {
                let bits = source[index].single.bitPattern
                target.storeBytes(
                    of: isSwapped ? bits.byteSwapped : bits,
                    toByteOffset: index * stride,
                    as: UInt32.self
                )
            }
        case .float64:
            for index in 0..<count {
                let bits = source[index].double.bitPattern
                target.storeBytes(
                    of: isSwapped ? bits.byteSwapped : bits,
                    toByteOffset: index * stride,
                    as: UInt64.self
                )
            }
        case .unsigned8:
            for index in 0..<count {
                let value = Self.rounded(source[index].double, bits: 8)
                target.storeBytes(of: UInt8(value + 128), toByteOffset: index * stride, as: UInt8.self)
            }
        case .signed(let bytes, let bits):
            for index in 0..<count {
                put(Self.rounded(source[index].double, bits: bits), bytes, to: target + index * stride)
            }
        }
    }

    private static func rounded(_ sample: Double, bits: Int) -> Int64 {
        let scale = Double(Int64(1) << (bits - 1))
        let value = sample.isNaN ? 0 : (sample * scale).rounded(.toNearestOrEven)
        return Int64(min(max(value, -scale), scale - 1))
    }

    /// Returns the integer in the bytes of a sample; bits above its used bits are arbitrary.
    private func whole(_ source: UnsafeRawPointer, _ bytes: Int) -> Int64 {
        switch bytes {
        case 1: return Int64(source.load(as: UInt8.self))
        case 2:
            let value = source.loadUnaligned(as: UInt16.self)
            return Int64(isSwapped ? value.byteSwapped : value)
        case 4:
            let value = source.loadUnaligned(as: UInt32.self)
            return Int64(isSwapped ? value.byteSwapped : value)
        default:
            let first = Int64(source.load(fromByteOffset: isSwapped ? 2 : 0, as: UInt8.self))
            let last = Int64(source.load(fromByteOffset: isSwapped ? 0 : 2, as: UInt8.self))
            return first | Int64(source.load(fromByteOffset: 1, as: UInt8.self)) << 8 | last << 16
        }
    }

    private func put(_ value: Int64, _ bytes: Int, to target: UnsafeMutableRawPointer) {
        switch bytes {
        case 1: target.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
        case 2:
            let short = UInt16(truncatingIfNeeded: value)
            target.storeBytes(of: isSwapped ? short.byteSwapped : short, as: UInt16.self)
        case 4:
            let long = UInt32(truncatingIfNeeded: value)
            target.storeBytes(of: isSwapped ? long.byteSwapped : long, as: UInt32.self)
        default:
            for index in 0..<3 {
                let byte = UInt8(truncatingIfNeeded: value >> (8 * Int64(isSwapped ? 2 - index : index)))
                target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            }
        }
    }
}

/// The type in which samples are processed: `Double` represents all 32-bit integers exactly, `Float` all of 24 bits.
package protocol PCMSampleScale {
    init(single: Float)
    init(double: Double)
    /// Creates a sample from an integer and the size of a step, a power of two.
    init(whole: Int64, times step: Double)
    var single: Float { get }
    var double: Double { get }
}

extension Float: PCMSampleScale {
    package init(single: Float) { self = single }
    package init(double: Double) { self = Float(double) }
    package init(whole: Int64, times step: Double) { self = Float(whole) * Float(step) }
    package var single: Float { self }
    package var double: Double { Double(self) }
}

extension Double: PCMSampleScale {
    package init(single: Float) { self = Double(single) }
    package init(double: Double) { self = double }
    package init(whole: Int64, times step: Double) { self = Double(whole) * step }
    package var single: Float { Float(self) }
    package var double: Double { self }
}

/// Float buffers, one per channel, with the table of pointers that C functions and codecs take.
package final class FloatPlanes<Real: PCMSampleScale> {
    package let channels: UnsafeMutablePointer<UnsafeMutablePointer<Real>>
    package let channelCount: Int
    package let capacity: Int
    private let storage: UnsafeMutablePointer<Real>

    package init(channelCount: Int, capacity: Int) {
        (self.channelCount, self.capacity) = (channelCount, capacity)
        storage = .allocate(capacity: max(channelCount * capacity, 1))
        storage.initialize(repeating: Real(whole: 0, times: 1), count: max(channelCount * capacity, 1))
        channels = .allocate(capacity: max(channelCount, 1))
        for channel in 0..<channelCount { (channels + channel).initialize(to: storage + channel * capacity) }
    }

    deinit {
        storage.deallocate()
        channels.deallocate()
    }
}
