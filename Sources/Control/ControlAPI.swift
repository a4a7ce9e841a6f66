import APIDocs
package import Backend
import Basics
package import CivilTime
package import Engine
package import HTTPMessage
import JSON
import Worlds

/// The control API: a table of operations over the core, which can be called without a socket.
package struct ControlAPI: Sendable {
    package let safety: ControlSafety
    package let version: String
    private let startedAt: Instant
    private let lazyTable: Lazily<ControlTable>

    /// `table` is made with the first control call: most clients make none before the first answer of an API.
    package init(
        safety: ControlSafety,
        version: String,
        startedAt: Instant,
        table: Lazily<ControlTable> = Lazily { ControlTable() }
    ) {
        self.safety = safety
        self.version = version
        self.startedAt = startedAt
        lazyTable = table
    }

    var table: ControlTable { lazyTable.value }

    /// Answers a control call at once; one that may wait is answered as if its time were over.
    ///
    /// `address.path` is the path below `/__admin`.
    package func answer(
        _ request: HTTPRequest,
        address: Address,
        entryPoint: EntryPoint,
        emulator: Emulator,
        host: any ControlHost,
        origins: Origins,
        at hostTime: HostTime
    ) -> Response {
        reply(
            request,
            address: address,
            entryPoint: entryPoint,
            emulator: emulator,
            host: host,
            origins: origins,
            at: hostTime
        )
        .response(at: hostTime)
    }

    /// Answers a control call, or returns the event or the job that it waits for.
    ///
    /// `address.path` is the path below `/__admin`.
    package func reply(
        _ request: HTTPRequest,
        address: Address,
        entryPoint: EntryPoint,
        emulator: Emulator,
        host: any ControlHost,
        origins: Origins,
        at hostTime: HostTime
    ) -> ControlDecision {
        do throws(Problem) {
            var address = address
            if try safety.check(
                request.head,
                hubPort: origins.ports.first,
                isOnAPIPort: address.isControlOnAPIPort,
                as: Self.access(to: address.path),
                pairing: host.pairing
            ), let pairing = host.pairing {
                address = try pairing.confined(address, request.head.method)
            }
            guard !request.body.exceedsLimit else {
                throw Self.tooLarge(request.body.length)
            }
            let table = table
            let (place, parameters) = try Self.route(request.head.method, address.path, in: table)
            let operation = table.operations[place]
            if !request.body.isEmpty { try checkContentType(request.head) }
            let query = QueryItems(request.head.target.rawQuery)
            try checkQuery(query, operation)
            // A named world has to exist, even for calls that act on none.
            if !address.namedWorlds.isEmpty { _ = try emulator.chooseWorld(address, credential: nil) }
            let call = ControlCall(
                emulator: emulator,
                table: table,
                host: host,
                origins: origins,
                version: version,
                hostTime: hostTime,
                startedAt: startedAt,
                request: request,
                address: address,
                entryPoint: entryPoint,
                parameters: parameters,
                api: try api(address, query, emulator),
                query: query,
                asksAdminToken: safety.adminToken != nil,
                credential: safety.adminToken == nil ? Self.bearer(request.head) : nil
            )
            guard operation.waiting?.isVerification == true, request.body.bytes.count > Self.longestRead else {
                return try perform(call, operation)
            }
            let order = VerificationOrder(call)
            let reading = ControlJob.Reading(
                read: { ControlJob.Reading.Outcome(value: .verification(order.read())) },
                finish: { outcome, hostTime in
                    do throws(Problem) {
                        var call = call
                        call.hostTime = hostTime
                        if case .verification(let result) = outcome.value { call.memo.verification = try result.get() }
                        return try perform(call, operation)
                    } catch {
                        return .now(error.response)
                    }
                }
            )
            return .job(.reading(reading))
        } catch {
            return .now(error.response)
        }
    }

    /// Returns the refusal of a call by its head alone, before any content is read; nil if it is accepted.
    ///
    /// `length` is that of the content; nil if its transfer coding does not tell.
    package func refusal(
        of head: RequestHead,
        length: Int?,
        limit: Int,
        address: Address,
        emulator: Emulator,
        origins: Origins,
        pairing: DevicePairing? = nil
    ) -> Response? {
        do throws(Problem) {
            if try safety.check(
                head,
                hubPort: origins.ports.first,
                isOnAPIPort: address.isControlOnAPIPort,
                as: Self.access(to: address.path),
                pairing: pairing
            ), let pairing {
                _ = try pairing.confined(address, head.method)
            }
            _ = try Self.route(head.method, address.path, in: table)
            try checkContentType(head)
            if let length, length > limit { throw Self.tooLarge(length) }
            return nil
        } catch {
            return error.response
        }
    }

    /// Returns the work of reading the body of a call, and what the call is the first to need of the APIs; nil where that
    /// is quick, or where the call has a reader of its own.
    package func preparation(
        for request: HTTPRequest,
        address: Address,
        emulator: Emulator
    ) -> (@Sendable () -> any Sendable)? {
        let table = table
        let isLong = request.body.bytes.count > Self.longestInPlace && address.path.segments != ["state"]
        let parts = table.find(request.head.method, address.path).map { table.operations[$0.0].reads } ?? []
        let unread = Self.apis(
            meantBy: request,
            address.path,
            emulator.apis.filter { !$0.unread.isDisjoint(with: parts) }
        )
        guard request.reading == nil, !request.body.exceedsLimit, isLong || !unread.isEmpty else { return nil }
        let bounds = emulator.configuration.bounds
        return {
            for api in unread { api.read(parts) }
            guard isLong else { return Unread() }
            return ReadBody(request, depth: bounds.depth(), values: bounds.values)
        }
    }

    /// Stands for a body that is read on the loop.
    private struct Unread: Sendable {}

    /// The APIs among some that a call names in its path, its query or a short body; all of them if it names none.
    private static func apis(meantBy request: HTTPRequest, _ path: Path, _ apis: [AnyAPI]) -> [AnyAPI] {
        guard apis.count > 1 else { return apis }
        var words = path.segments + [request.head.target.rawQuery ?? ""]
        if request.body.bytes.count <= longestRead { words.append(String(decoding: request.body.bytes, as: UTF8.self)) }
        let meant = apis.filter { api in words.contains { $0.contains(api.identity.name) } }
        return meant.isEmpty ? apis : meant
    }

    /// The length up to which a body is read on the loop.
    private static let longestInPlace = 32 * 1024

    private static func tooLarge(_ length: Int) -> Problem {
        Problem(
            .payloadTooLarge,
            "The body has \(length) bytes or more, which is over the limit: 2 MiB unless --limit control-body=N, "
                + "12 MiB for a stub, and for a world 256 MiB unless --limit state=N."
        )
    }

    /// The length up to which an order for the journal is read on the loop.
    static let longestRead = 1_024

    /// Answers a call whose operation was found, or returns the event or the job that it waits for.
    private func perform(_ call: ControlCall, _ operation: ControlOperation) throws(Problem) -> ControlDecision {
        if let waiting = operation.waiting, let patience = try waiting.patience(call), patience > .zero {
            let until = call.hostTime.monotonic + patience
            var kept = call
            // The parsed order takes less memory than the body.
            if call.memo.verification != nil { kept.request.body = RequestBody([]) }
            return .later(
                PendingControlCall(
                    call: kept,
                    waiting: waiting,
                    act: operation.act,
                    until: until,
                    bytes: call.request.body.bytes.count
                )
            )
        }
        return try operation.act(call)
    }

    /// Returns the stand-in for Apple's key set at `/auth/keys` of an API's origin; nil for other requests.
    ///
    /// Control contract, section 12. It has public keys only, so no rule of the control API protects it.
    package func appleKeys(
        for exchange: Exchange,
        api: Int,
        emulator: Emulator,
        at hostTime: HostTime
    ) -> Response? {
        do throws(Problem) {
            return try TokenOperations.appleKeys(
                for: exchange,
                api: api,
                emulator: emulator,
                at: hostTime
            )
        } catch {
            return error.response
        }
    }

    /// Returns the rules of a path.
    private static func access(to path: Path) -> ControlSafety.Access {
        if path.segments == ["docs"] { return .page }
        return TLSOperations.isFile(path) ? .root : .call
    }

    /// Tells whether a control path is answered without TLS even where the ports require it: a client that does not trust
    /// the root yet needs its files (transport contract, section 3).
    package static func isOpenWithoutTLS(_ path: Path) -> Bool { TLSOperations.isFile(path) }

    private static func bearer(_ head: RequestHead) -> String? {
        guard let value = head.fields[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
        return String(value.dropFirst("bearer ".count))
    }

    private static func route(
        _ method: HTTPMessage.HTTPMethod,
        _ path: Path,
        in table: ControlTable
    ) throws(Problem) -> (Int, [String]) {
        if let found = table.find(method, path) { return found }
        guard case .methodNotAllowed(let methods) = table.router.route(method, path) else {
            // A route that differs by more than a few letters is no useful hint.
            let near = table.router.nearest(to: path, method: method).first(where: \.isTypo).map {
                " The nearest is \($0.row.method.rawValue) /__admin\($0.row.template.text)."
            }
            throw Problem(
                .notFound,
                "There is no control call \(method.rawValue) /__admin\(path.text.cut).\(near ?? "")"
            )
        }
        let allowed = methods.map(\.rawValue).joined(separator: ", ")
        throw Problem(
            .methodNotAllowed,
            "This path does not take \(method.rawValue), only \(allowed).",
            fields: [.allow: allowed]
        )
    }

    /// Checks that a write has JSON (control contract, section 3); an empty body needs no type.
    private func checkContentType(_ head: RequestHead) throws(Problem) {
        guard ![.get, .head, .delete].contains(head.method) else { return }
        let type = head.fields[.contentType] ?? ""
        guard head.fields.values(.contentType).count <= 1, let media = MediaType(type),
            media.essence == "application/json", media.parameter("charset*") == nil,
            media.parameter("charset").map({ $0.lowercased() == "utf-8" }) ?? true
        else {
            throw Problem(
                .unsupportedMediaType,
                "Send Content-Type: application/json, found \(type.isEmpty ? "none" : "\"\(type.cut)\"")."
            )
        }
    }

    /// Refuses unknown parameters, because a typo in a query must not go unnoticed.
    private func checkQuery(_ query: QueryItems, _ operation: ControlOperation) throws(Problem) {
        let known = operation.query
        for (place, item) in query.items.enumerated()
        where !operation.repeated.contains(item.name) && query.items[..<place].contains(where: { $0.name == item.name })
        {
            throw Problem(
                .invalidParameter,
                "The query parameter \"\(item.name.cut)\" is repeated.",
                items: [Problem.Item(path: "?\(item.name.cut)", reason: "must be given once")]
            )
        }
        for item in query.items where !known.contains(item.name) {
            let isWorld = item.name == "world"
            let hint =
                isWorld
                ? " Name the world in the path (/@NAME/__admin/…) or with X-Understudy-World; only conduct takes it as a query parameter."
                : Suggestion.question(to: item.name, among: known)
            throw Problem(
                .invalidParameter,
                "The query parameter \"\(item.name.cut)\" is unknown.\(hint)",
                items: [
                    Problem.Item(
                        path: "?\(item.name.cut)",
                        reason: "unknown parameter; allowed: \(known.joined(separator: ", "))"
                    )
                ]
            )
        }
    }

    /// Returns the API that the port, the mount or `?api=` names.
    private func api(_ address: Address, _ query: QueryItems, _ emulator: Emulator) throws(Problem) -> Int? {
        var scoped: Int?
        if case .control(let api) = address.destination { scoped = api }
        guard let name = query.last("api") else { return scoped }
        let names = emulator.apis.map(\.identity.name)
        guard let index = names.firstIndex(of: name) else {
            let hint = Suggestion.question(to: name, among: names)
            throw Problem(
                .unknownAPI,
                "There is no API \"\(name.cut)\" here; there are \(names.joined(separator: ", ")).\(hint)",
                items: [Problem.Item(path: "?api", reason: "must be one of \(names.joined(separator: ", "))")]
            )
        }
        if let scoped, scoped != index {
            throw Problem(.unknownAPI, "This is the port of \(names[scoped]). Use the port of \(name), or the hub.")
        }
        return index
    }
}
