import AVFAudio
import Dispatch
import SyrinxDevice
import SyrinxStreaming

/// The output of a player, and its change while something plays.
struct OutputSwitch {
    /// The queue on which outputs are opened one after the other, because a sound server may take two seconds.
    private static let openings = DispatchQueue(label: "syrinx.outputs", qos: .userInitiated)

    /// The name of the output, as `OutputDevices.make` takes it.
    private(set) var name: String
    private let output: PlayerOutput
    private let streamer: TimePitchStreamer

    init(_ output: PlayerOutput, of streamer: TimePitchStreamer) {
        (name, self.output, self.streamer) = (output.name, output, streamer)
    }

    /// Opens the output with a name, and switches to it.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - completion: Receives the failure, if there is one, on another thread.
    /// - Returns: The answer to the listener if the output plays already.
    func change(to name: String, completion: @escaping @Sendable (Failure?) -> Void) -> String? {
        // The default output may be another one by now.
        guard name != self.name || name == PlayerOutput.automatic else { return "The output is already \(title)." }
        Self.openings.async { [output, streamer] in
            var failure: Failure?
            do throws(Failure) { try output.change(to: name, of: streamer) } catch { failure = error }
            completion(failure)
        }
        return nil
    }

    /// Records that the output with a name is in use.
    /// - Returns: The answer to the listener.
    mutating func note(_ name: String) -> String {
        self.name = name
        return "The output is now \(title)."
    }

    /// The name of the output for display.
    private var title: String {
        let device = streamer.engine.openedDevice?.outputName
        guard name == PlayerOutput.automatic else { return device ?? name }
        return "the default output" + (device.map { " (\($0))" } ?? "")
    }
}
