import AVFAudio
import Testing

@testable import SyrinxListening

@Suite("Effects of the command line") struct EffectArgumentTests {
    @Test("Names, keys and values are read")
    func read() throws {
        let effect = try EffectArgument("delay:time=0.25,feedback=-30")
        #expect(effect.name == "delay")
        #expect(effect.values == ["time": .number(0.25), "feedback": .number(-30)])
        #expect(try EffectArgument("limiter").values.isEmpty)
        let unit = try #require(effect.makeUnit() as? AVAudioUnitDelay)
        #expect(unit.delayTime == 0.25 && unit.feedback == -30 && unit.wetDryMix == 100)
        let band = try #require(
            try EffectArgument("eq:type=highShelf,frequency=3000,gain=-6").makeUnit() as? AVAudioUnitEQ
        )
        #expect(band.bands[0].filterType == .highShelf && band.bands[0].frequency == 3_000)
        #expect(band.bands[0].gain == -6 && !band.bands[0].bypass)
    }

    @Test(
        "What is not there or out of range is refused by a sentence that names what there is",
        arguments: [
            ("flanger", "there is no effect \"flanger\"; there are eq, lowpass"),
            ("delay:speed=1", "the effect \"delay\" has no key \"speed\"; it has time, feedback"),
            ("delay:time", "the effect \"delay\" takes key=value, not \"time\""),
            ("delay:time=3", "the time of \"delay\" must be a number, 0 … 2"),
            ("delay:time=soon", "the time of \"delay\" must be a number, 0 … 2"),
            ("delay:time=nan", "the time of \"delay\" must be a number, 0 … 2"),
            ("delay:", "the effect \"delay\" takes key=value, not \"\""),
            ("reverb:preset=moon", "the preset of \"reverb\" must be one of smallRoom, mediumRoom"),
            ("eq:type=3", "the type of \"eq\" must be one of parametric, lowPass"),
        ]
    )
    func refused(text: String, message: String) throws {
        let error = try #require(throws: EffectArgument.Malformed.self) { try EffectArgument(text) }
        #expect(error.message.hasPrefix(message), "\(error.message)")
    }

    @Test("A preset sets what was given before it, and keys given after it hold")
    func presets() throws {
        let effect = try EffectArgument("distortion:wetDryMix=10,preset=speechWaves,preGain=3")
        let unit = try #require(effect.makeUnit() as? AVAudioUnitDistortion)
        #expect(unit.wetDryMix == 50 && unit.preGain == 3)
        // A space of the reverb is none of the mix.
        let reverb = try EffectArgument("reverb:largeSize=9,wetDryMix=10,preset=plate,filterGain=3")
        let space = try #require(reverb.makeUnit() as? AVAudioUnitReverb)
        let tree = try #require(space.auAudioUnit.parameterTree)
        #expect(space.wetDryMix == 10 && tree.parameter(withAddress: 3)?.value == 2)
        #expect(tree.parameter(withAddress: 16)?.value == 3)
        #expect(reverb.allValues.map(\.key) == ["preset", "wetDryMix", "filterGain"])
    }

    @Test("Every effect has keys with ranges that hold their defaults, and makes its unit", arguments: EffectKind.all)
    func catalogue(kind: EffectKind) throws {
        #expect(!kind.numberKeys.isEmpty)
        for key in kind.numberKeys {
            #expect(key.range.contains(key.initial))
            for value in [key.range.lowerBound, key.range.upperBound] {
                let unit = try #require(try EffectArgument("\(kind.name):\(key.name)=\(value)").makeUnit())
                let parameter = unit.auAudioUnit.parameterTree?.parameter(withAddress: key.address)
                #expect(parameter?.value == Float(value), "\(kind.name) \(key.name)")
            }
        }
    }

    @Test("A command sets all of its keys or none, and is answered by the settings")
    func command() throws {
        let input = try #require(ListeningInput(argument: "a.wav"))
        let reverb = try EffectArgument("reverb:wetDryMix=20")
        var session = ListeningSession(inputs: [input], settings: SoundSettings(effects: [reverb]))
        _ = session.begin()
        let line = #"{"command":"effect","index":0,"set":{"wetDryMix":40,"preset":"plate"}}"#
        let actions = session.handle(.request(.command(try ListeningCommand(json: line))), at: 1)
        let expected = try EffectArgument("reverb:preset=plate,wetDryMix=40")
        #expect(
            actions == [
                .setEffect(0, expected, keys: ["preset", "wetDryMix"]),
                .emit(.settings(rate: 1, pitch: 0, volume: 1, effects: [expected])),
            ]
        )
        for line in [
            #"{"command":"effect","index":1,"set":{"wetDryMix":40}}"#,
            #"{"command":"effect","index":0,"set":{"wetDryMix":41,"time":1}}"#,
            #"{"command":"effect","index":0,"set":{"wetDryMix":101}}"#,
        ] {
            let answer = session.handle(.request(.command(try ListeningCommand(json: line))), at: 2)
            #expect(answer.allSatisfy { if case .setEffect = $0 { false } else { true } })
            #expect(answer.contains { if case .emit(.warning) = $0 { true } else { false } })
        }
        #expect(session.settings.effects == [expected])
        for line in [#"{"command":"effect","index":0}"#, #"{"command":"effect","index":0,"set":{"time":[1]}}"#] {
            #expect(throws: CommandError.self) { try ListeningCommand(json: line) }
        }
    }
}
