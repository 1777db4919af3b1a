/// The settings of a source in space.
package struct SpatialTarget: Equatable, Sendable {
    package enum Rendering: Int, Sendable {
        /// Two gains.
        case gains
        /// The filters of a spherical head, and those of a measured one.
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

/// A source of one channel, heard by two ears or on two loudspeakers.
///
/// Gains and low passes glide; another direction fades in within 10 ms. Output does not depend on how frames are cut into
/// blocks. One thread at a time; `set` and `process` neither allocate nor lock.
package final class SpatialVoice {
    /// The frames that are processed at once.
    private static let chunkFrames = 256
    private static let group = 16

    private let sampleRate: Double
    /// The heads, for the owner, and for rendering, which counts no references.
    private let owned: (HeadResponses?, HeadResponses?)
    private let sphericalHead: Unmanaged<HeadResponses>?
    private let measuredHead: Unmanaged<HeadResponses>?
    private let taps: Int
    /// Two filters for each ear: that which sounds, and that which fades in.
    private let filters: AlignedFloatBuffer
    private let scratch: AlignedFloatBuffer
    /// The last `taps` − 1 frames, and those of a chunk.
    private let history: AlignedFloatBuffer
    private let sums: AlignedFloatBuffer
    @exclusivity(unchecked) private var target = SpatialTarget()
    /// Poles of occlusion and obstruction; direct and send gain.
    @exclusivity(unchecked) private var levels: ParameterGlide
    /// Left, right, and the gain of the head's filters.
    @exclusivity(unchecked) private var ways: ParameterGlide
    @exclusivity(unchecked) private var fade: CrossfadeCurve
    @exclusivity(unchecked) private var occluded = 0.0
    @exclusivity(unchecked) private var obstructed = 0.0
    @exclusivity(unchecked) private var current = 0
    /// The head and the direction of the filter that sounds or fades in.
    @exclusivity(unchecked) private var rendering = SpatialTarget.Rendering.gains
    @exclusivity(unchecked) private var direction = SpatialDirection(azimuth: 0, elevation: 0)
    @exclusivity(unchecked) private var hasFilter = false
    /// Frames for which the filters sound on.
    @exclusivity(unchecked) private var tail = 0
    @exclusivity(unchecked) private var hasBegun = false

    /// A source that can be rendered by gains, and by the heads that are given.
    ///
    /// Without a measured head the spherical one takes its place; without both gains do.
    package init(sampleRate: Double, sphericalHead: HeadResponses?, measuredHead: HeadResponses?) {
        self.sampleRate = sampleRate
        owned = (sphericalHead, measuredHead)
        self.sphericalHead = sphericalHead.map { Unmanaged.passUnretained($0) }
        self.measuredHead = measuredHead.map { Unmanaged.passUnretained($0) }
        taps = max(sphericalHead?.frameCount ?? 1, measuredHead?.frameCount ?? 1)
        filters = AlignedFloatBuffer(count: 4 * taps)
        scratch = AlignedFloatBuffer(count: taps)
        history = AlignedFloatBuffer(count: taps + Self.chunkFrames + Self.group)
        sums = AlignedFloatBuffer(count: Self.group)
        levels = ParameterGlide(sampleRate: sampleRate)
        ways = ParameterGlide(sampleRate: sampleRate)
        fade = CrossfadeCurve(frameCount: Int((0.01 * sampleRate).rounded()))
    }

    /// Forgets the input and finishes all changes with the next `set`.
    package func reset() {
        history.clear()
        (occluded, obstructed) = (0, 0)
        fade.finish()
        hasFilter = false
        hasBegun = false
    }

    /// Has the source go to `target`; at once if nothing has been processed yet.
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

    /// Adds a source to both sides and to what goes to the reverb.
    package func process(
        _ input: UnsafePointer<Float>,
        left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>,
        send: UnsafeMutablePointer<Float>,
        frameCount: Int
    ) {
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, Self.chunkFrames)
            prepareFilter()
            process(input + done, left + done, right + done, send + done, count)
            done += count
        }
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

    /// Begins to fade to the filter of another direction or head, one fade at a time.
    private func prepareFilter() {
        guard fade.isFinished, let responses = head(target.rendering) else { return }
        if hasFilter, target.direction == direction, target.rendering.rawValue == rendering.rawValue { return }
        (direction, rendering) = (target.direction, target.rendering)
        let next = hasFilter ? 1 - current : current
        let place = filters.pointer + 2 * next * taps
        // The last tap is that of no delay, so shorter filters lie at the end.
        for tap in 0..<2 * taps { place[tap] = 0 }
        let (count, work) = (taps, scratch.pointer)
        let way = direction
        responses._withUnsafeGuaranteedRef { head in
            let first = count - head.frameCount
            head.fill(way, left: place + first, right: place + (count + first), scratch: work)
        }
        if hasFilter { fade.begin() }
        hasFilter = true
    }

    private func process(
        _ input: UnsafePointer<Float>,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ send: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        let isFed = ways.isMoving || ways.current[2] > 0
        // The gain of the head moves with the frames and is applied before the filters, which are linear.
        if !levels.isMoving, !ways.isMoving, levels.current[0] == 0, levels.current[1] == 0 {
            addStill(input, left, right, send, count)
        } else {
            addMoving(input, left, right, send, count)
        }
        if abs(occluded) < 1e-15 { occluded = 0 }
        if abs(obstructed) < 1e-15 { obstructed = 0 }
        if isFed { tail = taps + count }
        // Without a tail the history holds zeros, and gets nothing else.
        guard tail > 0 else { return }
        if hasFilter { convolve(left, right, count) }
        tail = max(tail - count, 0)
        copyForward(count)
    }

    private func addMoving(
        _ input: UnsafePointer<Float>,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ send: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        let fresh = history.pointer + (taps - 1)
        for frame in 0..<count {
            if levels.isMoving { levels.advance() }
            if ways.isMoving { ways.advance() }
            // Where a low pass lets all pass its output is its input to the bit, as in `addStill`.
            let sample = Double(input[frame])
            let (pole, otherPole) = (levels.current[0], levels.current[1])
            occluded = pole == 0 ? sample : occluded + (1 - pole) * (sample - occluded)
            obstructed = otherPole == 0 ? occluded : obstructed + (1 - otherPole) * (occluded - obstructed)
            send[frame] += Float(occluded * levels.current[3])
            let direct = obstructed * levels.current[2]
            left[frame] += Float(direct * ways.current[0])
            right[frame] += Float(direct * ways.current[1])
            fresh[frame] = Float(direct * ways.current[2])
        }
    }

    /// Does the same as `addMoving` where nothing moves and both low passes let all pass: in loops that become vectors.
    private func addStill(
        _ input: UnsafePointer<Float>,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ send: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        guard count > 0 else { return }
        let (direct, sent) = (levels.current[2], levels.current[3])
        let (leftGain, rightGain, headGain) = (ways.current[0], ways.current[1], ways.current[2])
        if leftGain != 0 { Self.add(input, direct, leftGain, to: left, count) }
        if rightGain != 0 { Self.add(input, direct, rightGain, to: right, count) }
        if sent != 0 { Self.add(input, 1, sent, to: send, count) }
        if headGain > 0 || tail > 0 {
            let fresh = history.pointer + (taps - 1)
            var frame = 0
            while frame < count {
                fresh[frame] = Float(Double(input[frame]) * direct * headGain)
                frame &+= 1
            }
        }
        occluded = Double(input[count - 1])
        obstructed = occluded
    }

    private static func add(
        _ input: UnsafePointer<Float>,
        _ first: Double,
        _ second: Double,
        to output: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        var frame = 0
        while frame < count {
            output[frame] += Float(Double(input[frame]) * first * second)
            frame &+= 1
        }
    }

    /// Keeps the last `taps` − 1 frames of the history.
    private func copyForward(_ count: Int) {
        let samples = history.pointer
        var frame = 0
        while frame < taps - 1 {
            samples[frame] = samples[frame + count]
            frame &+= 1
        }
    }

    /// Adds what both ears hear.
    private func convolve(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int) {
        var done = 0
        while done < count {
            let isFading = !fade.isFinished
            let size = min(count - done, Self.group, isFading ? fade.remaining : Self.group)
            for ear in 0..<2 {
                let output = (ear == 0 ? left : right) + done
                filter(2 * current + ear, from: done)
                if isFading {
                    for frame in 0..<size {
                        output[frame] += sums.pointer[frame] * Float(1 - fade.share(after: frame + 1))
                    }
                    filter(2 * (1 - current) + ear, from: done)
                    for frame in 0..<size {
                        output[frame] += sums.pointer[frame] * Float(fade.share(after: frame + 1))
                    }
                } else {
                    for frame in 0..<size { output[frame] += sums.pointer[frame] }
                }
            }
            if isFading {
                fade.advance(size)
                if fade.isFinished {
                    current = 1 - current
                    // The direction may have moved on meanwhile.
                    prepareFilter()
                }
            }
            done += size
        }
    }

    /// Filters a group of frames into `sums`.
    private func filter(_ index: Int, from first: Int) {
        for place in 0..<Self.group { sums.pointer[place] = 0 }
        addSlidingProducts(
            filters.pointer + index * taps,
            history.pointer + first,
            count: taps,
            to: sums.pointer
        )
    }
}
