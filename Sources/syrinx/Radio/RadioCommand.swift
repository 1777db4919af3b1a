import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxListening

/// `syrinx radio`: the stations of the user, and the titles that were heard on them.
struct RadioCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "radio",
        abstract: "Lists and plays your stations, and lists the titles that you heard.",
        discussion: """
            A STATION is a number from `radio stations`, an address, or the beginning of a name. The command `favorite` of a player adds \
            the station that plays.
            """,
        subcommands: [RadioStations.self, RadioTitles.self, RadioPlay.self, RadioAdd.self, RadioRemove.self]
    )
    static let examples = [
        "syrinx radio add https://radio.example/stream.mp3",
        "syrinx radio stations",
        "syrinx radio play 1",
        "syrinx radio titles --limit 20",
    ]

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        throw .usage("A command is missing, such as stations, titles or play. See syrinx radio --help.", name: "radio")
    }

    /// Returns the stations and titles of the user.
    static func store() throws(Failure) -> RadioStore {
        guard let store = RadioStore.user() else {
            throw .usage("Neither XDG_DATA_HOME nor HOME names a folder for stations.", name: "radio")
        }
        return store
    }

    /// Returns the favorite station that a word names.
    ///
    /// - Throws: `file.notFound` if there is none, `usage.badCommand` if several begin with the word.
    static func station(_ word: String, in list: StationList) throws(Failure) -> Station {
        if let number = Int(word), list.stations.indices.contains(number.subtractingClamped(1)) {
            return list.stations[number - 1]
        }
        let folded = word.lowercased()
        let named = list.stations.filter { $0.name.lowercased() == folded || $0.address == word }
        if let station = named.first { return station }
        let begun = list.stations.filter { $0.name.lowercased().hasPrefix(folded) }
        guard begun.count <= 1 else {
            let names = begun.prefix(5).map(\.name).joined(separator: ", ")
            throw .usage("several stations begin so: \(names)", name: word, code: .badCommand)
        }
        guard let station = begun.first else {
            let message = "there is no such station; syrinx radio stations lists them"
            throw Failure(code: .fileNotFound, message: message, name: word)
        }
        return station
    }
}

/// `syrinx radio stations`.
struct RadioStations: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stations",
        abstract: "Lists the favorite stations, or those that were heard last."
    )
    static let examples = ["syrinx radio stations", "syrinx radio stations --recent --json"]

    @Flag(help: "List the stations that were heard last") var recent = false
    @Flag(help: "Write one JSON object per station") var json = false
    @OptionGroup var text: TextOptions

    var writesJSON: Bool { json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let store = try RadioCommand.store()
        let list = recent ? store.recent() : try store.favorites()
        for (index, station) in list.stations.enumerated() {
            context.console.write(StationReport(station, index: index), asJSON: json)
        }
        if list.stations.isEmpty, !json {
            context.console.say("syrinx: radio: there are no stations yet; syrinx radio add URL adds one")
        }
        return .success
    }
}

/// `syrinx radio titles`.
struct RadioTitles: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "titles",
        abstract: "Lists the titles that were heard on stations, the last one first."
    )
    static let examples = ["syrinx radio titles", "syrinx radio titles --limit 20 --json"]

    @Option(help: ArgumentHelp("Maximum number of titles (default: all that are kept, at most 1000)", valueName: "n"))
    var limit: Int?
    @Flag(help: "Write one JSON object per title") var json = false
    @OptionGroup var text: TextOptions

    var writesJSON: Bool { json }

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is \(limit), less than 1") }
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let titles = try RadioCommand.store().titles().titles.reversed()
        for title in titles.prefix(limit ?? .max) { context.console.write(TitleReport(title), asJSON: json) }
        return .success
    }
}

/// `syrinx radio play STATION`.
struct RadioPlay: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays a favorite station.",
        discussion: "The options are those of play."
    )
    static let examples = ["syrinx radio play 1", "syrinx radio play \"Radio Paradise\" --sleep 30:00"]

    @OptionGroup var options: PlayOptions
    @Argument(help: "Number, name or address of a favorite station", completion: Completion.stations) var station:
        String

    var writesJSON: Bool { options.json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let station = try RadioCommand.station(station, in: try RadioCommand.store().favorites())
        guard let input = station.input else {
            throw .usage(ListeningInput.refusal, name: Redaction.redact(name: station.address))
        }
        do { try options.check([input]) } catch { throw .usage("\(error)", name: "radio") }
        return try options.play([input], in: context)
    }
}

/// `syrinx radio add URL`.
struct RadioAdd: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a station to the favorites.",
        discussion: "Without --name, the station gets the name that it states when it is first played."
    )
    static let examples = ["syrinx radio add https://radio.example/stream.mp3 --name \"The Station\""]

    @Option(help: ArgumentHelp("Name of the station", valueName: "name")) var name: String?
    @Option(help: ArgumentHelp("Address of its picture", valueName: "url")) var picture: String?
    @OptionGroup var text: TextOptions
    @Argument(help: "URL of the stream") var url: String

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        guard let input = ListeningInput(argument: url), input.isWeb, let address = input.identity else {
            throw .usage("the address of a station begins with https: or http:", name: Redaction.redact(name: url))
        }
        let shown = name ?? input.url.host() ?? input.shortName
        let station = Station(address: address, name: shown, picture: picture)
        let hasSpace = try RadioCommand.store().changeFavorites { list throws(Failure) in list.add(station) }
        guard hasSpace else {
            let message = "there are \(StationList.mostFavorites) favorite stations: remove one before"
            throw .usage(message, name: "radio", code: .badCommand)
        }
        return .success
    }
}

/// `syrinx radio remove STATION…`.
struct RadioRemove: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes stations from the favorites."
    )
    static let examples = ["syrinx radio remove 2"]

    @OptionGroup var text: TextOptions
    @Argument(help: "Numbers, names or addresses of favorite stations", completion: Completion.stations)
    var station: [String]

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        try RadioCommand.store().changeFavorites { list throws(Failure) in
            // All numbers count in the list as it was.
            var meant: [Station] = []
            for word in station { meant.append(try RadioCommand.station(word, in: list)) }
            for station in meant { _ = list.remove(at: station.address) }
        }
        return .success
    }
}
