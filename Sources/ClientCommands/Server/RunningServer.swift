import Backend
import Basics
package import CivilTime
import HTTPMessage
package import JSON
import Traffic
import Transport

/// A running server as a command addresses it: hub, world, API and token (clients contract, section 1).
///
/// With `--explain` it prints its calls as curl instead of making them, and answers each with a stand-in.
package struct RunningServer {
    let place: ServerPlace
    package var address: String { place.text }
    package var world: String?
    /// Tells whether the world is that of `UNDERSTUDY_WORLD`.
    private let isWorldOfEnvironment: Bool
    package var api: String?
    let explains: Bool
    /// Tells whether answers are printed as they are.
    package let printsJSON: Bool
    let style: TextStyle
    private let token: String?

    /// Bytes of the longest document: a world has at most so many (control contract, section 17).
    static let longestDocument = 1 << 30
    /// Bytes of the longest other answer, which is read whole.
    private static let longestAnswer = 64 << 20

    package init(_ arguments: Arguments) throws(UsageError) {
        place = try Self.place(arguments["url"])
        isWorldOfEnvironment = arguments["world"] == nil
        world = arguments["world"] ?? Environment["UNDERSTUDY_WORLD"].flatMap { $0.isEmpty ? nil : $0 }
        if let world, world.isEmpty { throw UsageError(message: "--world: a world has a name, such as main") }
        api = arguments["api"]
        token = Self.token(arguments)
        explains = arguments.isOn("explain")
        printsJSON = arguments.isOn("json")
        style = TextStyle(isColored: Terminal.allowsColor && !arguments.isOn("no-color"))
    }

    package static func token(_ arguments: Arguments) -> String? {
        if let token = arguments["admin-token"] { return token }
        return Environment["UNDERSTUDY_ADMIN_TOKEN"].flatMap { $0.isEmpty || $0 == "auto" ? nil : $0 }
    }

    private static func place(_ flag: String?) throws(UsageError) -> ServerPlace {
        let variable = Environment["UNDERSTUDY_URL"].flatMap { $0.isEmpty ? nil : $0 }
        let text = flag ?? variable ?? "http://127.0.0.1:4680"
        guard let place = ServerPlace(text) else {
            throw UsageError(
                message: "\(flag != nil ? "--url" : "UNDERSTUDY_URL"): \"\(text)\" is not an address such as "
                    + "http://127.0.0.1:4680"
            )
        }
        return place
    }

    /// The same server without a world that the environment names: calls that act on no world need none, and the one that
    /// makes the world of the environment can't be refused for its lack.
    func withoutWorldOfEnvironment() -> RunningServer {
        guard isWorldOfEnvironment else { return self }
        var copy = self
        copy.world = nil
        return copy
    }

    // MARK: Calls

    /// A member of the answer to each call that every server has.
    private static let members: [String: String] = {
        var members = [
            "GET /clock": "now", "PUT /clock": "now", "POST /clock/advance": "now", "POST /faults": "id",
            "POST /gates": "name", "POST /reset": "world", "POST /snapshots": "name", "POST /tokens": "token",
            "POST /verify": "verdict", "POST /worlds": "name",
        ]
        for list in [
            "apis", "faults", "gates", "outbox", "requests", "scenarios", "snapshots", "unmatched", "users", "worlds",
        ] {
            members["GET /\(list)"] = "items"
        }
        return members
    }()

    /// Makes a control call and returns its JSON; with `--explain` the stand-in.
    package func call(
        _ method: String,
        _ path: String,
        query: [(name: String, value: String)] = [],
        body: JSON? = nil,
        standIn: JSON = .object([:]),
        within limit: Interval = .seconds(15),
        atMost most: Int = longestAnswer
    ) throws(CommandFailure) -> JSON {
        let content = body.map { $0.serialized() }
        guard let answer = try send(method, path, query: query, content: content, within: limit, atMost: most) else {
            return standIn
        }
        guard answer.status != 204 else { return .null }
        let json = answer.json
        guard json.objectValue != nil else { throw stranger("\(answer.status) with invalid JSON") }
        if let member = Self.members["\(method) \(path)"], json[member] == nil {
            throw stranger("\(answer.status) without \(member)")
        }
        return json
    }

    /// Makes a control call and returns its answer; nil with `--explain`.
    func send(
        _ method: String,
        _ path: String,
        query: [(name: String, value: String)] = [],
        content: [UInt8]? = nil,
        within limit: Interval = .seconds(15),
        atMost most: Int = longestAnswer,
        explainedAs shown: String? = nil
    ) throws(CommandFailure) -> ServerAnswer? {
        let target = target(path, query)
        if explains {
            Terminal.out(
                CurlText.line(method, place.origin.text + target, hasToken: token != nil, content: content, file: shown)
            )
            return nil
        }
        let request = request(method, target, content)
        let client = try client(within: limit)
        switch client.fetch(request, from: place.origin, within: limit, atMost: most) {
        case .success(let answer): return try checked(answer)
        case .failure(let failure): throw noServer(failure)
        }
    }

    /// Reads the world's events on this thread until `report` returns false.
    func follow(after last: String?, _ report: (UpstreamEvent) -> Bool) throws(CommandFailure) {
        var request = request("GET", target("/events", []), nil)
        request.fields.append("Accept", "text/event-stream")
        if let last { request.fields.append(.lastEventID, last) }
        // A heartbeat comes every 15 s.
        var limits = UpstreamLimits()
        (limits.connect, limits.firstByte, limits.idle) = (.seconds(5), .seconds(15), .seconds(40))
        UpstreamClient(trust: try trust(), ownPorts: nil, limits: limits).follow(
            request,
            of: place.origin,
            report: report
        )
    }

    /// The curl command of a call without content, for a shell that takes words of another call from its answer.
    func curl(_ method: String, _ path: String) -> String {
        CurlText.line(method, place.origin.text + target(path, []), hasToken: token != nil, content: nil, file: nil)
    }

    /// The curl command whose answer a shell puts into another command, without the numbers of its progress.
    func quietCurl(_ path: String) -> String {
        curl("GET", path).replacing("curl ", with: "curl -s ", maxReplacements: 1)
    }

    /// Prints the call that reads the events.
    func explainEvents() {
        Terminal.out(curl("GET", "/events").replacing("curl ", with: "curl -N ", maxReplacements: 1))
    }

    /// The address of a control call, below the world's prefix.
    func target(_ path: String, _ query: [(name: String, value: String)]) -> String {
        let prefix = world.map { "/@" + PercentText.segment($0) } ?? ""
        let named = query + (api.map { [("api", $0)] } ?? [])
        let text = named.map { "\(PercentText.query($0.name))=\(PercentText.query($0.value))" }.joined(separator: "&")
        return place.path + prefix + "/__admin" + path + (text.isEmpty ? "" : "?" + text)
    }

    private func request(_ method: String, _ target: String, _ content: [UInt8]?) -> UpstreamRequest {
        var fields: Fields = [.host: place.origin.authority, .connection: "close"]
        if let token { fields.append(.authorization, "Bearer \(token)") }
        if let content {
            fields.append(.contentType, "application/json")
            fields.append(.contentLength, "\(content.count)")
        } else if method != "GET" {
            fields.append(.contentLength, "0")
        }
        return UpstreamRequest(method: method, target: target, fields: fields, body: content ?? [])
    }

    private func client(within limit: Interval) throws(CommandFailure) -> UpstreamClient {
        var limits = UpstreamLimits()
        (limits.connect, limits.firstByte, limits.idle) = (limit, limit, limit)
        return UpstreamClient(trust: try trust(), ownPorts: nil, limits: limits)
    }

    private func trust() throws(CommandFailure) -> TLSContext? {
        guard place.origin.isSecure else { return nil }
        do throws(UpstreamFailure) {
            return try TLSContext(authorities: AuthorityPlace.existingRoot)
        } catch {
            throw noServer(error)
        }
    }

    /// The failure of a call without a whole answer: what came is told where something came.
    func noServer(_ failure: UpstreamFailure) -> CommandFailure {
        guard failure.reason != .answer else {
            return .noAnswer("\(place.text) does not respond as Understudy does: \(failure.detail)")
        }
        let port = place.origin.port == 4_680 ? "" : " --port \(place.origin.port)"
        let tls = place.origin.isSecure ? " --tls on" : ""
        let hint =
            failure.reason == .tls
            ? "if one runs there, set UNDERSTUDY_CA to the folder of the authority that signs its certificate" : nil
        return .noServer(
            address: place.text,
            detail: place.detail(of: failure),
            start: "understudy serve" + port + tls,
            hint: hint
        )
    }

    private func checked(_ answer: FetchedAnswer) throws(CommandFailure) -> ServerAnswer {
        let type = answer.fields[.contentType] ?? ""
        let found = ServerAnswer(
            status: answer.status.code,
            content: answer.content,
            isJSON: type.hasPrefix("application/json") || type.hasPrefix("application/problem+json"),
            totalCount: answer.fields["X-Total-Count"].flatMap { Int($0) }
        )
        guard (200..<300).contains(found.status) else {
            guard type.hasPrefix("application/problem+json"), found.isObject else {
                throw stranger("\(found.status) without a problem document")
            }
            throw .problem(found)
        }
        // Whatever a control call answers with is an object, or nothing at all.
        if found.status == 204, found.content.isEmpty { return found }
        guard found.status != 204, found.isJSON, found.isObject else {
            throw stranger(
                "\(found.status) \(found.content.isEmpty ? "without content" : "with content that is not a JSON object")"
            )
        }
        return found
    }

    /// The failure of a call that something else than an emulator answers; `what` is the answer.
    package func stranger(_ what: String) -> CommandFailure {
        .failed("\(place.text) responded with \(what), not as Understudy does")
    }

    // MARK: Endings

    /// Prints why a command ended early and returns the exit code.
    package func report(_ failure: CommandFailure) throws(UsageError) -> Int32 {
        switch failure {
        case .usage(let text): throw UsageError(message: text)
        case .input(let text): throw UsageError(message: text, isAboutLine: false)
        case .failed(let text), .noAnswer(let text):
            Terminal.error("understudy: \(text)")
            return ExitCode.failed
        case .problem(let answer):
            // Scripts read the document where they read the answer.
            if printsJSON {
                Terminal.out(answer.text)
            } else {
                Terminal.error(ProblemText.lines(answer.json))
                if let hint = hint(for: answer) { Terminal.error("understudy: \(hint)") }
            }
            return ExitCode.failed
        case .noServer(let address, let detail, let start, let hint):
            Terminal.error("understudy: no server answers at \(address): \(detail)")
            if let hint { Terminal.error("understudy: \(hint)") }
            Terminal.error("understudy: to start one: \(start)")
            return ExitCode.noServer
        }
    }

    /// Returns what may have been meant where the server does not know the world, or the call; nil for other problems.
    private func hint(for problem: ServerAnswer) -> String? {
        let slug = problem.json["type"]?.stringValue?.split(separator: "/").last
        if slug == "unknown-world" {
            var hub = self
            (hub.world, hub.api) = (nil, nil)
            let known = (try? hub.names(at: "/worlds")) ?? []
            guard let wanted = world, !known.contains(wanted) else { return nil }
            if let near = NameHint.nearest(to: wanted, among: known) {
                return "did you mean \(VisibleText.escaped(near))? understudy world list shows all worlds"
            }
            let making = WorldName.isValid(wanted) ? "; understudy world new \(CurlText.quoted(wanted)) creates it" : ""
            return "the worlds are \(NameHint.list(known))\(making)"
        }
        if slug == "unauthorized" {
            return token == nil
                ? "set it with --admin-token T or UNDERSTUDY_ADMIN_TOKEN"
                : "the token of --admin-token or UNDERSTUDY_ADMIN_TOKEN is not this server's token"
        }
        let detail = problem.json["detail"]?.stringValue ?? ""
        if problem.status == 405 || (slug == "not-found" && detail.hasPrefix("There is no control call")) {
            return "the server at \(place.text) may be older than this command, which is \(Launch.version)"
        }
        return nil
    }

    /// Prints the answer as it is with `--json`, else what the closure makes of it; nothing with `--explain`.
    package func show(_ json: JSON, _ text: () -> Void) {
        if explains { return }
        if printsJSON { return Terminal.out(json.text) }
        text()
    }
}
