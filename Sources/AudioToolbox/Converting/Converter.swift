internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The object behind an `AudioConverterRef`.
///
/// Use it from one thread at a time.
final class Converter {
    let source: AudioStreamBasicDescription
    let destination: AudioStreamBasicDescription
    private(set) var settings = AudioConversion.Settings()
    private var conversion: AudioConversion?
    private var hasEnded = false

    init(_ source: AudioStreamBasicDescription, _ destination: AudioStreamBasicDescription) throws(SyrinxError) {
        self.source = source
        self.destination = destination
        // A decoder that needs a magic cookie is created when the cookie is set.
        if source.isPCM || !source.needsCookie { conversion = try make() }
        if !destination.isPCM, !source.isPCM {
            throw SyrinxError(.unsupported, "Only samples are encoded.", name: "converter")
        }
    }

    private func make() throws(SyrinxError) -> AudioConversion {
        try AudioConversion(from: source, to: destination, settings: settings)
    }

    func made() throws(SyrinxError) -> AudioConversion {
        if let conversion { return conversion }
        let made = try make()
        conversion = made
        return made
    }

    /// Changes a setting and restarts the conversion.
    func change(_ body: (inout AudioConversion.Settings) -> Void) -> OSStatus {
        body(&settings)
        conversion = nil
        do throws(SyrinxError) {
            _ = try made()
            return noErr
        } catch {
            return kAudioConverterErr_FormatNotSupported
        }
    }

    func reset() {
        conversion = nil
        hasEnded = false
    }

    /// Bytes of the largest packet of the output.
    var largestOutputPacket: UInt32 {
        destination.isPCM ? destination.mBytesPerPacket : destination.mChannelsPerFrame * (1536 + 5 * 4608)
    }

    // MARK: Converting

    /// Asks `procedure` for input until `packets` packets of output are there.
    func fill(
        _ id: AudioConverterRef,
        _ procedure: AudioConverterComplexInputDataProc,
        _ user: UnsafeMutableRawPointer?,
        _ packets: UnsafeMutablePointer<UInt32>,
        _ output: UnsafeMutableAudioBufferListPointer,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) -> OSStatus {
        var sink = ConverterSink(output, wanted: Int(packets.pointee), destination, descriptions)
        defer { packets.pointee = UInt32(sink.finish()) }
        guard sink.room > 0 else { return packets.pointee == 0 ? noErr : kAudioConverterErr_InvalidOutputSize }
        do throws(SyrinxError) {
            let conversion = try made()
            while true {
                sink.take(from: conversion)
                if sink.isFull || hasEnded { return noErr }
                let status = try ask(id, procedure, user, conversion, room: sink.room)
                if status != noErr { return status }
            }
        } catch {
            return error.code == .unsupported
                ? kAudioConverterErr_FormatNotSupported : kAudioConverterErr_UnspecifiedError
        }
    }

    /// Calls the procedure once and adds its packets to the conversion.
    private func ask(
        _ id: AudioConverterRef,
        _ procedure: AudioConverterComplexInputDataProc,
        _ user: UnsafeMutableRawPointer?,
        _ conversion: AudioConversion,
        room: Int
    ) throws(SyrinxError) -> OSStatus {
        let isSplit = source.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
        let list = AudioBufferList.allocate(maximumBuffers: isSplit ? Int(source.mChannelsPerFrame) : 1)
        defer { list.unsafeMutablePointer.deallocate() }
        for index in list.indices {
            list[index].mNumberChannels = isSplit ? 1 : source.mChannelsPerFrame
        }
        // One packet at a time; of samples, about as many as the output takes.
        let frames = destination.isPCM ? Double(room) : Double(room) * Double(max(destination.mFramesPerPacket, 1024))
        let wanted = (frames * source.mSampleRate / destination.mSampleRate).rounded(.up)
        var count = source.isPCM ? UInt32(min(max(wanted, 1), 65536)) : 1
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        let status = procedure(id, &count, list.unsafeMutablePointer, &descriptions, user)
        guard status == noErr else { return status }
        guard count > 0 else {
            hasEnded = true
            try conversion.finish()
            return noErr
        }
        if source.isPCM {
            let size = Int(source.mBytesPerFrame)
            guard list.allSatisfy({ $0.mData != nil && Int($0.mDataByteSize) >= Int(count) * size }) else {
                return kAudioConverterErr_InvalidInputSize
            }
            try conversion.push(list, frameCount: Int(count))
            return noErr
        }
        return try push(Int(count), list[0], descriptions, conversion)
    }

    private func push(
        _ count: Int,
        _ buffer: AudioBuffer,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
        _ conversion: AudioConversion
    ) throws(SyrinxError) -> OSStatus {
        let bytes = UnsafeRawBufferPointer(
            start: buffer.mData,
            count: buffer.mData == nil ? 0 : Int(buffer.mDataByteSize)
        )
        let fixed = Int(source.mBytesPerPacket)
        guard descriptions != nil || fixed > 0 || count == 1 else {
            return kAudioConverterErr_RequiresPacketDescriptionsError
        }
        for index in 0..<count {
            let start = descriptions.map { Int(clamping: $0[index].mStartOffset) } ?? index * fixed
            let size = descriptions.map { Int($0[index].mDataByteSize) } ?? (fixed > 0 ? fixed : bytes.count)
            guard start >= 0, size <= bytes.count, start <= bytes.count - size else {
                return kAudioConverterErr_InvalidInputSize
            }
            try conversion.push(packet: UnsafeRawBufferPointer(rebasing: bytes[start..<start + size]))
        }
        return noErr
    }
}

extension AudioStreamBasicDescription {
    var isPCM: Bool { mFormatID == kAudioFormatLinearPCM }
    /// Whether the decoder needs a magic cookie.
    var needsCookie: Bool {
        [kAudioFormatAppleLossless, fourCC("vorb")].contains(mFormatID)
    }
}

/// The buffers that a converter is to fill.
struct ConverterSink {
    private let list: UnsafeMutableAudioBufferListPointer
    private let destination: AudioStreamBasicDescription
    private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    private let limit: Int
    private let byteCapacity: Int
    private var done = 0
    private var bytes = 0
    private var isPacketTooLarge = false

    init(
        _ list: UnsafeMutableAudioBufferListPointer,
        wanted: Int,
        _ destination: AudioStreamBasicDescription,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) {
        self.list = list
        self.destination = destination
        self.descriptions = descriptions
        byteCapacity = list.map { $0.mData == nil ? 0 : Int($0.mDataByteSize) }.min() ?? 0
        let fits =
            destination.isPCM ? byteCapacity / max(Int(destination.mBytesPerFrame), 1) : (byteCapacity > 0 ? wanted : 0)
        limit = min(wanted, fits)
    }

    var room: Int { limit - done }
    var isFull: Bool { done >= limit || isPacketTooLarge }

    mutating func take(from conversion: AudioConversion) {
        guard !destination.isPCM else {
            done += conversion.pull(into: list, from: done, count: room)
            return
        }
        while done < limit, let size = conversion.nextPacketSize {
            guard bytes + size <= byteCapacity, let base = list[0].mData else {
                isPacketTooLarge = true
                return
            }
            guard let packet = conversion.pullPacket() else { return }
            packet.withUnsafeBytes {
                if let from = $0.baseAddress { (base + bytes).copyMemory(from: from, byteCount: size) }
            }
            descriptions?[done] = AudioStreamPacketDescription(
                mStartOffset: Int64(bytes),
                mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(size)
            )
            bytes += size
            done += 1
        }
    }

    /// Records the sizes of the filled buffers, and returns their number of packets.
    func finish() -> Int {
        for index in list.indices {
            list[index].mDataByteSize = UInt32(destination.isPCM ? done * Int(destination.mBytesPerFrame) : bytes)
        }
        return done
    }
}
