import Basics
import CivilTime
import ClientCommands
import HTTPMessage
import JSON
import Transport

/// `health`: asks a running server whether it serves (transport contract, section 2).
enum HealthCommand: Command {
    static let name = "health"
    static let summary = "checks whether a running server responds; exits 1 if not"
    static let part: CommandPart? = .looking
    static let usage = "[URL] [--timeout SECONDS]"
    // An address has no list to complete it from.
    static let operands = Operands.name([])
    static let options = [
        Option(name: "timeout", kind: .value("SECONDS"), help: "the time limit for the whole response", default: "2")
    ]
    // The answer is JSON without colours anyway, so that a script may give all commands the same flags.
    static let serverFlags = [ServerOptions.url, ServerOptions.adminToken, ServerOptions.json, ServerOptions.noColor]
    static let discussion = """
        Without URL it asks UNDERSTUDY_URL, else the port of the hub that serve would choose, on 127.0.0.1. It sends
        UNDERSTUDY_ADMIN_TOKEN if that is set; without a token, a refusal by the server counts as success.
        """
    static let examples = [
        Example("understudy health", "the server of this folder's understudy.json"),
        Example("understudy health https://checkout.localhost:4680 --timeout 0.5", "another one, within half a second"),
    ]

    /// The answer has three short members, and a problem document is not much longer.
    private static let longestAnswer = 64 * 1_024
    private static let longestTimeout = 3_600.0

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let limit = try timeout(arguments)
        let place = try place(arguments)
        switch ask(place, RunningServer.token(arguments), within: limit) {
        case .success(let answer):
            switch verdict(on: answer) {
            case .success(let line):
                Terminal.out(line)
                return ExitCode.ok
            case .failure(let failure): return fail(place, failure)
            }
        case .failure(let failure): return fail(place, failure)
        }
    }

    private static func fail(_ place: ServerPlace, _ failure: UpstreamFailure) -> Int32 {
        Terminal.error("understudy: \(place.text): \(place.detail(of: failure))")
        return ExitCode.failed
    }

    private static func timeout(_ arguments: Arguments) throws(UsageError) -> Interval {
        guard let text = arguments["timeout"] else { return .seconds(2) }
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isDecimal, let seconds = Double(text), seconds >= 0.001, seconds <= longestTimeout else {
            throw UsageError(
                message: "--timeout: \"\(text)\" is not a number of seconds from 0.001 to \(Int(longestTimeout))"
            )
        }
        return .milliseconds(Int64(seconds * 1_000))
    }

    private static func ask(
        _ place: ServerPlace,
        _ token: String?,
        within limit: Interval
    ) -> Result<FetchedAnswer, UpstreamFailure> {
        var trust: TLSContext?
        if place.origin.isSecure {
            do throws(UpstreamFailure) {
                trust = try TLSContext(authorities: AuthorityPlace.existingRoot)
            } catch {
                return .failure(error)
            }
        }
        var fields: Fields = [.host: place.origin.authority, "Accept": "application/json", .connection: "close"]
        if let token { fields.append(.authorization, "Bearer \(token)") }
        var limits = UpstreamLimits()
        (limits.connect, limits.firstByte, limits.idle) = (limit, limit, limit)
        let request = UpstreamRequest(method: "GET", target: place.path + "/__admin/health", fields: fields, body: [])
        return UpstreamClient(trust: trust, ownPorts: nil, limits: limits)
            .fetch(request, from: place.origin, within: limit, atMost: longestAnswer)
    }

    /// Returns the line that an answer of a serving process is shown by.
    private static func verdict(on answer: FetchedAnswer) -> Result<String, UpstreamFailure> {
        let json = try? JSONReader.read(answer.content)
        // What refuses a call for want of a token, or of TLS, serves.
        let refusals = [401: "unauthorized", 426: "tls-required"]
        if answer.status == .ok, let json, json["status"] == "ok" { return .success(json.text) }
        if let slug = refusals[answer.status.code], let json, let type = json["type"]?.stringValue,
            type == "/__admin/problems/\(slug)"
        {
            return .success(json.text)
        }
        let found = "the response is \(answer.status.code)"
        guard json?["type"]?.stringValue?.hasPrefix("/__admin/problems/") == true else {
            return .failure(UpstreamFailure(.answer, "\(found), but not from Understudy"))
        }
        return .failure(UpstreamFailure(.answer, "\(found): \(json?["detail"]?.stringValue ?? "")"))
    }

    /// Returns the place of the command line, else of the environment, else the one that `serve` would take.
    private static func place(_ arguments: Arguments) throws(UsageError) -> ServerPlace {
        if let text = arguments.operands.first {
            guard arguments["url"] == nil else { throw UsageError(message: "health takes URL or --url, not both") }
            return try read(text, "")
        }
        if let text = arguments["url"] { return try read(text, "--url: ") }
        if let text = Environment["UNDERSTUDY_URL"], !text.isEmpty { return try read(text, "UNDERSTUDY_URL: ") }
        let settings = try Settings(
            ServeOptions.serve,
            arguments: arguments,
            environment: Environment.variables
        )
        let scheme = Environment["UNDERSTUDY_TLS"] == "required" ? "https" : "http"
        guard let port = settings["port"] else { return try read("\(scheme)://127.0.0.1:4680", "") }
        guard port != "0" else {
            throw UsageError(message: "\(settings.place("port")): 0 is any port; give the URL of the hub")
        }
        guard let place = UInt16(port).flatMap({ ServerPlace("\(scheme)://127.0.0.1:\($0)") }) else {
            throw UsageError(
                message: "\(settings.place("port")): \"\(port)\" is not a whole number from 0 to 65535"
            )
        }
        return place
    }

    private static func read(_ text: String, _ origin: String) throws(UsageError) -> ServerPlace {
        guard let place = ServerPlace(text) else {
            throw UsageError(
                message: "\(origin)\"\(text)\" is not an address such as http://127.0.0.1:4680 or "
                    + "https://checkout.localhost:4680"
            )
        }
        return place
    }
}
