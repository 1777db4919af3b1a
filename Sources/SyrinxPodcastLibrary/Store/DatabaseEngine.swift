import GRDB

/// The loaded database engine.
package enum DatabaseEngine {
    /// The version of SQLite.
    package static var version: String {
        // SQLite's version number of 3.40.1 is 3040001.
        let number = Database.sqliteLibVersionNumber
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }
}
