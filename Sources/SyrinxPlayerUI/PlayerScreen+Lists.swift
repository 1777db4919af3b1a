import SyrinxListening
import SyrinxTerminal

/// Processes key commands in lists.
extension PlayerScreen {
    /// The list of the current page; `nil` if it has none.
    var listID: ListID? {
        switch page {
        case .playing: nil
        case .queue: .queue
        case .chapters: .chapters
        case .bookmarks: .bookmarks
        case .effects: .effects
        case .files: .files
        case .podcasts: showsNotes ? .notes : showsEpisodes ? .episodes : .shows
        case .transcript: .transcript
        }
    }

    /// Updates the list states for a view.
    mutating func update(_ view: PlayerView) {
        if let id = listID { lists[id].update(id, view) }
        if page == .files, shownFolder != view.files.path, !(view.files.isReading && view.files.entries.isEmpty) {
            shownFolder = view.files.path
            if !view.files.entries.isEmpty { lists[.files].select(entry: view.files.origin ?? 0) }
        }
        if page == .queue { queueTotal.update(view.queue) }
    }

    /// The queue indices of the visible rows of the queue page, from the top; empty on other pages.
    package var shownQueueEntries: [Int] {
        let list = lists[.queue]
        guard page == .queue else { return [] }
        let end = min(list.window.offset + list.window.height, list.window.count)
        return (list.window.offset..<max(end, list.window.offset)).map(list.entry)
    }

    mutating func actInList(_ command: FaceCommand, in view: PlayerView) -> [PlayerAction] {
        guard let id = listID else { return [] }
        if move(command, id, in: view) {
            if id == .transcript { followsTranscript = command == .selectCurrent }
            return []
        }
        switch command {
        case .filter: prompt = Prompt(.filter(id), text: lists[id].filter)
        case .back: return goBack(id, in: view)
        case .subscribe: prompt = Prompt(.subscribe)
        case .search: prompt = Prompt(.search)
        case .clearQueue where id == .queue && !view.queue.isEmpty:
            prompt = Prompt(.confirm("Empty the queue?", .command(.clear)))
        case .refreshAll: return [.refresh(nil)]
        case .allBookmarks where id == .bookmarks: return [.listBookmarks(ofAll: view.allBookmarks == nil)]
        case .undoMark: return [.undoMark]
        case .newEpisodes: return openInbox()
        case .filterEpisodes, .reverseEpisodes, .markAllPlayed, .markOlderPlayed:
            return actOnEpisodes(command, id, in: view)
        default:
            guard let entry = lists[id].selectedEntry else { return [] }
            return id == .effects ? change(entry, command, in: view) : act(on: entry, id, command, in: view)
        }
        return []
    }

    /// Moves the selection, if that is what the command does.
    private mutating func move(_ command: FaceCommand, _ id: ListID, in view: PlayerView) -> Bool {
        let page = max(lists[id].window.height - 1, 1)
        switch command {
        case .selectUp: lists[id].window.move(by: -1)
        case .selectDown: lists[id].window.move(by: 1)
        case .selectPageUp: lists[id].window.move(by: -page)
        case .selectPageDown: lists[id].window.move(by: page)
        case .selectFirst: lists[id].window.select(0)
        case .selectLast: lists[id].window.select(.max)
        case .selectCurrent:
            let current: Int? =
                switch id {
                case .queue: view.currentIndex
                case .chapters: view.currentChapter
                case .transcript: view.currentPassage
                default: nil
                }
            if let current { lists[id].select(entry: current) }
        default: return false
        }
        return true
    }

    /// Clears the filter, or leaves the folder or the podcast.
    private mutating func goBack(_ id: ListID, in view: PlayerView) -> [PlayerAction] {
        if !lists[id].filter.isEmpty {
            lists[id].setFilter("", id, view)
        } else if id == .notes {
            showsNotes = false
            update(view)
        } else if id == .episodes {
            showsEpisodes = false
            update(view)
        } else if id == .files {
            return [.leaveFolder]
        }
        return []
    }

    private mutating func act(
        on entry: Int,
        _ id: ListID,
        _ command: FaceCommand,
        in view: PlayerView
    ) -> [PlayerAction] {
        switch id {
        case .queue: return actInQueue(entry, command, in: view)
        case .chapters: return command == .activate ? [.command(.chapter(entry))] : []
        case .bookmarks:
            let bookmark = view.listedBookmarks[entry]
            switch command {
            case .activate: return [.goToBookmark(bookmark.id)]
            case .remove: return [.removeBookmark(bookmark.id)]
            case .rename: prompt = Prompt(.rename(bookmark.id), text: bookmark.title)
            default: break
            }
            return []
        case .files:
            let isFolder = view.files.entries[entry].isFolder
            switch command {
            case .activate where isFolder:
                lists[.files].setFilter("", .files, view)
                lists[.files].window.select(0)
                return [.openFolder(entry)]
            case .activate: return [.playFile(entry)]
            case .enqueue: return [.enqueueFile(entry)]
            default: return []
            }
        case .shows: return actOnShow(view.podcasts.shows[entry], command)
        case .episodes: return actOnEpisode(view.podcasts.episodes[entry], command, in: view)
        case .transcript:
            guard command == .activate, let start = view.transcript.lines[entry].start else { return [] }
            followsTranscript = true
            return [.command(.seek(.to(start)))]
        case .notes:
            guard command == .activate, let time = view.notes.lines[entry].time, let id = view.notes.episode else {
                return []
            }
            return [.playEpisodeAt(id, time)]
        case .effects: return []
        }
    }

    private mutating func actInQueue(_ entry: Int, _ command: FaceCommand, in view: PlayerView) -> [PlayerAction] {
        switch command {
        case .activate: return [.command(.goTo(entry))]
        case .remove: return [.command(.remove(entry))]
        case .moveUp, .moveDown:
            let target = command == .moveUp ? entry - 1 : entry + 1
            // With a filter, the neighbor in the queue may be hidden, so entries are not moved.
            guard lists[.queue].filter.isEmpty, view.queue.indices.contains(target) else { return [] }
            lists[.queue].window.select(target)
            return [.command(.move(from: entry, to: target))]
        default: return []
        }
    }

    /// Changes an effect or a value of it.
    private func change(_ entry: Int, _ command: FaceCommand, in view: PlayerView) -> [PlayerAction] {
        switch EffectRow.all(view.effects)[entry] {
        case .effect(let index):
            let effect = view.effects[index]
            switch command {
            case .toggleEffect where effect.isSwitchable: return [.setEffectEnabled(effect: index, !effect.isEnabled)]
            case .reset:
                return effect.parameters.indices.compactMap { place in
                    let parameter = effect.parameters[place]
                    guard parameter.value != parameter.initial else { return nil }
                    return .setParameter(effect: index, parameter: place, parameter.initial)
                }
            default: return []
            }
        case .parameter(let index, let place):
            let effect = view.effects[index]
            let parameter = effect.parameters[place]
            let value: Double
            switch command {
            case .toggleEffect where effect.isSwitchable: return [.setEffectEnabled(effect: index, !effect.isEnabled)]
            case .toggleEffect where parameter.choices.count == 2: value = 1 - parameter.value
            case .lower: value = parameter.moved(by: -1)
            case .raise: value = parameter.moved(by: 1)
            case .lowerMuch: value = parameter.moved(by: -10)
            case .raiseMuch: value = parameter.moved(by: 10)
            case .reset: value = parameter.initial
            default: return []
            }
            return value == parameter.value ? [] : [.setParameter(effect: index, parameter: place, value)]
        }
    }
}

extension EffectView.Parameter {
    /// Whether equal steps multiply the value, as for frequencies, whose range spans decades.
    var isLogarithmic: Bool { choices.isEmpty && range.lowerBound > 0 && range.upperBound / range.lowerBound >= 100 }

    /// The position of the value within the range, 0…1.
    var fraction: Double {
        let (low, high) = (range.lowerBound, range.upperBound)
        guard high > low, value.isFinite else { return 0 }
        let value = min(max(value, low), high)
        return isLogarithmic
            ? FloatText.logarithm(value / low) / FloatText.logarithm(high / low) : (value - low) / (high - low)
    }

    /// Returns the value after a number of steps, each a hundredth of the range or the next choice.
    func moved(by steps: Double) -> Double {
        if !choices.isEmpty {
            let last = Double(choices.count - 1)
            return min(max((value.isFinite ? value : 0) + (steps > 0 ? 1 : -1), 0), last)
        }
        let (low, high) = (range.lowerBound, range.upperBound)
        guard value.isFinite, high > low else { return initial }
        let moved =
            isLogarithmic
            ? value * FloatText.power(high / low, steps / 100)
            : value + (high - low) * steps / 100
        return min(max(FloatText.rounded(moved), low), high)
    }
}
