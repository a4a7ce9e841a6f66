import Foundation
import JSON
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Transport contract, sections 6 and 7: connection faults and failed handshakes, as foreign clients see them.
@Suite(.serialized) struct ConnectionFaultWireTests {
    /// Each case with the code of OpenSSL's verification, 0 where it accepts.
    private static let cases: [(name: String, code: Int)] = [
        ("expired", 10), ("not-yet-valid", 9), ("wrong-host", 62), ("untrusted-root", 19), ("self-signed", 18),
        ("incomplete-chain", 20), ("no-server-auth", 26), ("outside-constraints", 47), ("sha1", 68), ("rsa1024", 66),
        ("no-san", 0), ("too-long", 0), ("revoked", 0), ("other-key", 0),
    ]

    private static let python = """
        import socket, ssl, sys
        context = ssl.create_default_context(cafile=sys.argv[3])
        try:
            with socket.create_connection(("127.0.0.1", int(sys.argv[2])), timeout=60) as plain:
                with context.wrap_socket(plain, server_hostname=sys.argv[1]) as secure:
                    secure.sendall(b"GET /__admin/health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
                    print("accepted" if secure.recv(12) == b"HTTP/1.1 200" else "odd")
        except ssl.SSLCertVerificationError as error:
            print("refused", error.verify_code)
        except OSError as error:
            print("failed", type(error).__name__)
        """

    @Test func `6 every ready name shows its case to OpenSSL and to Python`() throws {
        let secure = try SecureServed()
        for item in Self.cases {
            let host = "\(item.name).bad.localhost"
            let client = try TLSTool([
                "openssl", "s_client", "-connect", "127.0.0.1:\(secure.hub)", "-servername", host, "-verify_hostname",
                host, "-CAfile", secure.root, "-status",
            ])
            if let client {
                // The first error counts: the code at the end is that of the last.
                let word = item.code == 0 ? "Verify return code: 0 (" : "verify error:num=\(item.code):"
                #expect((client.output + client.errors).contains(word), "\(item.name)")
                expectEqual(client.output.contains("Cert Status: revoked"), item.name == "revoked", "\(item.name)")
            }
            if let said = try TLSTool.python(Self.python, [host, "\(secure.hub)", secure.root]) {
                let expected = item.code == 0 ? "accepted\n" : "refused \(item.code)\n"
                expectEqual(said.output, expected, "\(item.name): \(said.errors)")
            }
        }
        let faults = try secure.served.control("GET", "/connection-faults").json
        expectEqual(faults, ["items": []])
        let failures = try secure.served.control("GET", "/tls/failures").json["items"]?.arrayValue ?? []
        #expect(failures.contains { $0["fault"] == "expired.bad.localhost" && $0["reason"] == "client-alert" })
    }

    @Test func `6 a name below bad.localhost that is none is refused, and the nearest is named`() throws {
        let secure = try SecureServed(log: [])
        for (label, near) in [
            ("expried", "expired"), ("self-singed", "self-signed"), ("tls1-3", "tls1-0"), ("EXPIRE", "expired"),
            ("a.expired", "expired"),
        ] {
            for port in [secure.hub, secure.served.api] {
                let said = try TLSTool.python(Self.python, ["\(label).bad.localhost", "\(port)", secure.root])
                #expect(said?.output.hasPrefix("failed ") ?? true, "\(label): \(said?.output ?? "")")
            }
            guard TLSTool.path("python3") != nil else { continue }
            let failures = try secure.served.control("GET", "/tls/failures").json["items"]?.arrayValue ?? []
            let failure = try #require(failures.first)
            expectEqual(failure["reason"], "injected")
            expectEqual(failure["fault"]?.stringValue, "\(label.lowercased()).bad.localhost")
            let advice = failure["advice"]?.stringValue ?? ""
            #expect(advice.contains("did you mean \(near).bad.localhost?"), "\(failure)")
            #expect(try secure.served.child.errors().contains("did you mean \(near).bad.localhost?"))
        }
        for name in ["localhost", "bad.localhost", "checkout.localhost", "bad.localhost.example"] {
            let said = try TLSTool.python(Self.python, [name, "\(secure.hub)", secure.root])
            #expect(!(said?.output.hasPrefix("failed ") ?? false), "\(name): \(said?.output ?? "")")
        }
    }

    private static let node = """
        const [host, port, root] = process.argv.slice(1)
        const options = { host: "127.0.0.1", servername: host, port, path: "/__admin/health",
            ca: require("fs").readFileSync(root), headers: { host: "localhost" } }
        require("https").get(options, (answer) => { answer.resume(); answer.on("end", () => console.log("accepted")) })
            .on("error", (error) => console.log(error.code))
        """

    @Test func `6 Node tells the cases apart by their codes`() throws {
        _ = try #require(TLSTool.path("node"), "make test-deps installs node")
        let secure = try SecureServed()
        for (name, said) in [
            ("expired", "CERT_HAS_EXPIRED"), ("not-yet-valid", "CERT_NOT_YET_VALID"),
            ("wrong-host", "ERR_TLS_CERT_ALTNAME_INVALID"), ("untrusted-root", "SELF_SIGNED_CERT_IN_CHAIN"),
            ("self-signed", "DEPTH_ZERO_SELF_SIGNED_CERT"), ("incomplete-chain", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
            ("no-server-auth", "INVALID_PURPOSE"), ("reset", "ECONNRESET"), ("close", "ECONNRESET"),
            ("garbage", "EPROTO"), ("tls1-2", "accepted"), ("no-alpn", "accepted"), ("no-notify", "accepted"),
            ("too-long", "accepted"), ("other-key", "accepted"),
        ] {
            let run = try TLSTool(["node", "-e", Self.node, "\(name).bad.localhost", "\(secure.hub)", secure.root])
            expectEqual(run?.output, said + "\n", "\(name): \(run?.errors ?? "")")
        }
    }

    #if os(Linux)
    @Test func `5 Chromium trusts the root by its NSS store, and refuses what is bad`() throws {
        for tool in ["chromium", "certutil"] { _ = try #require(TLSTool.path(tool), "make test-deps installs \(tool)") }
        let secure = try SecureServed()
        let home = try Folder([".pki/nssdb/made": ""])
        let environment = ["HOME": home.url.path]
        let store = "sql:\(home.url.path)/.pki/nssdb"
        try expectEqual(TLSTool(["certutil", "-N", "-d", store, "--empty-password"])?.status, 0)
        let trusted = try Program.run(
            ["trust", "--yes", "--store", "nss", "--ca", secure.folder.url.path + "/ca"],
            environment: environment
        )
        expectEqual(trusted.status, 0, "\(trusted.errors)")
        func see(_ host: String) throws -> String {
            let run = try #require(
                try TLSTool(
                    [
                        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                        "--user-data-dir=\(home.url.path)/profile", "--dump-dom", "--timeout=60000",
                        "https://\(host):\(secure.hub)/__admin/health",
                    ],
                    environment: environment
                )
            )
            return run.output + run.errors
        }
        #expect(try see("localhost").contains(#""status":"ok""#))
        #expect(try see("expired.bad.localhost").contains("ERR_CERT_DATE_INVALID"))
        let removed = try Program.run(["untrust", "--yes", "--store", "nss"], environment: environment)
        #expect(removed.status == 0 && removed.output.contains("done"), "\(removed.output)")
        #expect(try TLSTool(["certutil", "-L", "-d", store, "-n", "understudy"])?.status != 0)
    }
    #endif

    @Test func `6 a fault by a call acts as often as it says, and is seen in the journal or among the failures`() throws
    {
        let secure = try SecureServed()
        let port = secure.served.api
        func add(_ order: String) throws -> JSON { try secure.served.control("POST", "/connection-faults", order).json }
        try expectEqual(add(#"{"when":{"skip":1,"times":1},"effect":{"certificate":"self-signed"}}"#)["id"], "cfl_1")
        func ask() throws -> Int32 { try #require(try secure.curl("localhost", "/api/v1/nowhere", port: port)).status }
        try expectEqual([ask(), ask(), ask()], [0, 60, 0])
        try expectEqual(secure.served.control("GET", "/connection-faults/cfl_1").json["hits"], 1)
        let failure = try #require(try secure.served.control("GET", "/tls/failures").json["items"]?[0])
        expectEqual(failure["api"], "omnichat")
        expectEqual(failure["fault"], "cfl_1")
        expectEqual(failure["sni"], "localhost")
        _ = try secure.served.control("DELETE", "/connection-faults")
        // The hub is meant only by name.
        try expectEqual(add(#"{"effect":{"handshake":"close"}}"#)["id"], "cfl_2")
        try expectEqual(secure.curl("localhost", "/__admin/health")?.status, 0)
        try expectEqual(ask(), 35)
        _ = try secure.served.control("DELETE", "/connection-faults")
        try expectEqual(add(#"{"effect":{"certificate":"other-key"}}"#)["id"], "cfl_3")
        try expectEqual(ask(), 0)
        let entry = try secure.served.control("GET", "/requests?limit=1").json["items"]?[0]
        expectEqual(entry?["transport"]?["tls"]?["fault"], "cfl_3")
        // A reset leaves what belongs to the process.
        _ = try secure.served.control("POST", "/reset")
        try expectEqual(secure.served.control("GET", "/connection-faults").json["items"]?.arrayValue?.count, 1)
    }

    @Test func `7 the advice names the root for a client that does not trust it`() throws {
        let secure = try SecureServed(log: [])
        let client = try #require(
            try TLSTool([
                "openssl", "s_client", "-connect", "127.0.0.1:\(secure.hub)", "-servername", "localhost",
                "-no-CAfile", "-no-CApath", "-no-CAstore", "-verify_return_error",
            ])
        )
        #expect(client.status != 0)
        var failure: JSON?
        try Deadline().wait(for: "the failure") {
            failure = try secure.served.control("GET", "/tls/failures").json["items"]?[0]
            return failure != nil
        }
        expectEqual(failure?["reason"], "client-alert")
        expectEqual(failure?["alert"]?["name"], "unknown_ca")
        expectEqual(failure?["alert"]?["from"], "client")
        expectEqual(failure?["alert"]?["number"], 48)
        let subject = try secure.served.control("GET", "/tls").json["authority"]?["subject"]?.stringValue ?? "none"
        let advice = failure?["advice"]?.stringValue ?? ""
        #expect(advice.contains(subject) && advice.contains("understudy trust"))
        try Deadline().wait(for: "the line of the log") { try secure.served.child.errors().contains("unknown_ca") }
        #expect(
            try secure.served.control("GET", "/metrics").text.contains(
                #"understudy_tls_handshakes_total{result="failed"} 1"#
            )
        )
        try expectEqual(secure.served.control("DELETE", "/tls/failures").status, 204)
        try expectEqual(secure.served.control("GET", "/tls/failures").json, ["items": []])
    }

    @Test func `6 URLSession refuses what it does not trust, and the server says so`() throws {
        let secure = try SecureServed()
        let url = try #require(URL(string: "https://localhost:\(secure.hub)/__admin/health"))
        let box = Outcome()
        let task = URLSession(configuration: .ephemeral).dataTask(with: url) { _, _, error in box.note(error) }
        task.resume()
        try Deadline().wait(for: "the answer of URLSession") { box.isThere }
        #expect(box.code != nil, "a root that nobody trusts was accepted")
        var reasons: [String] = []
        try Deadline().wait(for: "the failure") {
            let failures = try secure.served.control("GET", "/tls/failures").json["items"]?.arrayValue ?? []
            reasons = failures.compactMap { $0["reason"]?.stringValue }
            return !reasons.isEmpty
        }
        #expect(reasons.allSatisfy { ["client-alert", "client-closed"].contains($0) }, "\(reasons)")
    }

    /// The end of a task, noted on another thread.
    private final class Outcome: @unchecked Sendable {
        private let lock = NSLock()
        private var noted = false
        private var failure: Int?

        func note(_ error: (any Error)?) {
            lock.withLock {
                noted = true
                failure = (error as NSError?)?.code
            }
        }

        var isThere: Bool { lock.withLock { noted } }
        var code: Int? { lock.withLock { failure } }
    }
}
