import Compression
import Crypto
import Foundation
import HTTPMessage
import TestSupport
import Testing

@testable import Console

/// Transport contract, section 8: the page for devices.
@Suite struct DevicePageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Console/Device").standardized

    private func page(_ change: (inout DevicePage.Facts) -> Void = { _ in }) throws -> (text: String, policy: String) {
        var facts = DevicePage.Facts(
            apis: [DevicePage.API(title: "A <b>", name: "a", origin: "http://192.168.1.23:4681")],
            fingerprint: "00ff10",
            subject: "CN=Understudy CA",
            secureOrigin: "https://192.168.1.23:4680",
            isSecure: false,
            link: "app://x?base={base}",
            mayPair: false
        )
        change(&facts)
        let response = DevicePage().response(facts)
        let policy = try #require(response.fields["Content-Security-Policy"])
        guard case .bytes(let bytes) = response.body else { return ("", policy) }
        return (String(decoding: bytes, as: UTF8.self), policy)
    }

    @Test func `8 the embedded files are those of the folder`() throws {
        for embedded in ConsoleFiles.device {
            let packed = try #require(Base64.decode(embedded.gzip))
            let plain = try Inflater.inflate(packed, .gzip, limit: 1 << 20)
            let file = try String(contentsOf: Self.folder.appending(path: embedded.name), encoding: .utf8)
            expectEqual(String(decoding: plain, as: UTF8.self), file, "\(embedded.name): make console")
        }
        expectEqual(ConsoleFiles.device.map(\.name), ["page.html", "script.js", "style.css"])
    }

    @Test func `8 the policy has the hash of the script that the page holds`() throws {
        let (text, policy) = try page()
        let script = try #require(
            text.components(separatedBy: "<script>").last?.components(separatedBy: "</script>").first
        )
        #expect(policy.contains("script-src 'sha256-\(Base64.encode(SHA256.digest(Array(script.utf8))))';"))
        #expect(policy.contains("connect-src 'self' https://192.168.1.23:4680;"))
        expectEqual(text.components(separatedBy: "<script").count, 2)
    }

    @Test func `8 text is escaped, the fingerprint is in pairs, and the base in a link is encoded`() throws {
        let (text, _) = try page()
        #expect(text.contains("A &lt;b&gt;"))
        #expect(text.contains("00:FF:10"))
        #expect(text.contains("app://x?base=http%3A%2F%2F192.168.1.23%3A4681"))
    }

    @Test func `8 what there is not is not shown`() throws {
        let (text, policy) = try page {
            ($0.fingerprint, $0.subject, $0.secureOrigin, $0.link) = (nil, nil, nil, nil)
        }
        for missing in ["ca.mobileconfig", "app://", "id=\"pairing\"", "over https"] {
            #expect(!text.contains(missing), "\(missing)")
        }
        #expect(policy.contains("connect-src 'self';"))
        #expect(try page { $0.mayPair = true }.text.contains("id=\"pairing\""))
    }
}
