/// The operation of a step: a closed set, so that running the plan needs no dynamic call.
enum RenderOperation {
    case player(Unmanaged<PlayerKernel>)
    case source(Unmanaged<SourceKernel>)
    case input(Unmanaged<InputKernel>)
    case sink(Unmanaged<SinkKernel>)
    case unit(Unmanaged<UnitProcessor>)
    case mixBegin(Unmanaged<MixerKernel>, clears: Bool)
    case mixAdd(Unmanaged<MixerKernel>, Unmanaged<MixerInput>, MixRoutes)
    case mixEnd(Unmanaged<MixerKernel>, rampFrames: Int)
    case environmentBegin(Unmanaged<EnvironmentKernel>)
    case environmentAdd(Unmanaged<EnvironmentKernel>, Unmanaged<SpatialInput>, MixRoutes)
    case environmentEnd(Unmanaged<EnvironmentKernel>, rampFrames: Int)
    case remap(MixRoutes)
    case timePitch(Unmanaged<TimePitchProcessor>)
    case resample(Unmanaged<ResampleProcessor>)
    case tee(Unmanaged<TeeReader>)
    case tap(Unmanaged<TapRecorder>, TapClock)
}

/// The gains with which the channels of an input are mixed.
struct MixRoutes {
    /// The routes, grouped by destination channel.
    let list: UnsafeMutablePointer<ChannelRoute>
    let count: Int
    /// The default length in frames of a ramp of volume or pan.
    let rampFrames: Int
    /// Whether the input is the first, which is written and not added.
    let begins: Bool
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
    /// The slot that the step reads; the step's output if it reads nothing.
    let input: RenderSlot
    let output: RenderSlot
    /// For a rate-changing step: the upstream segment, which the step runs for as many frames as it needs.
    let upstream: RenderSegment?
}

/// A graph in the form that the render thread runs: steps in execution order, and all their memory.
///
/// A plan is created off the render thread, is immutable, and is freed when no render uses it. Its steps are in a flat
/// array, grouped by segment, and each step follows the steps that it reads from.
final class RenderPlan: @unchecked Sendable {
    // Unchecked: immutable after `init`; only the render thread accesses the memory behind the steps.
    let steps: UnsafeMutablePointer<RenderStep>
    let stepCount: Int
    /// The segment that leads to the output.
    let root: RenderSegment
    let maximumFrameCount: Int
    /// The player nodes' kernels in the plan, to be woken when the engine stops.
    let players: [PlayerKernel]
    /// The taps in the plan, whose blocks are called after renders.
    let taps: [AVAudioTap]
    /// Whether the input node is in the plan.
    let usesInput: Bool
    /// Whether something is rendered that does not lead to the output.
    let hasOtherEnds: Bool
    /// The sequencers, which send messages to units of the plan.
    let sequenceKernels: [SequenceKernel]
    private let sequences: UnsafeMutablePointer<Unmanaged<SequenceKernel>>
    private let sequenceCount: Int
    private let memory: RenderMemory
    /// The objects whose memory the steps use, kept alive by the plan.
    private let kernels: [AnyObject]

    init(
        steps list: [RenderStep],
        root: RenderSegment,
        maximumFrameCount: Int,
        memory: RenderMemory,
        kernels: [AnyObject],
        usesInput: Bool,
        hasOtherEnds: Bool,
        sequences: [SequenceKernel] = []
    ) {
        sequenceKernels = sequences
        sequenceCount = sequences.count
        self.sequences = .allocate(capacity: max(sequences.count, 1))
        for (index, kernel) in sequences.enumerated() {
            (self.sequences + index).initialize(to: Unmanaged.passUnretained(kernel))
        }
        self.usesInput = usesInput
        self.hasOtherEnds = hasOtherEnds
        stepCount = list.count
        steps = .allocate(capacity: max(list.count, 1))
        for (index, step) in list.enumerated() { (steps + index).initialize(to: step) }
        self.root = root
        self.maximumFrameCount = maximumFrameCount
        self.memory = memory
        self.kernels = kernels
        players = kernels.compactMap { $0 as? PlayerKernel }
        taps = kernels.compactMap { $0 as? AVAudioTap }
    }

    deinit {
        steps.deinitialize(count: stepCount)
        steps.deallocate()
        sequences.deallocate()
    }

    /// Sends the sequencer events that are due in the next `frames` frames, before these are rendered.
    func advanceSequences(frames: Int, sampleRate: Double, pass: RenderPass) {
        for index in 0..<sequenceCount {
            sequences[index]._withUnsafeGuaranteedRef { $0.advance(frames: frames, sampleRate: sampleRate, pass: pass) }
        }
    }

    /// Runs the whole graph for `frames` frames and returns the slot with the result.
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
        if let upstream = step.pointee.upstream {
            runRateChange(step, upstream, frames: frames, pass: pass)
            return
        }
        let input = step.pointee.input
        let output = step.pointee.output
        switch step.pointee.operation {
        case .player(let kernel):
            kernel._withUnsafeGuaranteedRef { $0.render(into: output, frames: frames, pass: pass) }
        case .source(let kernel):
            kernel._withUnsafeGuaranteedRef { $0.render(into: output, frames: frames, pass: pass) }
        case .input(let kernel):
            kernel._withUnsafeGuaranteedRef { $0.render(into: output, frames: frames) }
        case .sink(let kernel):
            kernel._withUnsafeGuaranteedRef { $0.render(input, frames: frames, pass: pass) }
        case .unit(let processor):
            processor._withUnsafeGuaranteedRef { $0.render(input, into: output, frames: frames, pass: pass) }
        case .mixBegin(let kernel, let clears):
            kernel._withUnsafeGuaranteedRef { $0.begin() }
            if clears { output.clear(from: 0, to: frames) }
        case .mixAdd(let kernel, let mixerInput, let routes):
            kernel._withUnsafeGuaranteedRef { $0.note(input.info.pointee) }
            mixerInput._withUnsafeGuaranteedRef { $0.add(input, to: output, routes, frames: frames) }
        case .mixEnd(let kernel, let rampFrames):
            kernel._withUnsafeGuaranteedRef { $0.end(output, frames: frames, rampFrames: rampFrames) }
        case .environmentBegin(let kernel):
            kernel._withUnsafeGuaranteedRef { $0.begin(output, frames: frames) }
        case .environmentAdd(let kernel, let spatialInput, let routes):
            let content = input.info.pointee.contentFrames
            kernel._withUnsafeGuaranteedRef { $0.note(contentFrames: content) }
            spatialInput._withUnsafeGuaranteedRef { $0.add(input, to: output, routes, frames: frames) }
        case .environmentEnd(let kernel, let rampFrames):
            kernel._withUnsafeGuaranteedRef { $0.end(output, frames: frames, rampFrames: rampFrames) }
        case .remap(let routes):
            mix(input, into: output, routes, frames: frames)
            output.info.pointee = input.info.pointee
        case .tap(let recorder, let clock):
            recorder._withUnsafeGuaranteedRef { $0.record(input, frames: frames, pass: pass, clock: clock) }
        case .timePitch, .resample, .tee:
            break
        }
    }

    /// Runs a rate-changing step, which runs its upstream segment as needed.
    private func runRateChange(
        _ step: UnsafeMutablePointer<RenderStep>,
        _ upstream: RenderSegment,
        frames: Int,
        pass: RenderPass
    ) {
        let output = step.pointee.output
        // The step needs no input here, and the end of the previous part is reported.
        if pass.isSilent { run(upstream, frames: 0, pass: pass) }
        switch step.pointee.operation {
        case .timePitch(let processor):
            processor._withUnsafeGuaranteedRef {
                $0.render(into: output, frames: frames, pass: pass) { run(upstream, pulling: $0, pass) }
            }
        case .resample(let processor):
            processor._withUnsafeGuaranteedRef {
                $0.render(into: output, frames: frames, pass: pass) { run(upstream, pulling: $0, pass) }
            }
        case .tee(let reader):
            reader._withUnsafeGuaranteedRef {
                $0.render(into: output, frames: frames, maximumFrameCount: maximumFrameCount) {
                    run(upstream, pulling: $0, pass)
                }
            }
        default:
            break
        }
    }

    private func run(_ segment: RenderSegment, pulling frames: Int, _ pass: RenderPass) -> RenderSlot {
        run(segment, frames: frames, pass: pass)
        return segment.result
    }
}
