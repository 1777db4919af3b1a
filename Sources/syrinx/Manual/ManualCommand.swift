import ArgumentParser
import SyrinxListening

/// `syrinx manual`: writes the manual pages, for installation and packaging.
struct ManualCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Lists the names of the manual pages, or writes one of them in the macros of man.",
        shouldDisplay: false
    )
    static let examples = ["syrinx manual", "syrinx manual syrinx-play | man -l -"]

    @Argument(help: "Name of a page (default: list the names)")
    var page: String?

    var writesJSON: Bool { false }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let pages: [ManualPage]
        do {
            pages = try ManualPage.all()
        } catch {
            throw .usage("The parser describes its commands in a format of another version.", name: "manual")
        }
        guard let page else {
            for page in pages { context.console.write(page.name) }
            return .success
        }
        guard let found = pages.first(where: { $0.name == page }) else {
            throw .usage("There is no such page. syrinx manual lists them.", name: page)
        }
        context.console.write(found.text)
        return .success
    }
}
