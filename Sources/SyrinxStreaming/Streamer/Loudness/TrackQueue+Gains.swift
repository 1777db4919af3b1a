import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxDSP

/// The normalisation of the inputs.
extension TrackQueue {
    /// Returns the meter for `track`; `nil` if nothing is to be measured.
    func meter(of track: Track) -> TrackMeter? {
        guard settings.normalization != nil, track.measuredAhead?.measurement.isWhole != true else { return nil }
        if let meter = track.meter { return meter }
        let meter = TrackMeter(track.progress.readFormat, following: albumBefore(track))
        track.meter = meter
        return meter
    }

    /// Starts measuring `track` ahead of decoding, if it is to be normalized and its tags state no loudness.
    func measureAhead(_ track: Track) {
        guard let normalization = settings.normalization, let item = track.item,
            let info = track.progress.info ?? track.preparedInfo, normalization.gain(tags: info.tags).source == .none
        else { return track.pump?.endMeasuring() ?? () }
        let scan = LoudnessScan.Settings(
            item: item,
            channelCount: Int(current.progress.readFormat.channelCount),
            earlier: albumBefore(track)
        )
        track.pump?.measureAhead(scan)
    }

    /// Processes the measurement of an input, if it is still needed.
    func take(_ result: LoudnessScan.Result, of track: Track) {
        // A second measurement, of a reopened input, starts from zero.
        if let known = track.measuredAhead?.measurement, !result.measurement.isWhole {
            guard !known.isWhole, result.measurement.duration >= known.duration else { return }
        }
        track.measuredAhead = result
        if usesGains { updateGain(of: track) }
    }

    /// Returns the measurement of the previous track of the same album, so that level differences between tracks are
    /// preserved.
    /// - Returns: An empty measurement if there is none.
    private func albumBefore(_ track: Track) -> MeasuredLoudness {
        let order = open
        guard let place = order.firstIndex(where: { $0 === track }), place > 0 else { return MeasuredLoudness() }
        let before = order[place - 1]
        guard let album = Self.album(track), album == Self.album(before) else { return MeasuredLoudness() }
        let heard = before.meter?.measured
        guard let ahead = before.measuredAhead, ahead.isAhead(of: heard?.duration) else {
            return heard ?? MeasuredLoudness()
        }
        return ahead.programme
    }

    /// Makes `next` start with the gain of the previous track of the same album; its own gain is approached from there.
    func keepAlbumGain(from last: Track, to next: Track) {
        guard usesGains, last.gain.source == .measurement, let album = Self.album(next), album == Self.album(last)
        else { return }
        next.gain = last.gain
        next.keepsAlbumGain = true
    }

    /// Returns the longer measurement of `track`: the one ahead, or that of decoded audio.
    private func measurement(of track: Track) -> LoudnessNormalization.Measurement? {
        let decoded = track.meter?.measurement
        guard var ahead = track.measuredAhead, ahead.isAhead(of: decoded?.duration) else { return decoded }
        ahead.measurement.peak = max(ahead.measurement.peak, decoded?.peak ?? 0)
        return ahead.measurement
    }

    private static func album(_ track: Track) -> [String]? {
        guard let tags = (track.progress.info ?? track.preparedInfo)?.tags else { return nil }
        let named = Dictionary(tags.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        guard let album = named["album"], !album.isEmpty else { return nil }
        return [album, named["album_artist"] ?? ""]
    }

    /// Updates the gain of `track` and applies it to the player.
    /// - Parameter isAsked: Whether the program changed the normalization, so that the change should be audible soon.
    func updateGain(of track: Track, isAsked: Bool = false) {
        defer { publishGains() }
        guard let normalization = settings.normalization else {
            return track.gain.set(LoudnessNormalization.Gain(decibels: 0, source: .none))
        }
        let measured = measurement(of: track)
        let info = track.progress.info ?? track.preparedInfo
        let gain = normalization.gain(tags: info?.tags ?? [:], measured: measured)
        if gain.source != .measurement || measured?.isWhole == true { reportShortfall(gain, normalization, of: track) }
        if isAsked { return track.gain.set(gain) }
        let sampleRate = track.progress.readFormat.sampleRate
        let start = Double(track.progress.timeline.baseFrame)
        let heard = track === current ? max(0, output.playedFrames - start) / sampleRate : 0
        track.gain.follow(
            gain,
            duration: measured?.duration ?? 0,
            isWhole: measured?.isWhole == true,
            ahead: output.framesAhead / sampleRate / output.playbackRate,
            // An album continues across its transitions.
            heard: track.keepsAlbumGain ? .infinity : heard
        )
    }

    /// Warns of an input that stays quieter than the target, once for each target.
    private func reportShortfall(
        _ gain: LoudnessNormalization.Gain,
        _ normalization: LoudnessNormalization,
        of track: Track
    ) {
        let target = normalization.target
        guard gain.shortfall > 0.5, track.reportedTarget != target else { return }
        track.reportedTarget = target
        let loudness = { (value: Double) in String(format: "%.1f LUFS", value) }
        let reason = gain.isLimited ? "its peaks leave no room for more" : "no recording is raised further"
        reporter.warn(
            .loudnessNotReached,
            "it is played at \(loudness(target - gain.shortfall)) instead of \(loudness(target)), because \(reason)",
            of: track
        )
    }

    /// Applies a changed normalization to all inputs.
    func updateGains() {
        usesGains = true
        for track in open {
            measureAhead(track)
            updateGain(of: track, isAsked: true)
        }
    }

    /// Applies the gains of scheduled inputs to the player; each changes to the next during a crossfade, otherwise at
    /// the transition.
    func publishGains() {
        guard usesGains else { return }
        let rate = current.progress.readFormat.sampleRate
        var gains = [
            StreamedGain(
                startFrame: .min / 2,
                gain: current.gain.factor,
                rampFrames: Int(clamped: current.gain.rampTime * rate)
            )
        ]
        for track in followers where track.isJoined {
            let ramp = max(Int(clamped: track.gain.rampTime * rate), track === followers.last ? overlap : 0)
            gains.append(
                StreamedGain(
                    startFrame: track.progress.timeline.baseFrame,
                    gain: track.gain.factor,
                    rampFrames: ramp
                )
            )
        }
        output.player.setStreamedGains(gains)
    }
}
