import Foundation
import GRDB

/// A type whose properties are stored in columns of the same names, with dates as seconds since 1970.
protocol LibraryColumns: Codable, FetchableRecord, EncodableRecord {}

extension LibraryColumns {
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSince1970
    }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSince1970
    }
}

/// A database record of a table.
protocol LibraryRecord: LibraryColumns, MutablePersistableRecord {}

/// A value whose properties are columns of a record.
///
/// This type conforms to GRDB's protocols in place of public types.
struct RowColumns<Value: Codable>: LibraryColumns {
    var value: Value

    init(_ value: Value) { self.value = value }
    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// A value that is stored in a column as JSON.
///
/// If the text cannot be decoded, `value` is `nil` and the text is preserved.
struct JSONText<Value: Codable>: Codable, Equatable, DatabaseValueConvertible {
    private let text: String

    init(_ value: Value) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        text = String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    var value: Value? { try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) }

    var databaseValue: DatabaseValue { text.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> JSONText? {
        value.isNull ? nil : JSONText(text: String.fromDatabaseValue(value) ?? "")
    }

    /// Creates a value from a text that may be JSON.
    init(text: String) { self.text = text }
}
