import Foundation
import SyrinxTestSupport
import Testing

@Suite("The unit of systemd")
struct UnitTests {
    private static let hasTool = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")

    @Test("systemd finds no fault in it", .enabled(if: hasTool))
    func verify() throws {
        let scratch = try ScratchDirectory()
        let unit = repositoryRoot.appending(path: "Packaging/systemd/syrinx.service")
        let text = try String(contentsOf: unit, encoding: .utf8)
        func complaints(_ text: String) throws -> String {
            let path = scratch.file("syrinx.service")
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let result = try runProcess(
                "systemd-analyze",
                ["verify", "--user", "--man=no", path],
                environment: ["XDG_RUNTIME_DIR": scratch.path]
            )
            // Units of the system may have faults of their own.
            return result.errorLines.filter { $0.contains(path) || $0.contains("syrinx.service") }.joined()
        }
        let complete = text.replacing("@PROGRAM@", with: Syrinx.path)
        #expect(complete != text)
        #expect(try complaints(complete).isEmpty)
        #expect(try !complaints(complete.replacing("Type=forking", with: "Type=fork")).isEmpty, "a fault is found")
    }
}
