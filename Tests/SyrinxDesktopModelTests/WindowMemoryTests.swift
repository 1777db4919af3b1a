import Foundation
import Testing

@testable import SyrinxDesktopModel

@Suite struct WindowMemoryTests {
    private func read(_ text: String) throws -> WindowMemory {
        try JSONDecoder().decode(WindowMemory.self, from: Data(text.utf8))
    }

    @Test func `What is kept is read again`() throws {
        var memory = WindowMemory()
        memory.window = .init(width: 900, height: 700, isMaximized: true)
        memory.keep(.init(input: "/a.mp3"))
        memory.keep(.init(input: "https://example.org/b.mp3", visible: 10...20))
        let read = try JSONDecoder().decode(WindowMemory.self, from: JSONEncoder().encode(memory))
        #expect(read == memory)
        #expect(read.place(of: "https://example.org/b.mp3")?.visible == 10...20)
        #expect(read.places.first?.input == "https://example.org/b.mp3")
    }

    @Test(arguments: [
        "{}", "[]", "3", "null", "\"x\"", #"{"version":"1"}"#, #"{"version":0,"window":{"width":900}}"#,
        #"{"version":1,"window":7,"places":{}}"#, #"{"version":1,"window":{"width":"900","height":[]},"places":7}"#,
        #"{"version":1,"places":[null,3,"x",[],{},{"input":7},{"input":""},{"position":3}]}"#,
        #"{"version":1e99,"window":{"width":1e99}}"#,
    ])
    func `A damaged file counts as an empty one`(text: String) throws {
        let memory = try read(text)
        #expect(memory.places.isEmpty && memory.window == WindowMemory.Window())
    }

    @Test func `What is sound in a damaged file is kept, and numbers are brought into their ranges`() throws {
        let memory = try read(
            """
            {"version":1,"window":{"width":-5,"height":99999999},"more":[1],"places":[{"input":"/a","position":-3},
            null,7,{"position":2},{"input":"/b","position":"x","start":5,"end":1},{"input":"/a","position":9},{"input":"/c","position":7,
            "start":-1,"end":3}]}
            """
        )
        #expect(memory.window == .init(width: 360, height: 16_384))
        #expect(memory.places.map(\.input) == ["/a", "/b", "/c"])
        #expect(memory.places.allSatisfy { $0.visible == nil })
    }

    @Test func `A file of a newer version is left as it is`() throws {
        let memory = try read(#"{"version":2,"window":{"width":900},"places":[{"input":"/a","position":1}]}"#)
        #expect(memory.isNewer && memory.places.isEmpty)
        let known = try read(#"{"version":1}"#)
        #expect(!known.isNewer)
    }

    @Test func `The number of inputs is bounded, and the one used last stays`() throws {
        var memory = WindowMemory()
        for number in 0..<1000 { memory.keep(.init(input: "/\(number)")) }
        memory.keep(.init(input: String(repeating: "x", count: 5000)))
        #expect(memory.places.count == WindowMemory.maximumPlaces)
        #expect(memory.places.first?.input == "/999" && memory.place(of: "/0") == nil)
        memory.keep(.init(input: "/900"))
        #expect(memory.places.first == .init(input: "/900"))
        let entries = (0..<5000).map { #"{"input":"/\#($0)"}"# }.joined(separator: ",")
        let many = try read(#"{"version":1,"places":[\#(entries)]}"#)
        #expect(many.places.count == WindowMemory.maximumPlaces)
    }
}
