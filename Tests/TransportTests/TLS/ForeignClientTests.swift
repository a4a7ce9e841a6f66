import Certificates
import CivilTime
import Foundation
import Handshakes
import TestSupport
import Testing

@testable import Transport

/// Clients of other makers on loopback (transport contract, sections 3, 4 and 6).
@Suite struct ForeignClientTests {
    /// A program that was run while the server was turned.
    private struct Run {
        var status: Int32
        var output: String
    }

    /// A port under TLS, with the root in a file.
    private final class Port {
        let harness: Harness
        let tls = TLSPair.server()
        let number: Int
        let root: String

        init() throws {
            harness = try Harness(PollerKind.allCases[0], securedBy: tls)
            try harness.server.listen(on: [ListenAddress(hosts: ["127.0.0.1"], port: 0)])
            number = try #require(harness.server.boundPort(0))
            root = FileManager.default.temporaryDirectory.appending(path: "root-\(UUID().uuidString).pem").path
            try Data(TLSPair.authority.root.pem.utf8).write(to: URL(filePath: root))
        }

        deinit { try? FileManager.default.removeItem(atPath: root) }

        /// Runs a program to its end.
        func run(_ words: [String], input: String = "", environment: [String: String] = [:]) throws -> Run {
            let process = ChildProcess()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = words
            // Settings of the system or of the user differ from machine to machine.
            let own = ["OPENSSL_CONF": "/dev/null", "https_proxy": "", "HTTPS_PROXY": "", "NO_PROXY": "*"]
            process.environment = ProcessInfo.processInfo.environment.merging(own.merging(environment) { $1 }) { $1 }
            let output = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            #expect(FileManager.default.createFile(atPath: output.path, contents: nil))
            defer { try? FileManager.default.removeItem(at: output) }
            let (pipe, file) = (Pipe(), try FileHandle(forWritingTo: output))
            process.standardInput = .pipe(pipe)
            process.standardOutput = .file(file)
            process.standardError = .file(file)
            try process.run()
            pipe.fileHandleForWriting.write(Data(input.utf8))
            // The end of the input would make s_client leave before the answer.
            let isOver = harness.turn { !process.isRunning }
            #expect(isOver)
            if !isOver { process.terminate() }
            process.waitUntilExit()
            try pipe.fileHandleForWriting.close()
            return Run(
                status: process.terminationStatus,
                output: String(decoding: try Data(contentsOf: output), as: UTF8.self)
            )
        }

        /// Runs `openssl s_client` with a request that closes the connection.
        func sClient(_ host: String?, _ more: String...) throws -> Run {
            let names =
                host.map { ["-servername", $0, "-verify_hostname", $0] } ?? [
                    "-noservername", "-verify_ip", "127.0.0.1",
                ]
            return try run(
                ["openssl", "s_client", "-connect", "127.0.0.1:\(number)", "-CAfile", root, "-ign_eof"] + names + more,
                input: "GET /path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            )
        }
    }

    private static func isInstalled(_ tool: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
        }
    }

    private static let codes: [(CertificateCase, Int)] = [
        (.expired, 10), (.notYetValid, 9), (.wrongHost, 62), (.untrustedRoot, 19), (.selfSigned, 18),
        (.incompleteChain, 20), (.noServerAuth, 26), (.outsideConstraints, 47), (.sha1, 68), (.rsa1024, 66),
        (.noSAN, 0),
        (.tooLong, 0), (.revoked, 0), (.otherKey, 0),
    ]

    /// The command with which a tool gets a page, its trust in the root included.
    private static let tools: [String: @Sendable (_ url: String, _ root: String) -> [String]] = [
        "curl": { ["curl", "--silent", "--show-error", "--max-time", "20", "--cacert", $1, $0] },
        "python3": { url, root in
            let script =
                "import ssl,urllib.request as u;print(u.urlopen('\(url)',timeout=20,"
                + "context=ssl.create_default_context(cafile='\(root)')).read().decode())"
            return ["python3", "-c", script]
        },
        "node": { url, root in
            let script =
                "require('https').get('\(url)',{ca:require('fs').readFileSync('\(root)')},"
                + "r=>r.pipe(process.stdout)).on('error',e=>{console.log(e.code);process.exit(1)})"
            return ["node", "-e", script]
        },
        "requests": { url, root in
            ["python3", "-c", "import requests;print(requests.get('\(url)',timeout=20,verify='\(root)').text)"]
        },
        "go": { url, root in [goProgram, url, root] },
    ]

    /// The clients of the table that are there.
    private static let clients = ["curl", "go", "node", "python3", "requests"].filter {
        $0 == "requests" ? finishes(["python3", "-c", "import requests"]) : isInstalled($0)
    }

    /// A client in Go, which is compiled once; an empty path if that fails.
    private static let goProgram: String = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "go-\(UUID().uuidString)")
        let (source, program) = (folder.appending(path: "main.go").path, folder.appending(path: "get").path)
        let text = """
            package main

            import (
                "crypto/tls"
                "crypto/x509"
                "fmt"
                "io"
                "net/http"
                "os"
            )

            func main() {
                roots := x509.NewCertPool()
                pem, _ := os.ReadFile(os.Args[2])
                roots.AppendCertsFromPEM(pem)
                client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
                response, err := client.Get(os.Args[1])
                if err != nil {
                    fmt.Println(err)
                    os.Exit(1)
                }
                io.Copy(os.Stdout, response.Body)
            }
            """
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: source))
        } catch {
            return ""
        }
        let cache = "GOCACHE=\(folder.appending(path: "cache").path)"
        guard finishes(["env", cache, "CGO_ENABLED=0", "go", "build", "-o", program, source]) else { return "" }
        return program
    }()

    /// Runs a program, and returns whether it succeeds.
    private static func finishes(_ words: [String]) -> Bool {
        let process = ChildProcess()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = .null
        process.standardError = .null
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `3 openssl s_client verifies and is answered`(version: String) throws {
        let port = try Port()
        for host in ["checkout.localhost", "localhost", nil] {
            let run = try port.sClient(host, version, "-alpn", "h2,http/1.1")
            #expect(run.output.contains("Verification: OK"), "\(run.output)")
            #expect(run.output.contains("ALPN protocol: http/1.1"))
            #expect(run.output.contains("/path"))
            // OpenSSL 3 tells an end without close_notify.
            #expect(!run.output.contains("unexpected eof"))
        }
    }

    @Test func `3 openssl s_client resumes`() throws {
        let port = try Port()
        let session = port.root + ".session"
        defer { try? FileManager.default.removeItem(atPath: session) }
        for version in ["-tls1_2", "-tls1_3"] {
            _ = try port.sClient("localhost", version, "-sess_out", session)
            let run = try port.sClient("localhost", version, "-sess_in", session)
            #expect(run.output.contains("Reused, TLSv"), "\(run.output)")
        }
        expectEqual(port.tls.log.counts.resumed, 2)
    }

    @Test(arguments: codes)
    func `6 CASE gives openssl s_client the code of the table`(kind: CertificateCase, code: Int) throws {
        let port = try Port()
        let run = try port.sClient("\(kind.rawValue).bad.localhost", "-status")
        // It goes on after an error, and shows the first one first.
        let shown = code == 0 ? "Verify return code: 0 (ok)" : "verify error:num=\(code):"
        #expect(run.output.contains(shown), "\(run.output.suffix(3_000))")
        let first = run.output.split(separator: "\n").first { $0.contains("verify error:num=") }
        #expect(first?.contains(shown) ?? (code == 0))
        expectEqual(run.output.contains("Cert Status: revoked"), kind == .revoked)
    }

    @Test(arguments: clients)
    func `3 other clients verify and are answered`(tool: String) throws {
        let port = try Port()
        let command = try #require(Self.tools[tool])
        for host in ["localhost", "127.0.0.1"] {
            let run = try port.run(command("https://\(host):\(port.number)/from-\(tool)", port.root))
            #expect(run.status == 0 && run.output.hasPrefix("/from-\(tool)"), "\(run.output)")
        }
        let plain = try port.run(
            command("http://localhost:\(port.number)/plain", port.root).map {
                $0.replacing("require('https')", with: "require('http')")
            }
        )
        #expect(plain.output.hasPrefix("/plain"), "\(plain.output)")
    }

    @Test(arguments: clients)
    func `6 other clients refuse what they should, and the report says so`(tool: String) throws {
        let port = try Port()
        let command = try #require(Self.tools[tool])
        let refused: [CertificateCase] = [
            .expired, .notYetValid, .wrongHost, .untrustedRoot, .selfSigned, .incompleteChain,
        ]
        for kind in refused {
            _ = port.tls.withFaults { faults in
                faults.removeAll()
                return faults.add(ConnectionFault(.certificate(kind)))
            }
            port.tls.clearFailures()
            let id = try #require(port.tls.faults.entries.first?.id)
            // A second connection of the client before may end this late, as one that a client opens in advance.
            var failures: [HandshakeFailure] { port.tls.log.failures.filter { $0.fault == id } }
            // A client that a busy machine starts too slowly ends before its first byte, so that it gets more than one try.
            // It may also have ended before the loop has read its alert.
            var run = try port.run(command("https://localhost:\(port.number)/", port.root))
            for _ in 0..<4 where failures.isEmpty {
                #expect(run.status != 0, "\(kind)")
                var looks = 500
                while failures.isEmpty, looks > 0 {
                    looks -= 1
                    usleep(1_000)
                }
                // Clients that look at the name after the handshake close in order, which is no failure of it.
                if kind == .wrongHost || !failures.isEmpty { break }
                run = try port.run(command("https://localhost:\(port.number)/", port.root))
            }
            #expect(run.status != 0, "\(kind)")
            if kind == .wrongHost, failures.isEmpty { continue }
            let failure = try #require(failures.first, "\(kind) \(run.status) \(run.output)")
            #expect(failure.reason == .clientAlert || failure.reason == .clientClosed)
        }
        #expect(port.harness.application.admitted.isEmpty)
    }
}
