internal import Foundation
package import SyrinxByteStream

/// Receives what a `PushDemuxer` finds, on the demultiplexer's own thread.
package protocol PushDemuxerDelegate: AnyObject, Sendable {
    /// The container has been recognised.
    func opened(_ demuxer: MediaDemuxer)
    /// The next packet has been found.
    func found(_ packet: MediaPacket, by demuxer: MediaDemuxer)
    /// There will be no more packets: `demuxer` has come to the end of the bytes.
    func ended(_ demuxer: MediaDemuxer)
    /// There will be no more packets because of an error.
    func failed(_ error: SyrinxError)
}

/// Demultiplexes bytes that are pushed in pieces of any size.
///
/// The demultiplexer pulls and waits for bytes, so it has a thread of its own. `push(_:)` returns when that thread waits for more.
/// Pushing is for one thread at a time; `cancel()` may be called from any.
package final class PushDemuxer: Sendable {
    /// The bytes that have been pushed.
    package let bytes: PushByteStream
    private let isSeekable: Bool
    private let threadName: String
    private let progress = Monitor(Progress.idle)

    private enum Progress: Sendable {
        case idle
        case running
        case ended
    }

    /// A demultiplexer without bytes.
    ///
    /// - Parameters:
    ///   - name: The name of the bytes in messages.
    ///   - isSeekable: Whether the demultiplexer may jump ahead, and wait there until that much has been pushed.
    ///   - threadName: The name of the demultiplexer's thread.
    package init(name: String, isSeekable: Bool, threadName: String) {
        bytes = PushByteStream(name: name)
        self.isSeekable = isSeekable
        self.threadName = threadName
    }

    deinit { bytes.cancel() }

    /// Adds bytes, and waits until the demultiplexer has found the packets that are whole in them.
    package func push(_ data: UnsafeRawBufferPointer, for delegate: any PushDemuxerDelegate) {
        bytes.append(data)
        begin(for: delegate)
        bytes.waitUntilStarved()
    }

    /// Says that there are no more bytes, and waits until the demultiplexer has ended.
    ///
    /// Returns at once if it has not begun.
    package func finish() {
        bytes.finish()
        progress.wait { $0 == .running ? nil : () }
    }

    /// Ends the thread, whatever it does.
    package func cancel() { bytes.cancel() }

    /// Starts the thread, unless it has been started before.
    ///
    /// The delegate is not kept alive.
    package func begin(for delegate: any PushDemuxerDelegate) {
        let begins = progress.update { progress in
            guard progress == .idle else { return false }
            progress = .running
            return true
        }
        guard begins else { return }
        let (bytes, progress, isSeekable) = (bytes, progress, isSeekable)
        let thread = Thread { [weak delegate] in
            Self.run(bytes, isSeekable: isSeekable) { [weak delegate] in delegate }
            // Releases the thread that waits for this thread to wait for bytes.
            bytes.finish()
            progress.update { $0 = .ended }
        }
        thread.name = threadName
        thread.start()
    }

    private static func run(
        _ bytes: PushByteStream,
        isSeekable: Bool,
        _ delegate: () -> (any PushDemuxerDelegate)?
    ) {
        do throws(SyrinxError) {
            let demuxer = try MediaDemuxer.open(PushedBytes(bytes, isSeekable: isSeekable, waits: true))
            // The properties of the packets are reported once.
            demuxer.goesOnInChain = false
            delegate()?.opened(demuxer)
            while let packet = try demuxer.nextPacket() {
                guard let delegate = delegate() else { return }
                delegate.found(packet, by: demuxer)
            }
            delegate()?.ended(demuxer)
        } catch {
            delegate()?.failed(error)
        }
    }
}
