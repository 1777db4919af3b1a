import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import Testing

@Suite("Components by calls") struct ComponentCallTests {
    private func all(_ pattern: AudioComponentDescription) -> [AudioComponent] {
        var pattern = pattern
        var found: [AudioComponent] = []
        while let next = AudioComponentFindNext(found.last, &pattern) { found.append(next) }
        return found
    }

    private func description(of component: AudioComponent) -> AudioComponentDescription {
        var description = AudioComponentDescription()
        #expect(AudioComponentGetDescription(component, &description) == noErr)
        return description
    }

    @Test("Components are those that the manager lists, each once")
    func components() throws {
        GainUnit.registered
        let any = AudioComponentDescription()
        let listed = AVAudioUnitComponentManager.shared().components(matching: any)
        let found = all(any)
        #expect(Set(found).count == found.count && Set(found).isSuperset(of: listed.map(\.audioComponent)))
        var pattern = AudioComponentDescription()
        pattern.componentType = kAudioUnitType_Output
        let outputs = all(pattern)
        #expect(outputs.count == 6 && AudioComponentCount(&pattern) == 6)
        #expect(outputs.allSatisfy { description(of: $0).componentType == kAudioUnitType_Output })
        pattern.componentSubType = kAudioUnitSubType_RemoteIO
        #expect(all(pattern).count == 1)
        pattern.componentManufacturer = 0x5465_7374
        #expect(all(pattern).isEmpty && AudioComponentCount(&pattern) == 0)
        #expect(AudioComponentFindNext(found.last, &pattern) == nil)
    }

    @Test("A component has a name, a version and a description")
    func descriptions() throws {
        GainUnit.registered
        var pattern = GainUnit.description
        let component = try #require(AudioComponentFindNext(nil, &pattern))
        var name: Unmanaged<CFString>?
        #expect(AudioComponentCopyName(component, &name) == noErr)
        #expect(name?.takeRetainedValue() == NSString(string: "Tests: Gain"))
        var version: UInt32 = 0
        #expect(AudioComponentGetVersion(component, &version) == noErr && version == 3)
        #expect(description(of: component).componentSubType == GainUnit.description.componentSubType)
    }

    @Test("An instance lives until it is disposed of, and knows its component")
    func instances() throws {
        GainUnit.registered
        var pattern = GainUnit.description
        let component = try #require(AudioComponentFindNext(nil, &pattern))
        var instance: AudioComponentInstance?
        #expect(AudioComponentInstanceNew(component, &instance) == noErr)
        let unit = try #require(instance)
        #expect(AudioComponentInstanceGetComponent(unit) == component)
        #expect(AudioUnitSetParameter(unit, 0, kAudioUnitScope_Global, 0, 3, 0) == noErr)
        var value: Float = 0
        #expect(AudioUnitGetParameter(unit, 0, kAudioUnitScope_Global, 0, &value) == noErr && value == 3)
        #expect(AudioComponentInstanceDispose(unit) == noErr)
        AudioComponentInstantiate(component, []) { unit, status in
            #expect(status == noErr)
            if let unit { AudioComponentInstanceDispose(unit) }
        }
        // That of a node lives as long as the node.
        let delay = AVAudioUnitDelay()
        #expect(AudioComponentInstanceDispose(delay.audioUnit) == kAudio_ParamError)
        #expect(
            description(of: AudioComponentInstanceGetComponent(delay.audioUnit)).componentSubType
                == kAudioUnitSubType_Delay
        )
    }

    @Test("An instance frees its unit when it is disposed of")
    func instancesAreFreed() throws {
        CountedUnit.registered
        var pattern = CountedUnit.description
        let component = try #require(AudioComponentFindNext(nil, &pattern))
        var instance: AudioComponentInstance?
        #expect(AudioComponentInstanceNew(component, &instance) == noErr)
        #expect(CountedUnit.count.withLock { $0 } == 1)
        #expect(AudioComponentInstanceDispose(try #require(instance)) == noErr)
        #expect(CountedUnit.count.withLock { $0 } == 0)
    }

    @Test("What a unit's initialiser throws is the status of its making")
    func failures() throws {
        RefusingUnit.registered
        var pattern = RefusingUnit.description
        let component = try #require(AudioComponentFindNext(nil, &pattern))
        var instance: AudioComponentInstance?
        #expect(AudioComponentInstanceNew(component, &instance) == -4_711 && instance == nil)
    }
}
