import SyrinxListening
import SyrinxStreaming

/// Playlists and folders among the inputs.
extension PlaySession {
    /// Goes on with the first that a playlist names, or tells why it names none.
    mutating func expand(_ result: Result<[ListeningInput], Failure>, at now: Double) -> [Action] {
        isExpanding = false
        // Ended meanwhile: what it names is not wanted any more.
        if ending != nil { return conclude() }
        do throws(Failure) {
            try queue.replaceCurrent(with: try result.get(), shuffledBy: shuffling)
            refusal = nil
            return openCurrent()
        } catch {
            waiting.dropSeeks()
            awaitsOpening = false
            let opening: [Action] = hasToldOpening ? [] : [.emit(.state(.opening, time: 0))]
            return opening + fail(refusal ?? error, at: now) + handle(PlayState.failed, time: 0, at: now)
        }
    }

    /// Whether an input that is no recording may be a playlist all the same, though its name does not say so.
    func mayBePlaylist(_ failure: Failure) -> Bool {
        failure.code == .notAudio && ending == nil && !queue.current.isList && !queue.current.isStandardInput
    }

    mutating func readAsPlaylist(_ failure: Failure) -> [Action] {
        // Of what is named as a list, the reason why it is none says more.
        refusal = queue.current.mayBeList ? nil : failure
        hasToldOpening = true
        isExpanding = true
        // What else the streamer tells is about what has been refused.
        awaitsOpening = true
        return [.expand(queue.current)]
    }
}
