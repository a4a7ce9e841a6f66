import Foundation

/// The form of values in the store: JSON with sorted members, so that equal values are equal bytes.
enum StoreCoding {
    static func data(_ value: some Encodable) throws(StoreError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            throw .unwritable(reason: "no JSON: \(error)")
        }
    }
}
