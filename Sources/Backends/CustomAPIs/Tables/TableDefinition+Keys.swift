import Backend
import Conditions
import JSON

extension TableDefinition {
    /// Returns the key of a new row.
    func makeKey(
        _ rows: CustomTable,
        _ randomness: inout Randomness,
        stream keyStream: String
    ) throws(CustomAPIFailure) -> RowKey {
        switch newKey {
        case .integer:
            let (number, isOver) = max(rows.lastKey, 0).addingReportingOverflow(1)
            guard !isOver, let key = RowKey(.integer(number)) else { throw CustomAPIFailure(.tableFull) }
            return key
        case .uuid:
            let text = randomness.unused(keyStream, { $0.uuid() }, isTaken: { rows.rows.contains($0) })
            return try RowKey.made(text)
        case .prefix(let prefix):
            let text = randomness.unused(
                keyStream,
                { prefix + $0.text(length: 16, from: Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)) },
                isTaken: { rows.rows.contains($0) }
            )
            return try RowKey.made(text)
        case .client: throw CustomAPIFailure(.validationFailed)
        }
    }
}

extension RowKey {
    /// Returns the key of a text that was made here.
    fileprivate static func made(_ text: String) throws(CustomAPIFailure) -> RowKey {
        guard let key = RowKey(.string(text)) else { throw CustomAPIFailure(.tableFull) }
        return key
    }
}
