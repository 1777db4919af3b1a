import AudioAnalysis
import AudioStreaming
import ByteStream
import DesktopModel
import Foundation
import Synchronization

/// Makes the waveform of the recording that is open, while its bytes arrive.
@MainActor
final class WaveformLoader {
    /// The waveform so far; `nil` before the recording has been opened.
    private(set) var pyramid: WaveformPyramid?
    /// The pauses of what is known so far.
    private(set) var silences = SilenceRanges(blockLength: 1)
    /// Called with the frames that have become known, and the greatest magnitude among them, 0…1.
    var onGrowth: ((Range<Int64>, Float) -> Void)?
    /// Called when all of the waveform is known.
    var onCompletion: (() -> Void)?
    private let analyzer = RecordingAnalyzer()
    private var task: Task<Void, Never>?

    /// Begins the waveform of the recording of a streamer, which has been opened.
    /// - Parameter duration: Seconds, if they are known: a long recording is measured in longer blocks.
    func load(_ streamer: Streamer, duration: Double?) {
        cancel()
        guard let stream = streamer.makeArrivedStream() else { return }
        // Ten hours take 50 MB at most.
        let samplesPerPixel = (duration ?? 0) > 3 * 3600 ? 512 : 256
        let updates = analyzer.waveform(of: ArrivingByteStream(stream), samplesPerPixel: samplesPerPixel)
        task = Task { [weak self] in
            do {
                for try await update in updates {
                    guard !Task.isCancelled, let self else { return }
                    self.take(update, samplesPerPixel)
                }
            } catch {
                // The player reports what is wrong with the recording; a waveform that ends early is drawn as far as it goes.
            }
        }
    }

    /// Ends the work and forgets the waveform.
    func cancel() {
        task?.cancel()
        task = nil
        analyzer.cancel()
        pyramid = nil
        silences = SilenceRanges(blockLength: 1)
    }

    private func take(_ update: WaveformUpdate, _ samplesPerPixel: Int) {
        switch update {
        case .opened(let info):
            pyramid = WaveformPyramid(
                sampleRate: max(1, Int(min(info.sampleRate, 1e7))),
                samplesPerPixel: samplesPerPixel,
                channelCount: 1
            )
            silences = SilenceRanges(blockLength: Double(samplesPerPixel) / max(1, info.sampleRate))
        case .blocks(let blocks, let index, let lastFrameCount):
            pyramid?.insert(blocks, at: index, lastFrameCount: lastFrameCount)
            let peaks = (0..<blocks.count).map { max(Int(blocks.maximum($0)), -Int(blocks.minimum($0))) }
            let peak = peaks.max() ?? 0
            silences.insert(peaks.map { Float($0) / 32_768 }, at: index)
            let start = Int64(index) * Int64(samplesPerPixel)
            onGrowth?(start..<start + Int64(blocks.count) * Int64(samplesPerPixel), Float(peak) / 32_768)
        case .ended:
            onCompletion?()
        }
    }
}

/// A stream whose reads wait until their bytes have arrived.
private final class ArrivingByteStream: ByteStream {
    private let stream: any ByteStream
    private let isCancelled = Atomic(false)
    /// Seconds between two attempts to read what has not arrived.
    private static let interval = 0.2

    init(_ stream: any ByteStream) { self.stream = stream }

    var name: String { stream.name }
    var length: Int64? { stream.length }
    var isSeekable: Bool { stream.isSeekable }
    var isRemote: Bool { stream.isRemote }
    var mimeType: String? { stream.mimeType }
    func firstMissing(from offset: Int64) -> Int64 { stream.firstMissing(from: offset) }

    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        stream.cancel()
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteStreamError) -> Int {
        while true {
            do {
                return try stream.read(at: offset, into: buffer)
            } catch {
                guard error.code == .interrupted, !isCancelled.load(ordering: .relaxed) else { throw error }
                Thread.sleep(forTimeInterval: Self.interval)
            }
        }
    }
}
