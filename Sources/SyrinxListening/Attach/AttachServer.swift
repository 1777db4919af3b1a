import Foundation
import Synchronization
import SyrinxByteStream

/// The socket of a player for faces in other processes.
///
/// One thread of its own reads and writes, so that no face can delay the player. A face that does not read is dropped, and one that asks
/// faster than the player answers is read no further until the player has answered.
///
/// Any thread may use it.
package final class AttachServer: Sendable {
    /// A face that is connected.
    package typealias Face = Int

    /// News for the player.
    package enum Event: Sendable {
        /// A face has connected.
        case joined(Face)
        /// A face asks for something. ``AttachServer/answer(_:to:)`` has to follow.
        case called(Face, AttachCall)
        /// The connection to a face has ended.
        case left(Face, Departure)
    }

    /// The reason for the end of a connection.
    package enum Departure: Sendable {
        /// The face has closed it, or its process has ended.
        case closed
        /// The face did not read, as a suspended process does, and too many bytes waited for it.
        case tooSlow
    }

    private struct Peer {
        let descriptor: Int32
        var outgoing = OutgoingLines(limit: AttachServer.mostPending)
        /// The requests that the player has not answered.
        var openCalls = 0
        /// Whether the face sends nothing more, and is only waiting for its answers.
        var hasEnded = false
        /// Whether it is closed once the rest has been sent, or at once.
        var isLeaving = false
        var isDropped = false
        /// Whether it is dropped because it does not read.
        var isTooSlow = false

        /// Whether the connection can be closed.
        var isOver: Bool {
            isDropped || outgoing.count == 0 && (isLeaving || hasEnded && openCalls == 0)
        }
    }

    private struct State {
        var peers: [Face: Peer] = [:]
        var lastFace = 0
        var isStopped = false
        /// Whether the descriptors of the server are closed, whose numbers may then belong to others.
        var isClosed = false
    }

    /// The maximum number of unsent bytes for a client.
    private static let mostPending = 12 << 20
    /// The requests of a face that may wait for the player.
    private static let mostCalls = 32
    /// The faces at a time.
    private static let mostFaces = 32
    /// The milliseconds that the last lines may take to be read by all faces together, as the player ends.
    private static let lastPatience = 400

    private let state = Mutex(State())
    private let post: @Sendable (Event) -> Void
    private let folder: AttachFolder
    private let lock: Int32
    private let listener: Int32
    /// A pair of sockets that wakes the thread.
    private let wake: (read: Int32, write: Int32)
    private let isFinished = DispatchSemaphore(value: 0)

    /// Acquires the lock of the user's detached player, and starts to accept connections.
    ///
    /// - Parameters:
    ///   - folder: The folder of the socket.
    ///   - post: Receives events on the thread of the server.
    /// - Throws: `device.playerRuns` if another detached player runs, or an error of a file or a thread.
    package init(in folder: AttachFolder, post: @escaping @Sendable (Event) -> Void) throws(Failure) {
        (self.folder, self.post) = (folder, post)
        lock = try folder.lock()
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            let number = errno
            close(lock)
            throw Failure(code: .noThread, message: Descriptor.sentence(number), name: folder.path)
        }
        wake = (ends[0], ends[1])
        do throws(Failure) {
            listener = try folder.makeListener()
        } catch {
            for descriptor in [lock, ends[0], ends[1]] { close(descriptor) }
            throw error
        }
        // The thread keeps the server until `stop`.
        try SystemThread.start("syrinx.attach") { [self] in run() }
    }

    // MARK: The player's side

    /// Whether a face is connected.
    package var hasFaces: Bool { state.withLock { !$0.peers.isEmpty } }

    /// Sends a message to a face.
    package func send(_ message: AttachMessage, to face: Face) {
        let line = message.line()
        state.withLock { Self.append(line, to: face, in: &$0) }
        signal()
    }

    /// Sends a message to several faces.
    package func send(_ message: AttachMessage, to faces: some Collection<Face>) {
        guard !faces.isEmpty else { return }
        let line = message.line()
        state.withLock { state in for face in faces { Self.append(line, to: face, in: &state) } }
        signal()
    }

    /// Sends the answer to a request; `nil` if the request asked for none.
    package func answer(_ message: AttachMessage?, to face: Face) {
        let line = message?.line()
        state.withLock { state in
            if let open = state.peers[face]?.openCalls { state.peers[face]?.openCalls = max(0, open - 1) }
            if let line { Self.append(line, to: face, in: &state) }
        }
        signal()
    }

    /// Closes the connection to a face, once it has read the rest.
    package func dismiss(_ face: Face) {
        state.withLock { $0.peers[face]?.isLeaving = true }
        signal()
    }

    /// Sends the last message to all faces, closes the socket, and gives the lock up.
    package func stop(_ message: AttachMessage) {
        let line = message.line()
        state.withLock { state in
            for face in state.peers.keys { Self.append(line, to: face, in: &state) }
            state.isStopped = true
        }
        signal()
        _ = isFinished.wait(timeout: .now() + 1)
    }

    private static func append(_ line: String, to face: Face, in state: inout State) {
        guard let peer = state.peers[face], !peer.isLeaving, !peer.isDropped else { return }
        if state.peers[face]?.outgoing.append(line) == false {
            state.peers[face]?.isDropped = true
            state.peers[face]?.isTooSlow = true
        }
    }

    private func signal() {
        state.withLock { state in
            guard !state.isClosed else { return }
            var byte: UInt8 = 0
            // A full buffer wakes the thread as well.
            _ = write(wake.write, &byte, 1)
        }
    }

    // MARK: The thread

    private func run() {
        var splitters: [Face: LineSplitter] = [:]
        while true {
            let (peers, isStopped) = state.withLock { state in
                // Without the bytes, which would be copied when they change.
                (state.peers.map { ($0.key, $0.value.descriptor, Self.events(of: $0.value)) }, state.isStopped)
            }
            if isStopped { break }
            let faces = peers.map(\.0)
            var requests = [
                pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener, events: peers.count < Self.mostFaces ? Int16(POLLIN) : 0, revents: 0),
            ]
            for (_, descriptor, events) in peers { requests.append(pollfd(fd: descriptor, events: events, revents: 0)) }
            guard Descriptor.retrying({ poll(&requests, nfds_t(requests.count), -1) }) >= 0 else { break }
            if requests[0].revents != 0 { drainWake() }
            for (face, request) in zip(faces, requests.dropFirst(2)) {
                let isGone = request.revents & Int16(POLLHUP | POLLERR) != 0
                if isGone || request.revents & Int16(POLLIN) != 0 { receive(from: face, isGone: isGone, &splitters) }
            }
            if requests[1].revents != 0 { accept(&splitters) }
            flush(&splitters)
        }
        finish()
    }

    private static func events(of peer: Peer) -> Int16 {
        let isBusy = peer.openCalls >= mostCalls || peer.outgoing.count >= mostPending / 2
        let reads = !isBusy && !peer.isLeaving && !peer.hasEnded
        return Int16((reads ? POLLIN : 0) | (peer.outgoing.count > 0 ? POLLOUT : 0))
    }

    private func drainWake() {
        while let bytes = Descriptor.readSome(from: wake.read, limit: 256), !bytes.isEmpty {}
    }

    private func accept(_ splitters: inout [Face: LineSplitter]) {
        let descriptor = Foundation.accept(listener, nil, nil)
        guard descriptor >= 0 else {
            // Without descriptors the listener would be ready at once again.
            if [EMFILE, ENFILE, ENOMEM].contains(errno) { usleep(100_000) }
            return
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let face = state.withLock { state in
            state.lastFace += 1
            state.peers[state.lastFace] = Peer(descriptor: descriptor)
            return state.lastFace
        }
        splitters[face] = LineSplitter(longestLine: AttachProtocol.longestRequest)
        post(.joined(face))
    }

    private func receive(from face: Face, isGone: Bool, _ splitters: inout [Face: LineSplitter]) {
        guard let descriptor = state.withLock({ $0.peers[face]?.descriptor }) else { return }
        let bytes = Descriptor.readSome(from: descriptor, limit: 16_384)
        guard let bytes else {
            if errno != EAGAIN { drop(face) }
            return
        }
        guard !bytes.isEmpty else {
            return state.withLock { state in
                if isGone { state.peers[face]?.isDropped = true } else { state.peers[face]?.hasEnded = true }
            }
        }
        for line in splitters[face]?.lines(in: bytes) ?? [] { take(line, from: face) }
    }

    private func take(_ line: LineSplitter.Line, from face: Face) {
        guard case .text(let text) = line else {
            let limit = AttachProtocol.longestRequest
            return send(.refusal(nil, "the line is longer than \(limit) bytes"), to: face)
        }
        guard !text.allSatisfy(\.isWhitespace) else { return }
        do throws(AttachCall.Malformed) {
            let call = try AttachCall(line: text)
            state.withLock { $0.peers[face]?.openCalls += 1 }
            post(.called(face, call))
        } catch {
            send(.refusal(error.id, error.message), to: face)
        }
    }

    private func drop(_ face: Face) { state.withLock { $0.peers[face]?.isDropped = true } }

    /// Writes queued bytes to the sockets that accept them, and closes the connections that have ended.
    private func flush(_ splitters: inout [Face: LineSplitter]) {
        let gone = state.withLock { state in
            var gone: [(Face, Departure)] = []
            for face in Array(state.peers.keys) {
                // Taken out, so that its bytes are not copied.
                guard var peer = state.peers.removeValue(forKey: face) else { continue }
                if !peer.isDropped { Self.flush(&peer) }
                if peer.isOver {
                    close(peer.descriptor)
                    gone.append((face, peer.isTooSlow ? .tooSlow : .closed))
                } else {
                    state.peers[face] = peer
                }
            }
            return gone
        }
        for (face, departure) in gone {
            splitters[face] = nil
            post(.left(face, departure))
        }
    }

    private static func flush(_ peer: inout Peer) {
        let descriptor = peer.descriptor
        var isBroken = false
        peer.outgoing.send { bytes in
            let count = Descriptor.retrying {
                Foundation.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            isBroken = count < 0 && errno != EAGAIN
            return count
        }
        if isBroken { peer.isDropped = true }
    }

    private func finish() {
        folder.removeSocket()
        // Taken out, so that no sender waits for a face that does not read.
        var peers = state.withLock { state in
            defer { state.peers = [:] }
            return Array(state.peers.values)
        }
        let deadline = ContinuousClock.now + .milliseconds(Self.lastPatience)
        for index in peers.indices where !peers[index].isDropped { Self.flush(&peers[index]) }
        for index in peers.indices where !peers[index].isDropped && peers[index].outgoing.count > 0 {
            let rest = (deadline - ContinuousClock.now) / .milliseconds(1)
            // Bounded: 0 to `lastPatience`.
            let milliseconds = Int32(min(max(rest, 0), Double(Self.lastPatience)))
            Descriptor.wait(for: POLLOUT, on: peers[index].descriptor, milliseconds: milliseconds)
            Self.flush(&peers[index])
        }
        state.withLock { state in
            state.isClosed = true
            for descriptor in [listener, wake.read, wake.write, lock] { close(descriptor) }
        }
        for peer in peers { close(peer.descriptor) }
        isFinished.signal()
    }
}
