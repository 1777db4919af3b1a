import SyrinxByteStream
import SyrinxHTTPStream

/// Reads playlists and folders, one at a time, on its own thread.
final class PlaylistExpansion: Sendable {
    private let expansion: InputExpansion
    private let report: @Sendable (SessionEvent) -> Void

    /// Creates an expansion, which calls `report` with the results on its own thread.
    /// - Parameter listsRecursively: Whether nested folders are read too.
    init(
        listsRecursively: Bool,
        network: HTTPByteStream.Options,
        _ report: @escaping @Sendable (SessionEvent) -> Void
    ) {
        expansion = InputExpansion(recursively: listsRecursively, network: network)
        self.report = report
    }

    /// Reads `input`, and reports its inputs.
    /// - Parameter list: The input with the user name and password for its server, if it needs them.
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

    /// Cancels the current reading, which then fails.
    func cancel() { expansion.cancel() }
}
