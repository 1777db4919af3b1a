import Dispatch
import SyrinxByteStream
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxListening
import SyrinxStreaming

/// Checks whether an address can be played, independently of the current playback.
@MainActor
final class AddressProbe {
    /// The maximum time without a response, in seconds.
    private static let patience = 10.0
    private var streamer: TimePitchStreamer?
    private var expansion: InputExpansion?
    private var task: Task<Void, Never>?

    /// Starts to check an input, and cancels the previous check.
    /// - Parameters:
    ///   - source: The input as it was typed.
    ///   - input: The input with a name and a password, if there are some.
    ///   - answer: Called once with the reason why it cannot be played, or `nil`; not after `cancel()`.
    func begin(_ source: ListeningInput, as input: StreamingInput, answer: @escaping @MainActor (SyrinxError?) -> Void)
    {
        cancel()
        let streamer = TimePitchStreamer(device: NullOutput())
        streamer.network.maximumOutage = Self.patience
        self.streamer = streamer
        task = Task { [weak self] in
            var error = source.isList ? nil : await Self.open(input, with: streamer)
            if !Task.isCancelled, source.isList || error?.code == .notAudio,
                let list = input.url.flatMap({ ListeningInput(location: $0.absoluteString) })
            {
                // An input that is not a recording may be a playlist. If its name is that of a playlist, report the error of
                // reading it as one.
                let refusal = await self?.expand(list, streamer.network)
                error = refusal == nil || source.mayBeList ? refusal : error
            }
            guard !Task.isCancelled, let self else { return }
            self.cancel()
            answer(error)
        }
    }

    private static func open(_ input: StreamingInput, with streamer: TimePitchStreamer) async -> SyrinxError? {
        let events = streamer.events
        streamer.open(input)
        for await event in events {
            switch event {
            case .opened: return nil
            case .failed(let error): return error
            default: break
            }
        }
        return nil
    }

    private func expand(_ list: ListeningInput, _ network: HTTPByteStream.Options) async -> SyrinxError? {
        let expansion = InputExpansion(recursively: true, network: network)
        self.expansion = expansion
        return await withCheckedContinuation { continuation in
            // It waits for bytes.
            DispatchQueue.global(qos: .userInitiated).async {
                do throws(SyrinxError) {
                    _ = try expansion.expand(list)
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
    }

    /// Ends the attempt.
    func cancel() {
        task?.cancel()
        expansion?.cancel()
        streamer?.stop()
        (task, expansion, streamer) = (nil, nil, nil)
    }
}
