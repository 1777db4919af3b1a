/// The opening: a segment of unprocessed input that sounds until the following frames are ready.
extension PhaseVocoder {
    /// The place in the fetched input at which the opening begins.
    private var openingLead: Int { heard.length / 2 - (heard.centre - heard.start) }

    /// Makes the window of the opening, which falls as the following windows rise, and reads the preceding input for
    /// its spectrum.
    func open(from history: borrowing InputHistory) {
        let isLong = heard.length == length
        let full = heard.centre + heard.hold - heard.start
        // After a bypass it replaces all frames that would have preceded it.
        let weight = isLong && !heard.isFirst ? Self.meanWeight * Float(length) / Float(frame.hop) : 1
        let fall = (isLong ? window.pointer : grainWindow.pointer) + heard.length / 2
        for index in 0..<full { edge.pointer[index] = weight }
        for index in 0..<openingSpan - full { edge.pointer[full + index] = weight * fall[index] }
        if !heard.isFirst { transients.pass(heard.position.whole - (heard.centre - heard.start)) }
        for channel in 0..<channelCount {
            // The rest of its window is inaudible.
            for index in openingLead + openingSpan..<max(heard.length, openingLead + openingSpan) {
                grain(channel)[index] = 0
            }
            if heard.isFirst {
                for index in 0..<openingLead { grain(channel)[index] = 0 }
            } else {
                let from = heard.start - heard.centre - openingLead
                fetch(heard, from: from, count: openingLead, channel: channel, history, into: grain(channel))
            }
        }
    }

    /// The mean of a window of the vocoder, applied twice: of the third power of Hann's.
    private static var meanWeight: Float { 0.3125 }

    func shapeOpening() {
        openingIsShaped =
            transients.shape(
                &heard,
                base: edge.pointer,
                count: openingSpan,
                middle: heard.centre - heard.start,
                rate: rate,
                floor: 0.0005
            ).shaped
    }

    /// Reads some of the opening and adds it to the output.
    func sound(_ step: AmortizedSteps.Step, from history: borrowing InputHistory) {
        let window = (openingIsShaped ? transients.window.pointer : edge.pointer) + step.from
        let place = heard.start + step.from
        for channel in 0..<channelCount {
            let target = grain(channel) + openingLead + step.from
            let from = place - heard.centre
            fetch(heard, from: from, count: step.count, channel: channel, history, into: target)
            output.add(channel: channel, at: place, target, window: window, count: step.count)
        }
        output.addWeight(at: place, ones.pointer, window: window, count: step.count)
        openedUntil = step.from + step.count == openingSpan ? .max : place + step.count
    }
}
