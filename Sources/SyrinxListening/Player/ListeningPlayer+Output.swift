import AVFAudio
import Dispatch
import SyrinxDevice
import SyrinxStreaming

/// The change of the output while something plays.
extension ListeningPlayer {
    /// The queue on which outputs are opened one after the other, because a sound server may take two seconds.
    private static let openings = DispatchQueue(label: "syrinx.outputs", qos: .userInitiated)

    /// Opens the output of a name, and plays on it.
    func setOutput(_ name: String) {
        // The default output may be another one by now.
        guard name != outputName || name == PlayerOutput.automatic else {
            return onNotice(.answer("Plays on \(shownOutput) already."))
        }
        let (output, streamer, post) = (setup.output, streamer, post)
        Self.openings.async {
            var failure: Failure?
            do throws(Failure) { try output.change(to: name, of: streamer) } catch { failure = error }
            post(.output(name, failure), true)
        }
    }

    /// Takes the result of an opening.
    func noteOutput(_ name: String, _ failure: Failure?) {
        if let failure { return handle(.warning(failure)) }
        outputName = name
        setup.keeper.keep(output: name)
        onNotice(.answer("Plays on \(shownOutput)."))
    }

    /// The name of the output for display.
    private var shownOutput: String {
        let name = streamer.engine.openedDevice?.outputName
        guard outputName == PlayerOutput.automatic else { return name ?? outputName }
        return "the default output" + (name.map { " (\($0))" } ?? "")
    }
}
