import ByteStream
import Foundation
import HTTPStream
import TestSupport
import Testing

/// A port that takes no connection and refuses none: its queue is full, so that the system drops what knocks.
final class BlackHole {
    let port: UInt16
    private var sockets: [Int32] = []

    /// - Parameters:
    ///   - number: Of this host.
    ///   - wanted: 0 for one that is free.
    init(address number: UInt32 = 0x7F00_0001, port wanted: UInt16 = 0) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets.append(listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = number.bigEndian
        address.sin_port = wanted.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        try #require(isListening)
        port = UInt16(bigEndian: address.sin_port)
        for _ in 0..<8 {
            let knocker = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            sockets.append(knocker)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(knocker, $0, length) }
            }
        }
    }

    deinit { for descriptor in sockets { close(descriptor) } }
}

/// Case 33 of the faults, where it is not the name or the port or the certificate.
@Suite("Hosts that do not answer") struct UnreachableTests {
    @Test func aHostThatSaysNothingIsGivenUpInTime() throws {
        let hole = try BlackHole()
        let options = quickOptions {
            $0.connectTimeout = 0.3
            $0.stallTimeout = 0.3
            $0.maximumConnectAttempts = 2
        }
        let stream = try HTTPByteStream(url: "http://127.0.0.1:\(hole.port)/a", options: options)
        let events = EventLog(stream)
        #expect(failureCode { () throws(ByteStreamError) in _ = try readAll(stream) } == .timedOut)
        #expect(events.retries == 1)
    }

    @Test func waitingForAHostIsEndedAtOnce() throws {
        let hole = try BlackHole()
        let stream = try HTTPByteStream(url: "http://127.0.0.1:\(hole.port)/a", options: quickOptions())
        stream.open()
        #expect(isPrompt { stream.cancel() })
        #expect(failureCode { () throws(ByteStreamError) in _ = try readAll(stream) } == .cancelled)
    }
}
