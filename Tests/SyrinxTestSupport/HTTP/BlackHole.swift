import Foundation

/// A port that takes no connection and refuses none: its queue is full, so that the system drops what knocks.
public final class BlackHole {
    struct Failure: Error { let code: Int32 }

    /// The port that it is.
    public let port: UInt16
    private var sockets: [Int32] = []

    /// Fills the queue of a port.
    ///
    /// - Parameters:
    ///   - number: Of this host.
    ///   - wanted: 0 for one that is free.
    public init(address number: UInt32 = 0x7F00_0001, port wanted: UInt16 = 0) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
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
        guard isListening else { throw Failure(code: errno) }
        port = UInt16(bigEndian: address.sin_port)
        for _ in 0..<8 {
            let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
            let knocker = socket(AF_INET, Int32(kind), 0)
            sockets.append(knocker)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(knocker, $0, length) }
            }
        }
    }

    deinit { for descriptor in sockets { close(descriptor) } }
}
