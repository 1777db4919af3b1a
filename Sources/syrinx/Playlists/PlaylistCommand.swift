import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxStreaming

/// `syrinx playlist`: the saved playlists of the user.
struct PlaylistCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "playlist",
        abstract: "Lists, plays and changes your saved playlists.",
        discussion: """
            A playlist is a file NAME.m3u8 in $XDG_DATA_HOME/syrinx/playlists (default: ~/.local/share). The command `favorite` of a \
            player adds to the playlist Favorites. save, append and open use your running player.
            """,
        subcommands: [
            PlaylistList.self, PlaylistPlay.self, PlaylistOpen.self, PlaylistSave.self, PlaylistAppend.self,
            PlaylistRename.self, PlaylistDelete.self,
        ]
    )
    static let examples = [
        "syrinx playlist save evening",
        "syrinx playlist list",
        "syrinx playlist play evening --shuffle",
        "syrinx playlist append evening ~/Music/Album",
        "syrinx playlist rename evening night",
    ]

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        throw .usage("A command is missing, such as list, play or save. See syrinx playlist --help.", name: "playlist")
    }

    /// Returns the saved playlists of the user.
    static func shelf() throws(Failure) -> PlaylistShelf {
        guard let shelf = PlaylistShelf.user() else {
            throw .usage("Neither XDG_DATA_HOME nor HOME names a folder for playlists.", name: "playlist")
        }
        return shelf
    }

    /// Returns the entries of a playlist as the inputs of a player.
    /// - Throws: `media.empty` for a playlist without entries; the errors of reading it.
    static func inputs(of text: String) throws(Failure) -> [ListeningInput] {
        let name = try PlaylistName(text)
        let inputs = try shelf().entries(of: name).map { ListeningInput($0) }
        guard !inputs.isEmpty else { throw Failure(code: .empty, message: "this playlist is empty", name: name.text) }
        return inputs
    }
}

/// `syrinx playlist list [NAME]`.
struct PlaylistList: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the playlists, or the entries of one."
    )
    static let examples = ["syrinx playlist list", "syrinx playlist list Favorites --json"]

    @Flag(help: "Write one JSON object per playlist or entry") var json = false
    @OptionGroup var text: TextOptions
    @Argument(help: "Name of a playlist", completion: Completion.playlists) var name: String?

    var writesJSON: Bool { json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let shelf = try PlaylistCommand.shelf()
        if let name {
            for (index, entry) in try shelf.entries(of: try PlaylistName(name)).enumerated() {
                context.console.write(PlaylistEntryReport(entry, index: index), asJSON: json)
            }
            return .success
        }
        let summaries = shelf.summaries()
        for summary in summaries { context.console.write(PlaylistReport(summary, in: shelf), asJSON: json) }
        if summaries.isEmpty, !json {
            context.console.say("syrinx: playlist: no playlists yet; syrinx playlist save NAME saves the queue")
        }
        return .success
    }
}

/// `syrinx playlist play NAME`.
struct PlaylistPlay: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays a playlist.",
        discussion: "The options are those of play."
    )
    static let examples = ["syrinx playlist play evening", "syrinx playlist play Favorites --shuffle"]

    @OptionGroup var options: PlayOptions
    @Argument(help: "Name of a playlist", completion: Completion.playlists) var name: String

    var writesJSON: Bool { options.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let inputs = try PlaylistCommand.inputs(of: name)
        do { try options.check(inputs) } catch { throw .usage("\(error)", name: "playlist") }
        return try options.play(inputs, in: context)
    }
}

/// `syrinx playlist open NAME`.
struct PlaylistOpen: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Opens a playlist in place of the queue of your running player."
    )
    static let examples = ["syrinx playlist open evening"]

    @Option(help: ArgumentHelp("Process number of the player, if several run", valueName: "pid"))
    var process: Int?
    @OptionGroup var text: TextOptions
    @Argument(help: "Name of a playlist", completion: Completion.playlists) var name: String

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        // The player has the same files, and reports a problem to its own face alone.
        _ = try PlaylistCommand.inputs(of: name)
        let name = try PlaylistName(name)
        let (player, _) = try ControlledPlayer.find(process: process, name: "playlist")
        try player.carryOut(.openPlaylist(name.text), name: "playlist")
        return .success
    }
}

/// `syrinx playlist save NAME`.
struct PlaylistSave: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Saves the queue of your running player as a playlist."
    )
    static let examples = ["syrinx playlist save evening", "syrinx playlist save evening --force"]

    @Option(help: ArgumentHelp("Process number of the player, if several run", valueName: "pid"))
    var process: Int?
    @Flag(help: "Replace a playlist of this name") var force = false
    @OptionGroup var text: TextOptions
    @Argument(help: "Name of the playlist") var name: String

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let (shelf, name) = (try PlaylistCommand.shelf(), try PlaylistName(name))
        let entries = try QueueCommand.entries(of: process, name: "playlist").compactMap(\.playlistEntry)
        guard !entries.isEmpty else { throw Failure(code: .empty, message: "the queue is empty", name: "playlist") }
        try shelf.store(entries, as: name, replaces: force)
        context.console.say(
            "syrinx: playlist: \(name) has \(entries.count) \(entries.count == 1 ? "entry" : "entries")"
        )
        return .success
    }
}

/// `syrinx playlist append NAME [INPUT…]`.
struct PlaylistAppend: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "append",
        abstract: "Adds inputs to a playlist, or the queue of your running player if none are named.",
        discussion: "A playlist that does not exist is created. Folders and playlists are replaced by their contents."
    )
    static let examples = ["syrinx playlist append evening song.flac", "syrinx playlist append evening"]

    @Option(help: ArgumentHelp("Process number of the player, if several run", valueName: "pid"))
    var process: Int?
    @OptionGroup var text: TextOptions
    @Argument(help: "Name of the playlist", completion: Completion.playlists) var name: String
    @Argument(help: "Paths and URLs of recordings, stations, playlists and folders") var input: [ListeningInput] = []

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let (shelf, name) = (try PlaylistCommand.shelf(), try PlaylistName(name))
        var entries: [Playlist.Entry] = []
        if input.isEmpty {
            entries = try QueueCommand.entries(of: process, name: "playlist").compactMap(\.playlistEntry)
        } else {
            for case .file(let path) in input.map(\.location) where path.status == nil {
                throw Failure(code: .fileNotFound, message: Descriptor.sentence(ENOENT), name: path.name)
            }
            let found = InputExpansion(recursively: true).expandLocal(input)
            for problem in found.problems { context.console.say(Failure(problem, name: problem.name).warningLine) }
            entries = found.inputs.compactMap { Playlist.Entry($0) }
        }
        guard !entries.isEmpty else {
            throw Failure(code: .empty, message: "there is nothing to add", name: "playlist")
        }
        let count = try shelf.append(entries, to: name)
        context.console.say("syrinx: playlist: \(name) has \(count) \(count == 1 ? "entry" : "entries")")
        return .success
    }
}

/// `syrinx playlist rename NAME NEW`.
struct PlaylistRename: RunnableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Renames a playlist.")
    static let examples = ["syrinx playlist rename evening night"]

    @OptionGroup var text: TextOptions
    @Argument(help: "Name of the playlist", completion: Completion.playlists) var name: String
    @Argument(help: "New name") var new: String

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        try PlaylistCommand.shelf().rename(try PlaylistName(name), to: try PlaylistName(new))
        return .success
    }
}

/// `syrinx playlist delete NAME…`.
struct PlaylistDelete: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes playlists, but not the files that they list."
    )
    static let examples = ["syrinx playlist delete evening"]

    @OptionGroup var text: TextOptions
    @Argument(help: "Names of playlists", completion: Completion.playlists) var name: [String]

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let shelf = try PlaylistCommand.shelf()
        for name in name { try shelf.delete(try PlaylistName(name)) }
        return .success
    }
}
