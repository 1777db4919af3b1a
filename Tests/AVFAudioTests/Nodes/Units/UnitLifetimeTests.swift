import AVFAudio
import Testing

@Suite("The lifetime of units") struct UnitLifetimeTests {
    @Test("A unit whose parameter tree has been used is freed with its values")
    func freed() throws {
        weak var store: ParameterStore?
        weak var tree: AUParameterTree?
        do {
            let unit = AVAudioUnitDelay()
            store = unit.store
            tree = unit.auAudioUnit.parameterTree
            unit.feedback = 20
            #expect(store != nil && tree?.parameter(withAddress: 2)?.value == 20)
        }
        #expect(store == nil && tree == nil)
    }
}
