import SyrinxDevice
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Output across inputs")
struct ContinuousOutputTests {
    @Test("stop() returns when the callback has, though the device goes on, so that the next one renders alone")
    func handsOver() throws {
        let directory = try ScratchDirectory()
        for base in [NullOutput(), WAVFileOutput(path: directory.file("a.wav"))] as [any OutputDevice] {
            let output = ContinuousOutput(base)
            #expect(try checkHandOver(from: output, to: output) == [], "\(base.name)")
            output.finish()
        }
    }
}
