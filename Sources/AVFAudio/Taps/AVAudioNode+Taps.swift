import Foundation
import Synchronization

extension AVAudioNode {
    func installOnlyTap(
        onBus bus: AVAudioNodeBus,
        _ bufferSize: AVAudioFrameCount,
        _ format: AVAudioFormat?,
        _ block: @escaping AVAudioNodeTapBlock
    ) {
        let tap = makeTap(onBus: bus, bufferSize: bufferSize, format: format, block: block)
        let isFree = taps.withLock { taps in
            guard taps.only[bus] == nil else { return false }
            taps.only[bus] = tap
            taps.all.append(tap)
            return true
        }
        require(isFree, "Bus \(bus) of \(type(of: self)) has a tap: remove it first, or use addTap.")
        engine?.tapsHaveChanged(on: self)
    }

    /// Whether the node has a tap.
    var hasTaps: Bool { taps.withLock { !$0.all.isEmpty } }

    /// The format requested by `installTap`, with the engine's sample type.
    var tapFormat: AVAudioFormat? { taps.withLock { $0.only[0]?.format?.asStandard } }

    /// Adds a tap, whose `block` receives all audio of an output.
    ///
    /// An output may have several such taps.
    ///
    /// ```swift
    /// let tap = player.addTap(onBus: 0, bufferSize: 4096, format: nil) { buffer, time in
    ///     print("sample time", time.sampleTime, "frames", buffer.frameLength)
    /// }
    /// tap.remove()
    /// ```
    ///
    /// An addition to Apple's interface. The parameters are those of `installTap`.
    /// - Returns: The tap. The node keeps it alive until you remove it.
    @discardableResult
    public func addTap(
        onBus bus: AVAudioNodeBus = 0,
        bufferSize: AVAudioFrameCount,
        format: AVAudioFormat? = nil,
        block: @escaping AVAudioNodeTapBlock
    ) -> AVAudioTap {
        let tap = makeTap(onBus: bus, bufferSize: bufferSize, format: format, block: block)
        taps.withLock { $0.all.append(tap) }
        engine?.tapsHaveChanged(on: self)
        return tap
    }

    /// Adds a tap whose `block` is called on the engine's own thread after renders, without a switch to another
    /// thread.
    ///
    /// - Parameters:
    ///   - bus: The output bus.
    ///   - bufferSize: The frames per buffer, at least 64.
    ///   - block: Called with each buffer, one call at a time. It must neither wait nor call the engine.
    /// - Returns: The tap. The node keeps it alive until you remove it.
    package func addQuickTap(
        onBus bus: AVAudioNodeBus,
        bufferSize: AVAudioFrameCount,
        block: @escaping AVAudioNodeTapBlock
    ) -> AVAudioTap {
        let tap = makeTap(onBus: bus, bufferSize: bufferSize, format: nil, deliversAtOnce: true, block: block)
        taps.withLock { $0.all.append(tap) }
        engine?.tapsHaveChanged(on: self)
        return tap
    }

    private func makeTap(
        onBus bus: AVAudioNodeBus,
        bufferSize: AVAudioFrameCount,
        format: AVAudioFormat?,
        deliversAtOnce: Bool = false,
        block: @escaping AVAudioNodeTapBlock
    ) -> AVAudioTap {
        require(bus >= 0 && bus < max(1, numberOfOutputs), "\(type(of: self)) has no output bus \(bus).")
        let wanted = format.flatMap { $0.isValid ? $0 : nil }
        if let wanted {
            require(TapConverter.gives(wanted), "A tap needs an uncompressed format of at least 1 kHz, not \(wanted).")
        }
        return AVAudioTap(
            bus: bus,
            bufferSize: bufferSize,
            format: wanted,
            deliversAtOnce: deliversAtOnce,
            block: block
        ) { [weak self] tap in
            guard let self else { return }
            taps.withLock { taps in
                taps.all.removeAll { $0 === tap }
                if taps.only[tap.bus] === tap { taps.only[tap.bus] = nil }
            }
            engine?.tapsHaveChanged(on: self)
        }
    }
}

/// The taps of a node.
struct TapList {
    var all: [AVAudioTap] = []
    /// The taps of `installTap`.
    var only: [AVAudioNodeBus: AVAudioTap] = [:]
}
