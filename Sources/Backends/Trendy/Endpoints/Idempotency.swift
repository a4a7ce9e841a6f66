import Backend
import CivilTime
import HTTPMessage

/// Idempotency keys (contract, section 10.9).
extension TrendyAPI {
    private static let keyField: FieldName = "Idempotency-Key"
    private static let replayedField: FieldName = "X-Idempotency-Replayed"
    private static let keyLife = Interval.hours(24)
    /// The number of stored responses at which expired ones are removed.
    private static let sweepAt = 1_024
    /// The largest number of stored responses; on a frozen clock none would ever expire.
    private static let capacity = 16_384

    /// Wraps a handler so that it runs once for each key, method, path and user, and then repeats its first success.
    static func once(_ handle: @escaping TrendyEndpoint.Handler) -> TrendyEndpoint.Handler {
        { state, core, call throws(APIError) in
            guard let key = call.fields[keyField], !key.isEmpty else { return try handle(&state, &core, &call) }
            // An id in the path is the same in upper and lower case.
            let path = call.path.text.lowercased()
            let id = [user(call), call.method.rawValue, path, key].joined(separator: "\n")
            if let stored = state.storedAnswers[id], isAlive(stored, call) {
                var response = json(Array(stored.body.utf8), status: Status(stored.status))
                response.fields.append(replayedField, "true")
                return response
            }
            let response = try handle(&state, &core, &call)
            guard (200..<300).contains(response.status.code) else { return response }
            if state.storedAnswers.count >= sweepAt, state.storedAnswers.count.isMultiple(of: sweepAt) {
                for row in state.storedAnswers.rows where !isAlive(row, call) { state.storedAnswers.remove(row.id) }
            }
            if state.storedAnswers.count >= capacity {
                for row in state.storedAnswers.rows.dropLast(capacity / 2) { state.storedAnswers.remove(row.id) }
            }
            state.storedAnswers.insert(
                StoredAnswer(
                    id: id,
                    status: response.status.code,
                    body: String(decoding: response.body.content, as: UTF8.self),
                    storedAt: .at(call.now)
                )
            )
            return response
        }
    }

    private static func isAlive(_ stored: StoredAnswer, _ call: Call) -> Bool {
        call.now - stored.storedAt.resolved(in: call.epoch) < keyLife
    }
}
