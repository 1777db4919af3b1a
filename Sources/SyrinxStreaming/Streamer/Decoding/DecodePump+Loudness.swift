import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// The measurement of the input ahead of what is decoded.
extension DecodePump {
    /// Begins to measure the input, once it is open: a file whole, and of what a server sends as much as arrives.
    ///
    /// An input that comes only once or has no end is not measured ahead. A measurement under way in the same channels goes on.
    func measureAhead(_ settings: LoudnessScan.Settings) {
        guard !isBroadcast, let makeStream = arrivedStream else { return }
        let scan = LoudnessScan(settings, of: makeStream) { [weak self] event in
            guard let self else { return }
            switch event {
            case .measured(let result): host?.pump(self, measuredAhead: result)
            case .ended: commands.noteMeasurement()
            }
        }
        let (old, isNew) = lock.withLock { () -> (LoudnessScan?, Bool) in
            let old = self.scan
            guard old?.channelCount != settings.channelCount else { return (nil, false) }
            self.scan = scan
            return (old, true)
        }
        old?.cancel()
        guard isNew else { return }
        scan.run()
    }

    /// Opens what has arrived of the bytes, without fetching any; `nil` if the input comes only once.
    private var arrivedStream: (@Sendable () throws -> any ByteStream)? {
        if let network = networkStream { return { ArrivedByteStream(network) } }
        guard commands.stream is FileByteStream else { return nil }
        return { [input] in try input.makeByteStream() }
    }

    /// Ends the measurement, if there is one.
    func endMeasuring() {
        let scan = lock.withLock { () -> LoudnessScan? in
            defer { self.scan = nil }
            return self.scan
        }
        scan?.cancel()
        commands.noteMeasurement()
    }

    /// Waits until a file has been measured, where the output does not keep time: so all of it is written with its own gain.
    func waitForMeasurement() {
        guard !settings.isListenedTo, networkStream == nil else { return }
        commands.wait(while: { [self] in lock.withLock { scan }?.hasEnded == false })
    }
}
