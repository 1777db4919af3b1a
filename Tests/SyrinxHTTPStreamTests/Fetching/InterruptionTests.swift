import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@Suite("Interruptions") struct InterruptionTests {
    @Test("An interruption ends a waiting read, and the stream remains readable")
    func aWaitIsBrokenOffAndTheStreamGoesOn() throws {
        let bytes = patternedBytes(400_000)
        let server = try ScriptedHTTPServer()
        server.route("/a", .file(bytes).cut(after: 100_000, .hang), .file(bytes))
        let stream = try HTTPByteStream(url: server.url("/a"), options: quickOptions { $0.stallTimeout = 60 })
        #expect(try isSame(read(stream, at: 0, 100), bytes[..<100]))
        let code = Mutex<SyrinxError.Code?>(nil)
        let isOver = Mutex(false)
        Thread.detachNewThread {
            let found = failureCode { () throws(SyrinxError) in _ = try readAll(stream, from: 50_000) }
            code.withLock { $0 = found }
            isOver.withLock { $0 = true }
        }
        #expect(waitUntil { stream.receivedByteCount == 100_000 })
        stream.setInterrupted(true)
        #expect(waitUntil { isOver.withLock { $0 } })
        #expect(code.withLock { $0 } == .interrupted)
        // What is held can be read all the while.
        #expect(try isSame(read(stream, at: 10, 100), bytes[10..<110]))
        stream.setInterrupted(false)
        // Far enough away for a request of its own, which is answered.
        #expect(try isSame(readAll(stream, from: 390_000), bytes[390_000...]))
        stream.cancel()
    }
}
