/// The texts of a page without a player: what happened and what to do.
public struct PageTexts: Sendable, Equatable {
    /// The heading.
    public var title: String
    /// One or two sentences below it.
    public var detail: String
    /// The title of the button, if there is one.
    public var button: String?
}

extension PageState {
    /// The texts of the page, unless it is the player.
    public var texts: PageTexts? {
        switch page {
        case .player: return nil
        case .empty:
            return PageTexts(
                title: "Listen",
                detail: "Open a file or an address, or drop files and folders here.",
                button: "Open…"
            )
        case .loading:
            return PageTexts(title: "Opening", detail: networkText ?? name, button: nil)
        case .error(let failure):
            return PageTexts(title: Self.title(of: failure), detail: Self.detail(of: failure), button: "Try Again")
        }
    }

    /// The title of the window's header: the recording that is opened or has failed.
    ///
    /// The page of the player has a title of its own, and a narrow header no room for a second.
    public var headerTitle: String {
        switch page {
        case .player: ""
        case .empty: "Syrinx"
        case .loading, .error: name.isEmpty ? "Syrinx" : name
        }
    }

    /// The sentence that says that playing waits for a sound output or for the network; `nil` while it waits for neither.
    public var waitingText: String? {
        if lacksOutput { return "Waiting for a sound output…" }
        return networkText
    }

    /// The sentence about the network; `nil` while nothing is waited for.
    public var networkText: String? {
        switch network {
        case .idle: nil
        case .buffering(nil): "Buffering…"
        case .buffering(let share?): "Buffering… \(Int(floor: share * 100)) %"
        case .retrying(0, _): "Connecting again…"
        case .retrying(let seconds, _): "The connection failed. Trying again in \(seconds) s."
        }
    }

    /// Whether the button shows the sign for pausing: playing is wanted, if only after a wait.
    public var showsPause: Bool { wantsPlayback }

    private static func title(of failure: Failure) -> String {
        switch failure.code.prefix(while: { $0 != "." }) {
        case "http", "network": "The address could not be opened"
        case "media": "The recording could not be played"
        case "file": "The file could not be opened"
        case "device": "There is no sound output"
        default: "The recording could not be opened"
        }
    }

    private static func detail(of failure: Failure) -> String {
        let hint: String
        switch failure.code.prefix(while: { $0 != "." }) {
        case "http": hint = "Check the address, or try again later."
        case "network": hint = "Check the connection to the network."
        case "media": hint = "The file may be damaged, or of a kind that is not supported."
        case "file": hint = "Check that the file is there and may be read."
        case "device": hint = "Connect an output, or choose one in the sound settings."
        default: hint = ""
        }
        let message = failure.message.isEmpty ? [] : [failure.message]
        return (message + (hint.isEmpty ? [] : [hint])).joined(separator: " ")
    }
}
