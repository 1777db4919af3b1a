import Foundation
import SyrinxByteStream
import SyrinxDevice
import SyrinxListening

/// Makes the device that `--output` and `--record` ask for.
struct PlayOutput {
    /// The device.
    let device: any OutputDevice
    /// A warning about the output for the listener.
    let warning: Failure?
    /// The name of the output, as `OutputDevices.make` takes it.
    let name: String
    /// Whether playback is silent because the system has no output.
    let lacksSound: Bool
    /// The reason for which the output cannot change while it plays; `nil` if it can.
    let refusal: Failure?
    /// The device, if it stays open from one input to the next and has to be ended in the end.
    private let continuous: ContinuousOutput?

    /// Makes the device.
    ///
    /// None is opened yet, except one that was chosen in an earlier session: what cannot be opened fails when playback begins.
    /// - Parameters:
    ///   - argument: The output; `nil` is the one that the listener has chosen last, or else the default.
    ///   - chosen: The name of the output that the listener has chosen last; `nil` if there is none, or if it does not count.
    ///   - recordingPath: The file to which the sound is also written.
    ///   - playsSeveral: Whether several inputs may be played.
    init(
        _ argument: OutputArgument?,
        chosen: String?,
        recordingPath: FilePath?,
        playsSeveral: Bool
    ) throws(Failure) {
        let base: any OutputDevice
        var (warning, lacksSound): (Failure?, Bool) = (nil, false)
        let former = PlayerOutput.reopen(argument == nil && recordingPath == nil ? chosen : nil)
        let argument = argument ?? .automatic
        if case .file(let path) = argument {
            base = WAVFileOutput(path: path)
        } else if argument == .automatic {
            if let found = former.device ?? OutputDevices.automatic() {
                base = found
                warning = former.warning
            } else {
                base = NullOutput(blockDuration: NullOutput.playbackBlockDuration)
                lacksSound = true
                warning = Failure(
                    code: .deviceUnavailable,
                    message: "no sound server and no sound card answers, so this is played in silence",
                    name: "auto"
                )
            }
        } else {
            do throws(DeviceError) {
                base = try OutputDevices.make(argument.text)
            } catch {
                throw Failure(error)
            }
        }
        let recorded = recordingPath.map { RecordingOutput(base, path: $0) } ?? base
        // A later opening begins the file again.
        let writesFile = recordingPath != nil || argument.path != nil
        continuous = writesFile && playsSeveral ? ContinuousOutput(recorded) : nil
        device = continuous ?? recorded
        name = former.device?.name ?? argument.text
        (self.warning, self.lacksSound) = (warning, lacksSound)
        let message = "the sound is written to a file, so its output cannot change"
        refusal = writesFile ? Failure(code: .badCommand, message: message, name: Failure.control) : nil
    }

    /// Ends the device: a file is closed, complete and readable.
    func finish() { continuous?.finish() }
}
