/// Reports that the server has moved a stream: to another sink, or to none, because the last one has gone.
struct PulseMoves {
    let changes: DeviceEventReporter
    let loss: DeviceLossReporter
    let title: SinkTitle
    let server: String?
    /// The name in errors.
    let device: String

    /// The stream plays to the sink of this name from now on.
    func report(to sink: String?) {
        // Where the last sink goes, servers may make up a silent one, and move all streams there.
        if sink == PulseSink.dummyName {
            return loss.report(DeviceError(.deviceLost, "the sound server has no output any more", device: device))
        }
        if let sink { title.move(to: sink, server: server) }
        changes.report()
    }
}
