#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The functions of Chromaprint, looked up at run time.
///
/// The build needs no Chromaprint headers, and programs that compute no fingerprints run without the library.
struct ChromaprintLibrary: Sendable {
    typealias Context = OpaquePointer
    typealias Make = @convention(c) (Int32) -> Context?
    typealias Delete = @convention(c) (Context) -> Void
    typealias Start = @convention(c) (Context, Int32, Int32) -> Int32
    typealias Feed = @convention(c) (Context, UnsafePointer<Int16>, Int32) -> Int32
    typealias Finish = @convention(c) (Context) -> Int32
    typealias GetText = @convention(c) (Context, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void

    let make: Make
    let delete: Delete
    let start: Start
    let feed: Feed
    let finish: Finish
    let getFingerprint: GetText
    let free: Free

    /// The file name of the library.
    static let defaultName = "libchromaprint.so.1"

    /// The installed library, loaded once; `nil` if it cannot be loaded.
    static let installed = ChromaprintLibrary(defaultName)

    /// Loads a library; returns `nil` if it does not exist, or lacks a function.
    init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        // The types are those of chromaprint.h, versions 1.4 to 1.6.
        func function<Function>(_ name: String, _: Function.Type) -> Function? {
            dlsym(handle, "chromaprint_" + name).map { unsafeBitCast($0, to: Function.self) }
        }
        guard let make = function("new", Make.self), let delete = function("free", Delete.self),
            let start = function("start", Start.self), let feed = function("feed", Feed.self),
            let finish = function("finish", Finish.self),
            let getFingerprint = function("get_fingerprint", GetText.self),
            let free = function("dealloc", Free.self)
        else {
            dlclose(handle)
            return nil
        }
        (self.make, self.delete, self.start, self.feed) = (make, delete, start, feed)
        (self.finish, self.getFingerprint, self.free) = (finish, getFingerprint, free)
    }
}
