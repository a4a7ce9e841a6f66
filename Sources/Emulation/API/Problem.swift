package import HTTPMessage
import JSON

/// An error of Understudy's own: an RFC 9457 problem document (control contract, section 16).
package struct Problem: Error, Sendable, Equatable {
    /// The last part of the type URI; `GET /__admin/problems/<slug>` explains it.
    package enum Slug: String, Sendable, CaseIterable {
        case badRequest = "bad-request"
        case busy
        case conflict
        case conflictingWorlds = "conflicting-worlds"
        case crossSite = "cross-site"
        case expectationFailed = "expectation-failed"
        case foreignHost = "foreign-host"
        case foreignOrigin = "foreign-origin"
        case headerFieldsTooLarge = "header-fields-too-large"
        case internalError = "internal-error"
        case invalidBody = "invalid-body"
        case invalidJSON = "invalid-json"
        case invalidParameter = "invalid-parameter"
        case methodNotAllowed = "method-not-allowed"
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
        case requestTimeout = "request-timeout"
        case storeFailed = "store-failed"
        case tlsOff = "tls-off"
        case tlsRequired = "tls-required"
        case tooManySnapshots = "too-many-snapshots"
        case tooManyStubs = "too-many-stubs"
        case tooManyFaults = "too-many-faults"
        case tooManyGates = "too-many-gates"
        case tooManyWaiting = "too-many-waiting"
        case tooManyWorlds = "too-many-worlds"
        case unauthorized = "unauthorized"
        case unknownAPI = "unknown-api"
        case unknownSnapshot = "unknown-snapshot"
        case unknownUser = "unknown-user"
        case unknownWorld = "unknown-world"
        case unsupportedMediaType = "unsupported-media-type"
        case upstreamNotShared = "upstream-not-shared"
        case upstreamUnreachable = "upstream-unreachable"
        case uriTooLong = "uri-too-long"
        case versionNotSupported = "version-not-supported"
        case worldRequired = "world-required"

        package var title: String {
            switch self {
            case .badRequest: "The request can't be understood"
            case .busy: "There is too much to do"
            case .conflict: "Something else stands against it"
            case .conflictingWorlds: "Two different worlds are named"
            case .crossSite: "Control calls from other sites are refused"
            case .expectationFailed: "The expectation can't be met"
            case .headerFieldsTooLarge: "The header section is too large"
            case .noRecording: "No recording has this request"
            case .notImplemented: "This is not implemented"
            case .notPairedFor: "The device is not paired for this"
            case .pairingRefused: "The pairing is refused"
            case .upstreamNotShared: "The real backend is not shared with the network"
            case .ownCredential: "A credential of Understudy's own stays here"
            case .requestTimeout: "The request did not arrive in time"
            case .upstreamUnreachable: "The real backend can't be reached"
            case .uriTooLong: "The request line is too long"
            case .versionNotSupported: "This HTTP version is not spoken here"
            case .foreignHost: "This host name is not ours"
            case .foreignOrigin: "This origin may not use the control API"
            case .internalError: "Understudy failed"
            case .invalidBody: "The body does not fit"
            case .invalidJSON: "The body is not JSON"
            case .invalidParameter: "A parameter does not fit"
            case .methodNotAllowed: "This path takes other methods"
            case .nameTaken: "The name is taken"
            case .noAuthority: "There is no authority"
            case .notFound: "There is nothing here"
            case .payloadTooLarge: "The body is too large"
            case .protectedWorld: "The world main stays"
            case .storeFailed: "The state could not be written to disk"
            case .tlsOff: "The ports speak no TLS"
            case .tlsRequired: "This port speaks TLS only"
            case .tooManySnapshots: "There are too many snapshots"
            case .tooManyFaults: "There are too many faults"
            case .tooManyStubs: "There are too many stubs"
            case .tooManyGates: "There are too many gates"
            case .tooManyWaiting: "Too many calls wait"
            case .tooManyWorlds: "There are too many worlds"
            case .unauthorized: "The admin token is missing or wrong"
            case .unknownAPI: "There is no such API"
            case .unknownSnapshot: "There is no such snapshot"
            case .unknownUser: "There is no such user"
            case .unknownWorld: "There is no such world"
            case .unsupportedMediaType: "Control calls take JSON"
            case .worldRequired: "Name a world"
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
            case .crossSite, .foreignOrigin, .notPairedFor, .pairingRefused, .upstreamNotShared: .forbidden
            case .noRecording, .notFound, .unknownSnapshot, .unknownWorld: .notFound
            case .upstreamUnreachable: Status(502)
            case .methodNotAllowed: .methodNotAllowed
            case .conflict, .nameTaken, .noAuthority, .ownCredential, .protectedWorld, .tlsOff, .tooManyFaults,
                .tooManyGates, .tooManySnapshots, .tooManyStubs, .tooManyWaiting, .tooManyWorlds:
                .conflict
            case .tlsRequired: .upgradeRequired
            case .payloadTooLarge: .contentTooLarge
            case .unsupportedMediaType: .unsupportedMediaType
            case .foreignHost, .worldRequired: .misdirectedRequest
            case .invalidBody, .unknownAPI, .unknownUser: .unprocessableContent
            case .internalError: .internalServerError
            case .busy, .storeFailed: .serviceUnavailable
            }
        }

        /// The text of the type's page: the cause and the remedy.
        package var explanation: String {
            switch self {
            case .badRequest:
                "The request line, a header field or the path is not valid HTTP. The detail says which part."
            case .busy:
                "As much as may wait for its turn waits already (--limit jobs=N), what is coming in holds all the memory there is "
                    + "for it (256 MiB; --limit bodies=N), or another world is being imported. Nothing was changed; ask again "
                    + "after the seconds in Retry-After."
            case .conflict:
                "The call fits, but not what is there: a row that others need can't be deleted, a table that is read only not "
                    + "be written, and an exchange whose body was not kept whole not be sent again. The detail says which."
            case .conflictingWorlds:
                "The X-Understudy-World header, the /@NAME path prefix and the NAME.localhost host must agree. Send one of them."
            case .crossSite:
                "A browser marked the call as coming from another site. Use the console on the hub, or a tool that is not a browser."
            case .foreignHost:
                "Control calls are answered under a loopback address, a *.localhost name or a configured host only, so that a "
                    + "foreign page can't reach them by DNS rebinding. Call 127.0.0.1, or start with --host."
            case .expectationFailed: "Expect takes 100-continue only (RFC 9110 section 10.1.1)."
            case .headerFieldsTooLarge:
                "The field lines are over 64 KiB in all or there are more than 200; --limit header-section=N and "
                    + "header-fields=N set other limits."
            case .noRecording:
                "The API replays a recording that holds no such request, or each of them has been served and exhausted is fail. "
                    + "`nearest` lists what is most like it and what differs. PUT /__admin/mode with miss or ignore to be less strict."
            case .upstreamUnreachable:
                "The request was to be answered by the real backend, which gave no answer. The detail says why."
            case .ownCredential:
                "The request was to go to the real backend and holds a credential that Understudy issued (a token, a QR code, a "
                    + "handle, a session id), its admin token, or a stand-in of a recording. Nothing was sent. The detail says "
                    + "where it stands. Sign in through the mode that is on, or PUT /__admin/mode with emulate."
            case .notImplemented:
                "The method or the transfer coding is not known. Bodies come with a length or chunked."
            case .requestTimeout:
                "The head took longer than 30 s, or 60 s passed between two bytes of the body; --limit head-seconds=N and "
                    + "body-seconds=N set other limits."
            case .uriTooLong: "The request line is over 8 KiB; --limit request-line=N sets another limit."
            case .versionNotSupported: "HTTP/1.1 and HTTP/1.0 are spoken here."
            case .foreignOrigin:
                "Control calls carry no Origin, or one of Understudy's own. No CORS headers are ever sent."
            case .internalError: "This is a bug in Understudy. The log has more; nothing was changed."
            case .invalidBody:
                "The body is JSON, but a member is unknown, missing or has a value that does not fit. `errors` lists the path and "
                    + "the reason of each fault. Nothing was changed."
            case .invalidJSON: "The body is not JSON. The detail has line and column."
            case .invalidParameter: "A query parameter has a value that does not fit. `errors` names it."
            case .methodNotAllowed: "The Allow header lists the methods of this path."
            case .nameTaken: "Something of that name exists. Choose another name, or delete the old one first."
            case .notFound:
                "No control call has this path, or the named thing does not exist. GET /__admin/openapi.json lists the calls."
            case .payloadTooLarge:
                "The body is over the limit of control calls: 2 MiB, and 256 MiB for a world; --limit control-body=N and state=N "
                    + "set other limits."
            case .protectedWorld: "The world main exists always; reset it instead of deleting it."
            case .noAuthority:
                "Bad certificates are signed by Understudy's own authority, and the server was started with certificates of yours "
                    + "(--cert). Start it without --cert, or use a fault of the handshake."
            case .tlsOff:
                "Connection faults act on handshakes of TLS, and the ports speak plain HTTP. Start with --tls on."
            case .tlsRequired:
                "The server was started with --tls required. Use the https address in the detail; GET /__admin/ca.pem has the "
                    + "root that signs its certificates."
            case .storeFailed:
                "With --state an answer leaves only when what it tells of is on disk. Writing failed: the disk is full, or it "
                    + "reported an error, which the log has. What the request changed may be there or not; it is tried again "
                    + "with the next request."
            case .notPairedFor:
                "The token is that of a paired device. It may change the conditions of its one world (clock, reset, scenarios, "
                    + "settings, faults, latency, gates, journal, verify, outbox, tokens, users, events), and read health and apis."
            case .pairingRefused:
                "The code is wrong, used, or older than 5 minutes, or ten wrong ones have ended pairing. Start the server again "
                    + "with --pair to have another one."
            case .upstreamNotShared:
                "With --lan everybody on the network could use the real backend through this machine. Start with --lan-upstream "
                    + "to allow it, or without --lan."
            case .tooManySnapshots: "A world keeps 1,000 snapshots. Delete some first."
            case .tooManyStubs: "A world holds 10,000 stubs. Delete some."
            case .tooManyFaults: "A world holds 1,000 faults; --limit faults=N sets another limit. Delete some."
            case .tooManyGates: "A world holds 1,000 gates; --limit gates=N sets another limit. Delete some."
            case .tooManyWaiting:
                "1,000 calls of a process may wait for something to happen, and what they wait for may take 64 MiB; "
                    + "--limit waiting=N sets another number. Wait for less at a time."
            case .tooManyWorlds: "The limit of worlds is reached. Delete some, or give them a ttlSeconds."
            case .unauthorized: "The server was started with an admin token. Send it as Authorization: Bearer TOKEN."
            case .unknownAPI:
                "The call needs one API: use the API's own port, or ?api=NAME on the hub. GET /__admin/apis lists them."
            case .unknownSnapshot:
                "Snapshots belong to a world: they are taken with POST /__admin/snapshots and listed with GET."
            case .unknownUser: "The API has no user of that e-mail or id in this world."
            case .unknownWorld:
                "Worlds are made with POST /__admin/worlds and listed with GET /__admin/worlds. Names are never guessed."
            case .unsupportedMediaType: "Write calls carry Content-Type: application/json."
            case .worldRequired:
                "The server was started with --world-required. Name the world with the X-Understudy-World header, the /@NAME path "
                    + "prefix, the host NAME.localhost, or a token issued in it."
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
            "type": .string("/__admin/problems/\(slug.rawValue)"),
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
        all.append(.contentType, "application/problem+json")
        return Response(status: slug.status, fields: all, body: .bytes(JSON.object(document).serialized()))
    }
}
