import Backend
import CivilTime
import Crypto

/// Makes tokens that only their world can read: what a JWT says in clear, encrypted and authenticated.
///
/// The code that authenticates the content is the nonce of the key stream, so that the same content is the same text in
/// every process, and no two contents share a stream.
struct TokenSeal: Sendable {
    private let codeKey: HMACKey
    private let streamKey: HMACKey
    private let world: String

    /// The beginning of every such token.
    static let prefix = "own0"
    private static let codeLength = 16
    private static let numbersLength = 33

    init(secret: [UInt8], world: String, _ keys: HMACKeys) {
        self.world = world
        // The name is part of the keys: a fork has the secret of its origin.
        codeKey = keys.key(secret + Array("code \(world)".utf8))
        streamKey = keys.key(secret + Array("stream \(world)".utf8))
    }

    /// Returns the token of a content.
    func sealed(_ claims: CustomTokenClaims) -> String {
        let content = Self.content(claims)
        let code = Array(codeKey.authenticationCode(for: content).prefix(Self.codeLength))
        return WorldTag.tagged(Self.prefix + Hex.encode(code + mixed(content, code)), world: world)
    }

    /// Returns the content of a token; nil for one that was not sealed here.
    func opened(_ token: String) -> CustomTokenClaims? {
        guard token.hasPrefix(Self.prefix), WorldTag.world(of: token) == world,
            let bytes = Hex.decode(String(token.dropFirst(Self.prefix.utf8.count).prefix { $0 != "-" })),
            bytes.count >= Self.codeLength + Self.numbersLength
        else { return nil }
        let code = Array(bytes.prefix(Self.codeLength))
        let content = mixed(Array(bytes.dropFirst(Self.codeLength)), code)
        guard constantTimeEqual(Array(codeKey.authenticationCode(for: content).prefix(Self.codeLength)), code) else {
            return nil
        }
        let claims = Self.claims(content)
        // Upper-case digits would be a second spelling of the same token.
        guard let claims, sealed(claims) == token else { return nil }
        return claims
    }

    /// Returns the bytes combined with the stream of a nonce, which undoes itself.
    private func mixed(_ bytes: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
        var result = bytes
        var block: [UInt8] = []
        for place in bytes.indices {
            if place % 32 == 0 {
                block = streamKey.authenticationCode(for: nonce + [UInt8(truncatingIfNeeded: place / 32)])
            }
            result[place] ^= block[place % 32]
        }
        return result
    }

    // MARK: Content

    private static func content(_ claims: CustomTokenClaims) -> [UInt8] {
        guard let identity = claims.identity else { return [] }
        let flags: UInt8 =
            (identity.kind == .refresh ? 1 : 0) | (claims.isRevoked ? 2 : 0) | (claims.user == nil ? 0 : 4)
        let words = [
            SessionID.number(of: identity.session), UInt64(bitPattern: identity.number),
            UInt64(bitPattern: claims.issuedAt), UInt64(bitPattern: claims.expiresAt),
        ]
        let numbers = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        return [flags] + numbers + Array((claims.user ?? "").utf8)
    }

    private static func claims(_ content: [UInt8]) -> CustomTokenClaims? {
        let words = (0..<4).map { word in
            content[(1 + word * 8)..<(9 + word * 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let isOffline = content[0] & 4 != 0
        let identity = TokenIdentity(
            session: SessionID.text(of: words[0], isOffline: isOffline),
            kind: content[0] & 1 == 0 ? .access : .refresh,
            number: Int64(bitPattern: words[1])
        )
        return CustomTokenClaims(
            identity: identity,
            user: isOffline ? String(decoding: content[numbersLength...], as: UTF8.self) : nil,
            issuedAt: Int64(bitPattern: words[2]),
            expiresAt: Int64(bitPattern: words[3]),
            isRevoked: content[0] & 2 != 0
        )
    }
}

/// The ids of sessions: a prefix and sixteen hexadecimal digits.
enum SessionID {
    private static let prefix = "ses_"

    /// Returns the id of a number; those of the command line have a prefix of their own.
    static func text(of number: UInt64, isOffline: Bool = false) -> String {
        let digits = String(number, radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.utf8.count) + digits
        return (isOffline ? TokenOrder.offlineIDPrefix : prefix) + padded
    }

    /// Returns the number of an id; 0 for one of another form.
    static func number(of text: String) -> UInt64 {
        UInt64(text.suffix(16), radix: 16) ?? 0
    }

    /// Tells whether the command line has made the session, which a world stores at its token's first use.
    static func isOffline(_ text: String) -> Bool { text.hasPrefix(TokenOrder.offlineIDPrefix) }
}
