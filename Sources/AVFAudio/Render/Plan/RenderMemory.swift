/// The buffers of one plan, freed together.
final class RenderMemory: @unchecked Sendable {
    // Unchecked: filled by the compiler before the plan is published, and only freed after it.
    private var allocations: [UnsafeMutableRawPointer] = []
    private let maximumFrameCount: Int

    init(maximumFrameCount: Int) { self.maximumFrameCount = maximumFrameCount }

    deinit { for allocation in allocations { allocation.deallocate() } }

    /// A slot of silence.
    func slot(channelCount: Int) -> RenderSlot {
        let samples = allocate(Float.self, channelCount * maximumFrameCount, filledWith: 0)
        let channels = allocate(UnsafeMutablePointer<Float>.self, channelCount, filledWith: samples)
        for channel in 0..<channelCount { channels[channel] = samples + channel * maximumFrameCount }
        let info = allocate(SlotInfo.self, 1, filledWith: SlotInfo(contentFrames: 0, isEnd: false))
        return RenderSlot(channels: channels, ownChannels: channels, channelCount: channelCount, info: info)
    }

    /// Returns a copy of `slot` that may refer to buffers of other slots.
    func lending(_ slot: RenderSlot) -> RenderSlot {
        let channels = allocate(UnsafeMutablePointer<Float>.self, slot.channelCount, filledWith: slot.ownChannels[0])
        for channel in 0..<slot.channelCount { channels[channel] = slot.ownChannels[channel] }
        return RenderSlot(
            channels: channels,
            ownChannels: slot.ownChannels,
            channelCount: slot.channelCount,
            info: slot.info
        )
    }

    /// Returns the routes of a connection.
    /// - Parameter begins: Whether the destination is still empty.
    func routes(_ list: [ChannelRoute], rampFrames: Int, begins: Bool) -> MixRoutes {
        let none = ChannelRoute(source: 0, target: 0, gain: 0, side: .middle)
        let pointer = allocate(ChannelRoute.self, list.count, filledWith: none)
        let byTarget = list.enumerated().sorted { ($0.element.target, $0.offset) < ($1.element.target, $1.offset) }
        for (index, route) in byTarget.enumerated() { pointer[index] = route.element }
        return MixRoutes(list: pointer, count: list.count, rampFrames: rampFrames, begins: begins)
    }

    private func allocate<Element: BitwiseCopyable>(
        _ type: Element.Type,
        _ count: Int,
        filledWith value: Element
    ) -> UnsafeMutablePointer<Element> {
        let raw = UnsafeMutableRawPointer.allocate(
            byteCount: max(1, count) * MemoryLayout<Element>.stride,
            alignment: 64
        )
        allocations.append(raw)
        return raw.initializeMemory(as: type, repeating: value, count: max(1, count))
    }
}

/// Slots that are free to be filled again: a step's output is needed only until the last that reads it has run.
final class SlotPool {
    private let memory: RenderMemory
    private var free: [Int: [RenderSlot]] = [:]

    init(memory: RenderMemory) { self.memory = memory }

    func take(channelCount: Int) -> RenderSlot {
        free[channelCount]?.popLast() ?? memory.slot(channelCount: channelCount)
    }

    func give(_ slot: RenderSlot) { free[slot.channelCount, default: []].append(slot.plain) }
}
