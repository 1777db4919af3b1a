import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

/// Case 33 of the faults, where it is not the name or the port or the certificate.
@Suite("Unreachable hosts") struct UnreachableTests {
    @Test("A host that never answers times out after the allowed connection attempts")
    func aHostThatSaysNothingIsGivenUpInTime() throws {
        let hole = try BlackHole()
        let options = quickOptions {
            $0.connectTimeout = 0.3
            $0.stallTimeout = 0.3
            $0.maximumConnectAttempts = 2
        }
        let stream = try HTTPByteStream(url: "http://127.0.0.1:\(hole.port)/a", options: options)
        let events = EventLog(stream)
        #expect(failureCode { () throws(SyrinxError) in _ = try readAll(stream) } == .timedOut)
        #expect(events.retries == 1)
    }

    @Test("A stream is cancelled promptly while its connection attempt is pending")
    func waitingForAHostIsEndedAtOnce() throws {
        let hole = try BlackHole()
        let stream = try HTTPByteStream(url: "http://127.0.0.1:\(hole.port)/a", options: quickOptions())
        stream.open()
        #expect(isPrompt { stream.cancel() })
        #expect(failureCode { () throws(SyrinxError) in _ = try readAll(stream) } == .cancelled)
    }
}
