import Foundation
import Synchronization

/// The sequential requests of one synchronization, on a thread that may wait.
final class SyncSession: Sendable {
    /// The maximum size of a response, in bytes.
    private static let maximumSize = 64 << 20

    let server: SyncServer
    private let options: HTTPByteStream.Options
    private let state = Mutex<(exchange: HTTPExchange?, isCancelled: Bool)>((nil, false))

    init(_ server: SyncServer, _ options: HTTPByteStream.Options) {
        self.server = server
        var options = options
        let pair = Data("\(server.user):\(server.password)".utf8).base64EncodedString()
        options.headers.append(("Authorization", "Basic \(pair)"))
        self.options = options
    }

    /// Cancels the session.
    ///
    /// May be called from any thread.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.exchange?.cancel()
        }
    }

    /// Sends a GET request, and decodes the response.
    func get<Answer: Decodable>(_ type: Answer.Type, _ call: SyncServer.Call) throws(PodcastError) -> Answer {
        let bytes = try send("GET", nil, call)
        do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
            let message = "the server's answer is not that of the synchronisation; look at its address and kind"
            throw PodcastError(.syncInvalid, message, name: server.url, underlying: error)
        }
    }

    /// Sends a POST request, and ignores the contents of the response.
    func post(_ content: some Encodable, _ call: SyncServer.Call) throws(PodcastError) {
        let data: Data
        do { data = try JSONEncoder().encode(content) } catch {
            throw PodcastError(.syncInvalid, "what is to be sent cannot be written: \(error)", name: server.url)
        }
        _ = try send("POST", Array(data), call)
    }

    private func send(_ method: String, _ content: [UInt8]?, _ call: SyncServer.Call) throws(PodcastError) -> [UInt8] {
        do {
            let exchange = try HTTPExchange(
                method,
                url: server.url(call),
                content: content,
                headers: [("Content-Type", "application/json")],
                options: options,
                limit: Self.maximumSize
            )
            let isCancelled = state.withLock { state in
                state.exchange = exchange
                return state.isCancelled
            }
            if isCancelled { exchange.cancel() }
            return try exchange.readAll()
        } catch {
            throw LibraryDatabase.failure(error, name: server.url)
        }
    }
}
