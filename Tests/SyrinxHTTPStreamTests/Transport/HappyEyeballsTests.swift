import CSyrinxNames
import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

/// Case 33 of the faults: a host with several addresses, of which the first is dead (RFC 8305).
@Suite("Hosts with several addresses") struct HappyEyeballsTests {
    private let server: ScriptedHTTPServer
    private let bytes = patternedBytes(100_000)

    init() throws {
        server = try ScriptedHTTPServer()
        server.route("/a", .file(bytes))
    }

    /// The server under a name that has these addresses; `CSyrinxNames` says how they are spelled.
    private func url(_ addresses: String) -> String { "http://\(addresses).addresses.test:\(server.port)/a" }

    private func isReadPromptly(_ stream: HTTPByteStream) -> Bool {
        var isRight = false
        return isPrompt { isRight = (try? isSame(readAll(stream), bytes)) == true } && isRight
    }

    /// No server listens at the server's port of 127.0.0.2, and none at all in 2001:db8::/32, which is for examples.
    @Test(
        "A host is reached promptly if its first addresses refuse the connection",
        arguments: ["127-0-0-2.127-0-0-1", "x2001-db8--1.127-0-0-1", "x2001-db8--1.127-0-0-2.127-0-0-1"]
    )
    func addressesThatRefuseAreNoFailure(_ addresses: String) throws {
        let stream = try HTTPByteStream(url: url(addresses), options: quickOptions { $0.connectTimeout = 60 })
        let events = EventLog(stream)
        #expect(isReadPromptly(stream))
        #expect(events.retries == 0)
        #expect(server.requests.map(\.range) == ["bytes=0-"])
        #expect(server.requests.first?.headers["host"] == "\(addresses).addresses.test:\(server.port)")
    }

    /// libcurl gives an address half of the time that is left if another of the same family follows.
    @Test("A silent address delays the connection by at most half of the time limit")
    func anAddressThatSaysNothingIsNotWaitedFor() throws {
        let hole = try BlackHole(address: 0x7F00_0002, port: server.port)
        let stream = try HTTPByteStream(
            url: url("127-0-0-2.127-0-0-1"),
            options: quickOptions { $0.connectTimeout = 2 }
        )
        let events = EventLog(stream)
        #expect(isReadPromptly(stream))
        #expect(events.retries == 0)
        #expect(server.requests.count == 1)
        withExtendedLifetime(hole) {}
    }

    @Test("The error is refused if all addresses refuse")
    func ifAllRefuseItIsRefused() throws {
        let stream = try HTTPByteStream(url: url("127-0-0-2.127-0-0-3"), options: quickOptions())
        let events = EventLog(stream)
        #expect(failureCode { () throws(SyrinxError) in _ = try readAll(stream) } == .connectionRefused)
        #expect(events.retries == 2)
        #expect(server.requests.isEmpty)
    }
}
