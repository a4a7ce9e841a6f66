import Backend
package import JSON

extension BodyCheck {
    /// Notes that the object is too long: a fault, gate or latency has at most 64 KiB, without the content of
    /// `respond` and `raw` (control contract, section 17).
    package mutating func limitSize() {
        let most = Self.mostBytes
        guard JSON.object(FaultEffects.withoutContent(object)).text(upTo: most).utf8.count > most else { return }
        fault("must be at most \(most) bytes of JSON")
    }

    /// Returns the bytes of an order that count against the limit; nil if all of it does.
    package static func countedBytes(of object: JSONObject) -> Int? {
        let rest = FaultEffects.withoutContent(object)
        guard rest != object else { return nil }
        return JSON.object(rest).text(upTo: mostBytes + 1).utf8.count
    }
}
