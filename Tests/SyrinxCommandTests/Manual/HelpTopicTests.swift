import SyrinxListening
import SyrinxPlayerUI
import SyrinxTerminal
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Tables of syrinx help") struct HelpTopicTests {
    @Test("Each topic is printed with exit code 0, in at most 80 columns", arguments: HelpTopic.allCases)
    func printed(topic: HelpTopic) throws {
        let result = try Syrinx.run("help", topic.rawValue)
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(result.output == topic.text + "\n")
        // A usage that is longer stands alone, because it is one word.
        for line in topic.text.split(separator: "\n") { #expect(DisplayWidth.of(String(line)) <= 80, "\(line)") }
    }

    @Test("The topics have all that the tables of the program have")
    func complete() {
        let keys = HelpTopic.keys.text
        for row in CommandTable.rows { #expect(keys.contains("  " + row.usage), "\(row.usage)") }
        for group in KeyTable.groups { #expect(keys.contains(group.title.uppercased())) }
        for command in FaceCommand.allCases { #expect(keys.contains(command.rawValue)) }
        for kind in EffectKind.all { #expect(HelpTopic.effects.text.contains(kind.name + ": ")) }
        for preset in Tone.equalizers { #expect(HelpTopic.effects.text.contains(preset)) }
        for row in ConfigTable.rows { #expect(HelpTopic.config.text.contains("  " + row.name + " ")) }
        for (status, _) in ExitStatus.meanings { #expect(HelpTopic.exitCodes.text.contains("  \(status.rawValue) ")) }
    }

    @Test("Other words after help are those of the parser")
    func others() throws {
        #expect(try Syrinx.run("help", "play").output.contains("USAGE: syrinx play"))
        #expect(HelpTopic(["help"]) == nil && HelpTopic(["help", "keys", "x"]) == nil && HelpTopic(["keys"]) == nil)
    }
}
