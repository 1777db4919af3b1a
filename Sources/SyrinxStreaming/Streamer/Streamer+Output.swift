import AVFAudio
public import SyrinxByteStream
public import SyrinxDevice

extension Streamer {
    /// Plays on another output device, and continues at the position that was heard.
    ///
    /// During playback, the change is a silence of less than 100 ms if the input can be decoded from that position at
    /// once. A broadcast continues with the next frame that was not rendered. A paused streamer stays paused. A
    /// streamer that waits for an output continues on the device.
    ///
    /// The previous device plays until the new one is open, which may take two seconds: do not call this method on a
    /// thread that draws.
    ///
    /// ```swift
    /// do {
    ///     try streamer.setOutput(OutputDevices.make("pulse:bluez_output.headphones"))
    /// } catch {
    ///     print(error)   // and the previous output plays on
    /// }
    /// ```
    /// - Parameter device: The device, which no other engine uses; `nil` is the system's default output.
    /// - Throws: `SyrinxError` with `device.notFound`, `device.unavailable` or `device.unsupportedFormat` if the device
    ///   cannot be opened. The previous device then plays on.
    public func setOutput(_ device: (any OutputDevice)?) throws(SyrinxError) {
        if let device, device === engine.openedDevice { return }
        guard let other = device ?? OutputDevices.automatic() else {
            let message = "no sound server and no sound card responds: start one, or choose another output."
            throw SyrinxError(.deviceUnavailable, message, name: "auto")
        }
        let format: AVAudioFormat
        do throws(DeviceError) {
            format = try engine.openAhead(other)
        } catch {
            throw SyrinxError(error, name: error.device)
        }
        controller.lock.withLock {
            controller.changeOutput(to: other, isChosen: device != nil, format: format)
        }
    }
}
