import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// Measures the loudness of the input ahead of decoding.
extension DecodePump {
    /// Starts measuring an open input: a file completely, a stream as far as it arrives.
    ///
    /// An input that is not seekable or endless is not measured ahead. A running measurement with the same channels
    /// continues.
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

    /// Opens the bytes that have arrived, without fetching; `nil` if the input can be read only once.
    private var arrivedStream: (@Sendable () throws -> any ByteStream)? {
        if let network = networkStream { return { ArrivedByteStream(network) } }
        guard commands.stream is FileByteStream else { return nil }
        return { [input] in try input.makeByteStream() }
    }

    /// Stops the measurement, if there is one.
    func endMeasuring() {
        let scan = lock.withLock { () -> LoudnessScan? in
            defer { self.scan = nil }
            return self.scan
        }
        scan?.cancel()
        commands.noteMeasurement()
    }

    /// Waits until a file is measured if the output does not keep time, so that the whole output has the correct gain.
    func waitForMeasurement() {
        guard !settings.isListenedTo, networkStream == nil else { return }
        commands.wait(while: { [self] in lock.withLock { scan }?.hasEnded == false })
    }
}
