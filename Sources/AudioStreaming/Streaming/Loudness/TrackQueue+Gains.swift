import AVFAudio
import ByteStream
import Foundation

/// The normalisation of the inputs.
extension TrackQueue {
    /// Returns the meter of what `track` decodes, or `nil` if nothing is to be measured.
    func meter(of track: Track) -> TrackMeter? {
        guard settings.normalization != nil else { return nil }
        if let meter = track.meter { return meter }
        let meter = TrackMeter(track.progress.readFormat, following: albumMeter(before: track))
        track.meter = meter
        return meter
    }

    /// The meter of the piece before, if it is of the same album: so the pieces keep their levels beside each other.
    private func albumMeter(before track: Track) -> TrackMeter? {
        let order = [current] + followers
        guard let place = order.firstIndex(where: { $0 === track }), place > 0 else { return nil }
        let before = order[place - 1]
        guard let album = Self.album(track), album == Self.album(before) else { return nil }
        return before.meter
    }

    private static func album(_ track: Track) -> [String]? {
        guard let tags = track.progress.info?.tags else { return nil }
        let named = Dictionary(tags.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        guard let album = named["album"], !album.isEmpty else { return nil }
        return [album, named["album_artist"] ?? ""]
    }

    /// Has the gain of `track` follow what is known of it, and the player play with it.
    /// - Parameter isAsked: Whether somebody has changed the normalisation, so that it is to be heard soon.
    func updateGain(of track: Track, isAsked: Bool = false) {
        defer { publishGains() }
        guard let normalization = settings.normalization else {
            return track.gain.set(LoudnessNormalization.Gain(decibels: 0, source: .none))
        }
        let measured = track.meter?.measurement
        let info = track.progress.info ?? track.preparedInfo
        let gain = normalization.gain(tags: info?.tags ?? [:], measured: measured)
        if isAsked { return track.gain.set(gain) }
        let ahead = output.framesAhead / track.progress.readFormat.sampleRate / output.playbackRate
        track.gain.follow(gain, duration: measured?.duration ?? 0, ahead: ahead)
    }

    /// Has all inputs follow a changed normalisation.
    func updateGains() {
        usesGains = true
        for track in [current] + followers { updateGain(of: track, isAsked: true) }
    }

    /// Gives the player the gains of what is scheduled; each goes over to the next where inputs overlap, and else at the joint.
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
