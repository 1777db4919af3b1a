import Testing

@testable import SyrinxByteStream

@Suite("Folders of the user")
struct UserFolderTests {
    private static let folders: [(UserFolder, String, String)] = [
        (.cache, "XDG_CACHE_HOME", "/h/.cache/syrinx"),
        (.config, "XDG_CONFIG_HOME", "/h/.config/syrinx"),
        (.data, "XDG_DATA_HOME", "/h/.local/share/syrinx"),
        (.state, "XDG_STATE_HOME", "/h/.local/state/syrinx"),
    ]

    @Test("Only an absolute path in the variable is used in place of the home", arguments: folders)
    func prefersVariable(folder: UserFolder, variable: String, standard: String) {
        #expect(folder.path(environment: [variable: "/x/y", "HOME": "/h"]) == "/x/y/syrinx")
        #expect(folder.path(environment: [variable: "/x/y"]) == "/x/y/syrinx")
        for ignored in ["", "x/y", "~/x", "./x"] {
            #expect(folder.path(environment: [variable: ignored, "HOME": "/h"]) == standard)
        }
        #expect(folder.path(environment: ["HOME": "/h"]) == standard)
    }

    @Test("There is no folder without an absolute home", arguments: folders)
    func needsHome(folder: UserFolder, variable: String, _: String) {
        let environments: [[String: String]] = [[:], ["HOME": ""], ["HOME": "h"], ["HOME": "~", variable: "x"]]
        for environment in environments {
            #expect(folder.path(environment: environment) == nil)
        }
    }
}
