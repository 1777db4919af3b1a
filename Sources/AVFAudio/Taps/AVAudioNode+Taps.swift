import Foundation
import Synchronization

extension AVAudioNode {
    /// Has `tapBlock` called with everything that an output gives; one such tap a bus.
    ///
    /// May be called while the engine runs. On the output node it is what goes to the device.
    /// - Parameters:
    ///   - bus: The output; 0 for every node of the engine.
    ///   - bufferSize: Frames of each buffer: any number from 64 up; fewer are taken as 64.
    ///   - format: `nil`, or the format of the output: a tap converts nothing, and another rate or number of channels stops
    ///     the program with a sentence, as does a second tap on the same bus.
    ///   - tapBlock: Called on a queue of the tap's own, in order.
    public func installTap(
        onBus bus: AVAudioNodeBus,
        bufferSize: AVAudioFrameCount,
        format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        let tap = makeTap(onBus: bus, bufferSize: bufferSize, format: format, block: tapBlock)
        let isFree = taps.withLock { taps in
            guard taps.only[bus] == nil else { return false }
            taps.only[bus] = tap
            taps.all.append(tap)
            return true
        }
        require(isFree, "Bus \(bus) of \(type(of: self)) has a tap: remove it first, or use addTap.")
        engine?.tapsHaveChanged(on: self)
    }

    /// Ends the tap that `installTap` made on `bus`, if there is one.
    public func removeTap(onBus bus: AVAudioNodeBus) {
        taps.withLock { $0.only[bus] }?.remove()
    }

    /// Has `block` called with everything that an output gives, beside any other taps there.
    ///
    /// An addition to Apple's interface. The parameters are those of `installTap`.
    /// - Returns: The tap, to be removed when it is done; the node keeps it until then.
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

    private func makeTap(
        onBus bus: AVAudioNodeBus,
        bufferSize: AVAudioFrameCount,
        format: AVAudioFormat?,
        block: @escaping AVAudioNodeTapBlock
    ) -> AVAudioTap {
        require(bus >= 0 && bus < max(1, numberOfOutputs), "\(type(of: self)) has no output bus \(bus).")
        if let format, engine != nil {
            let own = outputFormat(forBus: bus)
            require(
                format.commonFormat == .pcmFormatFloat32 && format.sampleRate == own.sampleRate
                    && format.channelCount == own.channelCount,
                "The tap asks for \(format), but \(type(of: self)) gives \(own): a tap converts nothing, so give nil."
            )
        }
        return AVAudioTap(bus: bus, bufferSize: bufferSize, block: block) { [weak self] tap in
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
    /// Those of `installTap`.
    var only: [AVAudioNodeBus: AVAudioTap] = [:]
}

extension AVAudioEngine {
    /// Whether taps come or go is a change of the plan, like any other.
    func tapsHaveChanged(on node: AVAudioNode) {
        if node is AVAudioInputNode { prepareInput() }
        changeGraph {}
    }

    /// Has the blocks of taps called for what has been rendered.
    func serveTaps() {
        let (taps, waits) = lock.withLock { (plans.taps, manual?.mode == .offline) }
        for tap in taps { tap.deliver(waits: waits, flushes: false) }
    }
}
