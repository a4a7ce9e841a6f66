import Basics
import CivilTime
import ClientCommands
import Serving
import Transport
import Understudy

/// The check of the clients on this machine: each connects with its own settings to a port of ours (transport contract,
/// section 5).
enum TrustCheck {
    /// A client and the way to have it connect.
    struct Client: Sendable {
        let name: String
        let arguments: @Sendable (_ port: Int) -> [String]
        /// The way to make it trust the root, whose file is given.
        let remedy: @Sendable (_ root: String) -> String
    }

    private static func url(_ port: Int) -> String { "https://localhost:\(port)/__admin/health" }

    private static let python = """
        import sys, urllib.request
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(sys.argv[1], timeout=20).read()
        """
    private static let node = """
        require("https").get(process.argv[1], (answer) => { answer.resume(); answer.on("end", () => process.exit(0)) })
            .on("error", (error) => { console.error(`${error.code}: ${error.message}`); process.exit(1) })
        """

    static let clients = [
        Client(
            name: "curl",
            arguments: { ["curl", "-sS", "--noproxy", "*", "--max-time", "20", "-o", "/dev/null", url($0)] },
            remedy: { _ in
                "understudy trust --yes --store system, or export CURL_CA_BUNDLE=$(understudy trust --bundle)"
            }
        ),
        Client(
            name: "python3",
            arguments: { ["python3", "-c", python, url($0)] },
            remedy: { _ in "understudy trust --yes --store system, or export SSL_CERT_FILE=$(understudy trust --bundle)"
            }
        ),
        Client(
            name: "node",
            arguments: { ["node", "-e", node, url($0)] },
            remedy: { "export NODE_EXTRA_CA_CERTS=\($0)" }
        ),
        Client(
            name: "openssl",
            arguments: { port in
                [
                    "openssl", "s_client", "-connect", "localhost:\(port)", "-servername", "localhost",
                    "-verify_return_error", "-verify_hostname", "localhost", "-brief",
                ]
            },
            remedy: { _ in "understudy trust --yes --store system, or export SSL_CERT_FILE=$(understudy trust --bundle)"
            }
        ),
    ]

    /// Lets each client that is found connect; returns its line, and whether it trusts the root.
    static func run(_ ports: SecurePorts) -> Result<[(line: String, isTrusted: Bool)], StartError> {
        var configuration = Configuration()
        configuration.port = 0
        configuration.hosts = ["127.0.0.1", "::1"]
        configuration.apis = []
        configuration.customAPIs = []
        configuration.logLevel = .quiet
        configuration.tls = ports
        let emulator: RunningEmulator
        do throws(StartError) {
            emulator = try RunningEmulator(configuration) { _ in }
        } catch {
            return .failure(error)
        }
        let port = Int(emulator.hub.split(separator: ":").last ?? "") ?? 0
        let root = emulator.rootFile ?? ""
        let handle = emulator.handle
        let lines = Locked<[(line: String, isTrusted: Bool)]>([])
        _ = SystemThread.start {
            for client in clients where Tool.path(client.name) != nil {
                let outcome = outcome(of: client, port, root)
                lines.withLock { $0.append(outcome) }
            }
            handle.stop(gracefulWithin: .milliseconds(100))
        }
        emulator.run()
        return .success(lines.withLock { $0 })
    }

    private static func outcome(of client: Client, _ port: Int, _ root: String) -> (line: String, isTrusted: Bool) {
        let run = ToolRun(client.arguments(port))
        let name = client.name + String(repeating: " ", count: max(1, 9 - client.name.count))
        guard run.status != 0 else { return ("\(name) trusted", true) }
        return ("\(name) not trusted  \(reason(run))  \(client.remedy(root))", false)
    }

    /// The line of a client's complaint that says most.
    private static func reason(_ run: ToolRun) -> String {
        let lines = (run.errorText + run.text).split(separator: "\n").map(String.init)
        let telling = lines.last { $0.lowercased().contains("certificate") } ?? lines.last
        return telling.map { String($0.drop { $0 == " " }.prefix(160)) } ?? "it ended with \(run.status)"
    }
}
