internal import CoreAudioTypes
internal import Foundation
internal import SyrinxMediaCodec

/// The settings of an `AVAudioConverter`.
struct ConverterSettings {
    var channelMap: [Int]?
    var magicCookie: Data?
    var downmix = false
    var dither = false
    var quality = AVAudioQuality.high.rawValue
    var algorithm: String?
    var primeMethod = AVAudioConverterPrimeMethod.normal
    var bitRate: Int?

    /// The error in the terms of the module below.
    var conversion: AudioConversion.Settings {
        var settings = AudioConversion.Settings()
        settings.channelMap = channelMap
        settings.downmixes = downmix
        settings.keepsDelay = primeMethod == .none
        settings.bitRate = bitRate
        settings.magicCookie = magicCookie.map { Array($0) } ?? []
        let steps: [(AVAudioQuality, Int)] = [(.max, 256), (.high, 128), (.medium, 64), (.low, 32)]
        settings.tapCount = steps.first { quality >= $0.0.rawValue }?.1 ?? 16
        return settings
    }
}

/// A buffer that a converter fills: samples or packets.
struct ConverterOutput {
    private let samples: AVAudioPCMBuffer?
    private let packets: AVAudioCompressedBuffer?
    private var isPacketTooLarge = false

    init(_ buffer: AVAudioBuffer) {
        samples = buffer as? AVAudioPCMBuffer
        packets = buffer as? AVAudioCompressedBuffer
        samples?.frameLength = 0
        packets?.byteLength = 0
        packets?.packetCount = 0
    }

    var isEmpty: Bool { samples.map { $0.frameLength == 0 } ?? packets.map { $0.packetCount == 0 } ?? true }

    var isFull: Bool {
        if let samples { return samples.frameLength == samples.frameCapacity }
        if let packets { return packets.packetCount == packets.packetCapacity || isPacketTooLarge }
        return true
    }

    /// Takes converted frames, as many as fit.
    mutating func take(from conversion: AudioConversion) {
        if let samples {
            let done = Int(samples.frameLength)
            let count = conversion.pull(into: samples.list, from: done, count: Int(samples.frameCapacity) - done)
            samples.frameLength += AVAudioFrameCount(count)
        }
        guard let packets else { return }
        while packets.packetCount < packets.packetCapacity, let size = conversion.nextPacketSize {
            guard Int(packets.byteLength) + size <= Int(packets.byteCapacity) else {
                isPacketTooLarge = true
                return
            }
            guard let packet = conversion.pullPacket() else { return }
            let start = packets.byteLength
            packet.withUnsafeBytes {
                if let base = $0.baseAddress { (packets.data + Int(start)).copyMemory(from: base, byteCount: size) }
            }
            packets.packetDescriptions?[Int(packets.packetCount)] = AudioStreamPacketDescription(
                mStartOffset: Int64(start),
                mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(size)
            )
            packets.byteLength = start + UInt32(size)
            packets.packetCount += 1
        }
    }

    /// Packets of the input that would fill the rest.
    func room(at input: AVAudioFormat, _ output: AVAudioFormat) -> AVAudioPacketCount {
        let frames: Double
        if let samples {
            frames = Double(samples.frameCapacity - samples.frameLength)
        } else {
            let perPacket = max(Double(output.streamDescription.pointee.mFramesPerPacket), 1024)
            frames = packets.map { Double($0.packetCapacity - $0.packetCount) * perPacket } ?? 0
        }
        let perPacket = max(Double(input.streamDescription.pointee.mFramesPerPacket), 1)
        let wanted = (frames * input.sampleRate / output.sampleRate / perPacket).rounded(.up)
        return AVAudioPacketCount(min(max(wanted, 1), Double(UInt32.max)))
    }
}
