package import SyrinxListening

extension LoopMode {
    /// The name of the button's icon.
    package var icon: String { "media-playlist-repeat\(self == .one ? "-song" : "")-symbolic" }

    /// The name of the button.
    package var label: String {
        switch self {
        case .none: "Repeat: Off"
        case .all: "Repeat: All"
        case .one: "Repeat: One"
        }
    }

    /// The message after a key.
    package var message: String {
        switch self {
        case .none: "Repeat is off"
        case .all: "Repeating all recordings"
        case .one: "Repeating this recording"
        }
    }
}
