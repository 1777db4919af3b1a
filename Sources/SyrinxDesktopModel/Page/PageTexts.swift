/// The texts of a page other than the player, which explain the situation and what to do.
public struct PageTexts: Sendable, Equatable {
    /// The heading.
    public var title: String
    /// One or two sentences below the heading.
    public var detail: String
    /// The label of the button; `nil` if there is none.
    public var button: String?
}

extension PageState {
    /// The texts of the page; `nil` for the player.
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

    /// The title in the window's header: the recording that is being opened or has failed.
    ///
    /// The player page has its own title, and a narrow header has no space for a second one.
    public var headerTitle: String {
        switch page {
        case .player: ""
        case .empty: "Syrinx"
        case .loading, .error: name.isEmpty ? "Syrinx" : name
        }
    }

    /// A message that playback is waiting for a sound output or the network; `nil` if it is not waiting.
    public var waitingText: String? {
        if lacksOutput { return "Waiting for a sound output…" }
        return networkText
    }

    /// A message about the network; `nil` if no data are awaited.
    public var networkText: String? {
        switch network {
        case .idle: nil
        case .buffering(nil): "Buffering…"
        case .buffering(let share?): "Buffering… \(Int(floor: share * 100)) %"
        case .retrying(0, _): "Connecting again…"
        case .retrying(let seconds, _): "The connection failed. Trying again in \(seconds) s."
        }
    }

    /// Whether the play button shows the pause symbol, even while playback is waiting.
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
