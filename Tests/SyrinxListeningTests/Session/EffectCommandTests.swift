import Testing

@testable import SyrinxListening

@Suite("Commands that change the list of effects")
struct EffectCommandTests {
    private func session(_ effects: String...) throws -> ListeningSession {
        let arguments = try effects.map { try EffectArgument($0) }
        let inputs = ["a"].compactMap { ListeningInput(argument: $0) }
        var session = ListeningSession(inputs: inputs, settings: SoundSettings(effects: arguments))
        _ = session.begin()
        return session
    }

    private func carryOut(_ command: ListeningCommand, _ session: inout ListeningSession) -> [SessionAction] {
        session.handle(.request(.command(command)), at: 1)
    }

    private func names(_ session: ListeningSession) -> [String] { session.settings.effects.map(\.name) }

    @Test("An effect is added behind the others, with the values that are given")
    func add() throws {
        var session = try session("lowpass")
        let actions = carryOut(.addEffect("reverb:preset=plate,wetDryMix=20"), &session)
        let reverb = try EffectArgument("reverb:preset=plate,wetDryMix=20")
        #expect(actions.first == .addEffect(reverb) && actions.count == 2)
        #expect(names(session) == ["lowpass", "reverb"])
        guard case .emit(.settings(_, _, _, _, let effects, _)) = actions.last else {
            Issue.record("no event tells the settings")
            return
        }
        #expect(effects.map(\.name) == ["lowpass", "reverb"])
    }

    @Test("What is no effect, and one too many, changes nothing and says why")
    func refusals() throws {
        var session = try session()
        for text in ["nonsense", "reverb:preset=none", "delay:time=1000", "eq:nothing=1"] {
            let actions = carryOut(.addEffect(text), &session)
            guard case .emit(.warning(let failure)) = actions.first else {
                Issue.record("\(text) is taken")
                continue
            }
            #expect(failure.code == .badCommand && actions.count == 1)
        }
        #expect(session.settings.effects.isEmpty)
        for _ in 0..<SoundSettings.maximumEffectCount { _ = carryOut(.addEffect("eq"), &session) }
        #expect(carryOut(.addEffect("eq"), &session).count == 1)
        #expect(session.settings.effects.count == SoundSettings.maximumEffectCount)
        #expect(carryOut(.removeEffect(32), &session).count == 1)
        #expect(carryOut(.moveEffect(from: 0, to: 32), &session).count == 1)
        #expect(session.settings.effects.count == SoundSettings.maximumEffectCount)
    }

    @Test("A switched-off effect stays switched off when others are moved and removed")
    func bypass() throws {
        var session = try session("eq", "delay", "reverb", "limiter")
        _ = session.handle(.request(.setBypass(effect: 2, true)), at: 1)
        #expect(carryOut(.moveEffect(from: 2, to: 0), &session).first == .moveEffect(from: 2, to: 0))
        #expect(names(session) == ["reverb", "eq", "delay", "limiter"])
        func off() -> [Int] { (0..<4).filter(session.settings.isBypassed(effect:)) }
        #expect(off() == [0])
        _ = carryOut(.moveEffect(from: 3, to: 0), &session)
        #expect(off() == [1])
        #expect(carryOut(.removeEffect(0), &session).first == .removeEffect(0))
        #expect(names(session) == ["reverb", "eq", "delay"] && off() == [0])
        _ = carryOut(.removeEffect(0), &session)
        #expect(names(session) == ["eq", "delay"] && off().isEmpty)
    }

    @Test("A player in another process says why a command cannot be carried out")
    func reasons() {
        var status = RemoteStatus()
        status.effects = 2
        #expect(status.reason(against: .removeEffect(1)) == nil && status.reason(against: .removeEffect(2)) != nil)
        #expect(status.reason(against: .moveEffect(from: 0, to: 1)) == nil)
        #expect(status.reason(against: .moveEffect(from: 0, to: 2)) != nil)
        #expect(status.reason(against: .addEffect("reverb")) == nil)
        #expect(status.reason(against: .addEffect("reverbs"))?.contains("reverb") == true)
        #expect(status.reason(against: .forgetSettings) != nil)
        status.keptFor = "Dune"
        #expect(status.reason(against: .forgetSettings) == nil)
    }
}
