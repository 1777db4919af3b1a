/// The network of a reverb: three diffusion steps and a feedback delay network of sixteen lines.
///
/// It processes steps of up to 32 frames, ahead of its input by the pre-delay: each line is read, filtered and written
/// for the whole step. During a change of settings it reads two layouts.
struct ReverbNetwork: ~Copyable {
    private typealias Sources = UnsafeMutablePointer<UnsafePointer<Float>>

    /// The level, 160 dB below full scale, below which values in the lines are set to 0, so that silence is exact.
    private static let floor: Float = 1e-8
    /// The output level below which a tail may have ended, so that the lines are checked for values to clear.
    private static let quiet: Float = 1e-5

    private let channelCount: Int
    private var input: ReverbRing
    private var second: ReverbRing
    private var third: ReverbRing
    private var lines: ReverbRing
    private var layout: ReverbLayout
    private var next: ReverbLayout
    private let firstSources: Sources
    private let secondSources: Sources
    private let thirdSources: Sources
    private let lineSources: Sources
    /// A step of each of sixteen channels, of a second layout, and the shares of the layouts.
    private let scratch: AlignedFloatBuffer
    private let output: AlignedFloatBuffer
    private let ones: AlignedFloatBuffer
    private let signs: AlignedFloatBuffer
    private let earlyStates: AlignedFloatBuffer
    private let states: AlignedFloatBuffer
    private var phases = SIMD4<Double>(0, 0.25, 0.5, 0.75)
    private var rotation: ReverbRotation
    private let turnsLines: Bool
    private var fade: CrossfadeCurve
    private var isQuiet = true
    /// Frames since something else than zeros was written.
    private var zeroFrames = 0
    private let allFrames: Int

    init(sampleRate: Double, channelCount: Int, limits: ReverbLimits) {
        self.channelCount = channelCount
        let step = ReverbLayout.longestStep
        input = ReverbRing(lineCount: 2, longestDelay: ReverbLayout.longestInput(limits, sampleRate))
        second = ReverbRing(lineCount: ReverbLayout.count, longestDelay: ReverbLayout.longestSecond(sampleRate))
        third = ReverbRing(lineCount: ReverbLayout.count, longestDelay: ReverbLayout.longestSecond(sampleRate))
        lines = ReverbRing(lineCount: ReverbLayout.count, longestDelay: ReverbLayout.longestLine(limits, sampleRate))
        layout = ReverbLayout(sampleRate: sampleRate, channelCount: channelCount, limits: limits)
        next = ReverbLayout(sampleRate: sampleRate, channelCount: channelCount, limits: limits)
        scratch = AlignedFloatBuffer(count: (4 * ReverbLayout.count + 3) * step)
        output = AlignedFloatBuffer(count: max(1, channelCount) * step)
        ones = AlignedFloatBuffer(count: 4 * ReverbLayout.count)
        ones.pointer.update(repeating: 1, count: 4 * ReverbLayout.count)
        signs = AlignedFloatBuffer(count: 4 * ReverbLayout.count)
        for index in 0..<(4 * ReverbLayout.count) {
            signs.pointer[index] = ReverbLayout.isNegative(index / 4) ? -1 : 1
        }
        states = AlignedFloatBuffer(count: ReverbLayout.count)
        earlyStates = AlignedFloatBuffer(count: 2 * max(1, channelCount))
        firstSources = .allocate(capacity: ReverbLayout.count)
        secondSources = .allocate(capacity: ReverbLayout.count)
        thirdSources = .allocate(capacity: ReverbLayout.count)
        lineSources = .allocate(capacity: ReverbLayout.count)
        firstSources.initialize(repeating: UnsafePointer(scratch.pointer), count: ReverbLayout.count)
        secondSources.initialize(repeating: UnsafePointer(scratch.pointer), count: ReverbLayout.count)
        thirdSources.initialize(repeating: UnsafePointer(scratch.pointer), count: ReverbLayout.count)
        lineSources.initialize(repeating: UnsafePointer(scratch.pointer), count: ReverbLayout.count)
        rotation = ReverbRotation(sampleRate: sampleRate)
        turnsLines = limits.turnsLines
        fade = CrossfadeCurve(frameCount: Int((0.05 * sampleRate).rounded()))
        allFrames = input.frameCount + second.frameCount + third.frameCount + lines.frameCount
        zeroFrames = allFrames
    }

    deinit {
        firstSources.deallocate()
        secondSources.deallocate()
        thirdSources.deallocate()
        lineSources.deallocate()
    }

    /// Whether all settings have been taken up.
    var isSettled: Bool { fade.isFinished }

    mutating func clear() {
        input.clear()
        second.clear()
        third.clear()
        lines.clear()
        earlyStates.clear()
        states.clear()
        phases = SIMD4(0, 0.25, 0.5, 0.75)
        rotation.clear()
        fade.finish()
        isQuiet = true
        zeroFrames = allFrames
    }

    /// Applies settings immediately.
    mutating func apply(_ settings: ReverbSettings) { layout.fill(settings) }

    /// Changes to new settings within 50 ms.
    mutating func move(to settings: ReverbSettings) {
        next.fill(settings)
        for channel in 0..<channelCount { earlyStates.pointer[channelCount + channel] = earlyStates.pointer[channel] }
        fade.begin()
    }

    /// The place for the input of the step that has been made, of a side.
    @inline(__always)
    func inputSide(_ side: Int) -> UnsafeMutablePointer<Float> { input.target(side) }

    /// The frames of the step that has been made, of an output channel.
    @inline(__always)
    func outputChannel(_ channel: Int) -> UnsafePointer<Float> {
        UnsafePointer(output.pointer + channel &* ReverbLayout.longestStep)
    }

    /// Adds the input of the rendered step.
    mutating func close(_ count: Int) {
        let isSilent = ReverbKernel.isZero(input.target(0), count) && ReverbKernel.isZero(input.target(1), count)
        if !isSilent { zeroFrames = 0 }
        input.close(count)
        input.advance(count)
    }

    /// Renders one step, and returns its number of frames, at most a divisor of `frame`.
    mutating func step(at frame: Int) -> Int {
        let aligned = frame & 31 == 0 ? 32 : 1 &<< (frame & 31).trailingZeroBitCount
        var count = min(layout.step, aligned)
        if !fade.isFinished { count = min(count, next.step) }
        if zeroFrames >= allFrames, fade.isFinished {
            output.clear()
            phases = advanced(phases, count)
            if turnsLines { rotation.advance(count) }
        } else {
            if fade.isFinished { make(count) } else { makeBoth(count) }
        }
        second.advance(count)
        third.advance(count)
        lines.advance(count)
        return count
    }

    // MARK: One layout

    private mutating func make(_ count: Int) {
        for channel in 0..<ReverbLayout.count {
            firstSources[channel] = input.source(channel & 1, delay: layout.firstDelays[channel])
        }
        diffuse(layout.firstGains, count)
        for channel in 0..<ReverbLayout.count {
            secondSources[channel] = second.source(channel, delay: layout.secondDelays[channel])
        }
        diffuseAgain(count)
        for channel in 0..<ReverbLayout.count {
            thirdSources[channel] = third.source(channel, delay: layout.thirdDelays[channel])
            lineSources[channel] = lines.source(channel, delay: layout.lengths[channel])
        }
        if layout.modulationFrames > 0 {
            let later = advanced(phases, count)
            for place in 0..<4 {
                let line = ReverbLayout.modulatedLine(ofGroup: place)
                let middle = layout.lengths[line]
                let depth = layout.modulationFrames
                lines.readModulated(line, middle, depth, phases[place], later[place], into: lineScratch(line), count)
                lineSources[line] = UnsafePointer(lineScratch(line))
            }
        }
        phases = advanced(phases, count)
        if turnsLines { rotation.turn(lineSources, scratch: lineScratch(0), count) }
        turn(count)
        finishTurn(count)
        for channel in 0..<channelCount {
            let target = output.pointer + channel &* ReverbLayout.longestStep
            let place = channel &* ReverbLayout.outputTaps
            addTaps(layout.tapDelays + place, layout.tapGains + place, channel, into: target, count)
            let (gains, pole) = (layout.earlyGains, layout.earlyPole)
            addEarly(gains, pole, channel, earlyStates.pointer + channel, to: target, count)
        }
        finish(count)
    }

    private func lineScratch(_ line: Int) -> UnsafeMutablePointer<Float> {
        scratch.pointer + (3 &* ReverbLayout.count &+ line) &* ReverbLayout.longestStep
    }

    private func advanced(_ phases: SIMD4<Double>, _ count: Int) -> SIMD4<Double> {
        let later = phases + layout.modulationSteps * Double(count)
        return later - later.rounded(.down)
    }

    /// The product of the first step's delays with the matrix, written into the second step.
    private func diffuse(_ factors: UnsafePointer<Float>, _ count: Int) {
        ReverbKernel.diffuse(firstSources, factors, into: second.target(0), stride: second.stride, count)
        second.close(count)
    }

    private func diffuseAgain(_ count: Int) {
        ReverbKernel.diffuse(secondSources, signs.pointer, into: third.target(0), stride: third.stride, count)
        third.close(count)
    }

    private func turn(_ count: Int) {
        ReverbKernel.turn(
            lineSources,
            thirdSources,
            (UnsafePointer(second.target(0)), second.stride),
            layout.filters,
            states: states.pointer,
            into: (lines.target(0), lines.stride),
            count
        )
    }

    private mutating func finishTurn(_ count: Int) {
        ReverbKernel.flush(states.pointer, Self.floor, ReverbLayout.count)
        if isQuiet {
            var isZero = true
            for line in 0..<ReverbLayout.count {
                if !ReverbKernel.flush(lines.target(line), Self.floor, count) { isZero = false }
            }
            // The output of the first diffusion step may still be in the later ones.
            if !isZero || !isDiffusionZero(count) { zeroFrames = 0 } else { zeroFrames &+= count }
        } else {
            zeroFrames = 0
        }
        lines.close(count)
    }

    private func isDiffusionZero(_ count: Int) -> Bool {
        for channel in 0..<ReverbLayout.count {
            if !ReverbKernel.isZero(second.target(channel), count) { return false }
            if !ReverbKernel.isZero(third.target(channel), count) { return false }
        }
        return true
    }

    private func addTaps(
        _ delays: UnsafePointer<Int>,
        _ gains: UnsafePointer<Float>,
        _ channel: Int,
        into target: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        for tap in 0..<ReverbLayout.outputTaps {
            firstSources[tap] = lines.source(2 &* tap &+ (channel & 1), delay: delays[tap])
        }
        ReverbKernel.sum(firstSources, gains, into: target, count)
    }

    private func addEarly(
        _ gains: SIMD2<Float>,
        _ pole: Float,
        _ channel: Int,
        _ state: UnsafeMutablePointer<Float>,
        to target: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        guard gains[0] != 0 || gains[1] != 0 else { return }
        // Each output has another row of the matrix.
        let first = second.target((channel &+ 1) % ReverbLayout.count)
        let last = third.target((channel &+ 1) % ReverbLayout.count)
        for frame in 0..<count {
            let early = last[frame] * gains[0] + first[frame] * gains[1]
            state.pointee = early * (1 - pole) + state.pointee * pole
            if abs(state.pointee) < Self.floor { state.pointee = 0 }
            target[frame] += state.pointee
        }
    }

    private mutating func finish(_ count: Int) {
        var energy: Float = 0
        for channel in 0..<channelCount {
            energy += ReverbKernel.energy(output.pointer + channel &* ReverbLayout.longestStep, count)
        }
        isQuiet = energy < Self.quiet * Self.quiet
    }

    // MARK: Two layouts

    private mutating func makeBoth(_ count: Int) {
        let shares = scratch.pointer + 4 &* ReverbLayout.count &* ReverbLayout.longestStep
        for frame in 0..<count { shares[frame] = Float(fade.share(after: min(frame &+ 1, fade.remaining))) }
        for channel in 0..<ReverbLayout.count {
            let target = place(channel)
            ReverbKernel.fade(
                input.source(channel & 1, delay: layout.firstDelays[channel]),
                layout.firstGains[4 &* channel],
                input.source(channel & 1, delay: next.firstDelays[channel]),
                next.firstGains[4 &* channel],
                shares,
                into: target,
                count
            )
            firstSources[channel] = UnsafePointer(target)
        }
        diffuse(ones.pointer, count)
        let (now, later) = (phases, advanced(phases, count))
        phases = later
        for channel in 0..<ReverbLayout.count {
            let target = place(ReverbLayout.count &+ channel)
            ReverbKernel.fade(
                second.source(channel, delay: layout.secondDelays[channel]),
                1,
                second.source(channel, delay: next.secondDelays[channel]),
                1,
                shares,
                into: target,
                count
            )
            secondSources[channel] = UnsafePointer(target)
        }
        diffuseAgain(count)
        for channel in 0..<ReverbLayout.count {
            let target = place(2 &* ReverbLayout.count &+ channel)
            ReverbKernel.fade(
                third.source(channel, delay: layout.thirdDelays[channel]),
                1,
                third.source(channel, delay: next.thirdDelays[channel]),
                1,
                shares,
                into: target,
                count
            )
            thirdSources[channel] = UnsafePointer(target)
            readBoth(channel, now, later, shares, count)
        }
        if turnsLines { rotation.turn(lineSources, scratch: lineScratch(0), count) }
        turnBoth(shares, count)
        finishTurn(count)
        for channel in 0..<channelCount { addBoth(channel, shares, count) }
        finish(count)
        fade.advance(min(count, fade.remaining))
        if fade.isFinished {
            swap(&layout, &next)
            for channel in 0..<channelCount {
                earlyStates.pointer[channel] = earlyStates.pointer[channelCount + channel]
            }
        }
    }

    private func place(_ index: Int) -> UnsafeMutablePointer<Float> {
        scratch.pointer + index &* ReverbLayout.longestStep
    }

    private func readBoth(
        _ line: Int,
        _ now: SIMD4<Double>,
        _ later: SIMD4<Double>,
        _ shares: UnsafePointer<Float>,
        _ count: Int
    ) {
        let target = lineScratch(line)
        lineSources[line] = UnsafePointer(target)
        guard line & 3 == 3 else {
            let old = lines.source(line, delay: layout.lengths[line])
            let new = lines.source(line, delay: next.lengths[line])
            return ReverbKernel.fade(old, 1, new, 1, shares, into: target, count)
        }
        let other = place(4 &* ReverbLayout.count &+ 1)
        let (begin, end) = (now[line >> 2], later[line >> 2])
        let (length, nextLength) = (layout.lengths[line], next.lengths[line])
        lines.readModulated(line, length, layout.modulationFrames, begin, end, into: target, count)
        lines.readModulated(line, nextLength, next.modulationFrames, begin, end, into: other, count)
        ReverbKernel.fade(target, 1, other, 1, shares, into: target, count)
    }

    private func turnBoth(_ shares: UnsafePointer<Float>, _ count: Int) {
        ReverbKernel.turn(
            lineSources,
            thirdSources,
            (UnsafePointer(second.target(0)), second.stride),
            layout.filters,
            to: next.filters,
            shares,
            states: states.pointer,
            into: (lines.target(0), lines.stride),
            count
        )
    }

    private func addBoth(_ channel: Int, _ shares: UnsafePointer<Float>, _ count: Int) {
        let (target, other) = (
            output.pointer + channel &* ReverbLayout.longestStep, place(4 &* ReverbLayout.count &+ 1)
        )
        let first = channel &* ReverbLayout.outputTaps
        let state = earlyStates.pointer + channel
        let (gains, pole, nextGains, nextPole) = (layout.earlyGains, layout.earlyPole, next.earlyGains, next.earlyPole)
        addTaps(layout.tapDelays + first, layout.tapGains + first, channel, into: target, count)
        addEarly(gains, pole, channel, state, to: target, count)
        addTaps(next.tapDelays + first, next.tapGains + first, channel, into: other, count)
        addEarly(nextGains, nextPole, channel, state + channelCount, to: other, count)
        ReverbKernel.fade(target, 1, other, 1, shares, into: target, count)
    }
}
