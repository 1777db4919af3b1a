import Foundation
import Synchronization

/// The compiling of tracks, and the meeting with the render thread.
extension AVAudioSequencer {
    /// The tempo map of the tempo track.
    var map: TempoMap { state.withLock { $0.map } }

    /// The length of the longest track, in beats.
    var lengthInBeats: Double {
        tracks.map { track in
            let state = track.snapshot
            return max(0, state.offset) + state.wholeLength
        }.max() ?? 0
    }

    /// Sets the function that is called after each render, not on the render thread.
    func observeRenders(_ observer: (@Sendable () -> Void)?) { state.withLock { $0.observer = observer } }

    /// Applies a change of a track.
    func tracksHaveChanged() {
        state.withLock { state in
            let isPlaying = state.isPlaying
            state.schedule = nil
            state.map = TempoMap(state.tempoTrack.snapshot.events)
            guard isPlaying else { return }
            publish(&state)
        }
    }

    /// The position: of the render thread, if it has taken up the last command.
    func beat(of state: borrowing State) -> Double {
        guard state.isPlaying, let position = kernel.renderedPosition(of: state.command) else { return state.startBeat }
        return state.map.beats(forSeconds: max(0, position.seconds))
    }

    /// Starts, stops or seeks.
    func command(_ state: inout State, isPlaying: Bool, at beat: Double) {
        state.command += 1
        state.isPlaying = isPlaying
        state.startBeat = beat
        publish(&state)
    }

    /// Compiles the tracks, if they have changed since.
    func compile(_ state: inout State) {
        guard state.schedule == nil else { return }
        let fallback = defaultDestination
        let tracks = state.tracks
        let schedule = SequenceSchedule(tracks.map { $0.scheduled(fallback: fallback) }, map: state.map)
        state.schedule = schedule
        state.scheduleNumber += 1
        state.schedules[state.scheduleNumber] = (schedule, tracks)
        // A render may still be sending events of the most recent schedules.
        state.schedules[state.scheduleNumber - 8] = nil
    }

    private func publish(_ state: inout State) {
        compile(&state)
        guard let schedule = state.schedule else { return }
        // Until the render thread has applied the command, this program may be the one that carries it.
        let isNew = kernel.renderedPosition(of: state.command) == nil
        kernel.play(
            SequenceProgram(
                schedule,
                number: state.scheduleNumber,
                command: state.command,
                isPlaying: state.isPlaying,
                startBeat: state.startBeat,
                state: isNew && state.isPlaying ? schedule.state(before: state.startBeat) : []
            )
        )
    }

    /// The instrument of the engine, if it has exactly one.
    private var defaultDestination: AVAudioUnit? {
        let instruments = (engine?.attachedNodes ?? []).compactMap { $0 as? AVAudioUnitMIDIInstrument }
        return instruments.count == 1 ? instruments[0] : nil
    }

    /// Delivers user events, after a render.
    func serve() {
        kernel.collect()
        let marks = kernel.takeMarks()
        if !marks.isEmpty {
            let (callback, schedules) = state.withLock { ($0.callback, $0.schedules) }
            for mark in marks {
                guard let callback, let (schedule, tracks) = schedules[mark.schedule] else { continue }
                let event = schedule.userEvents[Int(mark.index)]
                callback(tracks[event.track], event.data, mark.beat)
            }
        }
        state.withLock { $0.observer }?()
    }
}

extension AVMusicTrack {
    /// The track as the compiler of schedules takes it.
    func scheduled(fallback: AVAudioUnit?) -> ScheduledTrack {
        let state = snapshot
        let unit = (state.destination ?? fallback)?.auAudioUnit
        var track = ScheduledTrack(events: state.events, destination: unit?.events, offset: state.offset)
        if state.isLooping {
            let range = loopRange
            track.loop = range.start..<range.end
            track.loopPasses = state.loops == AVMusicTrackLoopCount.forever.rawValue ? nil : state.loops
        }
        (track.isMuted, track.isSoloed) = (state.isMuted, state.isSoloed)
        track.followsParameters = state.usesParameters
        return track
    }
}
