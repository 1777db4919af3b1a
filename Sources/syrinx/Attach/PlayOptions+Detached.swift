import SyrinxListening

extension PlayOptions {
    /// Returns the options for a detached player that takes over a queue: all that concern neither the queue nor the sound.
    func detachOptions(of output: PlayOutput) -> [String] {
        var words: [String] = []
        func add(_ option: String, _ value: (some CustomStringConvertible)?) {
            if let value { words.append("\(option)=\(value)") }
        }
        if givenOutput != nil { add("--output", output.name) }
        add("--algorithm", sound.algorithm.rawValue)
        add("--sample-rate", sampleRate)
        if crossfade > 0 { add("--crossfade", crossfade) }
        if crossfadeAlbums { words.append("--crossfade-albums") }
        if let mpris { words.append(mpris ? "--mpris" : "--no-mpris") }
        if noCache { words.append("--no-cache") }
        if let resume = listening.resume { words.append(resume ? "--resume" : "--no-resume") }
        add("--network-timeout", network.networkTimeout)
        add("--skip-intro", skip.skipIntro)
        add("--skip-outro", skip.skipOutro)
        add("--skip-forward", skip.skipForward)
        add("--skip-back", skip.skipBack)
        return words
    }
}
