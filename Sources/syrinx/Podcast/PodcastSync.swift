import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxPodcastLibrary
import SyrinxTerminal

/// `syrinx podcast sync`.
struct PodcastSync: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Synchronizes subscriptions and positions with a gpodder or Nextcloud server.",
        discussion: """
            The password comes from the variable SYRINX_SYNC_PASSWORD, or from a file that only you can read (mode 600). For Nextcloud, \
            create an app password in the settings of your account. `syrinx podcast refresh` then fetches new subscriptions.
            """
    )
    static let examples = [
        "syrinx podcast sync --server https://cloud.example.org --user ann --password-file ~/.config/syrinx/password",
        "SYRINX_SYNC_PASSWORD=… syrinx podcast sync --server https://gpodder.net --user ann",
    ]

    /// The kinds of servers, named as on the command line.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case nextcloud, gpodder
    }

    @OptionGroup var library: LibraryOptions
    @Option(help: ArgumentHelp("URL of the server", valueName: "url")) var server: String
    @Option(help: ArgumentHelp("Name of your account", valueName: "name")) var user: String
    @Option(
        help: ArgumentHelp(
            "Kind of server: nextcloud (its app GPodder Sync) or gpodder (default: gpodder for gpodder.net, else nextcloud)",
            valueName: "kind"
        )
    )
    var kind: Kind?
    @Option(help: ArgumentHelp("File with the password", valueName: "file")) var passwordFile: PathArgument?
    @Option(help: ArgumentHelp("Name of this device on a gpodder server", valueName: "name")) var device = "syrinx"

    var writesJSON: Bool { library.json }

    /// The result for `--json`.
    private struct Report: Encodable {
        var server: String
        var subscribed: Int
        var unsubscribed: Int
        var received: Int
        var sent: Int
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let (address, host) = try address()
        if address.hasPrefix("http:"), !["localhost", "127.0.0.1", "[::1]", "::1"].contains(host) {
            let message = "the password is sent without encryption; use https: if the server has it"
            context.console.say(Failure(code: .commandLine, message: message, name: "--server").warningLine)
        }
        let password = try SyncPassword(
            environment: ProcessInfo.processInfo.environment,
            file: passwordFile?.path
        )
        let isGPodder = host == "gpodder.net" || host.hasSuffix(".gpodder.net")
        let account = SyncServer(
            (kind ?? (isGPodder ? .gpodder : .nextcloud)) == .gpodder ? .gpodder : .nextcloud,
            url: address,
            user: user,
            password: password.text,
            device: device
        )
        let opened = try library.open()
        let result = try context.wait { () async throws(PodcastError) in try await opened.synchronize(with: account) }
        if library.json {
            let report = Report(
                server: address,
                subscribed: result.subscribedCount,
                unsubscribed: result.unsubscribedCount,
                received: result.receivedCount,
                sent: result.sentCount
            )
            context.console.write((try? JSONText.encode(report)) ?? "{}")
        } else {
            context.console.write(
                PrintableText.line(
                    "\(result.subscribedCount) podcasts added, \(result.unsubscribedCount) removed, "
                        + "\(result.receivedCount) positions received, \(result.sentCount) changes sent"
                )
            )
        }
        return .success
    }

    /// Returns the URL of the server and its host.
    /// - Throws: An error if the URL is invalid or contains a user name or password.
    private func address() throws(Failure) -> (String, String) {
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host(),
            !host.isEmpty
        else {
            throw .usage("This is not an http: or https: URL.", name: "--server \(server)")
        }
        guard url.user() == nil, url.password() == nil else {
            throw .usage("The URL contains a user name or password. Use --user and --password-file.", name: "--server")
        }
        return (server, host.lowercased())
    }
}

/// The password for synchronization.
struct SyncPassword: Equatable {
    /// The environment variable that may contain the password.
    static let variable = "SYRINX_SYNC_PASSWORD"
    /// The maximum length of a password, in bytes.
    private static let longest = 4_096

    /// The password.
    let text: String

    /// Reads the password from `file`, or from the environment if `file` is `nil`.
    /// - Throws: An error if there is no password, or if other users may read the file.
    init(environment: [String: String], file: FilePath?) throws(Failure) {
        let found = if let file { try Self.firstLine(of: file) } else { environment[Self.variable] ?? "" }
        guard !found.isEmpty else {
            let name = file?.name ?? Self.variable
            throw .usage("There is no password. Set \(Self.variable), or name a file with --password-file.", name: name)
        }
        text = found
    }

    /// Returns the first line of a file that only the user can read.
    private static func firstLine(of file: FilePath) throws(Failure) -> String {
        let descriptor = file.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else {
            let isMissing = errno == ENOENT || errno == ENOTDIR
            throw Failure(
                code: isMissing ? .fileNotFound : .filePermissionDenied,
                message: isMissing ? "there is no such file" : "the file cannot be read",
                name: file.name
            )
        }
        defer { close(descriptor) }
        var status = stat()
        // Check the open file, not the path, which could change before the file is read.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(code: .filePermissionDenied, message: "this is not a plain file", name: file.name)
        }
        guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            let message = "other users may read this password file; run chmod 600 on it"
            throw Failure(code: .filePermissionDenied, message: message, name: file.name)
        }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
    }
}
