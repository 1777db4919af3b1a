#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The functions of Chromaprint that are used, looked up in the library at run time.
///
/// A build needs none of its headers, and a program that makes no fingerprints runs without it.
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

    /// The name of the library that installations have.
    static let defaultName = "libchromaprint.so.1"

    /// The library of that name, which is loaded once and stays; `nil` if it cannot be loaded.
    static let installed = ChromaprintLibrary(defaultName)

    /// Loads a library; `nil` if there is none of the name, or it lacks a function.
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
