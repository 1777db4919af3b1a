import ArgumentParser
import Foundation
import SyrinxListening
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Manual pages") struct ManualPageTests {
    private func page(_ name: String) throws -> String {
        try #require(try ManualPage.all().first { $0.name == name }).text
    }

    /// Returns the lines of a section of a page.
    private func section(_ title: String, of page: String) -> [Substring] {
        let lines = page.split(separator: "\n")
        guard let start = lines.firstIndex(of: ".SH \(title)") else { return [] }
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix(".SH ") })
    }

    @Test("Every command that help shows has a page, and so has every command of podcast")
    func everyCommand() throws {
        let names = Set(try ManualPage.all().map(\.name))
        for part in RootCommand.configuration.subcommands where part != ManualCommand.self {
            #expect(names.contains("syrinx-\(part._commandName)"))
        }
        for part in PodcastCommand.configuration.subcommands {
            #expect(names.contains("syrinx-podcast-\(part._commandName)"))
        }
        #expect(!names.contains("syrinx-manual") && !names.contains("syrinx-help"))
    }

    @Test("Examples come before the synopsis, and every page has them")
    func examplesFirst() throws {
        for page in try ManualPage.all() {
            let examples = try #require(page.text.range(of: ".SH EXAMPLES\n"), "\(page.name)")
            let synopsis = try #require(page.text.range(of: ".SH SYNOPSIS\n"))
            #expect(examples.lowerBound < synopsis.lowerBound)
            #expect(section("EXAMPLES", of: page.text).contains { $0.hasPrefix("syrinx") || $0.contains("| syrinx") })
        }
    }

    @Test("A page has the options with defaults, the exit codes, the keys and the effects of the tables")
    func tables() throws {
        let play = try page("syrinx-play")
        let options = section("OPTIONS", of: play)
        #expect(options.contains("\\fB\\-\\-output\\fR \\fIoutput\\fR"))
        #expect(options.contains("\\fB\\-r\\fR, \\fB\\-\\-recursive\\fR"))
        #expect(options.contains { $0.hasSuffix("Default: automatic.") })
        let codes = section("EXIT STATUS", of: play)
        for (status, meaning) in ExitStatus.meanings {
            #expect(codes.contains(Substring("\(status.rawValue)")) && codes.contains(Substring(meaning)))
        }
        let effects = section("EFFECTS", of: play)
        for kind in EffectKind.all { #expect(effects.contains { $0.hasPrefix("\(kind.name):") }) }
        #expect(section("DESCRIPTION", of: play).contains { $0.hasSuffix("Pause or play") })
        #expect(section("EFFECTS", of: try page("syrinx-info")).isEmpty)
    }

    @Test("The meanings of exit codes are those of all codes, each once, in order")
    func meanings() {
        let codes = ExitStatus.meanings.map(\.status.rawValue)
        #expect(codes == codes.sorted() && Set(codes).count == codes.count)
        #expect(codes == [0, 64, 65, 66, 69, 74, 75, 77, 129, 130, 143])
    }

    @Test("Nothing in a text is a request or an escape of the macros")
    func escapes() {
        #expect(ManualText.line(".TH x") == "\\&.TH x")
        #expect(ManualText.line("'s \\n") == "\\&\\(aqs \\en")
        #expect(ManualText.line("`play -x` a-b") == "\\fBplay \\-x\\fR a-b")
        #expect(ManualText.line("an odd `quote") == "an odd \\fBquote\\fR")
        #expect(ManualText.line("echo `a` -b", isCode: true) == "echo \\(gaa\\(ga \\-b")
    }

    @Test("The hidden command lists the pages, writes one, and refuses another")
    func command() throws {
        let list = try Syrinx.run("manual")
        #expect(list.status == 0 && list.output.hasPrefix("syrinx\nsyrinx-play\n"))
        let page = try Syrinx.run("manual", "syrinx-devices")
        #expect(page.output.hasPrefix(".TH \"SYRINX\\-DEVICES\" 1"))
        #expect(try Syrinx.run("manual", "syrinx-nothing").status == 64)
        #expect(try !Syrinx.run("--help").output.contains("manual"))
    }
}
