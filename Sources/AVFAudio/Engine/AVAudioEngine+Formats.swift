import AudioDSP
import AudioDevice
import Foundation

extension AVAudioEngine {
    /// The format of connections where no other is known: 44.1 kHz, stereo.
    static var fallbackFormat: AVAudioFormat {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else {
            preconditionFailure("44.1 kHz stereo is a format.")
        }
        return format
    }

    /// The format that the graph ends in: that of the device at the start, or of manual rendering.
    var deviceFormat: AVAudioFormat { lock.withLock { renderFormat ?? outputFormat } }

    /// The format of the device, or of manual rendering, as far as it is settled.
    var outputFormat: AVAudioFormat {
        lock.withLock {
            if let manual { return manual.graphFormat }
            if openFormat == nil { _ = try? openDevice() }
            return openFormat ?? Self.fallbackFormat
        }
    }

    /// Has changes of `device` told.
    func watch(_ device: any OutputDevice) {
        device.onLoss = { [weak self] error in self?.lost(error) }
        device.onChange = { [weak self] in self?.outputMoved() }
    }

    /// Finds the device, if that is not done, and settles its format.
    func openDevice() throws -> AVAudioFormat {
        if let openFormat, device != nil { return openFormat }
        guard let device = chosenDevice ?? device ?? OutputDevices.automatic() else {
            throw DeviceError(
                .deviceUnavailable,
                "no sound server and no sound card answers: start one, or choose another output.",
                device: "auto"
            )
        }
        watch(device)
        let settled = try deviceLock.withLock { try device.open(preferred: preferredFormat) }
        let format = try Self.graphFormat(of: settled, device: device)
        self.device = device
        openFormat = format
        return format
    }

    /// Returns the output format of `node`: that of its connection if it has one, or of its tap if it is not connected.
    ///
    /// Otherwise it is the node's own format, else that of its input, else that of the node it leads to.
    func resolvedOutputFormat(of node: AVAudioNode, in graph: Graph) -> AVAudioFormat {
        let outgoing = graph.outputs(of: node).first
        if let format = outgoing?.format { return format }
        if outgoing == nil, node.takesFormatOfTap, let format = node.tapFormat { return format }
        if let format = node.ownFormat { return format }
        if node is AVAudioUnit, let incoming = graph.input(of: node, bus: 0) {
            return resolvedOutputFormat(of: incoming.source, in: graph)
        }
        return formatBehind(node, in: graph)
    }

    /// The format of what `node` leads to: units give what they take, so what lies behind them says it.
    private func formatBehind(_ node: AVAudioNode, in graph: Graph) -> AVAudioFormat {
        guard let outgoing = graph.outputs(of: node).first, !(outgoing.destination is AVAudioOutputNode) else {
            return deviceFormat
        }
        let next = outgoing.destination
        return graph.outputs(of: next).first?.format ?? next.ownFormat ?? formatBehind(next, in: graph)
    }

    func outputFormat(of node: AVAudioNode) -> AVAudioFormat {
        lock.withLock { resolvedOutputFormat(of: node, in: graph) }
    }

    func inputFormat(of node: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioFormat {
        lock.withLock {
            guard let connection = graph.input(of: node, bus: bus) else {
                return resolvedOutputFormat(of: node, in: graph)
            }
            return resolvedOutputFormat(of: connection.source, in: graph)
        }
    }

    /// Seconds for which what comes into `node` sounds on in the changes of sample rate there.
    func resamplingTail(into node: AVAudioNode) -> TimeInterval {
        lock.withLock {
            let rate = node === output ? deviceFormat.sampleRate : resolvedOutputFormat(of: node, in: graph).sampleRate
            let tails = graph.inputs(of: node).map { connection in
                let inputRate = resolvedOutputFormat(of: connection.source, in: graph).sampleRate
                return inputRate == rate ? 0 : ResamplerKernel.tailTime(inputRate: inputRate, ratio: inputRate / rate)
            }
            return tails.max() ?? 0
        }
    }

    /// Has the resamplers at the inputs of `node` drop what they hold.
    func resetResamplers(into node: AVAudioNode) {
        lock.withLock { processors.resamplers(into: node) }.forEach { $0.reset() }
    }
}

extension AVAudioFormat {
    /// The same rate and channels as 32-bit float with one buffer a channel.
    var asStandard: AVAudioFormat? {
        if isStandard { return self }
        if let channelLayout {
            return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: channelLayout)
        }
        return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channelCount)
    }
}
