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
    /// The device, if it stays open from one input to the next and has to be ended in the end.
    private let continuous: ContinuousOutput?

    /// Makes the device.
    ///
    /// None is opened yet: what cannot be opened fails when playback begins.
    init(_ argument: OutputArgument, recordingPath: FilePath?, playsSeveral: Bool) throws(Failure) {
        let base: any OutputDevice
        var warning: Failure?
        if case .file(let path) = argument {
            base = WAVFileOutput(path: path)
        } else if argument == .automatic {
            if let found = OutputDevices.automatic() {
                base = found
            } else {
                base = NullOutput(blockDuration: NullOutput.playbackBlockDuration)
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
        self.warning = warning
    }

    /// Ends the device: a file is closed, complete and readable.
    func finish() { continuous?.finish() }
}
