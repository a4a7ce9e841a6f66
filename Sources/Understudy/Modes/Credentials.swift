import JSON
import Recording

/// Finds the credentials that an answer hands out.
enum Credentials {
    /// Longer answers hand out none.
    private static let longest = 64 * 1_024
    private static let sign = Array("oken".utf8)

    /// The texts under names such as `accessToken`.
    static func found(in content: [UInt8]) -> [String] {
        // Most answers have no such name, which is quickly told.
        guard content.count <= longest, holdsSign(content), let json = try? JSONReader.read(content) else { return [] }
        var found: [String] = []
        collect(json, "", &found)
        return found
    }

    private static func holdsSign(_ content: [UInt8]) -> Bool {
        var place = 0
        while let next = content[place...].firstIndex(of: sign[0]) {
            if content[next...].starts(with: sign) { return true }
            place = next + 1
        }
        return false
    }

    private static func collect(_ json: JSON, _ name: String, _ found: inout [String]) {
        switch json {
        case .string(let text):
            if text.utf8.count >= 12, SecretNames.kind(of: name) != nil { found.append(text) }
        case .array(let items): for item in items { collect(item, name, &found) }
        case .object(let object): for member in object.members { collect(member.value, member.name, &found) }
        case .null, .bool, .integer, .number: break
        }
    }
}
