extension PeakWaveform {
    /// The waveform at a coarser zoom.
    ///
    /// Pixel k covers the pixels ⌊k·r⌋ up to ⌊(k+1)·r⌋ of this one, r the ratio of both zooms, which need not be whole.
    /// - Throws: `.zoomTooFine` if `samplesPerPixel` is less than that of this one: what is not there cannot be drawn.
    public func rescaled(to samplesPerPixel: Int) throws(AnalysisError) -> PeakWaveform {
        if samplesPerPixel == self.samplesPerPixel { return self }
        var rescaler = try PeakRescaler(from: blocks(0..<0), to: samplesPerPixel)
        var result = rescaler.append(self)
        result.append(rescaler.finish())
        return result
    }

    /// Adds the blocks of another waveform behind those of this one.
    /// - Precondition: It has the zoom and the channels of this one.
    public mutating func append(_ other: PeakWaveform) {
        precondition(
            other.samplesPerPixel == samplesPerPixel && other.channelCount == channelCount,
            "blocks have the zoom and the channels of what they are added to"
        )
        let hasRMS = !rms.isEmpty || !other.rms.isEmpty
        let former = values.count / 2
        values.append(contentsOf: other.values)
        guard hasRMS else { return }
        rms.append(contentsOf: repeatElement(0, count: former - rms.count))
        rms.append(contentsOf: other.rms)
        rms.append(contentsOf: repeatElement(0, count: values.count / 2 - rms.count))
    }

    /// The factor that makes the loudest value just fit, which is 1 for silence.
    public var automaticScale: Double {
        var low = 0
        var high = 0
        for value in values {
            low = min(low, Int(value))
            high = max(high, Int(value))
        }
        let up = high > 0 ? 32767 / Double(high) : .infinity
        let down = low < 0 ? 32767 / Double(-low) : .infinity
        let scale = min(up, down)
        return scale.isFinite ? scale : 1
    }

    /// Every value times `factor`, what is left of a step dropped, kept to 16 bit.
    public func scaled(by factor: Double) -> PeakWaveform {
        guard factor != 1, factor.isFinite else { return self }
        var result = self
        for index in result.values.indices {
            let scaled = (Double(result.values[index]) * factor).rounded(.towardZero)
            result.values[index] = Int16(min(max(scaled, -32768), 32767))
        }
        for index in result.rms.indices { result.rms[index] = min(result.rms[index] * Float(abs(factor)), 1) }
        return result
    }

    /// The blocks of `range`, and nothing else.
    public func blocks(_ range: Range<Int>) -> PeakWaveform {
        let range = range.clamped(to: 0..<count)
        return PeakWaveform(
            sampleRate: sampleRate,
            samplesPerPixel: samplesPerPixel,
            channelCount: channelCount,
            values: Array(values[range.lowerBound * 2 * channelCount..<range.upperBound * 2 * channelCount]),
            rms: rms.isEmpty ? [] : Array(rms[range.lowerBound * channelCount..<range.upperBound * channelCount])
        )
    }

    /// Adds one block that covers all those of `range` in `source`.
    mutating func appendMerged(_ source: PeakWaveform, _ range: Range<Int>) {
        for channel in 0..<channelCount {
            let merged = source.merged(range, channel: channel)
            values.append(merged.low)
            values.append(merged.high)
            if !source.rms.isEmpty { rms.append(merged.rms) }
        }
    }

    /// Returns the merged blocks of `range`.
    ///
    /// Blocks without a sample (low above high) do not count.
    func merged(_ range: Range<Int>, channel: Int) -> (low: Int16, high: Int16, rms: Float) {
        var low = Int16.max
        var high = Int16.min
        var energy: Float = 0
        var known: Float = 0
        var index = range.lowerBound &* channelCount &+ channel
        let end = range.upperBound &* channelCount &+ channel
        let hasRMS = !rms.isEmpty
        values.withUnsafeBufferPointer { values in
            rms.withUnsafeBufferPointer { rms in
                while index < end {
                    let one = values[2 &* index]
                    let two = values[2 &* index &+ 1]
                    if one < low { low = one }
                    if two > high { high = two }
                    if hasRMS, one <= two {
                        energy += rms[index] * rms[index]
                        known += 1
                    }
                    index &+= channelCount
                }
            }
        }
        return (low, high, known > 0 ? (energy / known).squareRoot() : 0)
    }
}
