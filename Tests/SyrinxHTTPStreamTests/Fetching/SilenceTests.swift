import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxHTTPStream

/// Seconds without a byte, over all requests and the pauses between them.
@Suite("Silent servers") struct SilenceTests {
    @Test("Time counts from the last byte, and only while bytes are wanted")
    func countsWhileBytesAreWanted() {
        var limit = SilenceLimit()
        #expect(limit.due(after: 30) == nil)
        limit.note(isWanted: true, at: 10)
        #expect(limit.due(after: 30) == 40)
        limit.note(isWanted: true, at: 20)
        #expect(limit.due(after: 30) == 40)
        limit.sign(at: 25)
        #expect(limit.due(after: 30) == 55)
        limit.note(isWanted: false, at: 26)
        limit.sign(at: 27)
        #expect(limit.due(after: 30) == nil)
        limit.note(isWanted: true, at: 100)
        #expect(limit.due(after: 30) == 130)
    }

    @Test("A limit of hundreds of years is no limit", arguments: [Double.infinity, 1e300, .nan])
    func hasNoLimit(seconds: Double) {
        var limit = SilenceLimit()
        limit.note(isWanted: true, at: 1)
        #expect(limit.due(after: seconds) == nil)
    }

    /// The silence of a server.
    enum Silence: String, CaseIterable { case noAnswer, noBody, noMore, noNetwork }

    @Test(
        "A stream gives up when nothing has come for so long, whatever was still to be tried",
        arguments: Silence.allCases
    )
    func givesUp(silence: Silence) throws {
        let bytes = patternedBytes(200_000)
        let server = try ScriptedHTTPServer()
        let file = ScriptedResponse.file(bytes)
        server.route("/a") { _, index in
            switch silence {
            case .noAnswer: .hang
            case .noBody: file.cut(after: 0, .hang)
            case .noMore: file.cut(after: 100_000, .hang)
            case .noNetwork: index == 0 ? file.cut(after: 100_000, .reset) : .drop
            }
        }
        var options = HTTPByteStream.Options()
        options.environment = [:]
        options.maximumOutage = 0.5
        // Neither the wait for an answer nor the number of attempts ends it before.
        (options.stallTimeout, options.connectTimeout, options.maximumAttempts) = (600, 600, 1_000)
        (options.initialRetryDelay, options.maximumRetryDelay) = (0.01, 0.02)
        let stream = try HTTPByteStream(url: server.url("/a"), options: options)
        var count = 0
        let code = failureCode { () throws(SyrinxError) in
            while count < bytes.count { count += try read(stream, at: Int64(count), 16_000).count }
        }
        #expect(code == .timedOut)
        #expect(count == (silence == .noMore || silence == .noNetwork ? 100_000 : 0))
        stream.cancel()
    }
}
