import Foundation
import SyrinxPlayerUI
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("The user's settings of the screen") struct UserConfigTests {
    @Test("Only a plain file of bounded size is read, and what is no such file is told of")
    func plainFiles() throws {
        let scratch = try ScratchDirectory()
        let folder = scratch.file("syrinx")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/config.toml"
        func problem() -> String? {
            let (config, problems) = UserConfig.read(environment: ["XDG_CONFIG_HOME": scratch.path])
            #expect(config.skipForward == nil && problems.count <= 1)
            return problems.first
        }
        #expect(problem() == nil)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(problem()?.contains("pipe") == true)
        for target in ["/dev/zero", scratch.path] {
            #expect(unlink(path) == 0 && symlink(target, path) == 0)
            #expect(problem()?.hasPrefix(path) == true)
        }
        #expect(unlink(path) == 0)
        for content in [Data(count: 2 << 20), Data([0xFF, 0xFE, 0x80])] {
            try content.write(to: URL(fileURLWithPath: path))
            #expect(problem()?.hasPrefix(path) == true)
        }
        try Data("skip-forwards = 30\nskip-forward = 45".utf8).write(to: URL(fileURLWithPath: path))
        let (config, problems) = UserConfig.read(environment: ["XDG_CONFIG_HOME": scratch.path])
        #expect(config.skipForward == 45 && problems.count == 1)
        #expect(problems.first?.hasPrefix("config.toml, line 1: ") == true, "\(problems)")
    }
}
