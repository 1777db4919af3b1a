import Foundation
import Synchronization
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxListening
import SyrinxTerminal

/// Runs `analyze` on several threads, and collects their results.
final class AnalysisBatch: Sendable {
    private struct State {
        var done = 0
        var failed = 0
        var skipped = 0
        /// The error of writing a result, which ends the run.
        var fatal: Failure?
        /// The interruptions of the running threads, by thread number.
        var working: [Int: Interruption] = [:]
    }

    private let command: AnalyzeCommand
    private let inputs: AnalysisInputs
    private let journal: AnalysisJournal?
    private let context: CommandContext
    private let showsProgress: Bool
    private let state = Mutex(State())

    init(command: AnalyzeCommand, inputs: AnalysisInputs, journal: AnalysisJournal?, context: CommandContext) {
        self.command = command
        self.inputs = inputs
        self.journal = journal
        self.context = context
        // Results on a terminal already show the progress.
        showsProgress =
            (journal != nil || isatty(STDOUT_FILENO) == 0)
            && Terminal.allowsDrawing(environment: ProcessInfo.processInfo.environment)
    }

    /// Analyzes all inputs on `jobs` threads.
    /// - Throws: An error if a result cannot be written to the results file, or standard input cannot be read.
    func run(jobs: Int) throws(Failure) -> ExitStatus {
        context.interruption.onRequest { [self] in
            let working = state.withLock { Array($0.working.values) }
            for interruption in working { interruption.request(context.interruption.status ?? .interrupted) }
        }
        let threads = DispatchGroup()
        for number in 0..<jobs {
            threads.enter()
            do throws(Failure) {
                try SystemThread.start("syrinx.analyze") { [self] in
                    work(number)
                    threads.leave()
                }
            } catch {
                threads.leave()
                // The threads that have started continue the work.
                if number == 0 { throw error }
                break
            }
        }
        threads.wait()
        context.interruption.onRequest(nil)
        context.console.show(status: [])
        let (failed, fatal) = state.withLock { ($0.failed, $0.fatal) }
        if let fatal { throw fatal }
        if let status = context.interruption.status { return status }
        if let failure = inputs.failure { throw failure }
        return failed == 0 ? .success : .badData
    }

    private var isOver: Bool {
        context.interruption.isRequested || context.console.isOutputClosed || context.console.outputFailure != nil
            || state.withLock { $0.fatal != nil }
    }

    private func work(_ number: Int) {
        while !isOver, let next = inputs.next() {
            guard journal?.hasAnswer(for: next) != true else {
                state.withLock { $0.skipped += 1 }
                continue
            }
            let interruption = Interruption()
            state.withLock { $0.working[number] = interruption }
            // The interruption may have been requested before this thread was registered.
            if let status = context.interruption.status { interruption.request(status) }
            showProgress(next.name)
            let answer = AnalysisAnswer(input: next.name, result: result(of: next, interruption))
            state.withLock { _ = $0.working.removeValue(forKey: number) }
            guard !interruption.isRequested else { return }
            give(answer)
            showProgress(next.name)
        }
    }

    private func give(_ answer: AnalysisAnswer) {
        if let journal {
            do throws(Failure) {
                try journal.append(answer.json)
            } catch {
                state.withLock { $0.fatal = error }
                return
            }
        } else {
            context.console.write(answer.json)
        }
        if case .failure(let failure) = answer.result { context.console.say(failure) }
        state.withLock { state in
            state.done += 1
            if case .failure = answer.result { state.failed += 1 }
        }
    }

    private func showProgress(_ name: String) {
        guard showsProgress, Terminal.isInForeground(STDERR_FILENO) else { return }
        let (done, failed, skipped) = state.withLock { ($0.done, $0.failed, $0.skipped) }
        var parts = [inputs.total.map { "\(done + skipped) of \($0)" } ?? "\(done + skipped) done"]
        if skipped > 0 { parts.append("\(skipped) known before") }
        if failed > 0 { parts.append("\(failed) failed") }
        let line = "analyzing  \(parts.joined(separator: ", "))  \(name)"
        context.console.show(status: [PrintableText.line(line).cut(to: Terminal.size.width - 1)])
    }

    // MARK: One input

    private func result(
        of input: InputLine,
        _ interruption: Interruption
    ) -> Result<AnalysisAnswer.Findings, Failure> {
        do throws(Failure) {
            switch input {
            case .refused(let failure): throw failure
            case .input(let item): return .success(try findings(of: item, interruption))
            }
        } catch {
            return .failure(error)
        }
    }

    private func findings(
        of item: ListeningInput,
        _ interruption: Interruption
    ) throws(Failure) -> AnalysisAnswer.Findings {
        let settings = InputAnalysis.Settings(
            silence: command.silence,
            silenceDuration: command.silenceDuration,
            isStrict: command.damage.strict,
            writesJSON: journal == nil,
            showsProgress: false,
            measures: command.measures.kinds
        )
        let target = command.waveforms.map { folder in
            InputAnalysis.WaveformTarget(
                path: folder.path.appending(Self.fileName(of: item)),
                samplesPerPixel: command.zoom
            )
        }
        let analysis = try InputAnalysis.run(
            item,
            settings: settings,
            waveform: target,
            network: command.network,
            in: CommandContext(
                console: context.console,
                interruption: interruption,
                clock: context.clock,
                terminalRequests: context.terminalRequests
            )
        )
        if let problem = analysis.problem { throw problem }
        return AnalysisAnswer.Findings(
            info: analysis.info,
            meter: MeterReport(analysis.meter.report, url: item.name, silences: nil),
            silences: (analysis.silences ?? []).map { $0.map { ($0 * 1e6).rounded() / 1e6 } },
            waveform: target?.path.name,
            measures: analysis.measures
        )
    }

    /// Returns the name of the waveform file: the input's name and a digest of its path, because names can repeat in
    /// folders.
    private static func fileName(of item: ListeningInput) -> [UInt8] {
        let path =
            if case .file(let path) = item.location { path } else {
                FilePath(String(item.name.prefix { !"?#".contains($0) }))
            }
        let digest = SHA256Digest.hexadecimal(of: Array(item.url.absoluteString.utf8)).prefix(12)
        // File names have at most 255 bytes.
        return Array(path.stem.prefix(200)) + Array("-\(digest).dat".utf8)
    }
}
