// The names that the examples of SyrinxPodcastLibrary use without declaring them.
// scripts/check-examples compiles this file beside them, and nothing runs it.
import Foundation
import SyrinxPodcastLibrary

var url: URL { fatalError() }
var library: PodcastLibrary { fatalError() }
var podcast: Podcast { fatalError() }
var episode: Episode { fatalError() }
func play(_ episode: Episode) {}
