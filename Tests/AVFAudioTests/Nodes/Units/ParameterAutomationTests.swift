import AVFAudio
import Synchronization
import Testing

@Suite("Automation of parameters") struct ParameterAutomationTests {
    private func tree() -> (tree: AUParameterTree, depth: AUParameter) {
        let depth = AUParameterTree.createParameter(
            withIdentifier: "depth",
            name: "Depth",
            address: 7,
            min: 0,
            max: 5,
            unit: .generic
        )
        let group = AUParameterTree.createGroup(withIdentifier: "lfo", name: "Modulation", children: [depth])
        return (AUParameterTree.createTree(withChildren: [group]), depth)
    }

    @Test("Observers of automation are told the time, the value and the step")
    func automation() {
        let (tree, depth) = tree()
        let heard = Mutex<[String]>([])
        let token = tree.token(byAddingParameterAutomationObserver: { count, events in
            for event in UnsafeBufferPointer(start: events, count: count) {
                heard.withLock { $0.append("\(event.hostTime) \(event.address) \(event.value) \(event.eventType)") }
            }
        })
        depth.setValue(1, originator: nil, atHostTime: 100, eventType: .touch)
        depth.setValue(9, originator: nil, atHostTime: 200, eventType: .value)
        depth.setValue(4, originator: token, atHostTime: 250)
        depth.setValue(2, originator: nil, atHostTime: 300, eventType: .release)
        #expect(heard.withLock { $0 } == ["100 7 1.0 touch", "200 7 5.0 value", "300 7 2.0 release"])
        tree.removeParameterObserver(token)
        depth.value = 3
        #expect(heard.withLock { $0.count } == 3)
    }

    @Test("Observers of recording are told of values, with the host time of the change")
    func recording() {
        let (tree, depth) = tree()
        let heard = Mutex<[(UInt64, Float)]>([])
        let token = tree.token(byAddingParameterRecordingObserver: { count, events in
            for event in UnsafeBufferPointer(start: events, count: count) {
                heard.withLock { $0.append((event.hostTime, event.value)) }
            }
        })
        let start = mach_absolute_time()
        depth.setValue(1, originator: nil, atHostTime: 100, eventType: .touch)
        depth.value = 2
        let end = mach_absolute_time()
        #expect(heard.withLock { $0.map(\.1) } == [2])
        #expect(heard.withLock { $0.allSatisfy { (start...end).contains($0.0) } })
        tree.removeParameterObserver(token)
    }

    @Test("A setting of the node, and a call, are told as values")
    func unit() throws {
        let delay = AVAudioUnitDelay()
        let heard = Mutex<[Float]>([])
        let tree = try #require(delay.auAudioUnit.parameterTree)
        let token = tree.token(byAddingParameterAutomationObserver: { _, events in
            heard.withLock { $0.append(events.pointee.value) }
        })
        delay.feedback = 20
        #expect(AudioUnitSetParameter(delay.audioUnit, kDelayParam_Feedback, kAudioUnitScope_Global, 0, 30, 0) == noErr)
        #expect(heard.withLock { $0 } == [20, 30])
        tree.removeParameterObserver(token)
    }

    @Test("Nodes of a tree are found by their identifiers")
    func keys() {
        let (tree, depth) = tree()
        #expect(tree.value(forKey: "lfo") is AUParameterGroup)
        #expect(tree.value(forKeyPath: "lfo.depth") as? AUParameter === depth)
        #expect(tree.value(forKeyPath: depth.keyPath) as? AUParameter === depth)
        #expect(tree.value(forKey: "depth") == nil && tree.value(forKeyPath: "lfo.rate") == nil)
        #expect(tree.value(forKeyPath: "") == nil && tree.value(forKeyPath: "lfo.depth.more") == nil)
    }
}
