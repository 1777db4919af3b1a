import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxDevice
import SyrinxListening
import SyrinxPodcastLibrary
import SyrinxTerminal

/// The words that a shell offers for the value of an option or argument, when the Tab key asks for them.
enum Completion {
    /// The names of outputs, those of this machine among them, and paths behind `file:`.
    static let outputs = kind { word, _ in outputs(word, devices: OutputDevices.list().map(\.id)) }
    /// The names of effects, behind a name its keys, and behind a key its values.
    static let effects = kind { word, _ in effects(word) }
    /// The titles of the podcasts in the user's library.
    static let podcasts = kind { _, _ in podcastTitles() }
    /// The commands of the listener, and the values that they take.
    static let commands = kind { word, before in commands(word, after: before) }
    /// The changes of a queue, and the values that they take.
    static let queue = kind { word, before in queue(word, after: before) }

    /// Entries of a folder that are offered at most, and titles.
    private static let limit = 10_000

    // MARK: Values

    /// Returns the outputs that `word` may become.
    static func outputs(_ word: String, devices: [String]) -> [String] {
        if word.hasPrefix("file:") {
            return paths(String(word.dropFirst(5)), endings: ["wav"]).map { "file:" + $0 }
        }
        return ["auto", "pulse", "alsa", "null", "file:"] + devices
    }

    /// Returns the effects that `word` may become: `reverb`, `reverb:wetDryMix=`, `reverb:preset=plate`.
    static func effects(_ word: String) -> [String] {
        guard let colon = word.firstIndex(of: ":") else {
            let names = EffectKind.all.map(\.name).filter { $0.hasPrefix(word) }
            // The last letter of a name is known: its keys are next.
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
        default: return []
        }
    }

    /// Returns the words of `syrinx queue` that may follow `words`.
    static func queue(_ word: String, after words: [String]) -> [String] {
        switch words.first {
        case nil: ["add", "remove", "move", "clear", "save", "append"]
        case "add": paths(word)
        case "save", "append": words.count == 1 ? paths(word, endings: ["m3u8"]) : []
        default: []
        }
    }

    /// Returns the titles that name a podcast, without a title that a terminal would show in another way.
    private static func podcastTitles() -> [String] {
        guard let path = LibraryOptions.path, FilePath(bytes: ByteText.bytes(of: path)).status != nil,
            let podcasts = try? LibraryOptions.standard.open().podcasts()
        else { return [] }
        return podcasts.prefix(limit).map(\.title).filter {
            !$0.isEmpty && Int64($0) == nil && PrintableText.line($0) == $0
        }
    }

    // MARK: Paths

    /// Returns the paths that `prefix` may become: folders with a slash at the end, and files.
    ///
    /// - Parameter endings: The endings of files, in lower case; `nil` takes all.
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

    // MARK: The shell

    /// Returns the kind that asks `complete` for candidates.
    ///
    /// - Parameter complete: Takes the word to complete, and the words before it that are neither the command's own nor options.
    private static func kind(_ complete: @escaping @Sendable (String, [String]) -> [String]) -> CompletionKind {
        .custom { words, index, _ in
            let words = words.prefix(min(max(index, 0), words.count) + 1).map(unquoted)
            let word = index < words.count ? words.last ?? "" : ""
            // The first two are the program and its command.
            let before = words.prefix(max(0, min(index, words.count))).dropFirst(2).filter { !$0.hasPrefix("-") }
            return complete(word, Array(before)).map(candidate)
        }
    }

    /// Returns a word of the command line without the quotes and backslashes of the shell.
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

    /// In zsh a colon ends a candidate and starts its description.
    private static func candidate(_ word: String) -> String {
        CompletionShell.requesting == .zsh ? word.replacing("\\", with: "\\\\").replacing(":", with: "\\:") : word
    }
}
