/// What the steps of a frame do.
extension Vocoder {
    /// Does a step of the frame in hand.
    func perform(_ step: WorkList.Step, from history: borrowing InputHistory) {
        switch step.kind {
        case .listen: strikes.listen(to: step.from, of: history, channelCount: channelCount)
        case .shape: shape()
        case .tune: bank.tune(ratio: frame.pitchRatio)
        case .fetch: fetch(step, from: history)
        case .hear: hear(from: history)
        case .analyseEarlier:
            let shaped = strike.shaped ? strikes.earlierWindow.pointer : window.pointer
            analyse(grain(step.index), shaped, into: spectrum(earlier.pointer, step.index))
        case .analyse:
            let lead = frame.isRotated ? leadIn : 0
            analyse(grain(step.index) + lead, shapedWindow, into: spectrum(current.pointer, step.index))
        case .find: lock.findPartials(current.pointer)
        case .turn: turn(step)
        case .keep: copyFloats(current.pointer, to: sounding.pointer, count: lock.stride * channelCount)
        case .level: formants.begin(current.pointer, stride: lock.stride, channelCount, ratio: frame.pitchRatio)
        case .smooth: formants.smooth(round: step.index)
        case .formants: formants.shape(current.pointer, stride: lock.stride, channelCount, ratio: frame.pitchRatio)
        case .invert:
            transform.inverse(spectrum(current.pointer, step.index), into: folded.pointer)
            unfold(folded.pointer, into: grain(step.index), length: length)
        case .compare: compare(step.index)
        case .searchCoarsely: if searches { search.tryCoarsely(step.index, of: step.count) }
        case .searchFinely: searchFinely(step)
        case .add: add(step.index)
        case .weigh: weigh()
        }
    }

    /// How many frames of what a frame that is turned has fetched lie before its own.
    private var leadIn: Int { min(frame.hop, widestHop) }

    /// The windows that the frame in hand has after strikes have been cut out.
    private var shapedWindow: UnsafeMutablePointer<Float> {
        if strike.shaped { return strikes.window.pointer }
        return frame.length == length ? window.pointer : grainWindow.pointer
    }

    /// Whether a better join may be looked for: where the window is cut, the frame's place is given.
    private var searches: Bool { frame.searchBack + frame.searchAhead > 0 && !strike.shaped }

    /// What may be joined to what is heard.
    private var offer: UnsafeMutablePointer<Float> { grains.pointer + frame.searchAt }

    private func grain(_ channel: Int) -> UnsafeMutablePointer<Float> { grains.pointer + channel * grainStride }

    private func spectrum(_ spectra: UnsafeMutablePointer<Float>, _ channel: Int) -> UnsafeMutablePointer<Float> {
        spectra + channel * lock.stride
    }

    private func shape() {
        guard frame.kind != .identity else {
            strikes.pass(frame.position.whole)
            return
        }
        let base = frame.length == length ? window.pointer : grainWindow.pointer
        // Frames of the vocoder are windowed twice, which squares what is left.
        strike = strikes.shape(&frame, base: base, rate: rate, floor: frame.isRotated ? 0.01 : 0.0005)
    }

    private func fetch(_ step: WorkList.Step, from history: borrowing InputHistory) {
        let first = frame.length / 2 + (frame.isRotated ? leadIn : frame.searchBack)
        let target = grain(step.index) + step.from
        fetch(frame, from: step.from - first, count: step.count, channel: step.index, history, into: target)
    }

    private func hear(from history: borrowing InputHistory) {
        var heard = previous
        heard.position = previous.position + previous.shift
        for channel in 0..<channelCount {
            fetch(heard, from: -length / 2, count: length, channel: channel, history, into: grain(channel))
            analyse(grain(channel), window.pointer, into: spectrum(sounding.pointer, channel))
        }
        // The frame before may have another pitch.
        bank.tune(ratio: frame.pitchRatio)
    }

    private func turn(_ step: WorkList.Step) {
        lock.turn(
            current.pointer,
            earlier: earlier.pointer,
            sounding: sounding.pointer,
            bend: frame.pitchRatio / previous.pitchRatio,
            strikes: strike.own,
            part: step.index,
            of: step.count
        )
    }

    private func compare(_ channel: Int) {
        guard searches else { return }
        let start = frame.centre - frame.length / 2 + frame.searchAt
        if channel == 0 { search.begin(range: frame.searchBack + frame.searchAhead, due: frame.searchBack) }
        output.peek(channel: channel, at: start, count: search.length, into: search.heard(channel))
        search.compare(channel, offer + channel * grainStride)
    }

    private func searchFinely(_ step: WorkList.Step) {
        guard searches else { return }
        search.tryFinely(offer, offerStride: grainStride, step.index, of: step.count)
        join = search.best
    }

    private func add(_ channel: Int) {
        let start = frame.centre - frame.length / 2
        let left = frame.isRotated ? margin : 0
        output.add(
            channel: channel,
            at: start + left,
            grain(channel) + (frame.isRotated ? left : join),
            window: shapedWindow + left,
            count: frame.length - 2 * left
        )
    }

    private func weigh() {
        let start = frame.centre - frame.length / 2
        let left = frame.isRotated ? margin : 0
        let inner = frame.isRotated ? shapedWindow : ones.pointer
        output.addWeight(at: start + left, inner + left, window: shapedWindow + left, count: frame.length - 2 * left)
    }

    /// Reads input at a frame's pitch, from so many frames of its window after its position.
    @_noLocks @_noAllocation
    private func fetch(
        _ frame: PlannedFrame,
        from offset: Int,
        count: Int,
        channel: Int,
        _ history: borrowing InputHistory,
        into target: UnsafeMutablePointer<Float>
    ) {
        guard frame.pitchRatio != 1 else {
            history.read(channel: channel, from: frame.position.rounded + offset, count: count, into: target)
            return
        }
        bank.tune(ratio: frame.pitchRatio)
        let step = FixedPosition(frame.pitchRatio)
        let start = frame.position + step * offset
        let reach = bank.tapCount / 2
        let span = Int(Double(count) * frame.pitchRatio) + 2 * reach + 4
        history.read(channel: channel, from: start.whole - reach + 1, count: min(span, raw.count), into: raw.pointer)
        bank.read(raw.pointer, fraction: start.fraction, step: step, into: target, count: count)
    }

    /// Windows a frame, turns its middle to the front, so that phases are those of the middle, and transforms it.
    private func analyse(
        _ samples: UnsafePointer<Float>,
        _ window: UnsafePointer<Float>,
        into spectrum: UnsafeMutablePointer<Float>
    ) {
        fold(samples, window: window, into: folded.pointer, length: length)
        transform.forward(folded.pointer, into: spectrum)
    }
}
