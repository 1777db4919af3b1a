/// Decides which window opens files, which one desktop panels and media keys control, and when the app ends.
///
/// Files open in the window that was active last. Panels control the window that started playback last, or a playing
/// window that becomes active. After a pause they keep their window, so that the same key resumes it. If that window
/// has nothing left to play, they switch to another one, preferably a playing one. Only one window plays at a time;
/// when one starts, the others are paused.
public struct WindowList: Sendable, Equatable {
    /// The playback state of a window.
    public enum Sound: Int, Sendable, Equatable, Comparable {
        /// Nothing is open, or playback has ended or failed.
        case none
        /// A recording is paused.
        case paused
        /// A recording is playing, or waiting for data.
        case playing

        /// Compares two states by their priority when a window is selected.
        /// - Parameters:
        ///   - a: A state.
        ///   - b: Another state.
        public static func < (a: Sound, b: Sound) -> Bool { a.rawValue < b.rawValue }
    }

    /// An event of a window.
    public enum Event: Sendable, Equatable {
        /// The window has become active.
        case activated(Int)
        /// The playback state of the window has changed.
        case sound(Int, Sound)
        /// The window has been closed.
        case closed(Int)
        /// The app should quit, which may end downloads that the user has not been asked about.
        case quit(endsDownloads: Bool)
    }

    /// An action for windows or the desktop.
    public enum Action: Sendable, Equatable {
        /// Let panels and media keys control this window.
        case speak(Int)
        /// Pause the window, because another one has started playback.
        case pause(Int)
        /// Ask in this window, before any closes, whether downloads may end.
        case ask(Int)
        /// Close the window.
        case close(Int)
        /// Quit the app, because no window is left.
        case end
    }

    private struct Window: Sendable, Equatable {
        var number: Int
        var sound = Sound.none
        /// The order number of its last start of playback, or of its last activation while playing.
        var heard = 0
        /// The order number of its last activation.
        var active = 0
    }

    /// The window that panels and media keys control; `nil` if there is none.
    public private(set) var speaker: Int?
    private var windows: [Window] = []
    private var lastNumber = 0
    private var moment = 0

    /// Creates a list without windows.
    public init() {}

    /// The window that opens files, which is the one that was active last; `nil` if there is none.
    public var target: Int? { windows.max { ($0.active, $0.number) < ($1.active, $1.number) }?.number }

    /// The numbers of the windows, in the order of opening.
    public var numbers: [Int] { windows.map(\.number) }

    /// Adds a window, which becomes active.
    /// - Returns: Its unique number, starting at 1, and the actions.
    public mutating func open() -> (number: Int, actions: [Action]) {
        lastNumber += 1
        windows.append(Window(number: lastNumber))
        return (lastNumber, handle(.activated(lastNumber)))
    }

    /// Processes an event; events of unknown windows are ignored.
    /// - Parameter event: The event.
    /// - Returns: The actions, in order.
    public mutating func handle(_ event: Event) -> [Action] {
        moment += 1
        switch event {
        case .activated(let number):
            guard let index = index(of: number) else { return [] }
            windows[index].active = moment
            guard windows[index].sound == .playing else { return settle() }
            windows[index].heard = moment
            return speak(number)
        case .sound(let number, let sound):
            guard let index = index(of: number), windows[index].sound != sound else { return [] }
            windows[index].sound = sound
            guard sound == .playing else { return settle() }
            windows[index].heard = moment
            return speak(number)
                + windows.filter { $0.number != number && $0.sound == .playing }.map { .pause($0.number) }
        case .closed(let number):
            guard let index = index(of: number) else { return [] }
            windows.remove(at: index)
            return windows.isEmpty ? end() : settle()
        case .quit(let endsDownloads):
            if endsDownloads, let target { return [.ask(target)] }
            // The active window closes last, because its settings are the ones that are stored.
            let order = windows.sorted { ($0.active, $0.number) < ($1.active, $1.number) }
            return windows.isEmpty ? end() : order.map { .close($0.number) }
        }
    }

    private func index(of number: Int) -> Int? { windows.firstIndex { $0.number == number } }

    private mutating func end() -> [Action] {
        speaker = nil
        return [.end]
    }

    /// Lets the panels control another window if theirs has nothing left to play.
    private mutating func settle() -> [Action] {
        if let speaker, let index = index(of: speaker), windows[index].sound > .none { return [] }
        let best = windows.max { ($0.sound, $0.heard, $0.active) < ($1.sound, $1.heard, $1.active) }
        return best.map { speak($0.number) } ?? []
    }

    private mutating func speak(_ number: Int) -> [Action] {
        guard number != speaker else { return [] }
        speaker = number
        return [.speak(number)]
    }
}

extension PageState {
    /// The playback state of the window, relative to other windows.
    public var sound: WindowList.Sound {
        switch page {
        case .empty, .error, .player(.ended): .none
        case .loading, .player: wantsPlayback ? .playing : .paused
        }
    }
}
