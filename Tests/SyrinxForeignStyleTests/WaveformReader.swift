import AVFoundation

// How programs that draw waveforms read samples: 16-bit mono through an asset reader, in blocks, as decibels that are
// averaged down to the number of bars. In Swift 5, with the synchronous interface.

let kWaveformReaderSettings: [String: Any] = [
    AVFormatIDKey: Int(kAudioFormatLinearPCM) as AnyObject,
    AVLinearPCMBitDepthKey: 16 as AnyObject,
    AVLinearPCMIsBigEndianKey: false as AnyObject,
    AVLinearPCMIsFloatKey: false as AnyObject,
    AVNumberOfChannelsKey: 1 as AnyObject,
    AVLinearPCMIsNonInterleaved: false as AnyObject,
]

class WaveformReader {
    let noiseFloor: Double

    init(noiseFloor: Double = -70) {
        self.noiseFloor = noiseFloor
    }

    func makeReader(asset: AVAsset) -> (reader: AVAssetReader, output: AVAssetReaderTrackOutput)? {
        guard let track = asset.tracks(withMediaType: .audio).first, let reader = try? AVAssetReader(asset: asset)
        else {
            return nil
        }
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: kWaveformReaderSettings)
        guard reader.canAdd(output) else { return nil }
        reader.add(output)
        return (reader, output)
    }

    func samples(of sampleBuffer: CMSampleBuffer) -> [Int16]? {
        guard let block = CMSampleBufferGetDataBuffer(sampleBuffer) else { return nil }
        var length = 0
        var pointer: UnsafeMutablePointer<Int8>?
        let status = CMBlockBufferGetDataPointer(
            block,
            atOffset: 0,
            lengthAtOffsetOut: nil,
            totalLengthOut: &length,
            dataPointerOut: &pointer
        )
        guard status == kCMBlockBufferNoErr, let bytes = pointer else { return nil }
        return bytes.withMemoryRebound(to: Int16.self, capacity: length / 2) {
            Array(UnsafeBufferPointer(start: $0, count: length / 2))
        }
    }

    func countSamples(asset: AVAsset) -> (count: Int, rate: Double) {
        guard let (reader, output) = makeReader(asset: asset), reader.startReading() else { return (0, 0) }
        var count = 0
        var rate = 0.0
        while let buffer = output.copyNextSampleBuffer() {
            count += CMSampleBufferGetNumSamples(buffer)
            if let format = CMSampleBufferGetFormatDescription(buffer) {
                rate = format.audioStreamBasicDescription?.mSampleRate ?? rate
            }
            CMSampleBufferInvalidate(buffer)
        }
        return (count, rate)
    }

    /// Reads in blocks of so many seconds, and keeps what does not fill a bar for the next.
    func bars(asset: AVAsset, count: Int, secondsPerBlock: Int?, completion: @escaping ([Double]?) -> Void) {
        let (total, rate) = countSamples(asset: asset)
        guard count > 0, count <= total, let (reader, output) = makeReader(asset: asset) else { return completion(nil) }
        let factor = total / count
        let threshold = secondsPerBlock.map { Int(rate) * $0 } ?? .max
        var block: [Int16] = []
        var bars: [Double] = []
        if reader.startReading() {
            while reader.status == .reading {
                autoreleasepool { [weak self] in
                    if let buffer = output.copyNextSampleBuffer(), let samples = self?.samples(of: buffer) {
                        block.append(contentsOf: samples)
                        if block.count > threshold {
                            bars += self?.average(block, factor) ?? []
                            block.removeFirst(block.count / factor * factor)
                        }
                    } else {
                        reader.cancelReading()
                    }
                }
            }
            bars += average(block, factor)
        }
        completion(bars)
    }

    private func average(_ samples: [Int16], _ factor: Int) -> [Double] {
        (0..<samples.count / factor).map { bar in
            let part = samples[bar * factor..<(bar + 1) * factor]
            return part.reduce(0.0) { $0 + decibels($1) } / Double(factor)
        }
    }

    private func decibels(_ sample: Int16) -> Double {
        min(max(20 * log10(abs(Double(sample)) / Double(Int16.max)), noiseFloor), 0)
    }
}
