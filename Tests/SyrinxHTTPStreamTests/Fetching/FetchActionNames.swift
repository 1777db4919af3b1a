import SyrinxByteStream

@testable import SyrinxHTTPStream

/// Returns a machine for `http://h/a` that has asked for nothing.
func makeFetchMachine(_ change: (inout HTTPByteStream.Options) -> Void = { _ in }) throws -> FetchMachine {
    var options = HTTPByteStream.Options()
    change(&options)
    return FetchMachine(url: try RequestURL("http://h/a"), options: options, name: "http://h/a", seed: 7)
}

/// Actions in short: `send 0`, `stop`, `wait 0.25`, `retry 2 http.503`.
func short(_ actions: [FetchMachine.Action]) -> [String] {
    actions.map { action in
        switch action {
        case .send(let request): "send \(request.range ?? "whole")"
        case .stop: "stop"
        case .pause: "pause"
        case .resume: "resume"
        case .wait: "wait"
        case .waitForDisk: "disk"
        case .setLength(let length): "length \(length)"
        case .emit(.retry(let attempt, _, let code)): "retry \(attempt) \(code)"
        case .emit(.response(let status, _, _, let isSeekable)): "response \(status) \(isSeekable)"
        case .emit(.completed): "completed"
        case .emit(.failed(let error)): "failed \(error.code)"
        case .emit(.warning(let code, _)): "warning \(code)"
        case .emit(.received(let count)): "received \(count)"
        case .emit(.waitingForNetwork): "waiting"
        case .emit(.networkIsBack): "back"
        case .emit(.discontinuity(let offset)): "discontinuity \(offset)"
        case .emit(.metadata(let fields)): "metadata \(fields.keys.sorted().joined(separator: " "))"
        case .interleave(let interval): "interleave \(interval ?? 0)"
        case .fail: "fail"
        }
    }
}
