import CSyrinxNames
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@Suite("Resolvers that hang") struct ResolverTests {
    @Test("A resolver that hangs delays neither the end of its stream nor other streams")
    func aHangingResolver() throws {
        let server = try ScriptedHTTPServer()
        let bytes = patternedBytes(100_000)
        server.route("/a", .file(bytes))
        let hanging = try (0..<3).map { try HTTPByteStream(url: "http://x\($0).hangs.test/a", options: quickOptions()) }
        for stream in hanging { stream.open() }
        func isReadPromptly() throws -> Bool {
            let stream = try HTTPByteStream(url: server.url("/a"), options: quickOptions())
            var isRight = false
            return isPrompt { isRight = (try? isSame(readAll(stream), bytes)) == true } && isRight
        }
        #expect(try isReadPromptly())
        for stream in hanging { #expect(isPrompt { stream.cancel() }) }
        #expect(try isReadPromptly())
    }

    @Test("A connection is given up in its time though the resolver hangs")
    func theTimeLimitHolds() throws {
        let options = quickOptions { ($0.connectTimeout, $0.maximumConnectAttempts) = (0.3, 1) }
        let stream = try HTTPByteStream(url: "http://y.hangs.test/a", options: options)
        do throws(SyrinxError) {
            _ = try readAll(stream)
            Issue.record("a host without an address brought bytes")
        } catch {
            #expect(error.code == .timedOut)
            #expect(error.message == "No connection to y.hangs.test in time.")
        }
    }
}
