import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Certificates

/// The profile for Apple's systems (transport contract, section 5).
@Suite struct ConfigurationProfileTests {
    private func profile(_ root: Certificate) throws -> [String: Any] {
        let data = Data(ConfigurationProfile.text(of: root).utf8)
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        return try #require(list as? [String: Any])
    }

    @Test func `5 the profile holds the root as one payload`() throws {
        let root = try Authority.make(owner: "a&b<c>@d", now: AuthorityTests.now).root
        let profile = try profile(root)
        expectEqual(profile["PayloadType"] as? String, "Configuration")
        expectEqual(profile["DurationUntilRemoval"] as? Int, 2_592_000)
        let payloads = try #require(profile["PayloadContent"] as? [[String: Any]])
        expectEqual(payloads.count, 1)
        expectEqual(payloads[0]["PayloadType"] as? String, "com.apple.security.root")
        expectEqual(payloads[0]["PayloadContent"] as? Data, Data(root.der))
        expectEqual(payloads[0]["PayloadDescription"] as? String, root.subject)
        for dictionary in payloads + [profile] {
            let identifier = try #require(dictionary["PayloadIdentifier"] as? String)
            #expect(identifier.hasPrefix("dev.understudy.ca."))
            #expect(UUID(uuidString: try #require(dictionary["PayloadUUID"] as? String)) != nil)
        }
        #expect(payloads[0]["PayloadUUID"] as? String != profile["PayloadUUID"] as? String)
    }

    @Test func `5 the UUIDs follow from the fingerprint`() throws {
        let (one, other) = (
            try Authority.make(owner: "a@b", now: AuthorityTests.now).root,
            try Authority.make(owner: "a@b", now: AuthorityTests.now).root
        )
        let again = try #require(Certificate(der: one.der))
        expectEqual(ConfigurationProfile.text(of: one), ConfigurationProfile.text(of: again))
        #expect(try profile(one)["PayloadUUID"] as? String != profile(other)["PayloadUUID"] as? String)
    }

    @Test func `5 the fingerprint is the SHA-256 of the DER`() throws {
        let root = try Authority.make(owner: "a@b", now: AuthorityTests.now).root
        let tool = try Tool.openssl("x509", "-noout", "-fingerprint", "-sha256", input: Array(root.pem.utf8))
        let digits = root.fingerprint.map { String(format: "%02X", $0) }.joined(separator: ":")
        #expect(tool.output.contains("sha256 Fingerprint=\(digits)"))
    }
}
