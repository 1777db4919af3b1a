/// Finds the partials of a frame, and rotates each by the angle that continues the previous output.
///
/// The input is analyzed twice for each frame: at its position and one output hop earlier. The earlier spectrum should
/// already be sounding, so its angle to the previous output frame is the rotation. No frequency estimate and no phase
/// unwrapping are needed, at any rate. (Two analyses: Puckette 1995; peaks with their surroundings: Laroche and Dolson
/// 1999.) All channels share peaks and rotations, which preserves their differences and so the stereo image.
struct PeakPhaseLocker: ~Copyable {
    /// The bins of one channel's spectrum.
    let binCount: Int
    private let channelCount: Int
    /// Floats from one channel's spectrum to the next, a multiple of 16.
    let stride: Int
    private let power: AlignedFloatBuffer
    // Allocated here, freed in deinit, and not shared.
    private let peaks: UnsafeMutablePointer<Int32>
    private var peakCount = 0
    /// The next peak to rotate, and the first bin that belongs to it.
    private var nextPeak = 0
    private var edge = 0
    /// For each peak that has been turned, the end of the bins that go with it, and the gains of the middle and of the side.
    private let ends: UnsafeMutablePointer<Int32>
    private let gains: AlignedFloatBuffer
    private var coherence: CoherenceGain

    init(binCount: Int, channelCount: Int) {
        self.binCount = binCount
        self.channelCount = channelCount
        stride = (2 * binCount + 15) / 16 * 16
        power = AlignedFloatBuffer(count: binCount + 4)
        peaks = .allocate(capacity: binCount)
        peaks.initialize(repeating: 0, count: binCount)
        ends = .allocate(capacity: binCount)
        ends.initialize(repeating: 0, count: binCount)
        gains = AlignedFloatBuffer(count: 2 * binCount)
        coherence = CoherenceGain(length: 2 * (binCount - 1))
    }

    deinit {
        ends.deallocate()
        peaks.deallocate()
    }

    /// Finds the peaks of a frame's spectra, one a channel.
    @_noLocks @_noAllocation
    mutating func findPartials(_ current: UnsafePointer<Float>) {
        sumPower(current)
        peakCount = findPeaks()
        nextPeak = 0
        edge = 0
    }

    /// Takes the distance of the windows in frames, and the window.
    @_noLocks @_noAllocation
    mutating func tune(hop: Int, window: UnsafePointer<Float>) { coherence.tune(hop: hop, window: window) }

    /// Rotates `current` in place around some of its peaks, so that it continues `sounding`.
    ///
    /// - Parameters:
    ///   - current: The frame's spectra, whose partials were found before.
    ///   - earlier: The spectra one hop earlier in the input.
    ///   - sounding: The output spectra of the previous frame.
    ///   - bend: The factor by which frequencies have changed since the previous frame.
    ///   - hasTransient: Whether a new sound begins in this frame. Peaks that are louder than before then keep their
    ///     phase.
    ///   - overlapsWhole: Whether this frame and the previous one have whole windows, for which the gains hold.
    ///   - part: The index of this part of the peaks, of `parts`, in order.
    // Not marked `@_noLocks`: the standard library's square root, called beneath it, is not.
    mutating func turn(
        _ current: UnsafeMutablePointer<Float>,
        earlier: UnsafePointer<Float>,
        sounding: UnsafePointer<Float>,
        bend: Double,
        hasTransient: Bool,
        overlapsWhole: Bool,
        part: Int,
        of parts: Int
    ) {
        let last = peakCount * (part + 1) / parts
        while nextPeak < last {
            let peak = Int(peaks[nextPeak])
            let end = nextPeak + 1 < peakCount ? valley(from: peak, to: Int(peaks[nextPeak + 1])) : binCount
            let isNew = hasTransient && power.pointer[peak] > 4 * powerAround(peak, of: earlier)
            let (re, im) = isNew ? (1, 0) : rotation(peak, earlier: earlier, sounding: sounding, bend: bend)
            for channel in 0..<channelCount {
                Self.turn(current + channel * stride, from: edge, to: end, re, im)
            }
            ends[nextPeak] = Int32(truncatingIfNeeded: end)
            let gain = gains.pointer + 2 * nextPeak
            (gain[0], gain[1]) = (1, 1)
            // Bins of another pitch are not comparable one by one.
            if overlapsWhole, bend == 1 {
                (gain[0], gain[1]) = gainsOfBins(from: edge, to: end, (re, im), earlier: earlier, sounding: sounding)
            }
            edge = end
            nextPeak += 1
        }
    }

    /// Multiplies a frame's spectra, all of whose peaks have been turned, by the gains that restore their level.
    ///
    /// The next frame is compared with the spectra without these gains.
    @_noLocks @_noAllocation
    func raise(_ spectra: UnsafeMutablePointer<Float>) {
        var from = 0
        for peak in 0..<peakCount {
            let end = Int(ends[peak])
            let (middle, side) = (gains.pointer[2 * peak], gains.pointer[2 * peak + 1])
            if middle == 1, side == 1 {
                from = end
                continue
            }
            if channelCount == 2 {
                let (own, other) = ((middle + side) / 2, (middle - side) / 2)
                let (left, right) = (spectra, spectra + stride)
                var index = 2 &* from
                while index < 2 &* end {
                    let (l, r) = (left[index], right[index])
                    left[index] = own * l + other * r
                    right[index] = own * r + other * l
                    index &+= 1
                }
            } else {
                for channel in 0..<channelCount {
                    let spectrum = spectra + channel * stride
                    var index = 2 &* from
                    while index < 2 &* end {
                        spectrum[index] *= middle
                        index &+= 1
                    }
                }
            }
            from = end
        }
    }

    /// The gains of the middle and of the side of two channels; of other numbers of channels one for all.
    private func gainsOfBins(
        from: Int,
        to: Int,
        _ turn: (Float, Float),
        earlier: UnsafePointer<Float>,
        sounding: UnsafePointer<Float>
    ) -> (Float, Float) {
        var (middle, side) = (CoherenceGain.Agreement(), CoherenceGain.Agreement())
        var bin = from
        if channelCount == 2 {
            while bin < to {
                let (a, b) = (earlier + 2 &* bin, sounding + 2 &* bin)
                let (c, d) = (a + stride, b + stride)
                middle.add((a[0] + c[0], a[1] + c[1]), (b[0] + d[0], b[1] + d[1]))
                side.add((a[0] - c[0], a[1] - c[1]), (b[0] - d[0], b[1] - d[1]))
                bin &+= 1
            }
            return (coherence.gain(middle, turnedBy: turn), coherence.gain(side, turnedBy: turn))
        }
        for channel in 0..<channelCount {
            bin = from
            while bin < to {
                let (a, b) = (earlier + channel &* stride + 2 &* bin, sounding + channel &* stride + 2 &* bin)
                middle.add((a[0], a[1]), (b[0], b[1]))
                bin &+= 1
            }
        }
        let gain = coherence.gain(middle, turnedBy: turn)
        return (gain, gain)
    }

    @_noLocks @_noAllocation
    private func sumPower(_ spectra: UnsafePointer<Float>) {
        let power = power.pointer
        power.update(repeating: 0, count: binCount)
        for channel in 0..<channelCount {
            let spectrum = spectra + channel * stride
            var bin = 0
            while bin < binCount {
                let re = spectrum[2 &* bin]
                let im = spectrum[2 &* bin &+ 1]
                power[bin] += re * re + im * im
                bin &+= 1
            }
        }
    }

    /// The power of the strongest bin at or beside a peak.
    @_noLocks @_noAllocation
    private func powerAround(_ peak: Int, of spectra: UnsafePointer<Float>) -> Float {
        var strongest: Float = 0
        for bin in max(peak - 1, 0)...min(peak + 1, binCount - 1) {
            var sum: Float = 0
            for channel in 0..<channelCount {
                let value = spectra + channel * stride + 2 * bin
                sum += value[0] * value[0] + value[1] * value[1]
            }
            strongest = max(strongest, sum)
        }
        return strongest
    }

    /// Local maxima over two bins on either side: the main lobe of the window is four bins wide.
    @_noLocks @_noAllocation
    private func findPeaks() -> Int {
        let power = power.pointer
        var count = 0
        var bin = 0
        while bin < binCount {
            let value = power[bin]
            let left = bin >= 1 ? power[bin - 1] : -1
            let right = bin + 1 < binCount ? power[bin + 1] : -1
            if value > left, value >= right {
                let farLeft = bin >= 2 ? power[bin - 2] : -1
                let farRight = bin + 2 < binCount ? power[bin + 2] : -1
                if value > farLeft, value >= farRight {
                    peaks[count] = Int32(truncatingIfNeeded: bin)
                    count += 1
                    bin += 1
                }
            }
            bin += 1
        }
        return count
    }

    /// The weakest bin between two peaks.
    @_noLocks @_noAllocation
    private func valley(from: Int, to: Int) -> Int {
        var best = from + 1
        var bin = from + 2
        while bin <= to {
            if power.pointer[bin] < power.pointer[best] { best = bin }
            bin += 1
        }
        return best
    }

    /// The turn, as a complex number of length one, that makes `earlier` agree best with `sounding` around a peak.
    private func rotation(
        _ peak: Int,
        earlier: UnsafePointer<Float>,
        sounding: UnsafePointer<Float>,
        bend: Double
    ) -> (Float, Float) {
        var re: Float = 0
        var im: Float = 0
        let shift = bend == 1 ? 0 : Int(Double(peak) / bend + 0.5) - peak
        let from = max(max(peak - 1, 0), -shift)
        let to = min(peak + 1, min(binCount - 1, binCount - 1 - shift))
        var bin = from
        while bin <= to {
            var channel = 0
            while channel < channelCount {
                let a = sounding + channel * stride + 2 * (bin + shift)
                let b = earlier + channel * stride + 2 * bin
                re += a[0] * b[0] + a[1] * b[1]
                im += a[1] * b[0] - a[0] * b[1]
                channel &+= 1
            }
            bin += 1
        }
        // The bin at 0 Hz has no phase, only a sign, which does not change.
        if peak == 0 { return (1, 0) }
        if peak == binCount - 1 { return (re < 0 ? -1 : 1, 0) }
        let length = (re * re + im * im).squareRoot()
        // Without previous sound, the phases of the input are correct.
        guard length > 1e-20, length.isFinite else { return (1, 0) }
        return (re / length, im / length)
    }

    @_noLocks @_noAllocation
    private static func turn(
        _ spectrum: UnsafeMutablePointer<Float>,
        from: Int,
        to: Int,
        _ turnRe: Float,
        _ turnIm: Float
    ) {
        var bin = from
        while bin < to {
            let value = spectrum + 2 &* bin
            let (re, im) = (value[0], value[1])
            value[0] = re * turnRe - im * turnIm
            value[1] = re * turnIm + im * turnRe
            bin &+= 1
        }
    }
}
