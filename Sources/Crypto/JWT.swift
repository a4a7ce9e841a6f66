/// Signed JSON Web Tokens in compact form (RFC 7515 section 7.1, RFC 7519), with their JSON as ready bytes.
///
/// Nothing here reads the JSON. The verifier must also check that the header's `alg` is the expected one, and choose
/// the function by its own expectation, never by the token's (RFC 8725 section 3.1).
package enum JWT {
    /// The algorithm with its key.
    package enum Key: Sendable {
        /// HMAC with SHA-256.
        case hs256(HMACKey)
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256(RSAPrivateKey)
    }

    /// The token of a header and a payload, both JSON text in UTF-8.
    package static func signed(
        header: [UInt8],
        payload: [UInt8],
        key: Key
    ) -> String {
        var token: [UInt8] = []
        token.reserveCapacity((header.count + payload.count) * 4 / 3 + 64)
        Base64Coding.url.encode(header, padded: false, into: &token)
        token.append(UInt8(ascii: "."))
        Base64Coding.url.encode(payload, padded: false, into: &token)
        let signature =
            switch key {
            case .hs256(let key): key.authenticationCode(for: token)
            case .rs256(let key): key.sign(token)
            }
        token.append(UInt8(ascii: "."))
        Base64Coding.url.encode(signature, padded: false, into: &token)
        return String(decoding: token, as: UTF8.self)
    }

    /// A token cut into its parts, each decoded; nothing is verified yet.
    package struct Parts: Sendable, Equatable {
        package let headerBytes: [UInt8]
        package let payloadBytes: [UInt8]
        /// May be empty, which verifies with no key.
        package let signature: [UInt8]
        /// The signed bytes: header and payload as they were written, with the dot between them.
        package let signingInput: ArraySlice<UInt8>

        /// Exactly three parts of strict base64url, the first two not empty.
        package init(parsing text: String) throws(JWTError) {
            try self.init(parsing: Array(text.utf8)[...])
        }

        /// Exactly three parts of strict base64url, the first two not empty.
        package init(parsing bytes: [UInt8]) throws(JWTError) {
            try self.init(parsing: bytes[...])
        }

        /// Exactly three parts of strict base64url, the first two not empty.
        package init(parsing bytes: ArraySlice<UInt8>) throws(JWTError) {
            let dot = UInt8(ascii: ".")
            guard let first = bytes.firstIndex(of: dot),
                let second = bytes[(first + 1)...].firstIndex(of: dot),
                !bytes[(second + 1)...].contains(dot)
            else { throw .notThreeParts }
            headerBytes = try Self.decode(bytes[..<first], .header)
            payloadBytes = try Self.decode(bytes[(first + 1)..<second], .payload)
            signature = try Self.decode(bytes[(second + 1)...], .signature)
            signingInput = bytes[..<second]
        }

        private static func decode(_ text: ArraySlice<UInt8>, _ part: JWTError.Part) throws(JWTError) -> [UInt8] {
            if text.isEmpty, part != .signature { throw .empty(part) }
            guard let bytes = Base64Coding.url.decode(text, padded: false) else { throw .notBase64URL(part) }
            return bytes
        }
    }

    /// Returns true if the signature is the key's HS256 code, compared in constant time.
    package static func verifyHS256(_ parts: Parts, key: HMACKey) -> Bool {
        key.isValid(parts.signature, for: parts.signingInput)
    }

    /// Returns true if the signature is an RS256 signature by the key.
    package static func verifyRS256(_ parts: Parts, key: RSAPublicKey) -> Bool {
        key.verify(parts.signature, of: parts.signingInput)
    }
}

extension JWT {
    /// Returns true if the signature is an ES256 signature by the key.
    package static func verifyES256(_ parts: Parts, key: ECPublicKey) -> Bool {
        key.verify(parts.signature, of: parts.signingInput)
    }
}
