package import HTTPMessage
import JSON

/// An error of Understudy's own: an RFC 9457 problem document (control contract, section 16).
package struct Problem: Error, Sendable, Equatable {
    /// The last part of the type URI; `GET /__admin/problems/<slug>` explains it.
    package enum Slug: String, Sendable, CaseIterable {
        case badRequest = "bad-request"
        case busy
        case clearText = "clear-text"
        case conflict
        case conflictingWorlds = "conflicting-worlds"
        case crossSite = "cross-site"
        case expectationFailed = "expectation-failed"
        case forbiddenAddress = "forbidden-address"
        case forbiddenPort = "forbidden-port"
        case foreignHost = "foreign-host"
        case foreignOrigin = "foreign-origin"
        case headerFieldsTooLarge = "header-fields-too-large"
        case internalError = "internal-error"
        case invalidBody = "invalid-body"
        case invalidJSON = "invalid-json"
        case invalidParameter = "invalid-parameter"
        case methodNotAllowed = "method-not-allowed"
        case misdirectedRequest = "misdirected-request"
        case nameTaken = "name-taken"
        case noAuthority = "no-authority"
        case noRecording = "no-recording"
        case notFound = "not-found"
        case notImplemented = "not-implemented"
        case notPairedFor = "not-paired-for"
        case ownCredential = "own-credential"
        case pairingRefused = "pairing-refused"
        case payloadTooLarge = "payload-too-large"
        case protectedWorld = "protected-world"
        case proxyCredentials = "proxy-credentials"
        case proxyLoop = "proxy-loop"
        case proxyOff = "proxy-off"
        case requestTimeout = "request-timeout"
        case storeFailed = "store-failed"
        case tlsOff = "tls-off"
        case tlsRequired = "tls-required"
        case tooManySnapshots = "too-many-snapshots"
        case tooManyStubs = "too-many-stubs"
        case tooManyFaults = "too-many-faults"
        case tooManyGates = "too-many-gates"
        case tooManyTunnels = "too-many-tunnels"
        case tooManyWaiting = "too-many-waiting"
        case tooManyWorlds = "too-many-worlds"
        case unauthorized = "unauthorized"
        case unknownAPI = "unknown-api"
        case unknownSnapshot = "unknown-snapshot"
        case unknownUser = "unknown-user"
        case unknownWorld = "unknown-world"
        case unmappedHost = "unmapped-host"
        case unsupportedMediaType = "unsupported-media-type"
        case upstreamNotShared = "upstream-not-shared"
        case upstreamUnreachable = "upstream-unreachable"
        case uriTooLong = "uri-too-long"
        case versionNotSupported = "version-not-supported"
        case worldRequired = "world-required"

        package var title: String {
            switch self {
            case .badRequest: "Malformed request"
            case .busy: "Server busy"
            case .conflict: "Conflict with the current state"
            case .conflictingWorlds: "Conflicting world names"
            case .crossSite: "Cross-site request refused"
            case .expectationFailed: "Expectation failed"
            case .headerFieldsTooLarge: "Header section too large"
            case .noRecording: "No matching request in the recording"
            case .notImplemented: "Not implemented"
            case .notPairedFor: "Not allowed for a paired device"
            case .pairingRefused: "Pairing refused"
            case .upstreamNotShared: "Real backend not shared with the network"
            case .ownCredential: "Credential not sent to the real backend"
            case .requestTimeout: "Request timeout"
            case .upstreamUnreachable: "Real backend unreachable"
            case .uriTooLong: "Request line too long"
            case .versionNotSupported: "HTTP version not supported"
            case .foreignHost: "Host name not allowed"
            case .foreignOrigin: "Origin not allowed"
            case .internalError: "Internal error"
            case .invalidBody: "Invalid request body"
            case .invalidJSON: "Invalid JSON"
            case .invalidParameter: "Invalid parameter"
            case .methodNotAllowed: "Method not allowed"
            case .nameTaken: "Name already in use"
            case .noAuthority: "No certificate authority"
            case .notFound: "Not found"
            case .payloadTooLarge: "Request body too large"
            case .protectedWorld: "The world main can't be deleted"
            case .storeFailed: "State could not be written to disk"
            case .tlsOff: "TLS is off"
            case .tlsRequired: "TLS required"
            case .tooManySnapshots: "Too many snapshots"
            case .tooManyFaults: "Too many faults"
            case .tooManyStubs: "Too many stubs"
            case .tooManyGates: "Too many gates"
            case .tooManyWaiting: "Too many waiting calls"
            case .tooManyWorlds: "Too many worlds"
            case .unauthorized: "Missing or wrong admin token"
            case .unknownAPI: "Unknown API"
            case .unknownSnapshot: "Unknown snapshot"
            case .unknownUser: "Unknown user"
            case .unknownWorld: "Unknown world"
            case .unsupportedMediaType: "Unsupported media type"
            case .worldRequired: "World name required"
            case .clearText: "Only TLS passes through CONNECT"
            case .forbiddenAddress: "Address not connected to"
            case .forbiddenPort: "Port not connected to"
            case .misdirectedRequest: "Host differs from the one of CONNECT"
            case .proxyCredentials: "Missing or wrong proxy credentials"
            case .proxyLoop: "Proxy asked for itself"
            case .proxyOff: "The forward proxy is off"
            case .tooManyTunnels: "Too many tunnels"
            case .unmappedHost: "Host not mapped"
            }
        }

        package var status: Status {
            switch self {
            case .badRequest, .conflictingWorlds, .invalidJSON, .invalidParameter: .badRequest
            case .expectationFailed: .expectationFailed
            case .headerFieldsTooLarge: .headerFieldsTooLarge
            case .notImplemented: .notImplemented
            case .requestTimeout: .requestTimeout
            case .uriTooLong: .uriTooLong
            case .versionNotSupported: .versionNotSupported
            case .unauthorized: .unauthorized
            case .clearText, .crossSite, .forbiddenAddress, .forbiddenPort, .foreignOrigin, .notPairedFor,
                .pairingRefused,
                .proxyLoop, .unmappedHost, .upstreamNotShared:
                .forbidden
            case .noRecording, .notFound, .unknownSnapshot, .unknownWorld: .notFound
            case .upstreamUnreachable: Status(502)
            case .methodNotAllowed: .methodNotAllowed
            case .conflict, .nameTaken, .noAuthority, .ownCredential, .protectedWorld, .proxyOff, .tlsOff,
                .tooManyFaults,
                .tooManyGates, .tooManySnapshots, .tooManyStubs, .tooManyWaiting, .tooManyWorlds:
                .conflict
            case .tlsRequired: .upgradeRequired
            case .payloadTooLarge: .contentTooLarge
            case .unsupportedMediaType: .unsupportedMediaType
            case .foreignHost, .misdirectedRequest, .worldRequired: .misdirectedRequest
            case .proxyCredentials: Status(407)
            case .invalidBody, .unknownAPI, .unknownUser: .unprocessableContent
            case .internalError: .internalServerError
            case .busy, .storeFailed, .tooManyTunnels: .serviceUnavailable
            }
        }

        /// The text of the type's page: the cause and the remedy.
        package var explanation: String {
            switch self {
            case .badRequest:
                "The request line, a header field or the path is not valid HTTP. The detail says which part."
            case .busy:
                "The queue of waiting calls is full (--limit jobs=N), the memory for request bodies in progress is used up "
                    + "(256 MiB; --limit bodies=N), or another world is being imported. Nothing was changed; retry "
                    + "after the seconds in Retry-After."
            case .conflict:
                "The call is valid but conflicts with current data: a row that others need can't be deleted, a read-only table can't "
                    + "be written, and an exchange whose body was not kept whole can't be sent again. The detail says which."
            case .conflictingWorlds:
                "The X-Understudy-World header, the /@NAME path prefix and the NAME.localhost host must agree. Send one of them."
            case .crossSite:
                "A browser marked the call as coming from another site. Use the console on the hub, or a client other than a browser."
            case .foreignHost:
                "Control calls are accepted only under a loopback address, a *.localhost name or a configured host, so that a "
                    + "foreign page can't reach them by DNS rebinding. Call 127.0.0.1, or start with --host."
            case .expectationFailed: "The only supported value of Expect is 100-continue (RFC 9110 section 10.1.1)."
            case .headerFieldsTooLarge:
                "The header section is over 64 KiB or has more than 200 field lines; --limit header-section=N and "
                    + "header-fields=N set other limits."
            case .noRecording:
                "The API replays a recording that has no matching request, or all matches have been served and exhausted is fail. "
                    + "`nearest` lists the closest entries and how they differ. PUT /__admin/mode with miss or ignore is less strict."
            case .upstreamUnreachable:
                "The request was meant for the real backend, which gave no response. The detail says why."
            case .ownCredential:
                "The request was meant for the real backend but contains a credential that Understudy issued (a token, a QR code, a "
                    + "handle, a session id), its admin token, or a pseudonym of a recording. Nothing was sent. The detail says "
                    + "where it is. Sign in while the current mode is on, or PUT /__admin/mode with emulate."
            case .notImplemented:
                "The method or the transfer coding is not supported. Send bodies with a Content-Length or chunked."
            case .requestTimeout:
                "The request head took longer than 30 s, or 60 s passed between two bytes of the body; --limit head-seconds=N and "
                    + "body-seconds=N set other limits."
            case .uriTooLong: "The request line is over 8 KiB; --limit request-line=N sets another limit."
            case .versionNotSupported: "HTTP/1.1 and HTTP/1.0 are supported."
            case .foreignOrigin:
                "Control calls must have no Origin header, or one of Understudy's own origins. CORS headers are never sent."
            case .internalError: "This is a bug in Understudy. The log has details. Nothing was changed."
            case .invalidBody:
                "The body is JSON, but a member is unknown, missing or has an invalid value. `errors` lists the path and "
                    + "the reason of each mistake. Nothing was changed."
            case .invalidJSON: "The body is not valid JSON. The detail gives the line and column."
            case .invalidParameter: "A query parameter is unknown, repeated or has an invalid value. `errors` names it."
            case .methodNotAllowed: "The Allow header lists the methods of this path."
            case .nameTaken: "That name is already in use. Choose another name, or delete the old one first."
            case .notFound:
                "No control call has this path, or the named thing does not exist. GET /__admin/openapi.json lists the calls."
            case .payloadTooLarge:
                "The body is over the limit of control calls: 2 MiB, and 256 MiB for a world; --limit control-body=N and state=N "
                    + "set other limits."
            case .protectedWorld: "The world main always exists; reset it instead of deleting it."
            case .noAuthority:
                "Bad certificates are signed by Understudy's own authority, but the server was started with your certificates "
                    + "(--cert). Start it without --cert, or use a handshake fault."
            case .tlsOff:
                "Connection faults act on TLS handshakes, but the ports serve plain HTTP. Start with --tls on."
            case .tlsRequired:
                "The server was started with --tls required. Use the https address in the detail; GET /__admin/ca.pem has the "
                    + "root that signs its certificates."
            case .storeFailed:
                "With --state a response is sent only once its changes are on disk. Writing failed: the disk is full or "
                    + "reported an error, which is in the log. The request's changes may or may not be kept; writing is "
                    + "retried with the next request."
            case .notPairedFor:
                "The token belongs to a paired device. It may change the conditions of its one world (clock, reset, scenarios, "
                    + "settings, faults, latency, gates, journal, verify, outbox, tokens, users, events), and read health and apis."
            case .pairingRefused:
                "The code is wrong, used, or older than 5 minutes, or ten wrong codes have ended pairing. Restart the server "
                    + "with --pair to get a new code."
            case .upstreamNotShared:
                "With --lan, everybody on the network could use the real backend through this machine. Start with --lan-upstream "
                    + "to allow it, or without --lan."
            case .tooManySnapshots: "A world keeps 1,000 snapshots. Delete some first."
            case .tooManyStubs: "A world holds 10,000 stubs. Delete some."
            case .tooManyFaults: "A world holds 1,000 faults; --limit faults=N sets another limit. Delete some."
            case .tooManyGates: "A world holds 1,000 gates; --limit gates=N sets another limit. Delete some."
            case .tooManyWaiting:
                "At most 1,000 calls of a process may wait at once, and what they wait for may take 64 MiB; "
                    + "--limit waiting=N sets another number. Let fewer calls wait at once."
            case .tooManyWorlds: "The limit on worlds is reached. Delete some, or give them a ttlSeconds."
            case .unauthorized: "The server was started with an admin token. Send it as Authorization: Bearer TOKEN."
            case .unknownAPI:
                "The call needs one known API: use the API's own port, or ?api=NAME on the hub. GET /__admin/apis lists them."
            case .unknownSnapshot:
                "Snapshots belong to a world. POST /__admin/snapshots creates them and GET lists them."
            case .unknownUser: "The API has no user with that e-mail or id in this world."
            case .unknownWorld:
                "POST /__admin/worlds creates worlds and GET /__admin/worlds lists them. Names are never guessed."
            case .unsupportedMediaType: "Calls with a body need Content-Type: application/json."
            case .worldRequired:
                "The server was started with --world-required. Name the world with the X-Understudy-World header, the /@NAME path "
                    + "prefix, the host NAME.localhost, or a token issued in it."
            case .clearText:
                "A tunnel to a host that is not mapped carries TLS alone. Send clear text to the proxy with an absolute target, "
                    + "as `http://HOST/path`."
            case .forbiddenAddress:
                "The forward proxy does not connect to this machine, to private networks, or to addresses that no server on the "
                    + "internet has. --tunnel HOST allows a private address; --tunnel ADDRESS:PORT allows one of this machine."
            case .forbiddenPort:
                "The forward proxy connects to the ports 80 and 443 of hosts that are not mapped. --tunnel HOST:PORT allows "
                    + "another."
            case .misdirectedRequest:
                "Within CONNECT every request has the host that CONNECT named. Open another tunnel for another host."
            case .proxyCredentials:
                "Send Proxy-Authorization: Basic with WORLD:TOKEN. The user is the name of a world, or empty; the password is "
                    + "the token of --proxy-token."
            case .proxyLoop:
                "The target is the port of the forward proxy itself. Ask for a mapped host, or for the hub's port."
            case .proxyOff: "The server was started without the forward proxy. Start it with --proxy."
            case .tooManyTunnels:
                "The forward proxy keeps 256 tunnels to hosts that are not mapped; --limit tunnels=N sets another limit. Retry "
                    + "after the seconds in Retry-After."
            case .unmappedHost:
                "The forward proxy answers for mapped hosts only, and this one is not mapped. --map HOST=API has an API answer "
                    + "for it; --tunnel HOST passes it on."
            }
        }
    }

    /// One mistake in a body or a parameter.
    package struct Item: Sendable, Equatable {
        package var path: String
        package var reason: String

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// The highest number of items in a problem (control contract, section 17), enough to correct a body by.
    package static let mostItems = 100

    /// Cuts a text to a length that covers every text of Understudy's own.
    private static func bounded(_ text: String, _ most: Int) -> JSON {
        guard text.utf8.count > most else { return .string(text) }
        return .string(String(decoding: text.utf8.prefix(most), as: UTF8.self) + "…")
    }

    package var slug: Slug
    package var detail: String
    package var items: [Item]
    package var fields: Fields

    package init(_ slug: Slug, _ detail: String, items: [Item] = [], fields: Fields = Fields()) {
        self.slug = slug
        self.detail = detail
        self.items = items
        self.fields = fields
    }

    /// A problem document for a status that has no slug, such as those of the wire.
    package static func response(status: Status, detail: String) -> Response {
        let document: JSON = [
            "type": "about:blank", "title": .string(status.reasonPhrase), "status": .integer(Int64(status.code)),
            "detail": .string(detail),
        ]
        return Response(
            status: status,
            fields: [.contentType: "application/problem+json"],
            body: .bytes(document.serialized())
        )
    }

    package var response: Response {
        var document: JSONObject = [
            "type": .string(Self.types + slug.rawValue),
            "title": .string(slug.title),
            "status": .integer(Int64(slug.status.code)),
            "detail": Self.bounded(detail, 4_096),
        ]
        if !items.isEmpty {
            document.append(
                "errors",
                .array(
                    items.prefix(Self.mostItems).map {
                        ["path": Self.bounded($0.path, 512), "reason": Self.bounded($0.reason, 8_192)]
                    }
                )
            )
        }
        var all = fields
        all.append(.contentType, Self.mediaType)
        return Response(status: slug.status, fields: all, body: .bytes(JSON.object(document).serialized()))
    }

    private static let types = "/__admin/problems/"
    private static let mediaType = "application/problem+json"

    /// Tells whether a response is a problem document of Understudy, which answers in place of the API.
    package static func isOurs(_ response: Response) -> Bool {
        guard response.fields[.contentType] == mediaType, case .bytes(let bytes) = response.body else { return false }
        return bytes.starts(with: #"{"type":"\#(types)"#.utf8)
    }
}
