import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI
import Testing

@testable import syrinx

@Suite("Mono, balance and the equalizer on the full screen")
struct ToneScreenTests {
    private func session() throws -> ListeningSession {
        ListeningSession(inputs: [try #require(ListeningInput(argument: "a.wav"))])
    }

    /// Hands a wish of the screen to the session.
    private func set(_ session: inout ListeningSession, _ action: PlayerAction) -> [SessionAction] {
        ListeningRequest(action, session.settings).map { session.handle(.request($0), at: 0) } ?? []
    }

    @Test("Keys change the tone in steps, and stop at the ends")
    func keys() throws {
        var session = try session()
        let mono = session.handle(.request(.command(.mono(nil))), at: 0)
        #expect(mono.first == .setTone(session.settings.tone))
        #expect(session.settings.tone.isMono)
        _ = session.handle(.request(.command(.mono(nil))), at: 0)
        #expect(!session.settings.tone.isMono)
        for _ in 0..<3 { _ = session.handle(.request(.command(.balance(.by(-0.1)))), at: 0) }
        #expect(session.settings.tone.balance == -0.3)
        #expect(session.settings.tone.words == ["balance 30 % left"])
        for _ in 0..<20 { _ = session.handle(.request(.command(.balance(.by(0.1)))), at: 0) }
        #expect(session.settings.tone.balance == 1)
        var names: [String] = []
        repeat {
            _ = session.handle(.request(.command(.equalizer(nil))), at: 0)
            names.append(session.settings.tone.equalizer)
        } while names.last != Tone().equalizer && names.count < 100
        #expect(Set(names) == Set(EqualizerName.allValueStrings) && names.count == EqualizerName.allValueStrings.count)
    }

    @Test("The tone is the last entry of the effects page, and its values can be set there")
    func page() throws {
        var session = try session()
        let view = try #require(EffectView.all(of: session.settings).last)
        #expect(view.name == "tone" && !view.isSwitchable)
        #expect(view.parameters.map(\.name) == ["mono", "balance", "equalizer"])
        #expect(view.parameters.allSatisfy { $0.value == $0.initial })
        let index = EffectView.all(of: session.settings).count - 1
        _ = set(&session, .setParameter(effect: index, parameter: 0, 1))
        _ = set(&session, .setParameter(effect: index, parameter: 1, 0.5))
        _ = set(&session, .setParameter(effect: index, parameter: 2, 1))
        let tone = session.settings.tone
        #expect(tone.isMono && tone.balance == 0.5 && tone.equalizer == EqualizerName.allValueStrings[1])
        #expect(EffectView.all(of: session.settings).last?.parameters.map(\.value) == [1, 0.5, 1])
        #expect(tone.words == ["mono", "balance 50 % right", "equalizer \(tone.equalizer)"])
        for (parameter, value) in [(2, 1e9), (2, .nan), (7, 1), (-1, 1)] {
            let actions = set(&session, .setParameter(effect: index, parameter: parameter, value))
            #expect(actions == [])
        }
        #expect(session.settings.tone == tone)
    }

    @Test("The skips of the settings are those that the help tells")
    func skips() throws {
        var session = try session()
        #expect(SoundView(ListeningState(session), levels: []).skips == SkipIntervals())
        var general = ShowSettings()
        general.skipForward = 30
        session.prepare(general: general)
        #expect(SoundView(ListeningState(session), levels: []).skips == SkipIntervals(back: 5, forward: 30))
    }
}
