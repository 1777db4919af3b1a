import AudioToolbox
import Foundation
import SyrinxTestSupport
import Testing

/// The arguments of a parser's callbacks.
final class Collector {
    var properties: [AudioFileStreamPropertyID] = []
    var packets: [[UInt8]] = []
    var plain: [UInt8] = []
    var packetCount = 0
    var wasReadyFirst = true
    private(set) var id: AudioFileStreamID?

    init(hint: AudioFileTypeID = 0) {
        let client = Unmanaged.passUnretained(self).toOpaque()
        let status = AudioFileStreamOpen(
            client,
            { client, _, property, _ in Collector.from(client).properties.append(property) },
            { client, size, count, data, descriptions in
                Collector.from(client).take(Int(size), Int(count), data, descriptions)
            },
            hint,
            &id
        )
        #expect(status == noErr)
    }

    deinit { if let id { _ = AudioFileStreamClose(id) } }

    private static func from(_ client: UnsafeMutableRawPointer) -> Collector {
        Unmanaged<Collector>.fromOpaque(client).takeUnretainedValue()
    }

    private func take(
        _ size: Int,
        _ count: Int,
        _ data: UnsafeRawPointer,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) {
        wasReadyFirst = wasReadyFirst && properties.contains(kAudioFileStreamProperty_ReadyToProducePackets)
        let bytes = Array(UnsafeRawBufferPointer(start: data, count: size))
        packetCount += count
        guard let descriptions else { return plain += bytes }
        for index in 0..<count {
            let start = Int(descriptions[index].mStartOffset)
            packets.append(Array(bytes[start..<start + Int(descriptions[index].mDataByteSize)]))
        }
    }

    /// Gives `bytes` in pieces of the sizes that `next` tells.
    func parse(_ bytes: [UInt8], flags: AudioFileStreamParseFlags = [], next: () -> Int) -> OSStatus {
        guard let id else { return -1 }
        var place = 0
        var flags = flags
        while place < bytes.count {
            let count = min(max(next(), 1), bytes.count - place)
            let status = bytes[place..<place + count].withUnsafeBytes {
                AudioFileStreamParseBytes(id, UInt32(count), $0.baseAddress, flags)
            }
            if status != noErr { return status }
            flags = []
            place += count
        }
        return noErr
    }

    func property<Value>(_ property: AudioFileStreamPropertyID, as: Value.Type) -> Value? {
        guard let id else { return nil }
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { memory.deallocate() }
        var size = UInt32(MemoryLayout<Value>.size)
        return AudioFileStreamGetProperty(id, property, &size, memory) == noErr ? memory.pointee : nil
    }

    var cookie: [UInt8] {
        guard let id else { return [] }
        var size: UInt32 = 0
        guard AudioFileStreamGetPropertyInfo(id, kAudioFileStreamProperty_MagicCookieData, &size, nil) == noErr else {
            return []
        }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        _ = AudioFileStreamGetProperty(id, kAudioFileStreamProperty_MagicCookieData, &size, &bytes)
        return bytes
    }
}

/// The input of a converter: packets, one at a time.
final class Feeder {
    var packets: [[UInt8]]
    var isPCM = false
    var bytesPerPacket = 1
    /// At this call it fails, once.
    var failingCall = -1
    private var calls = 0
    private var current: UnsafeMutableRawPointer?
    private var description = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: 1)

    init(_ packets: [[UInt8]]) { self.packets = packets }

    deinit {
        current?.deallocate()
        description.deallocate()
    }

    static let procedure: AudioConverterComplexInputDataProc = { _, count, list, descriptions, user in
        guard let user else { return -1 }
        return Unmanaged<Feeder>.fromOpaque(user).takeUnretainedValue().give(count, list, descriptions)
    }

    private func give(
        _ count: UnsafeMutablePointer<UInt32>,
        _ list: UnsafeMutablePointer<AudioBufferList>,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
        calls += 1
        if calls == failingCall { return 1234 }
        guard !packets.isEmpty else {
            count.pointee = 0
            return noErr
        }
        if !isPCM { #expect(count.pointee == 1) }
        let packet = packets.removeFirst()
        current?.deallocate()
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(packet.count, 1), alignment: 16)
        packet.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        current = memory
        list.pointee.mBuffers.mData = memory
        list.pointee.mBuffers.mDataByteSize = UInt32(packet.count)
        count.pointee = isPCM ? UInt32(packet.count / bytesPerPacket) : 1
        description.initialize(
            to: AudioStreamPacketDescription(
                mStartOffset: 0,
                mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(packet.count)
            )
        )
        descriptions?.pointee = description
        return noErr
    }
}

/// Interleaved 32-bit float.
func floatFormat(_ rate: Double, _ channels: UInt32) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
        mSampleRate: rate,
        mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagsNativeFloatPacked,
        mBytesPerPacket: 4 * channels,
        mFramesPerPacket: 1,
        mBytesPerFrame: 4 * channels,
        mChannelsPerFrame: channels,
        mBitsPerChannel: 32,
        mReserved: 0
    )
}

/// Takes all that a converter gives, asking for `room` frames at a time; the statuses are those that were not `noErr`.
func drain(_ ref: AudioConverterRef, _ feeder: Feeder, channels: Int, room: Int) -> (
    samples: [Float], failures: [OSStatus]
) {
    var all: [Float] = []
    var failures: [OSStatus] = []
    var memory = [Float](repeating: .nan, count: room * channels)
    for _ in 0..<100_000 {
        var count = UInt32(room)
        let status = memory.withUnsafeMutableBytes { bytes -> OSStatus in
            var list = AudioBufferList()
            list.mNumberBuffers = 1
            list.mBuffers = AudioBuffer(
                mNumberChannels: UInt32(channels),
                mDataByteSize: UInt32(bytes.count),
                mData: bytes.baseAddress
            )
            let user = Unmanaged.passUnretained(feeder).toOpaque()
            return AudioConverterFillComplexBuffer(ref, Feeder.procedure, user, &count, &list, nil)
        }
        all += memory[..<(Int(count) * channels)]
        if status != noErr { failures.append(status) } else if count == 0 { break }
    }
    return (all, failures)
}

/// A file that `ffmpeg` makes: two tones.
func makeFile(
    _ folder: ScratchDirectory,
    _ name: String,
    _ options: [String] = [],
    seconds: Double = 0.5
) throws -> URL {
    let source = "aevalsrc=0.3*sin(2*PI*440*t)|0.3*sin(2*PI*(550+90*t)*t):s=44100:d=\(seconds)"
    let url = folder.url(name)
    try FFmpeg.make(url.path, from: source, options)
    return url
}
