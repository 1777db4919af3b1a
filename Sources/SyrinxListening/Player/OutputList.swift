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
        /// Whether the reading is not shown.
        var isQuiet = false
    }

    private let state = Mutex(State())
    private let didChange: @Sendable () -> Void

    /// Creates a list that has the default output alone until it is refreshed.
    /// - Parameter didChange: Called on another thread when the outputs have been read.
    package init(didChange: @escaping @Sendable () -> Void) { self.didChange = didChange }

    /// The outputs, the default first.
    package var entries: [OutputEntry] { state.withLock { $0.entries } }
    /// Whether the outputs are being read.
    ///
    /// A quiet refresh does not count.
    package var isReading: Bool { state.withLock { $0.isReading && !$0.isQuiet } }

    /// Seconds between two refreshes while a list is shown, so that an output that appears or goes is seen within a second.
    package static let interval = 0.7

    /// Reads the outputs, unless that is under way.
    /// - Parameter isQuiet: Whether `isReading` stays `false`, because the list is shown already.
    package func refresh(isQuiet: Bool = false) {
        let isDue = state.withLock { state in
            let isDue = !state.isReading
            state.isQuiet = isDue ? isQuiet : state.isQuiet && isQuiet
            state.isReading = true
            return isDue
        }
        guard isDue else { return }
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            let entries = OutputEntry.all(OutputDevices.list())
            let isSame = state.withLock { state in
                defer { state = State(entries: entries) }
                return state.isQuiet && state.entries == entries
            }
            if !isSame { didChange() }
        }
    }
}
