import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// Renders the score offline through an audio graph into an MP3 file.
enum Composition {
    /// The bit rate of the MP3, in bits per second.
    static let bitRate = 128_000

    private static let sampleRate = 44_100.0
    private static let blockSize: AVAudioFrameCount = 4_096

    /// Writes the piece to `file`, whose extension selects the format.
    ///
    /// - Throws: `AVAudioEngineError`, `SyrinxError`, or `DemoError` if the engine fails to render.
    static func write(_ score: Score, to file: URL) throws {
        guard
            let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: blockSize),
            let channels = buffer.floatChannelData
        else {
            throw DemoError(code: .renderFailed, message: "There is no memory for a buffer of the engine.")
        }
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockSize)
        for part in score.parts {
            let node = source(of: part, beatsPerMinute: score.beatsPerMinute, format: format)
            engine.attach(node)
            engine.connect(node, to: engine.mainMixerNode, format: format)
        }
        try engine.start()
        defer { engine.stop() }

        let writer = try MediaWriter(
            path: file.path,
            sampleRate: sampleRate,
            channelCount: Int(format.channelCount),
            sampleFormat: nil,
            bitRate: bitRate,
            tags: ["title": "Sixteen Bars", "artist": "Syrinx"]
        )
        do {
            let frameCount = Int64((score.duration * sampleRate).rounded())
            while engine.manualRenderingSampleTime < frameCount {
                let rest = frameCount - engine.manualRenderingSampleTime
                let status = try engine.renderOffline(AVAudioFrameCount(min(rest, Int64(blockSize))), to: buffer)
                guard status == .success, buffer.frameLength > 0 else {
                    throw DemoError(code: .renderFailed, message: "The engine gave no sound while it rendered offline.")
                }
                try writer.write(channels, frameCount: Int(buffer.frameLength))
            }
            try writer.finish()
        } catch {
            writer.cancel()
            throw error
        }
    }

    /// Creates a node that plays `part` from its start.
    private static func source(of part: Part, beatsPerMinute: Double, format: AVAudioFormat) -> AVAudioSourceNode {
        let renderer = PartRenderer(part, beatsPerMinute: beatsPerMinute, sampleRate: format.sampleRate)
        return AVAudioSourceNode(format: format) { isSilence, time, frameCount, output in
            let buffers = UnsafeMutableAudioBufferListPointer(output)
            guard
                let left = buffers[0].mData?.assumingMemoryBound(to: Float.self),
                let right = buffers[1].mData?.assumingMemoryBound(to: Float.self)
            else { return -1 }
            let position = Int(time.pointee.mSampleTime)
            let sounds = renderer.render(left: left, right: right, at: position, count: Int(frameCount))
            isSilence.pointee = ObjCBool(!sounds)
            return noErr
        }
    }
}
