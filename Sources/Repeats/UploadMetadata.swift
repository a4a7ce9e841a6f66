import Crypto
import HTTPMessage
import JSON

/// The field `Upload-Metadata` of tus: pairs of a key and a value in base64, with commas in between.
enum UploadMetadata {
    /// Reads the value of the field; nil if it is malformed.
    static func read(_ text: String) -> JSONObject? {
        var object = JSONObject()
        guard text.contains(where: { $0 != " " }) else { return object }
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: " ", omittingEmptySubsequences: true)
            guard (1...2).contains(parts.count), let key = parts.first.map(String.init), object[key] == nil,
                key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
            guard parts.count == 2 else {
                object.append(key, .null)
                continue
            }
            let coded = String(parts[1])
            guard let bytes = Base64.decode(coded) else { return nil }
            object.append(
                key,
                String(validating: bytes, as: UTF8.self).map { .string($0) } ?? ["base64": .string(coded)]
            )
        }
        return object
    }

    /// The value of the field; nil without metadata.
    static func text(_ object: JSONObject) -> String? {
        guard !object.isEmpty else { return nil }
        return object.members.map { member in
            if member.value.isNull { return member.name }
            let coded = member.value["base64"]?.stringValue ?? Base64.encode((member.value.stringValue ?? "").utf8)
            return "\(member.name) \(coded)"
        }.joined(separator: ",")
    }
}
