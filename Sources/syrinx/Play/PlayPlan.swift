import Foundation
import SyrinxListening
import SyrinxPlayback
import SyrinxStreaming

/// The task of a player, as the command line gives it.
struct PlayPlan {
    /// The inputs and settings.
    var setup: ListeningPlayer.Setup
    var output: PlayOutput
    var sampleRate: Double?
    var keepsSourceFormat = false
    /// Whether the desktop shows what plays, and its media keys control it.
    var desktop = DesktopUse.none
    var writesJSON = false
    var readsControl = false
    /// The way to show on a terminal what plays.
    var display = PlayDisplay.silent
    /// The process without a terminal that this is, if faces in other processes attach to it.
    var detached: DetachedProcess?
    /// The episodes among the inputs of a queue that is taken over.
    var episodes: [EpisodeItem] = []
    /// The options of a detached player to which this one hands over; `nil` if it cannot.
    var detachOptions: [String]?
    var isDetached: Bool { detached != nil }
    /// Whether playing waits for a sound output when the last one goes; else that is a failure.
    var waitsForOutput = false

    /// Whether keys may be read: a program that sends commands has the terminal's keys for itself, and a terminal
    /// that is the input is not read twice.
    var readsKeys: Bool {
        let playsTerminal = setup.inputs.contains(where: \.isStandardInput) && isatty(STDIN_FILENO) == 1
        return display == .screen || display == .drawn && !readsControl && !playsTerminal
    }
}
