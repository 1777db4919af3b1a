import Foundation
import SyrinxTestSupport

/// The resources of the process, as the system and the allocator count them.
struct Holdings {
    var threads = 0
    var descriptors = 0
    var residentBytes = 0
    /// Bytes that have been allocated and not freed.
    var heapBytes = 0

    static var now: Holdings {
        func count(_ path: String) -> Int { (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 }
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return Holdings(
            threads: count("/proc/self/task"),
            descriptors: count("/proc/self/fd"),
            residentBytes: (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))),
            heapBytes: SyrinxTestSupport.heapBytes
        )
    }

    var summary: String {
        "\(threads) threads, \(descriptors) descriptors, \(residentBytes >> 20) MiB resident, \(heapBytes >> 10) KiB of heap"
    }
}
