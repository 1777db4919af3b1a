import SyrinxByteStream
import SyrinxHTTPStream

/// The arrival of segments and parts.
extension HLSLoader {
    /// Processes an event of a segment or part at `time`.
    func note(_ event: HTTPStreamEvent, of stream: HTTPByteStream, at time: Double) {
        switch event {
        case .completed:
            state.update { $0.store.resource(of: stream)?.completedAt = time }
            advance()
        case .failed:
            state.update { $0.store.resource(of: stream)?.isOver = true }
            advance()
        case .received: onEvent?(.received(receivedByteCount))
        case .response: state.update { $0.store.resource(of: stream)?.respondedAt = time }
        case .metadata, .discontinuity: break
        case .retry, .waitingForNetwork, .networkIsBack, .warning: onEvent?(event)
        }
    }

    /// Processes the transfer rates of received segments and parts.
    func measure(_ state: inout State) {
        for plan in Self.wanted(state) where plan.segment.resource.range == nil {
            guard let resource = state.store.resources[HLSStore.Key(plan.entry)], resource.stream.isRemote else {
                continue
            }
            if plan.segment.part != nil {
                guard let rate = resource.takePartRate(at: now) else { continue }
                if rate.isEarly {
                    state.scheduler.arrivedEarly(bytes: rate.bytes, seconds: rate.seconds)
                } else {
                    state.scheduler.arrived(bytes: rate.bytes, seconds: rate.seconds)
                }
            } else if let began = resource.began, resource.isComplete(nil) {
                resource.began = nil
                if !resource.isOver { state.scheduler.arrived(bytes: resource.receivedByteCount, seconds: now - began) }
            }
        }
    }
}
