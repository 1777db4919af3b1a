import Foundation
import SyrinxPlayback

let json = #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"One"},{"startTime":60,"title":"Two"}]}"#
let chapters = try ChapterDocuments.podcastDocument(Data(json.utf8))
print(chapters.map(\.title) == ["One", "Two"] ? "ok" : "\(chapters)")
