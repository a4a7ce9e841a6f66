import Backend
import Proxying
import TestSupport
import Testing

/// Control contract, section 13, own credentials stay here: the fast search, compared with one that only follows the
/// rules.
@Suite struct CredentialSearchTests {
    private static let known: UInt64 = 4_711

    private func made(_ seed: UInt64) -> (PlantedContents<SeededGenerator>, [String], CredentialSearch) {
        var contents = PlantedContents(stream: SeededGenerator(seed: seed))
        let secrets = contents.secrets()
        let issued = IssuedSecrets()
        for secret in secrets { issued.note(secret) }
        return (contents, secrets, CredentialSearch(issued))
    }

    @Test(arguments: [known, UInt64.random(in: 0...UInt64.max)])
    func `13 and 19 a secret is found in codings within codings, and what is nearly one is not`(seed: UInt64) {
        var (contents, secrets, search) = made(seed)
        let reference = ReferenceSearch(secrets)
        for round in 0..<60 {
            let (bytes, isPlanted) = contents.content(secrets)
            let isFound = search.finds(in: bytes)
            // More may be found than the rules ask for, where noise goes on what was cut from a secret.
            let isWanted = reference.finds(in: bytes)
            #expect(isFound || !isWanted, "seed \(seed), round \(round)")
            if seed == Self.known { expectEqual(isFound, isWanted, "round \(round)") }
            #expect(isFound || !isPlanted, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: [known, UInt64.random(in: 0...UInt64.max)])
    func `13 a secret is found where long Base64 is decoded in pieces`(seed: UInt64) {
        var (contents, secrets, search) = made(seed)
        #expect(search.finds(in: contents.longContent(secrets)), "seed \(seed)")
    }
}
