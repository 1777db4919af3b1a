import Foundation
import SyrinxPodcastLibrary

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("syrinx-consumer-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let library = try PodcastLibrary(file: folder.appendingPathComponent("library.sqlite"))
print(try library.podcasts().isEmpty ? "ok" : "not empty")
