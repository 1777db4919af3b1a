/// Reports that the server has moved a stream to another sink, or that no sink is left.
struct PulseMoves {
    let changes: DeviceEventReporter
    let loss: DeviceLossReporter
    let title: SinkTitle
    let server: String?
    /// The name of the device in error messages.
    let device: String

    /// Reports that the stream now plays to the sink of this name.
    func report(to sink: String?) {
        // When the last sink is removed, a server may create a dummy sink and move all streams to it.
        if sink == PulseSink.dummyName {
            return loss.report(DeviceError(.deviceLost, "the sound server no longer has an output", device: device))
        }
        if let sink { title.move(to: sink, server: server) }
        changes.report()
    }
}
