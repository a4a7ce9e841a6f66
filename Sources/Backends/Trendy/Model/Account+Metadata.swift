import JSON

extension Account {
    /// The metadata that the auth server keeps of an account (contract, section 9.4).
    var appMetadata: JSON {
        ["provider": .string(provider), "providers": .array(providers.map { .string($0) })]
    }

    /// The data of an identity, with the members of `data`; those that the server sets itself take precedence.
    var userMetadata: JSON {
        var metadata = identityData
        for member in data?.objectValue?.members ?? [] where !Self.ownMembers.contains(member.name) {
            metadata[member.name] = member.value
        }
        return .object(metadata)
    }

    /// The members that every identity has.
    var identityData: JSONObject {
        ["email": .string(email), "email_verified": true, "phone_verified": false, "sub": .string(id)]
    }

    private static let ownMembers = ["email", "email_verified", "phone_verified", "sub"]
}
