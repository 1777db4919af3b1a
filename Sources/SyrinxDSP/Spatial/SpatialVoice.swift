/// The settings of a source in space.
package struct SpatialTarget: Equatable, Sendable {
    package enum Rendering: Int, Sendable {
        /// Two gains.
        case gains
        /// The HRTFs of a spherical head, or of a measured head.
        case sphericalHead, measuredHead
    }

    package var rendering = Rendering.gains
    /// The gains of left and right, for `gains`.
    package var left = 1.0
    package var right = 1.0
    package var direction = SpatialDirection(azimuth: 0, elevation: 0)
    /// The linear gains on the direct way and to the reverb.
    package var directGain = 1.0
    package var sendGain = 0.0
    /// The attenuation at 5 kHz in dB, at most 0: of all, and of the direct way.
    package var occlusion = 0.0
    package var obstruction = 0.0

    package init() {}
}

/// A mono source, rendered for two ears or for two loudspeakers.
///
/// Gains and low-pass filters ramp, and a new direction crossfades within 15 ms. The output does not depend on the
/// division into blocks. Use from one thread at a time; `set` and `process` neither allocate nor lock.
package final class SpatialVoice {
    private let sampleRate: Double
    /// The heads and their mixer: strong references for the owner, unmanaged ones for the render thread.
    private let owned: (HeadResponses?, HeadResponses?)
    private let ownedMixer: BinauralMixer
    private let sphericalHead: Unmanaged<HeadResponses>?
    private let measuredHead: Unmanaged<HeadResponses>?
    private let mixer: Unmanaged<BinauralMixer>
    private let blockFrames: Int
    private let fadeBlocks: Int
    /// The block of the mixer that is being filled.
    private let block: AlignedFloatBuffer
    /// Two filters: that which sounds, and that which fades in.
    private let filters: AlignedFloatBuffer
    private let filterCount: Int
    /// The partitions of the filters.
    @exclusivity(unchecked) private var partitions = (0, 0)
    @exclusivity(unchecked) private var target = SpatialTarget()
    /// Poles of occlusion and obstruction; direct and send gain.
    @exclusivity(unchecked) private var levels: ParameterGlide
    /// Left, right, and the gain of the head's filters.
    @exclusivity(unchecked) private var ways: ParameterGlide
    @exclusivity(unchecked) private var occluded = 0.0
    @exclusivity(unchecked) private var obstructed = 0.0
    @exclusivity(unchecked) private var current = 0
    /// The blocks of a fade that are done; −1 without one.
    @exclusivity(unchecked) private var fadeBlock = -1
    /// The head and the direction of the filter that sounds or fades in.
    @exclusivity(unchecked) private var rendering = SpatialTarget.Rendering.gains
    @exclusivity(unchecked) private var direction = SpatialDirection(azimuth: 0, elevation: 0)
    @exclusivity(unchecked) private var hasFilter = false
    /// Whether the last block was audible, so that a new filter has to crossfade.
    @exclusivity(unchecked) private var wasHeard = false
    /// Whether the head's gain has let anything into the block.
    @exclusivity(unchecked) private var isFed = false
    /// The mixer's clock up to which the block is filled.
    @exclusivity(unchecked) private var clock = -1
    @exclusivity(unchecked) private var hasBegun = false

    /// Creates a source that can be rendered by gains and by the given heads.
    ///
    /// Without a measured head the spherical one replaces it; without both, gains do.
    /// - Parameter mixer: Receives the HRTF output, which its `finish` returns.
    package init(
        sampleRate: Double,
        mixer: BinauralMixer,
        sphericalHead: HeadResponses?,
        measuredHead: HeadResponses?
    ) {
        self.sampleRate = sampleRate
        owned = (sphericalHead, measuredHead)
        ownedMixer = mixer
        self.sphericalHead = sphericalHead.map { Unmanaged.passUnretained($0) }
        self.measuredHead = measuredHead.map { Unmanaged.passUnretained($0) }
        self.mixer = Unmanaged.passUnretained(mixer)
        blockFrames = mixer.blockFrames
        fadeBlocks = mixer.fadeBlocks
        block = AlignedFloatBuffer(count: blockFrames)
        let hasHead = sphericalHead != nil || measuredHead != nil
        filterCount = BinauralMixer.maximumPartitions * mixer.partitionCount
        filters = AlignedFloatBuffer(count: hasHead ? 2 * filterCount : 1)
        levels = ParameterGlide(sampleRate: sampleRate)
        ways = ParameterGlide(sampleRate: sampleRate)
    }

    /// Forgets the input and finishes all changes with the next `set`.
    package func reset() {
        block.clear()
        (occluded, obstructed) = (0, 0)
        fadeBlock = -1
        (hasFilter, wasHeard, isFed, hasBegun) = (false, false, false, false)
    }

    /// Sets the target position and gains, with ramps; immediately before the first `process`.
    package func set(_ target: SpatialTarget) {
        if hasBegun, target == self.target { return }
        self.target = target
        let poles = SIMD4(
            ObstacleFilter.pole(decibels: target.occlusion, sampleRate: sampleRate),
            ObstacleFilter.pole(decibels: target.obstruction, sampleRate: sampleRate),
            target.directGain,
            target.sendGain
        )
        var gains = SIMD4(target.left, target.right, 0, 0)
        if let _ = head(target.rendering) { gains = SIMD4(0, 0, 1, 0) }
        if hasBegun {
            levels.move(to: poles)
            ways.move(to: gains)
        } else {
            levels.jump(to: poles)
            ways.jump(to: gains)
        }
    }

    /// Mixes the panned source into both channels, its reverb part into `send`, and its HRTF part into the mixer.
    ///
    /// - Parameter frameCount: The number of frames that the mixer finishes next, at most its `maximumFrameCount`.
    package func process(
        _ input: UnsafePointer<Float>,
        left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>,
        send: UnsafeMutablePointer<Float>,
        frameCount: Int
    ) {
        let (start, now) = mixer._withUnsafeGuaranteedRef { ($0.phase, $0.clock) }
        if now != clock {
            // Others went on without this source.
            block.clear()
            isFed = false
        }
        var (done, phase, ahead) = (0, start, 0)
        while done < frameCount {
            let count = min(frameCount - done, blockFrames - phase)
            process(input + done, left + done, right + done, send + done, count, phase)
            done += count
            phase += count
            if phase == blockFrames {
                finishBlock(ahead)
                ahead += 1
                phase = 0
            }
        }
        clock = now &+ frameCount
        hasBegun = true
    }

    private func head(_ rendering: SpatialTarget.Rendering) -> Unmanaged<HeadResponses>? {
        switch rendering {
        case .gains: return nil
        case .sphericalHead: return sphericalHead
        case .measuredHead:
            if let measuredHead { return measuredHead }
            return sphericalHead
        }
    }

    private func process(
        _ input: UnsafePointer<Float>,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ send: UnsafeMutablePointer<Float>,
        _ count: Int,
        _ phase: Int
    ) {
        // The gain of the head moves with the frames and is applied before the filters, which are linear.
        if !levels.isMoving, !ways.isMoving, levels.current[0] == 0, levels.current[1] == 0 {
            addStill(input, left, right, send, count, phase)
        } else {
            addMoving(input, left, right, send, count, phase)
        }
        if abs(occluded) < 1e-15 { occluded = 0 }
        if abs(obstructed) < 1e-15 { obstructed = 0 }
    }

    private func addMoving(
        _ input: UnsafePointer<Float>,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ send: UnsafeMutablePointer<Float>,
        _ count: Int,
        _ phase: Int
    ) {
        let fresh = block.pointer + phase
        isFed = true
        for frame in 0..<count {
            if levels.isMoving { levels.advance() }
            if ways.isMoving { ways.advance() }
            // A low-pass filter without attenuation passes its input bit for bit, as in `addStill`.
            let sample = Double(input[frame])
            let (pole, otherPole) = (levels.current[0], levels.current[1])
            occluded = pole == 0 ? sample : occluded + (1 - pole) * (sample - occluded)
            obstructed = otherPole == 0 ? occluded : obstructed + (1 - otherPole) * (occluded - obstructed)
            send[frame] += Float(occluded) * Float(levels.current[3])
            let (direct, gain) = (Float(obstructed), levels.current[2])
            left[frame] += direct * Float(gain * ways.current[0])
            right[frame] += direct * Float(gain * ways.current[1])
            fresh[frame] = direct * Float(gain * ways.current[2])
        }
    }

    /// Does the same as `addMoving` without ramps and low-pass filters, in loops that the compiler can vectorize.
    private func addStill(
        _ input: UnsafePointer<Float>,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ send: UnsafeMutablePointer<Float>,
        _ count: Int,
        _ phase: Int
    ) {
        guard count > 0 else { return }
        let (gain, sent) = (levels.current[2], levels.current[3])
        addScaled(input, Float(gain * ways.current[0]), to: left, count: count)
        addScaled(input, Float(gain * ways.current[1]), to: right, count: count)
        addScaled(input, Float(sent), to: send, count: count)
        let fed = Float(gain * ways.current[2])
        if isFed || fed != 0 {
            // The block is 0 where no input was added.
            isFed = true
            let fresh = block.pointer + phase
            var frame = 0
            while frame < count {
                fresh[frame] = input[frame] * fed
                frame &+= 1
            }
        }
        occluded = Double(input[count - 1])
        obstructed = occluded
    }

    /// Adds the full block to the mixer, and clears it.
    private func finishBlock(_ ahead: Int) {
        guard isFed else { return }
        isFed = false
        if isSilent(block.pointer, count: blockFrames) {
            // If no sound passes the filter, the next sound uses the new one without a crossfade.
            if fadeBlock >= 0 { current = 1 - current }
            fadeBlock = -1
            wasHeard = false
        } else {
            prepareFilter()
            if hasFilter { convolve(ahead) }
            wasHeard = true
        }
        block.clear()
    }

    /// Starts to use a new direction or head, one crossfade at a time.
    private func prepareFilter() {
        guard fadeBlock < 0, let responses = head(target.rendering) else { return }
        if hasFilter, target.direction == direction, target.rendering.rawValue == rendering.rawValue { return }
        (direction, rendering) = (target.direction, target.rendering)
        let fades = hasFilter && wasHeard
        let next = fades ? 1 - current : current
        let (place, way) = (filters.pointer + next * filterCount, direction)
        let count = mixer._withUnsafeGuaranteedRef { mixer in
            responses._withUnsafeGuaranteedRef { mixer.prepare(place, $0, way) }
        }
        if next == 0 { partitions.0 = count } else { partitions.1 = count }
        if fades { fadeBlock = 0 }
        hasFilter = true
    }

    private func convolve(_ ahead: Int) {
        let (samples, isFirst) = (block.pointer, current == 0)
        let old = UnsafePointer(filters.pointer + (isFirst ? 0 : filterCount))
        let new = UnsafePointer(filters.pointer + (isFirst ? filterCount : 0))
        let sounding = isFirst ? partitions.0 : partitions.1
        let other = isFirst ? partitions.1 : partitions.0
        let step = fadeBlock
        mixer._withUnsafeGuaranteedRef { mixer in
            if step < 0 {
                mixer.add(samples, old, partitions: sounding, ahead: ahead)
            } else {
                mixer.addFading(samples, from: (old, sounding), to: (new, other), fadeBlock: step, ahead: ahead)
            }
        }
        guard fadeBlock >= 0 else { return }
        fadeBlock += 1
        guard fadeBlock == fadeBlocks else { return }
        fadeBlock = -1
        current = 1 - current
    }
}
