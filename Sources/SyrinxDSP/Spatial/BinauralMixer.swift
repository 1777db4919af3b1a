/// Mixes many sources, each filtered for two ears, by block convolution in the frequency domain.
///
/// It uses uniformly partitioned overlap-add: F. Wefers, "Partitioned convolution algorithms for real-time
/// auralization", 2015, chapter 5. A block of a source needs one transform. Its products with the filter partitions
/// are added to sums shared by all sources, and each ear needs one inverse transform. The output is delayed by
/// `blockFrames` frames. Blocks are on a fixed grid, so the output does not depend on the division of the audio. Use
/// from one thread at a time; nothing allocates or locks after `init`.
package final class BinauralMixer {
    /// The maximum number of partitions of a filter.
    static let maximumPartitions = 4
    /// Seconds in which one filter fades to another, rounded up to blocks.
    private static let fadeTime = 0.01

    /// The frames of a block: the delay of the output.
    package let blockFrames: Int
    /// The largest number of frames that sources and `finish` process at once.
    package let maximumFrameCount: Int
    /// The blocks in which one filter fades to another.
    let fadeBlocks: Int
    /// Floats in a partition of a filter: of both ears.
    let partitionCount: Int

    private let groups: Int
    private let transform: RealFFT
    /// The share of the new filter over the frames of a fade.
    private let curve: AlignedFloatBuffer
    /// For each input block, in a ring: the sums of all sources' products with each partition.
    ///
    /// Each partition has a separate sum, because sums over several blocks would depend on the order of the sources.
    private let sums: AlignedFloatBuffer
    /// The number of sums that are in use, for each block.
    private let used: UnsafeMutablePointer<Int>
    private let slotCount: Int
    /// Two blocks of samples.
    ///
    /// The second half is always 0 before a transform.
    private let samples: AlignedFloatBuffer
    private let faded: AlignedFloatBuffer
    private let total: AlignedFloatBuffer
    private let interleaved: AlignedFloatBuffer
    private let spectrum: AlignedFloatBuffer
    private let responses: AlignedFloatBuffer
    private let scratch: AlignedFloatBuffer
    /// For each ear: the second half of the last result, and the block that is being output.
    private let overlaps: AlignedFloatBuffer
    private let heard: AlignedFloatBuffer
    @exclusivity(unchecked) private var slot = 0
    @exclusivity(unchecked) private var hasOverlap = false
    @exclusivity(unchecked) private var isHeard = false
    /// The position in the block of the next frame.
    @exclusivity(unchecked) private(set) var phase = 0
    /// The number of frames since `init`.
    @exclusivity(unchecked) private(set) var clock = 0

    /// The frames of a block at a sample rate: the lowest power of two of at least 2.5 ms.
    package static func blockFrames(sampleRate: Double) -> Int {
        var frames = 16
        while Double(frames) < 0.0025 * sampleRate, frames < 1 << 16 { frames *= 2 }
        return frames
    }

    /// A mixer of silence.
    package init(sampleRate: Double, maximumFrameCount: Int) {
        let frames = Self.blockFrames(sampleRate: sampleRate)
        blockFrames = frames
        self.maximumFrameCount = maximumFrameCount
        fadeBlocks = max(1, Int((Self.fadeTime * sampleRate / Double(frames)).rounded(.up)))
        groups = frames / 4 + 1
        partitionCount = 16 * groups
        transform = RealFFT(length: 2 * frames)
        curve = AlignedFloatBuffer(count: fadeBlocks * frames)
        var fade = CrossfadeCurve(frameCount: fadeBlocks * frames)
        fade.begin()
        for frame in 0..<fadeBlocks * frames { curve.pointer[frame] = Float(fade.share(after: frame + 1)) }
        slotCount = maximumFrameCount / frames + 1 + Self.maximumPartitions
        sums = AlignedFloatBuffer(count: slotCount * Self.maximumPartitions * 16 * groups)
        total = AlignedFloatBuffer(count: 16 * groups)
        used = .allocate(capacity: slotCount)
        used.initialize(repeating: 0, count: slotCount)
        samples = AlignedFloatBuffer(count: 2 * frames)
        faded = AlignedFloatBuffer(count: 2 * frames)
        // The last group has the Nyquist frequency alone, and zeros.
        interleaved = AlignedFloatBuffer(count: 8 * groups)
        spectrum = AlignedFloatBuffer(count: 8 * groups)
        responses = AlignedFloatBuffer(count: 2 * Self.maximumPartitions * frames)
        scratch = AlignedFloatBuffer(count: Self.maximumPartitions * frames)
        overlaps = AlignedFloatBuffer(count: 2 * frames)
        heard = AlignedFloatBuffer(count: 2 * frames)
    }

    deinit { used.deallocate() }

    /// The number of frames for which an ended source may still be audible.
    package static func tailFrames(sampleRate: Double) -> Int {
        (maximumPartitions + 2) * blockFrames(sampleRate: sampleRate)
    }

    /// Clears all sums, and starts with a new block.
    package func reset() {
        sums.clear()
        for index in 0..<slotCount { used[index] = 0 }
        overlaps.clear()
        heard.clear()
        (hasOverlap, isHeard) = (false, false)
        (slot, phase) = (0, 0)
        // Sources see by a clock that has jumped that their block is another.
        clock &+= 1
    }

    /// Writes the spectra of the filters of a direction into `maximumPartitions` partitions of `partitionCount` values.
    ///
    /// - Returns: The number of partitions that are in use.
    func prepare(_ filter: UnsafeMutablePointer<Float>, _ head: HeadResponses, _ direction: SpatialDirection) -> Int {
        let length = Self.maximumPartitions * blockFrames
        responses.clear()
        head.fill(
            direction,
            left: responses.pointer,
            right: responses.pointer + length,
            scratch: scratch.pointer
        )
        let partitions = (head.frameCount + blockFrames - 1) / blockFrames
        for partition in 0..<partitions {
            for ear in 0..<2 {
                copyFloats(
                    responses.pointer + (ear * length + partition * blockFrames),
                    to: samples.pointer,
                    count: blockFrames
                )
                transformSamples()
                let target = filter + (partition * partitionCount + 8 * ear)
                for group in 0..<groups {
                    copyFloats(spectrum.pointer + 8 * group, to: target + 16 * group, count: 8)
                }
            }
        }
        return partitions
    }

    /// Adds a block of a source through a filter; `ahead` is the number of its block, counted from that of `finish`.
    func add(
        _ input: UnsafePointer<Float>,
        _ filter: UnsafePointer<Float>,
        partitions: Int,
        ahead: Int
    ) {
        copyFloats(input, to: samples.pointer, count: blockFrames)
        addSamples(filter, partitions, ahead)
    }

    /// Adds a block of a source that fades from one filter to another, in a block of the fade.
    func addFading(
        _ input: UnsafePointer<Float>,
        from old: (filter: UnsafePointer<Float>, partitions: Int),
        to new: (filter: UnsafePointer<Float>, partitions: Int),
        fadeBlock: Int,
        ahead: Int
    ) {
        // The input is faded, and not the output, so that all outputs can be added before they are transformed.
        let shares = curve.pointer + fadeBlock * blockFrames
        let (first, second) = (samples.pointer, faded.pointer)
        var frame = 0
        while frame < blockFrames {
            let risen = input[frame] * shares[frame]
            second[frame] = risen
            first[frame] = input[frame] - risen
            frame &+= 1
        }
        addSamples(old.filter, old.partitions, ahead)
        copyFloats(second, to: first, count: blockFrames)
        addSamples(new.filter, new.partitions, ahead)
    }

    private func addSamples(_ filter: UnsafePointer<Float>, _ partitions: Int, _ ahead: Int) {
        transformSamples()
        var place = slot + ahead
        while place >= slotCount { place -= slotCount }
        for partition in 0..<partitions {
            addBinauralProducts(
                spectrum.pointer,
                filter + partition * partitionCount,
                groups: groups,
                to: sum(place, partition)
            )
        }
        used[place] = max(used[place], partitions)
    }

    private func sum(_ place: Int, _ partition: Int) -> UnsafeMutablePointer<Float> {
        sums.pointer + (place * Self.maximumPartitions + partition) * partitionCount
    }

    /// Returns the ring index of the block `count` blocks before the current one.
    private func place(before count: Int) -> Int { slot >= count ? slot - count : slot - count + slotCount }

    /// Whether the block that is being filled has any products.
    private var isFilled: Bool {
        var partition = 0
        while partition < Self.maximumPartitions {
            if used[place(before: partition)] > partition { return true }
            partition += 1
        }
        return false
    }

    private func transformSamples() {
        transform.forward(samples.pointer, into: interleaved.pointer)
        groupBins(interleaved.pointer, groups: groups, into: spectrum.pointer)
    }

    /// Adds the sound of both ears to the output, and advances.
    ///
    /// - Returns: Whether the output has sound, or will have some without further input.
    @discardableResult
    package func finish(
        left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>,
        frameCount: Int
    ) -> Bool {
        var (done, hasAdded) = (0, false)
        while done < frameCount {
            let count = min(frameCount - done, blockFrames - phase)
            if isHeard {
                hasAdded = true
                addFloats(heard.pointer + phase, to: left + done, count: count)
                addFloats(heard.pointer + (blockFrames + phase), to: right + done, count: count)
            }
            done += count
            phase += count
            if phase == blockFrames { finishBlock() }
        }
        clock &+= frameCount
        return hasAdded ? true : isHeard ? true : hasOverlap ? true : isFilled
    }

    private func finishBlock() {
        phase = 0
        let isFilled = isFilled
        isHeard = isFilled ? true : hasOverlap
        if isFilled {
            total.clear()
            for partition in 0..<Self.maximumPartitions {
                let place = place(before: partition)
                if used[place] > partition {
                    addFloats(sum(place, partition), to: total.pointer, count: partitionCount)
                }
            }
            for ear in 0..<2 {
                ungroupBins(
                    total.pointer + 8 * ear,
                    groups: groups,
                    into: interleaved.pointer
                )
                // The upper half is 0 again before anything else is transformed.
                transform.inverse(interleaved.pointer, into: samples.pointer)
                let (block, overlap) = (heard.pointer + ear * blockFrames, overlaps.pointer + ear * blockFrames)
                copyFloats(samples.pointer, to: block, count: blockFrames)
                addFloats(overlap, to: block, count: blockFrames)
                copyFloats(samples.pointer + blockFrames, to: overlap, count: blockFrames)
            }
            samples.clear()
        } else if hasOverlap {
            copyFloats(overlaps.pointer, to: heard.pointer, count: 2 * blockFrames)
            overlaps.clear()
        }
        hasOverlap = isFilled
        let last = place(before: Self.maximumPartitions - 1)
        if used[last] > 0 {
            sum(last, 0).update(repeating: 0, count: used[last] * partitionCount)
            used[last] = 0
        }
        slot = slot + 1 < slotCount ? slot + 1 : 0
    }
}
