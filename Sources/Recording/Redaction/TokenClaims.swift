import Crypto
import JSON
import Secrets

/// Claims of JWTs that say no more than what stands beside them.
struct TokenClaims {
    private static let options = JSONReader.Options(maxDepth: 512, allowBOM: true)
    private static let mostValues = 20_000
    private static let mostTokens = 64
    private static let longest = 256

    private var tokens: [String] = []
    /// The values under names that tell nothing, and those under telltale ones.
    private var values: Set<String> = []
    private var secrets: Set<String> = []

    private init() {}

    /// Returns the JWTs among the texts of JSON, each with the claims whose values stand elsewhere in it under a name
    /// that is not telltale.
    static func shared(in bytes: [UInt8]) -> [(token: String, claims: JSONObject)] {
        guard hasToken(bytes), let json = try? JSONReader.read(bytes, options: options) else { return [] }
        var found = TokenClaims()
        found.collect(json, "")
        let values = found.values.subtracting(found.secrets)
        return found.tokens.map { token in
            (token, JSONObject(claims(of: token).members.filter { isShared($0, values) }))
        }
    }

    private static func isShared(_ claim: JSONObject.Member, _ values: Set<String>) -> Bool {
        guard SecretNames.kind(of: claim.name) == nil else { return false }
        switch claim.value {
        case .string(let text): return values.contains(text)
        case .integer, .number: return values.contains(claim.value.text)
        case .null, .bool, .array, .object: return false
        }
    }

    private static func claims(of token: String) -> JSONObject {
        guard let parts = try? JWT.Parts(parsing: token) else { return [:] }
        return (try? JSONReader.read(parts.payloadBytes))?.objectValue ?? [:]
    }

    private mutating func collect(_ json: JSON, _ name: String) {
        switch json {
        case .object(let object): for member in object.members { collect(member.value, member.name) }
        case .array(let items): for item in items { collect(item, name) }
        case .string(let text):
            if text.hasPrefix("ey"), JWTForm.isToken(Array(text.utf8)[...]) {
                if tokens.count < Self.mostTokens { tokens.append(text) }
            } else {
                add(text, name)
            }
        case .integer, .number: add(json.text, name)
        case .null, .bool: break
        }
    }

    private mutating func add(_ text: String, _ name: String) {
        guard text.utf8.count <= Self.longest, values.count + secrets.count < Self.mostValues else { return }
        if SecretNames.kind(of: name) == nil { values.insert(text) } else { secrets.insert(text) }
    }

    private static func hasToken(_ bytes: [UInt8]) -> Bool {
        var window: UInt32 = 0
        for byte in bytes {
            window = (window << 8 | UInt32(byte)) & 0xFF_FFFF
            if window == 0x65_794A { return true }
        }
        return false
    }
}
