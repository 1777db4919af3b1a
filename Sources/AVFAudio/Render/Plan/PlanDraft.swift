/// Steps in the making, and the slots that they may fill.
final class PlanDraft {
    var steps: [DraftStep] = []
    let pool: SlotPool
    /// Whether the steps run at the rate of the output.
    let isRoot: Bool
    /// The results of nodes with several readers, and the number of readers that have not used them.
    var results: [ObjectIdentifier: (slot: RenderSlot, readers: Int)] = [:]

    init(pool: SlotPool, isRoot: Bool = false) {
        self.pool = pool
        self.isRoot = isRoot
    }
}

struct DraftStep {
    let operation: RenderOperation
    var input: RenderSlot?
    let output: RenderSlot
    var upstream: (draft: PlanDraft, result: RenderSlot)?
}

struct SharedDraft {
    let tee: FanOutProcessor
    let draft: PlanDraft
    let result: RenderSlot
}

/// Lays drafts out as the flat list that a plan is.
struct PlanLayout {
    private(set) var steps: [RenderStep] = []
    private var laid: [ObjectIdentifier: RenderSegment] = [:]

    /// Appends the steps of `draft` to the array, followed by its upstream segments, each once.
    mutating func lay(_ draft: PlanDraft, _ result: RenderSlot) -> RenderSegment {
        if let known = laid[ObjectIdentifier(draft)] { return known }
        let segment = RenderSegment(first: steps.count, count: draft.steps.count, result: result)
        laid[ObjectIdentifier(draft)] = segment
        for step in draft.steps { steps.append(renderStep(step, upstream: nil)) }
        for (index, step) in draft.steps.enumerated() {
            guard let upstream = step.upstream else { continue }
            let inner = lay(upstream.draft, upstream.result)
            steps[segment.first + index] = renderStep(step, upstream: inner)
        }
        return segment
    }

    private func renderStep(_ step: DraftStep, upstream: RenderSegment?) -> RenderStep {
        RenderStep(
            operation: step.operation,
            input: step.input ?? step.output,
            output: step.output,
            upstream: upstream
        )
    }
}
