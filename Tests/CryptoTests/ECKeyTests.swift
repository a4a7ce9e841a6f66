import TestSupport
import Testing

@testable import Crypto

/// ES256 (RFC 7518 section 3.4).
struct ECKeyTests {
    /// RFC 7515 appendix A.3: header, payload, signature and key.
    private static let token =
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    private static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    private static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"

    private static func key() throws -> ECPublicKey {
        let (x, y) = (try #require(Base64URL.decode(x)), try #require(Base64URL.decode(y)))
        return try #require(ECPublicKey(x: x, y: y))
    }

    @Test func `the example of RFC 7515 verifies`() throws {
        #expect(JWT.verifyES256(try JWT.Parts(parsing: Self.token), key: try Self.key()))
    }

    @Test func `a changed message, signature or length does not`() throws {
        let parts = try JWT.Parts(parsing: Self.token)
        let key = try Self.key()
        for place in [0, 31, 32, 63] {
            var signature = parts.signature
            signature[place] ^= 1
            #expect(!key.verify(signature, of: parts.signingInput))
        }
        #expect(!key.verify(parts.signature, of: parts.signingInput.dropLast()))
        #expect(!key.verify(parts.signature.dropLast(), of: parts.signingInput))
        #expect(!key.verify(parts.signature + [0], of: parts.signingInput))
        #expect(!key.verify([], of: parts.signingInput))
        #expect(!key.verify([UInt8](repeating: 0, count: 64), of: parts.signingInput))
    }

    @Test func `what is no point of the curve is no key`() throws {
        let x = try #require(Base64URL.decode(Self.x))
        let y = try #require(Base64URL.decode(Self.y))
        expectNil(ECPublicKey(x: y, y: x))
        expectNil(ECPublicKey(x: x.dropLast(), y: y))
        expectNil(ECPublicKey(x: x, y: [UInt8](repeating: 0, count: 32)))
        expectNil(ECPublicKey(x: [], y: []))
    }
}
