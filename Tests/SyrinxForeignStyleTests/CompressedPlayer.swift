import AVFoundation

// The way of the chapter on AVAudioEngine: packets eight at a time in compressed buffers, given to a converter by its input
// block, and each buffer scheduled when the one before it has been played.

final class CompressedPlayer {
    let file = StreamFile()
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    let destination: AVAudioFormat
    private var converter: AVAudioConverter?
    private var readHead = 0

    init() {
        destination = AVAudioFormat(
            commonFormat: .pcmFormatFloat32,
            sampleRate: 44100,
            channels: 2,
            interleaved: false
        )!
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: destination)
    }

    /// The next buffer; `nil` at the end.
    func nextBuffer() throws -> AVAudioPCMBuffer? {
        guard let source = file.format else { return nil }
        if converter == nil {
            if let cookie = file.cookie { source.magicCookie = cookie }
            converter = AVAudioConverter(from: source, to: destination)
        }
        guard let converter = converter,
            let pcm = AVAudioPCMBuffer(pcmFormat: destination, frameCapacity: 8192)
        else { return nil }
        var error: NSError?
        let status = converter.convert(to: pcm, error: &error) { packetCount, outStatus in
            guard self.readHead < self.file.packets.count else {
                outStatus.pointee = .endOfStream
                return nil
            }
            outStatus.pointee = .haveData
            return self.makeInput(source)
        }
        if let error = error { throw error }
        return status == .haveData || pcm.frameLength > 0 ? pcm : nil
    }

    private func makeInput(_ source: AVAudioFormat) -> AVAudioBuffer {
        let packets = file.packets[readHead..<min(readHead + 8, file.packets.count)]
        readHead += packets.count
        guard source.streamDescription.pointee.mFormatID != kAudioFormatLinearPCM else {
            let buffer = AVAudioPCMBuffer(pcmFormat: source, frameCapacity: AVAudioFrameCount(packets.count))!
            buffer.frameLength = AVAudioFrameCount(packets.count)
            var place = buffer.mutableAudioBufferList.pointee.mBuffers.mData!
            for packet in packets {
                packet.data.withUnsafeBytes { place.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
                place += packet.data.count
            }
            return buffer
        }
        let largest = packets.map { $0.data.count }.max() ?? 0
        let buffer = AVAudioCompressedBuffer(format: source, packetCapacity: 8, maximumPacketSize: largest)
        var offset = 0
        for (index, packet) in packets.enumerated() {
            packet.data.withUnsafeBytes {
                (buffer.data + offset).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
            }
            buffer.packetDescriptions?[index] = AudioStreamPacketDescription(
                mStartOffset: Int64(offset),
                mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(packet.data.count)
            )
            offset += packet.data.count
        }
        buffer.packetCount = AVAudioPacketCount(packets.count)
        buffer.byteLength = UInt32(offset)
        return buffer
    }
}
