import ArgumentParser
import SyrinxListening

/// The options of `play` for interactive use.
struct ListeningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Fade out and end after this time, or at the end of the chapter or item",
            valueName: "time|chapter|item"
        )
    )
    var sleep: SleepGoal?

    @Option(help: ArgumentHelp("Chapter at which playback begins, from 1", valueName: "number"))
    var chapter: Int?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Keep positions, and continue each recording that is opened at its last position; --no-resume begins at the start (default: yes \
            on a terminal with a sound device and without --json or --record, for recordings of 10 minutes or more)
            """
    )
    var resume: Bool?

    func validate() throws {
        if let chapter, chapter < 1 { throw ValidationError("--chapter must be a whole number, at least 1") }
    }
}
