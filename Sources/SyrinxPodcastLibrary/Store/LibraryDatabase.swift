import Foundation
import GRDB
import SyrinxByteStream

/// The SQLite database of a library, which several processes may use at once.
///
/// Every change is a transaction that is on disk when the call returns. Readers never wait for a writer; a writer waits
/// up to `busySeconds` for others.
final class LibraryDatabase: Sendable {
    /// The default time that a write waits for other processes, in seconds.
    static let busySeconds = 20.0

    let path: String
    private let pool: DatabasePool

    /// Opens a library, creating the file if necessary, and migrates it to the current version.
    /// - Parameter prepare: Called for each connection.
    init(
        path: FilePath,
        busySeconds: Double = LibraryDatabase.busySeconds,
        prepare: (@Sendable (Database) throws -> Void)? = nil
    ) throws(PodcastError) {
        let name = path.name
        self.path = name
        guard let text = String(validating: path.bytes, as: UTF8.self) else {
            throw PodcastError(.libraryFailed, "the name of the library's file is not UTF-8", name: name)
        }
        let number = path.folder.makeFolder()
        guard number == 0 else { throw Self.cannotOpen(number, name) }
        // Only the owner may read the file, because feed URLs may contain passwords.
        let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw Self.cannotOpen(errno, name) }
        close(descriptor)
        var configuration = Configuration()
        configuration.busyMode = .timeout(busySeconds)
        configuration.maximumReaderCount = 4
        configuration.label = "syrinx.podcasts"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -1024")
            try prepare?(database)
        }
        pool = try Self.connect(text, configuration, until: Date() + busySeconds)
        try write { database in
            try database.execute(
                sql: """
                    CREATE TEMP TABLE seen (run INTEGER, episodeID INTEGER, PRIMARY KEY (run, episodeID))
                    WITHOUT ROWID
                    """
            )
        }
    }

    private static func cannotOpen(_ number: Int32, _ name: String) -> PodcastError {
        let code: ErrorCode = number == ENOSPC ? .diskFull : number == EACCES ? .filePermissionDenied : .libraryFailed
        return PodcastError(code, "the library cannot be opened: \(String(cString: strerror(number)))", name: name)
    }

    /// Opens the file and migrates it; concurrent migrations by other processes wait for each other.
    private static func connect(_ path: String, _ configuration: Configuration, until end: Date) throws(PodcastError)
        -> DatabasePool
    {
        var attempts = 0
        while true {
            attempts += 1
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                // Saved changes must survive a power failure, not only a crash.
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                let migrator = LibrarySchema.migrator
                guard try pool.read({ try !migrator.hasBeenSuperseded($0) }) else {
                    throw PodcastError(
                        .libraryTooNew,
                        "the library was written by a newer version of this program; update it",
                        name: path
                    )
                }
                if try pool.read({ try !migrator.hasCompletedMigrations($0) }) {
                    try migrator.migrate(pool)
                    // A connection that has cached the old schema would expand `*` to the old columns.
                    pool.invalidateReadOnlyConnections()
                }
                return pool
            } catch {
                // Switching to the write-ahead log does not wait for locks. A concurrent migration by another process
                // makes this one fail, because its tables exist; the next attempt finds the migration done.
                let code = (error as? DatabaseError)?.resultCode
                let isOvertaken = attempts < 10 && (code == .SQLITE_ERROR || code == .SQLITE_CONSTRAINT)
                guard code == .SQLITE_BUSY || isOvertaken, Date() < end else { throw failure(error, name: path) }
                usleep(20_000)
            }
        }
    }

    // MARK: Transactions

    /// Reads a consistent snapshot.
    func read<Value>(_ body: (Database) throws -> Value) throws(PodcastError) -> Value {
        do { return try pool.read(body) } catch { throw Self.failure(error, name: path) }
    }

    /// Runs `body` in one transaction, which is rolled back if `body` throws.
    func write<Value>(_ body: (Database) throws -> Value) throws(PodcastError) -> Value {
        do { return try pool.write(body) } catch { throw Self.failure(error, name: path) }
    }

    /// Runs `body` outside of a transaction.
    func withoutTransaction<Value>(_ body: (Database) throws -> Value) throws(PodcastError) -> Value {
        do { return try pool.writeWithoutTransaction(body) } catch { throw Self.failure(error, name: path) }
    }

    /// Returns the values of an observation; a slow reader gets only the latest one.
    func values<Reducer: ValueReducer>(
        of observation: ValueObservation<Reducer>
    ) -> AsyncThrowingStream<Reducer.Value, any Error> where Reducer.Value: Sendable {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let cancellable = observation.start(
                in: pool,
                scheduling: .async(onQueue: Self.observations),
                onError: { [path] in continuation.finish(throwing: Self.failure($0, name: path)) },
                onChange: { continuation.yield($0) }
            )
            continuation.onTermination = { _ in cancellable.cancel() }
        }
    }

    private static let observations = DispatchQueue(label: "syrinx.library.lists")

    /// Converts a database error to a `PodcastError`.
    static func failure(_ error: any Error, name: String) -> PodcastError {
        if let error = error as? PodcastError { return error }
        if let error = error as? SyrinxError {
            return PodcastError(error.code, error.message, name: error.name, underlying: error)
        }
        if error is RowDecodingError || error is DecodingError {
            let message =
                "the library holds a value that cannot be read, which another program may have written"
            return PodcastError(.libraryDamaged, message, name: name, underlying: error)
        }
        guard let database = error as? DatabaseError else {
            return PodcastError(.libraryFailed, "the library failed: \(error)", name: name, underlying: error)
        }
        let (code, message): (ErrorCode, String)
        switch database.resultCode {
        case .SQLITE_FULL: (code, message) = (.diskFull, "the disk is full; nothing of this change was saved")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            (code, message) = (.libraryBusy, "another process keeps the library busy; try again")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            (code, message) = (
                .libraryDamaged, "the file is damaged or no podcast library; move it away to begin a new one"
            )
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            (code, message) = (.filePermissionDenied, "the library may not be written")
        case .SQLITE_IOERR, .SQLITE_CANTOPEN:
            (code, message) = (
                .libraryFailed, "the library cannot be read or written: \(database.message ?? "unknown")"
            )
        default: (code, message) = (.libraryFailed, "the library failed: \(database.message ?? "unknown")")
        }
        return PodcastError(code, message, name: name, underlying: database)
    }
}
