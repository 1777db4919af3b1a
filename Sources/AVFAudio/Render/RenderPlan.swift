/// What a step does: a closed set, so that the walk over the plan needs no dynamic call.
enum RenderOperation {
    case player(Unmanaged<PlayerKernel>)
    case source(Unmanaged<SourceKernel>)
    case mixer(Unmanaged<MixerKernel>, sampleRate: Double)
    case timePitch(Unmanaged<TimePitchProcessor>)
    case resample(Unmanaged<ResampleProcessor>)
}

/// A run of steps that all work on the same number of frames, and the slot that the last of them fills.
struct RenderSegment {
    var first: Int
    var count: Int
    var result: RenderSlot
}

/// One node's work in a block.
struct RenderStep {
    let operation: RenderOperation
    let output: RenderSlot
    /// What a mixer adds up.
    let sources: UnsafeMutablePointer<MixerSource>
    let sourceCount: Int
    /// For a step that changes the rate: what it pulls, as many frames at a time as it needs.
    let upstream: RenderSegment?
}

/// A graph as the render thread sees it: steps in the order in which they run, and all the memory they need.
///
/// Made off the render thread, never changed, and freed only when no render uses it. Its steps lie flat in an array: those
/// of a segment together, each behind the ones it reads from.
final class RenderPlan: @unchecked Sendable {
    // Unchecked: constant after `init`; what its steps point to is touched by the render thread alone.
    let steps: UnsafeMutablePointer<RenderStep>
    let stepCount: Int
    let root: RenderSegment
    let maximumFrameCount: Int
    /// The player nodes' kernels in the plan, to be woken when the engine stops.
    let players: [PlayerKernel]
    private let memory: RenderMemory
    /// Keeps alive what the steps point to.
    private let kernels: [AnyObject]

    init(
        steps list: [RenderStep],
        root: RenderSegment,
        maximumFrameCount: Int,
        memory: RenderMemory,
        kernels: [AnyObject]
    ) {
        stepCount = list.count
        steps = .allocate(capacity: max(list.count, 1))
        for (index, step) in list.enumerated() { (steps + index).initialize(to: step) }
        self.root = root
        self.maximumFrameCount = maximumFrameCount
        self.memory = memory
        self.kernels = kernels
        players = kernels.compactMap { $0 as? PlayerKernel }
    }

    deinit {
        steps.deinitialize(count: stepCount)
        steps.deallocate()
    }

    /// Runs the whole graph for `frames` frames and returns the slot that holds the result.
    func run(frames: Int, pass: RenderPass) -> RenderSlot {
        run(root, frames: frames, pass: pass)
        return root.result
    }

    private func run(_ segment: RenderSegment, frames: Int, pass: RenderPass) {
        for index in segment.first..<(segment.first + segment.count) {
            run(steps + index, frames: frames, pass: pass)
        }
    }

    private func run(_ step: UnsafeMutablePointer<RenderStep>, frames: Int, pass: RenderPass) {
        let output = step.pointee.output
        // A step that changes the rate runs what lies before it as it needs: here it needs nothing, and they are to be told.
        if pass.isSilent, let upstream = step.pointee.upstream { run(upstream, frames: 0, pass: pass) }
        switch step.pointee.operation {
        case .player(let kernel):
            kernel._withUnsafeGuaranteedRef { $0.render(into: output, frames: frames, pass: pass) }
        case .source(let kernel):
            kernel._withUnsafeGuaranteedRef { $0.render(into: output, frames: frames, pass: pass) }
        case .mixer(let kernel, let sampleRate):
            kernel._withUnsafeGuaranteedRef {
                $0.render(
                    step.pointee.sources,
                    count: step.pointee.sourceCount,
                    into: output,
                    frames: frames,
                    sampleRate: sampleRate
                )
            }
        case .timePitch(let processor):
            guard let upstream = step.pointee.upstream else { return }
            processor._withUnsafeGuaranteedRef {
                $0.render(into: output, frames: frames, pass: pass) { count in
                    run(upstream, frames: count, pass: pass)
                    return upstream.result
                }
            }
        case .resample(let processor):
            guard let upstream = step.pointee.upstream else { return }
            processor._withUnsafeGuaranteedRef {
                $0.render(into: output, frames: frames, pass: pass) { count in
                    run(upstream, frames: count, pass: pass)
                    return upstream.result
                }
            }
        }
    }
}

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
        return RenderSlot(channels: channels, channelCount: channelCount, info: info)
    }

    func sources(_ list: [MixerSource]) -> UnsafeMutablePointer<MixerSource> {
        let pointer = UnsafeMutableRawPointer.allocate(
            byteCount: max(1, list.count) * MemoryLayout<MixerSource>.stride,
            alignment: MemoryLayout<MixerSource>.alignment
        )
        allocations.append(pointer)
        let sources = pointer.bindMemory(to: MixerSource.self, capacity: max(1, list.count))
        for (index, source) in list.enumerated() { (sources + index).initialize(to: source) }
        return sources
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
