import SyrinxDesktopModel
import SyrinxPlayback
import Testing

@Suite("Sound of shows")
struct ShowSoundTests {
    private let general = ListeningSound(rate: 1.25, volume: 0.8, smartSpeed: 0, equalizer: nil)

    private func settings(_ change: (inout ShowSettings) -> Void) -> ShowSettings {
        var settings = ShowSettings()
        change(&settings)
        return settings
    }

    @Test("A podcast replaces what it sets, each within its range, and leaves the rest")
    func replacing() {
        var sound = ShowSound()
        let show = settings {
            ($0.volume, $0.isMono, $0.balance, $0.equalizer, $0.rate) = (0.5, true, -7, "speech", .infinity)
        }
        let begun = sound.begin(show, current: general)
        #expect(
            begun
                == ListeningSound(rate: 4, volume: 0.5, smartSpeed: 0, isMono: true, balance: -1, equalizer: "speech")
        )
        #expect(sound.general == general)
    }

    @Test("After episodes of several podcasts the sound is as it was before the first")
    func ending() {
        var sound = ShowSound()
        let first = sound.begin(settings { $0.volume = 0.3 }, current: general)
        sound.settled(first)
        let second = sound.begin(settings { $0.isMono = true }, current: first)
        #expect(second.volume == 0.8)
        #expect(second.isMono)
        #expect(sound.end() == general)
        #expect(sound.end() == nil)
        #expect(sound.general == nil)
    }

    @Test("The listener's changes are settings of the podcast, once, and bands of the listener's own are not")
    func changes() {
        var sound = ShowSound()
        #expect(sound.takeChanges(general) == nil)
        var current = sound.begin(settings { $0.equalizer = "speech" }, current: general)
        sound.settled(current)
        #expect(sound.takeChanges(current) == nil)
        (current.volume, current.balance) = (0.6, 0.2)
        #expect(sound.takeChanges(current) == settings { ($0.volume, $0.balance) = (0.6, 0.2) })
        #expect(sound.takeChanges(current) == nil)
        current.equalizer = nil
        #expect(sound.takeChanges(current) == nil)
        (current.rate, current.voiceBoost, current.smartSpeed, current.isMono) = (2, true, 1, true)
        #expect(
            sound.takeChanges(current)
                == settings { ($0.rate, $0.voiceBoost, $0.smartSpeed, $0.isMono) = (2, true, 1, true) }
        )
    }

    @Test("A form shows what is in force, and keeps what is set in it alone")
    func form() {
        let presets = ["flat", "speech"].map { ShowSettingsForm.Preset(identifier: $0, name: $0.uppercased()) }
        var form = ShowSettingsForm(
            settings { $0.introDuration = 12 },
            usual: PlaybackSettings(volume: 0.8, skipForward: 10, equalizer: "speech"),
            presets: presets
        )
        #expect(ShowSetting.allCases.filter(form.isSet) == [.introDuration])
        #expect(form.value(.volume) == 80)
        #expect(form.value(.skipForward) == 10)
        #expect(form.value(.equalizer) == 1)
        for (setting, value) in [
            (ShowSetting.volume, 55.0), (.smartSpeed, 2), (.isMono, 1), (.balance, -0.5), (.equalizer, 0),
            (.skipBack, 15),
        ] {
            form.set(setting, to: value)
            #expect(form.isSet(setting))
            #expect(form.value(setting) == value)
        }
        #expect(form.settings.volume == 0.55)
        #expect(form.settings.equalizer == "flat")
        for setting in ShowSetting.allCases { form.set(setting, to: nil) }
        #expect(form.settings == ShowSettings())
        form.set(.equalizer, to: 2)
        #expect(!form.isSet(.equalizer))
        #expect(form.control(.equalizer) == .choice(["FLAT", "SPEECH"]))
    }

    @Test("All settings are listed once")
    func listed() {
        #expect(ShowSetting.sound + ShowSetting.skips == ShowSetting.allCases)
    }

    @Test("A balance is told in words")
    func balance() {
        #expect(SliderScale.balanceText(0) == "In the middle")
        #expect(SliderScale.balanceText(-0.3) == "30 % to the left")
        #expect(SliderScale.balanceText(9) == "100 % to the right")
        #expect(SliderScale.balanceText(.nan) == "In the middle")
    }
}
