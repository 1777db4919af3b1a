/// The steps of a frame.
extension PhaseVocoder {
    /// Does a step of the frame in hand.
    func perform(_ step: AmortizedSteps.Step, from history: borrowing InputHistory) {
        switch step.kind {
        case .open: open(from: history)
        case .shapeOpening: shapeOpening()
        case .sound: sound(step, from: history)
        case .fetchHeard:
            let target = grain(step.index) + step.from
            fetch(heard, from: step.from - length / 2, count: step.count, channel: step.index, history, into: target)
        case .hear: analyse(grain(step.index), window.pointer, into: spectrum(sounding.pointer, step.index))
        case .listen: transients.listen(to: step.from, of: history, channelCount: channelCount)
        case .shape: shape()
        case .tune: pitched.tune(ratio: frame.pitchRatio, part: step.index, of: step.count)
        case .resample: pitched.extend(to: input, part: step.index, of: step.count, from: history)
        case .fetch: fetch(step.index, from: history)
        case .analyseEarlier:
            let shaped = transient.shaped ? transients.earlierWindow.pointer : window.pointer
            analyse(grain(step.index), shaped, into: spectrum(earlier.pointer, step.index))
        case .analyse:
            let lead = frame.isRotated ? leadIn : 0
            analyse(grain(step.index) + lead, shapedWindow, into: spectrum(current.pointer, step.index))
        case .find:
            lock.findPartials(current.pointer)
            lock.tune(hop: frame.hop, window: window.pointer)
            let reach = FixedPosition(frame.pitchRatio) * (length / 2)
            let first = frame.position.value - reach.value - frame.pitchRatio * Double(frame.hop)
            isInside = first >= 0 && (frame.position + reach).whole <= history.written
        case .turn: turn(step)
        case .keep: copyFloats(current.pointer, to: sounding.pointer, count: lock.stride * channelCount)
        case .raise: lock.raise(current.pointer)
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

    /// The number of fetched frames before the frame, for a frame with phase rotation.
    private var leadIn: Int { min(frame.hop, widestHop) }

    /// The windows that the frame in hand has after transients have been cut out.
    private var shapedWindow: UnsafeMutablePointer<Float> {
        if transient.shaped { return transients.window.pointer }
        return frame.length == length ? window.pointer : grainWindow.pointer
    }

    /// Whether to search for a better join.
    ///
    /// A frame with a shaped window has a fixed position.
    private var searches: Bool { frame.searchBack + frame.searchAhead > 0 && !transient.shaped }

    /// The samples that may be joined to the output so far.
    private var offer: UnsafeMutablePointer<Float> { grains.pointer + frame.searchAt }

    func grain(_ channel: Int) -> UnsafeMutablePointer<Float> { grains.pointer + channel * grainStride }

    private func spectrum(_ spectra: UnsafeMutablePointer<Float>, _ channel: Int) -> UnsafeMutablePointer<Float> {
        spectra + channel * lock.stride
    }

    private func shape() {
        guard frame.kind != .identity else {
            transients.pass(frame.position.whole)
            return
        }
        let base = frame.length == length ? window.pointer : grainWindow.pointer
        // Vocoder frames are windowed twice, which squares the remaining weight.
        transient = transients.shape(
            &frame,
            base: base,
            count: frame.length,
            room: room,
            middle: frame.length / 2,
            rate: rate,
            floor: frame.isRotated ? 0.01 : 0.0005
        )
        guard isLate else { return }
        for index in lead..<frame.length {
            let share = min(Float(index - lead) / Float(fade), 1)
            edge.pointer[index] = shapedWindow[index] * share * share * (3 - 2 * share)
        }
    }

    /// The number of frames by which the frame may be extended for its own onset.
    private var room: Int { frame.kind == .grain && frame.length < length ? grainRoom : 0 }

    /// The number of frames at the front of the window in which the frame is inaudible.
    private var lead: Int { frame.start - frame.begin }

    /// Whether the frame starts to sound later than its window.
    private var isLate: Bool { frame.isRotated && lead > margin }

    /// The window with which the frame is added to the output.
    private var addedWindow: UnsafeMutablePointer<Float> { isLate ? edge.pointer : shapedWindow }

    private func fetch(_ channel: Int, from history: borrowing InputHistory) {
        let window = input
        if frame.pitchRatio != 1 {
            pitched.copy(window, channel: channel, into: grain(channel))
        } else {
            let first = frame.position.rounded + window.offset
            history.read(channel: channel, from: first, count: window.count, into: grain(channel))
        }
    }

    private func turn(_ step: AmortizedSteps.Step) {
        lock.turn(
            current.pointer,
            earlier: earlier.pointer,
            sounding: sounding.pointer,
            bend: frame.pitchRatio / heard.pitchRatio,
            hasTransient: transient.own,
            overlapsWhole: isInside && heard.isRotated && !heardIsShaped && !transient.shaped,
            part: step.index,
            of: step.count
        )
    }

    private func compare(_ channel: Int) {
        guard searches else { return }
        let start = frame.centre - frame.length / 2 + frame.searchAt
        if channel == 0 {
            search.begin(
                range: frame.searchBack + frame.searchAhead,
                due: frame.searchBack,
                polarity: polarity,
                canTurn: frame.kind == .grain && frame.length < length
            )
        }
        output.peek(channel: channel, at: start, count: search.length, into: search.heard(channel))
        search.compare(channel, offer + channel * grainStride)
    }

    private func searchFinely(_ step: AmortizedSteps.Step) {
        guard searches else { return }
        search.tryFinely(offer, offerStride: grainStride, step.index, of: step.count)
        join = search.best
        likeness = search.likeness
    }

    private func add(_ channel: Int) {
        if channel == 0 { polarity = searches ? search.sign : 1 }
        if polarity < 0 {
            for index in 0..<audibleCount { grain(channel)[join + index] *= -1 }
        }
        output.add(
            channel: channel,
            at: frame.start,
            grain(channel) + (frame.isRotated ? lead : join),
            window: addedWindow + lead,
            count: audibleCount
        )
    }

    private func weigh() {
        if crossesGrain { even() }
        let inner = frame.isRotated ? shapedWindow : crossesGrain ? edge.pointer : ones.pointer
        output.addWeight(at: frame.start, inner + lead, window: addedWindow + lead, count: audibleCount)
    }

    /// Whether the frame is a grain that fades in while the previous grain fades out.
    private var crossesGrain: Bool {
        guard frame.kind == .grain, frame.length < length, heard.length == frame.length, !transient.shaped else {
            return false
        }
        return (heard.kind == .grain && !heardIsShaped) || (heard.isOpening && !openingIsShaped)
    }

    /// Computes the weights of a grain that keep the power constant in the crossfade with the previous grain.
    ///
    /// The amplitudes of similar grains add up, and the powers of different ones. The weights are r and f = 1 − r, and
    /// the similarity is l. The level is √(r² + f² + 2·l·f·r) = √(1 − u), with u = 2·(1 − l)·f·r ≤ ½. It is computed
    /// from its series with an error below 0.01 dB. The weight is (√(1 − u) − f) / r.
    private func even() {
        let half = frame.length / 2
        let (rise, weights, unlike) = (grainWindow.pointer, edge.pointer, 2 * (1 - likeness))
        var index = 0
        while index < half {
            let falls = (1 - rise[index]) * unlike
            let u = falls * rise[index]
            weights[index] = 1 - falls * (0.5 + u * (0.125 + u * (0.0625 + u * (0.0390625 + u * 0.02734375))))
            index &+= 1
        }
        (weights + half).update(repeating: 1, count: frame.length - half)
    }

    /// The number of audible frames of the window.
    private var audibleCount: Int {
        (transient.shaped ? transient.count : frame.length) - lead - (frame.isRotated ? margin : 0)
    }

    /// Reads input at a frame's pitch, beginning at a number of window frames after its position.
    @_noLocks @_noAllocation
    func fetch(
        _ frame: SynthesisFrame,
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
        let window = PitchedInput.Window(
            position: frame.position,
            ratio: frame.pitchRatio,
            offset: offset,
            count: count
        )
        pitched.read(window, channel: channel, history, into: target)
    }

    /// Windows a frame, rotates its center to the front so that phases refer to the center, and transforms it.
    private func analyse(
        _ samples: UnsafePointer<Float>,
        _ window: UnsafePointer<Float>,
        into spectrum: UnsafeMutablePointer<Float>
    ) {
        fold(samples, window: window, into: folded.pointer, length: length)
        transform.forward(folded.pointer, into: spectrum)
    }
}
