import Foundation
import SyrinxTestSupport
import Testing

@Suite("Impossible numbers in files")
struct StructureTests {
    /// Set to `all`, every number is tried, which takes most of an hour; otherwise some of them.
    private static let isExhaustive = ProcessInfo.processInfo.environment["SYRINX_STRUCTURE"] == "all"
    /// The folder for files that fail, if any.
    private static let found = ProcessInfo.processInfo.environment["SYRINX_STRUCTURE_FOUND"]
    /// Mutants of a specimen that are tried otherwise, and by the commands that take one file at a time.
    private static let sampleCount = 16
    private static let singleCount = 2
    /// Files for one run: starting the program takes longer than reading them.
    private static let batchSize = 64

    /// Recordings whose mutants are tried together.
    struct Group: Sendable, CustomTestStringConvertible {
        let specimens: [Specimen]
        var testDescription: String { specimens.map(\.file).joined(separator: ", ") }

        static let all = stride(from: 0, to: Specimen.all.count, by: batchSize / sampleCount).map { start in
            Group(specimens: Array(Specimen.all[start...].prefix(batchSize / sampleCount)))
        }
    }

    @Test("No number in a file ends, hangs or bloats a command", arguments: Group.all)
    func everyNumber(group: Group) throws {
        let scratch = try ScratchDirectory()
        var mutants: [(specimen: Specimen, isForAll: Bool, mutant: Specimen.Mutant)] = []
        for specimen in group.specimens {
            let all = specimen.mutants(of: try specimen.make(in: scratch))
            #expect(all.count > 20, "the numbers of \(specimen.file) were not found")
            let sample = Self.sample(all, Self.isExhaustive ? all.count : Self.sampleCount)
            let single = Self.isExhaustive ? sample.count : Self.singleCount
            let places = Set(Self.sample(Array(sample.indices), single))
            mutants += sample.enumerated().map { (specimen, places.contains($0.offset), $0.element) }
        }
        for start in stride(from: 0, to: mutants.count, by: Self.batchSize) {
            let batch = Array(mutants[start...].prefix(Self.batchSize))
            let folder = try ScratchDirectory()
            let trial = CommandTrial(folder: folder.path + "/")
            let paths = batch.enumerated().map { index, entry in
                folder.file("\(index).\((entry.specimen.file as NSString).pathExtension)")
            }
            for (path, entry) in zip(paths, batch) {
                try Data(entry.mutant.bytes).write(to: URL(fileURLWithPath: path))
            }
            for command in CommandTrial.Command.allCases {
                let inputs = command.takesSeveral ? paths : zip(paths, batch).filter { $0.1.isForAll }.map(\.0)
                for complaint in try trial.complaints(command, inputs) {
                    let index = paths.firstIndex(of: complaint.input) ?? 0
                    Self.keep(complaint.input, as: "\(command)-\(batch[index].specimen.file)-\(start + index)")
                    Issue.record("\(batch[index].mutant.name): \(complaint)")
                }
            }
        }
    }

    @Test("Every recording is read, played and written as it was made, or no mutant of it would show anything")
    func controls() throws {
        let scratch = try ScratchDirectory()
        let folder = try ScratchDirectory()
        let paths = try Specimen.all.enumerated().map { index, specimen in
            let bytes = try specimen.make(in: scratch)
            let path = folder.file("\(index)-\(specimen.file)")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return path
        }
        let trial = CommandTrial(folder: folder.path + "/", statuses: [0])
        for command in CommandTrial.Command.allCases {
            for complaint in try trial.complaints(command, paths) { Issue.record("\(complaint.input): \(complaint)") }
        }
    }

    private static func sample<Element>(_ all: [Element], _ count: Int) -> [Element] {
        guard all.count > count else { return all }
        return (0..<count).map { all[$0 * all.count / count] }
    }

    private static func keep(_ path: String, as name: String) {
        guard let found else { return }
        try? FileManager.default.copyItem(atPath: path, toPath: "\(found)/\(name).\((path as NSString).pathExtension)")
    }
}
