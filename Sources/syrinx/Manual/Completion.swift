import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxDevice
import SyrinxListening
import SyrinxPodcastLibrary
import SyrinxTerminal

/// Shell completions for values of options and arguments.
enum Completion {
    /// Completes output names, including those of this machine, and paths after `file:`.
    static let outputs = kind { word, _ in outputs(word, devices: OutputDevices.list().map(\.id)) }
    /// Completes effect names, the keys of an effect, and the values of a key.
    static let effects = kind { word, _ in effects(word) }
    /// Completes the titles of the user's podcasts.
    static let podcasts = kind { _, _ in podcastTitles() }
    /// Completes the names of saved playlists.
    static let playlists = kind { _, _ in playlistNames() }
    /// Completes the names of favorite stations.
    static let stations = kind { _, _ in stationNames() }
    /// Completes the commands of `syrinx control`, and their values.
    static let commands = kind { word, before in commands(word, after: before) }
    /// Completes the commands of `syrinx queue`, and their values.
    static let queue = kind { word, before in queue(word, after: before) }

    /// The maximum number of folder entries or titles that are offered.
    private static let limit = 10_000

    // MARK: Values

    /// Returns the outputs that start with `word`.
    static func outputs(_ word: String, devices: [String]) -> [String] {
        if word.hasPrefix("file:") {
            return paths(String(word.dropFirst(5)), endings: ["wav"]).map { "file:" + $0 }
        }
        return ["auto", "pulse", "alsa", "null", "file:"] + devices
    }

    /// Returns completions of an effect, such as `reverb`, `reverb:wetDryMix=` or `reverb:preset=plate`.
    static func effects(_ word: String) -> [String] {
        guard let colon = word.firstIndex(of: ":") else {
            let names = EffectKind.all.map(\.name).filter { $0.hasPrefix(word) }
            // After a complete name, offer its keys too.
            return names.contains(word) ? names + ["\(word):"] : names
        }
        guard let effect = EffectKind.named(String(word[..<colon])) else { return [] }
        let start = word.lastIndex(of: ",") ?? colon
        let head = word[...start]
        let pair = word[word.index(after: start)...]
        if let sign = pair.firstIndex(of: "=") {
            let key = pair[..<sign]
            return (effect.nameKeys.first { $0.name == key }?.values ?? []).map { "\(head)\(key)=\($0)" }
        }
        let used = Set(head.dropFirst(effect.name.count + 1).split(separator: ",").map { $0.prefix { $0 != "=" } })
        return effect.keyNames.filter { !used.contains(Substring($0)) }.map { "\(head)\($0)=" }
    }

    /// Returns the words of `syrinx control` that may follow `words`.
    static func commands(_ word: String, after words: [String]) -> [String] {
        guard let name = words.first else { return ["status"] + CommandTable.rows.map(\.name) }
        guard let row = CommandTable.row(named: name), row.parameters.count >= words.count else { return [] }
        switch row.parameters[words.count - 1].kind {
        case .flag: return ["on", "off"]
        case .keyword(let keyword): return [keyword]
        case .part: return ["off"]
        case .word where name == "equalizer": return EqualizerName.allValueStrings
        case .word where name == "enqueue": return paths(word)
        case .word where name == "open-playlist": return playlistNames()
        default: return []
        }
    }

    /// Returns the words of `syrinx queue` that may follow `words`.
    static func queue(_ word: String, after words: [String]) -> [String] {
        switch words.first {
        case nil: ["list", "add", "remove", "move", "clear", "save", "append"]
        case "add": paths(word)
        case "save", "append": words.count == 1 ? paths(word, endings: ["m3u8"]) : []
        default: []
        }
    }

    /// Returns the names of saved playlists, except those that contain unprintable characters.
    private static func playlistNames() -> [String] {
        (PlaylistShelf.user()?.summaries() ?? []).map(\.name.text).filter { PrintableText.line($0) == $0 }
    }

    /// Returns the names of favorite stations, except those that contain unprintable characters.
    private static func stationNames() -> [String] {
        let stations = (try? RadioStore.user()?.favorites())?.stations ?? []
        return stations.map(\.name).filter { !$0.isEmpty && Int($0) == nil && PrintableText.line($0) == $0 }
    }

    /// Returns the titles of podcasts, except those that contain unprintable characters.
    private static func podcastTitles() -> [String] {
        guard let path = LibraryOptions.path, FilePath(bytes: ByteText.bytes(of: path)).status != nil,
            let podcasts = try? LibraryOptions.standard.open().podcasts()
        else { return [] }
        return podcasts.prefix(limit).map(\.title).filter {
            !$0.isEmpty && Int64($0) == nil && PrintableText.line($0) == $0
        }
    }

    // MARK: Paths

    /// Returns the paths that start with `prefix`; folders end with a slash.
    ///
    /// - Parameter endings: The file name extensions to include, in lower case; `nil` includes all files.
    static func paths(_ prefix: String, endings: Set<String>? = nil) -> [String] {
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let start = prefix.dropFirst(folder.count)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        return names.lazy
            .filter {
                $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) && PrintableText.line($0) == $0
            }
            .compactMap { name -> String? in
                let path = folder + name
                if let status = FilePath(bytes: ByteText.bytes(of: path)).status, status.st_mode & S_IFMT == S_IFDIR {
                    return path + "/"
                }
                guard let endings else { return path }
                return endings.contains((name as NSString).pathExtension.lowercased()) ? path : nil
            }
            .prefix(limit).sorted()
    }

    // MARK: Shell

    /// Returns a completion kind that calls `complete`.
    ///
    /// - Parameter complete: Receives the word to complete, and the preceding words without the command's name and
    ///   options.
    private static func kind(_ complete: @escaping @Sendable (String, [String]) -> [String]) -> CompletionKind {
        .custom { words, index, _ in
            let words = words.prefix(min(max(index, 0), words.count) + 1).map(unquoted)
            let word = index < words.count ? words.last ?? "" : ""
            // The first two words are the program and its subcommand.
            let before = words.prefix(max(0, min(index, words.count))).dropFirst(2).filter { !$0.hasPrefix("-") }
            return complete(word, Array(before)).map(candidate)
        }
    }

    /// Removes the quotes and backslashes of a shell word.
    static func unquoted(_ word: String) -> String {
        var (text, quote, isEscaped) = ("", Character?.none, false)
        for character in word {
            if isEscaped || (quote == "'" && character != "'") {
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// Escapes colons, which in zsh separate a candidate from its description.
    private static func candidate(_ word: String) -> String {
        CompletionShell.requesting == .zsh ? word.replacing("\\", with: "\\\\").replacing(":", with: "\\:") : word
    }
}
