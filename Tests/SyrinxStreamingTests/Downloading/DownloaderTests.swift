import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@Suite struct DownloaderTests {
    private final class Collector: DownloadingDelegate, Sendable {
        let data = Mutex(Data())
        let states = Mutex<[DownloadingState]>([])
        let done = DispatchSemaphore(value: 0)
        let error = Mutex<(any Error)?>(nil)

        func download(_ download: any Downloading, changedState state: DownloadingState) {
            states.withLock { $0.append(state) }
        }
        func download(_ download: any Downloading, completedWithError error: (any Error)?) {
            self.error.withLock { $0 = error }
            done.signal()
        }
        func download(_ download: any Downloading, didReceiveData data: Data, progress: Float) {
            self.data.withLock { $0.append(data) }
        }
    }

    @Test("The downloader delivers all bytes in order")
    func handsOnAllBytesInOrder() throws {
        let server = try ScriptedHTTPServer()
        let bytes = patternedBytes(300_000)
        server.route("/a", .file(bytes))
        let downloader = Downloader()
        let collector = Collector()
        downloader.delegate = collector
        downloader.url = URL(string: server.url("/a"))
        #expect(downloader.state == .notStarted)
        downloader.start()
        #expect(collector.done.wait(timeout: .now() + 60) == .success)
        #expect(collector.data.withLock { [UInt8]($0) } == bytes)
        #expect(collector.states.withLock { $0 } == [.started, .completed])
        #expect(downloader.progress == 1)
        #expect(downloader.totalBytesReceived == 300_000)
        #expect(downloader.totalBytesCount == 300_000)
    }

    @Test("A failure is reported to the delegate")
    func aFailureIsTold() throws {
        let server = try ScriptedHTTPServer()
        server.route("/gone", .status(404))
        let downloader = Downloader()
        let collector = Collector()
        downloader.delegate = collector
        downloader.url = URL(string: server.url("/gone"))
        downloader.start()
        #expect(collector.done.wait(timeout: .now() + 60) == .success)
        #expect(SyrinxError(collector.error.withLock { $0 }!, name: "").code.rawValue == "http.404")
    }

    @Test("A paused downloader delivers nothing, and a stopped one ends")
    func pauseStandsStillAndStopEnds() throws {
        let server = try ScriptedHTTPServer()
        server.route("/slow", .file(patternedBytes(2_000_000)).paced(bytesPerSecond: 400_000))
        let downloader = Downloader()
        let collector = Collector()
        downloader.delegate = collector
        downloader.url = URL(string: server.url("/slow"))
        downloader.start()
        #expect(waitUntil { downloader.totalBytesReceived > 0 })
        downloader.pause()
        #expect(downloader.state == .paused)
        downloader.start()
        let here = downloader.totalBytesReceived
        #expect(waitUntil { downloader.totalBytesReceived > here })
        downloader.stop()
        #expect(downloader.state == .stopped)
        #expect(collector.states.withLock { $0 } == [.started, .paused, .started, .stopped])
        #expect(server.waitUntilAllClosed())
    }
}
