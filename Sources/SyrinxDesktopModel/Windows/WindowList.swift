/// Decides which window gets what is opened, for which one the desktop's panels and media keys are, and when the app ends.
///
/// Files go to the window that was active last. The panels follow the window that began to play last. A window that plays
/// takes them over when it becomes active. A pause leaves them where they are, so that the key that paused plays again.
/// If nothing is left to play in their window, another one gets them: one that plays before one that is paused.
/// One window sounds at a time: one that begins to play pauses the others.
public struct WindowList: Sendable, Equatable {
    /// The sound of a window.
    public enum Sound: Int, Sendable, Equatable, Comparable {
        /// Nothing is open, or it has ended or failed.
        case none
        /// A recording is open and paused.
        case paused
        /// A recording plays, or will when its data are there.
        case playing

        /// Returns whether a sound comes after another where a window is chosen.
        /// - Parameters:
        ///   - a: A sound.
        ///   - b: The other.
        public static func < (a: Sound, b: Sound) -> Bool { a.rawValue < b.rawValue }
    }

    /// An input of a window.
    public enum Event: Sendable, Equatable {
        /// The window has the keyboard.
        case activated(Int)
        /// The sound of the window is this one.
        case sound(Int, Sound)
        /// The window has been closed.
        case closed(Int)
        /// The app is to end.
        case quit
    }

    /// An effect on windows or on the desktop.
    public enum Action: Sendable, Equatable {
        /// Panels show this window, and media keys are for it.
        case speak(Int)
        /// Pauses the window: another one has begun to play.
        case pause(Int)
        /// Closes the window.
        case close(Int)
        /// Ends the app: no window is left.
        case end
    }

    private struct Window: Sendable, Equatable {
        var number: Int
        var sound = Sound.none
        /// The moment when it last began to play, or became active while it played.
        var heard = 0
        /// The moment when it last became active.
        var active = 0
    }

    /// The window that panels show and media keys are for; `nil` without a window.
    public private(set) var speaker: Int?
    private var windows: [Window] = []
    private var lastNumber = 0
    private var moment = 0

    /// Creates the list of an app without windows.
    public init() {}

    /// The window that gets what is opened: the one that was active last; `nil` if there is none.
    public var target: Int? { windows.max { ($0.active, $0.number) < ($1.active, $1.number) }?.number }

    /// The numbers of the windows, in the order in which they were opened.
    public var numbers: [Int] { windows.map(\.number) }

    /// Adds a window, which counts as the active one.
    /// - Returns: Its number, from 1 on, which no other window gets, and the effects.
    public mutating func open() -> (number: Int, actions: [Action]) {
        lastNumber += 1
        windows.append(Window(number: lastNumber))
        return (lastNumber, handle(.activated(lastNumber)))
    }

    /// Takes an event; one of a window that is not there changes nothing.
    /// - Parameter event: The input.
    /// - Returns: The effects, in order.
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
        case .quit:
            // The settings of the window that closes last are kept: they are to be those of the active one.
            let order = windows.sorted { ($0.active, $0.number) < ($1.active, $1.number) }
            return windows.isEmpty ? end() : order.map { .close($0.number) }
        }
    }

    private func index(of number: Int) -> Int? { windows.firstIndex { $0.number == number } }

    private mutating func end() -> [Action] {
        speaker = nil
        return [.end]
    }

    /// Gives the panels to the best window if theirs has nothing to go on with.
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
    /// The sound of the window, as far as it matters beside other windows.
    public var sound: WindowList.Sound {
        switch page {
        case .empty, .error, .player(.ended): .none
        case .loading, .player: wantsPlayback ? .playing : .paused
        }
    }
}
