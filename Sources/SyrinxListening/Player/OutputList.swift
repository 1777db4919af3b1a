import Dispatch
import Synchronization
package import SyrinxDevice

/// An output in the list of a face.
package struct OutputEntry: Hashable, Sendable {
    /// The name that `ListeningCommand.output` takes.
    package let name: String
    /// The name for display.
    package let title: String
    /// Further text for display.
    package let detail: String?

    package init(name: String, title: String, detail: String? = nil) {
        (self.name, self.title, self.detail) = (name, title, detail)
    }

    /// Returns the default output, and all outputs of the system.
    package static func all(_ devices: [OutputDeviceDescription]) -> [OutputEntry] {
        let usual = devices.first(where: \.isDefault)?.description
        return [OutputEntry(name: PlayerOutput.automatic, title: "Default", detail: usual)]
            + devices.prefix(limit).map { OutputEntry(name: $0.id, title: $0.description, detail: $0.id) }
    }

    /// The maximum number of outputs in a list: a server may have thousands.
    private static let limit = 200
}

/// The outputs of the system for the list of a face.
///
/// The system is asked on another thread, because a sound server may take two seconds. Any thread may use the list.
package final class OutputList: Sendable {
    private struct State {
        var entries = OutputEntry.all([])
        var isReading = false
    }

    private let state = Mutex(State())
    private let didChange: @Sendable () -> Void

    /// Creates a list that has the default output alone until it is refreshed.
    /// - Parameter didChange: Called on another thread when the outputs have been read.
    package init(didChange: @escaping @Sendable () -> Void) { self.didChange = didChange }

    /// The outputs, the default first.
    package var entries: [OutputEntry] { state.withLock { $0.entries } }
    /// Whether the outputs are being read.
    package var isReading: Bool { state.withLock { $0.isReading } }

    /// Reads the outputs, unless that is under way.
    package func refresh() {
        let isDue = state.withLock { state in
            defer { state.isReading = true }
            return !state.isReading
        }
        guard isDue else { return }
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            let entries = OutputEntry.all(OutputDevices.list())
            state.withLock { $0 = State(entries: entries) }
            didChange()
        }
    }
}
