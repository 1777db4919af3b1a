import SyrinxByteStream
import SyrinxHTTPStream

/// Reads playlists and folders, one at a time, on a thread that may wait.
final class PlaylistExpansion: Sendable {
    private let expansion: InputExpansion
    private let report: @Sendable (SessionEvent) -> Void

    /// An expansion that tells `report` what comes of it, on its own thread.
    /// - Parameter listsRecursively: Whether folders in folders are listed too.
    init(
        listsRecursively: Bool,
        network: HTTPByteStream.Options,
        _ report: @escaping @Sendable (SessionEvent) -> Void
    ) {
        expansion = InputExpansion(recursively: listsRecursively, network: network)
        self.report = report
    }

    /// Reads `input`, and reports the inputs that it names.
    /// - Parameter list: The input with a name and a password for its server, if it needs them.
    func begin(_ input: ListeningInput, from list: ListeningInput) {
        do throws(Failure) {
            try SystemThread.start("syrinx.playlist") { [self] in expand(input, from: list) }
        } catch {
            report(.expanded(input, .failure(error)))
        }
    }

    private func expand(_ input: ListeningInput, from list: ListeningInput) {
        do throws(SyrinxError) {
            let found = try expansion.expand(list)
            if let warning = found.warning { report(.warning(Failure(warning, input: input.name))) }
            report(.expanded(input, .success(found.inputs)))
        } catch {
            report(.expanded(input, .failure(Failure(error, input: input.name))))
        }
    }

    /// Ends the reading that is under way: it fails.
    func cancel() { expansion.cancel() }
}
