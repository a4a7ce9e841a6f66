import Backend
import Conditions
import JSON

extension TableDefinition {
    /// Returns the key of a new row.
    func makeKey(
        _ rows: OwnTable,
        _ randomness: inout Randomness,
        stream keyStream: String
    ) throws(OwnFailure) -> RowKey {
        switch newKey {
        case .integer:
            let (number, isOver) = max(rows.lastKey, 0).addingReportingOverflow(1)
            guard !isOver, let key = RowKey(.integer(number)) else { throw OwnFailure(.tableFull) }
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
        case .client: throw OwnFailure(.validationFailed)
        }
    }
}

extension RowKey {
    /// Returns the key of a text that was made here.
    fileprivate static func made(_ text: String) throws(OwnFailure) -> RowKey {
        guard let key = RowKey(.string(text)) else { throw OwnFailure(.tableFull) }
        return key
    }
}
