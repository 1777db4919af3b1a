import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

/// Runs `FaultCase.all`.
@Suite("Fault table") struct FaultTableTests {
    private let bytes = patternedBytes(200_000)

    @Test("Each fault has its documented outcome", arguments: FaultCase.all) func comesOfItWhatIsSaid(
        _ fault: FaultCase
    ) throws {
        let server = try ScriptedHTTPServer()
        let answers = fault.answers(bytes)
        server.route("/a") { _, index in answers[min(index, answers.count - 1)] }
        let stream = try HTTPByteStream(url: server.url("/a"), options: quickOptions(fault.options))
        let log = EventLog(stream)
        var got: [UInt8] = []
        let code = failureCode { () throws(SyrinxError) in
            var some = try read(stream, at: 0, 16_000)
            while !some.isEmpty {
                got += some
                some = try read(stream, at: Int64(got.count), 16_000)
            }
        }
        switch fault.outcome {
        case .whole:
            #expect(code == nil)
            #expect(got.count == bytes.count)
            let isSameBytes = isSame(got, bytes)
            #expect(isSameBytes)
        case .prefix(let count, let expected):
            #expect(code == expected)
            #expect(got.count == count)
            let isSameBytes = isSame(got, bytes[..<count])
            #expect(isSameBytes)
        }
        if let ranges = fault.ranges { #expect(server.requests.map(\.range) == ranges) }
        // Only a body that the server compressed unasked is asked for again in another encoding.
        let encodings = server.requests.map { $0.headers["accept-encoding"] }
        #expect(encodings.enumerated().allSatisfy { $0.element == "identity" || $0.offset == 1 && fault.number == 12 })
        #expect(server.requests.allSatisfy { $0.method == "GET" })
        if let events = fault.events {
            // The reader has its bytes before the network thread reports the end.
            let told = { Self.short($0, like: events) }
            #expect(log.wait { told($0).count >= events.count })
            #expect(Array(told(log.all).prefix(events.count)) == events)
        }
        #expect(isPrompt { stream.cancel() })
    }

    /// Returns the events except progress and final failures: `retry http.503`, `warning http.badResponse`, `completed`.
    ///
    /// Titles come on the reader's thread and the rest on another: where titles are expected, only these.
    private static func short(_ events: [HTTPStreamEvent], like expected: [String]) -> [String] {
        let isAboutTitles = expected.contains { $0.hasPrefix("metadata") }
        return events.compactMap { event in
            switch event {
            case .response, .received, .failed, .waitingForNetwork, .networkIsBack: nil
            case .retry(_, _, let code): "retry \(code)"
            case .warning(let code, _): "warning \(code)"
            case .discontinuity(let offset): "discontinuity \(offset)"
            case .metadata(let fields): "metadata \(fields["StreamTitle"] ?? fields["station"] ?? "?")"
            case .completed: "completed"
            }
        }.filter { !isAboutTitles || $0.hasPrefix("metadata") }
    }
}
