import Foundation
import JSON

/// Uses every endpoint of one API at least once on a running server, as its document describes them.
///
/// Sequences such as a sign-in and control calls follow.
final class ImportWalk {
    let api: String
    let hub: Int
    private let paths: JSON
    private var wire: Wire
    /// Answers that the document does not declare, or that never came.
    private(set) var problems: [String] = []
    /// The number of responses of each status.
    private(set) var statuses: [Int: Int] = [:]
    /// Endpoints by how well their best call went.
    private(set) var best: [String: Int] = [:]
    private var state: JSON = .null
    private var token: String?
    private var user = ""

    /// The users of the seeds that walk: one with everything, and one who may do what the first may not.
    private static let users = [
        "sawaed": ["layla@sawaed.test"], "carbscan": ["pro@carbscan.test", "free@carbscan.test"],
        "omnichat": ["test@icloud.com"], "trafikskola": ["anna@example.com", "erik@example.com"],
        "trendy": ["tracker@trendy.example"],
    ]

    init(_ api: String, hub: Int) throws {
        self.api = api
        self.hub = hub
        wire = try Wire(port: hub)
        paths = try Wire(port: hub).ask("GET", "/__admin/openapi/\(api).json").json["paths"] ?? .null
    }

    // MARK: Calls

    @discardableResult
    func control(_ method: String, _ path: String, _ body: String = "") throws -> WireAnswer {
        let answer = try ask(method, "/__admin" + path, Array(body.utf8))
        if answer.status >= 500 { problems.append("\(method) \(path): \(answer.status) \(answer.text.prefix(200))") }
        return answer
    }

    private func ask(
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        _ token: String? = nil,
        type: String = "application/json"
    ) throws -> WireAnswer {
        if wire.hasEnded { wire = try Wire(port: hub) }
        do {
            try wire.send(Wire.request(method, target, body: body, token: token, type: type))
            return try wire.answer(toHead: method == "HEAD")
        } catch {
            // A fault may have cut it; a server that is gone takes no other connection either.
            wire = try Wire(port: hub)
            return WireAnswer(status: 0)
        }
    }

    /// A request to the API; a server's error has to be one that its document declares.
    @discardableResult
    private func call(
        _ method: String,
        _ path: String,
        _ body: String = "",
        as template: String? = nil,
        bytes: [UInt8]? = nil,
        type: String = "application/json"
    ) throws -> WireAnswer {
        let answer = try ask(method, "/\(api)\(path)", bytes ?? Array(body.utf8), token, type: type)
        let template = template ?? String(path.prefix { $0 != "?" })
        statuses[answer.status, default: 0] += 1
        let name = "\(method) \(template)"
        best[name] = min(best[name] ?? 999, answer.status == 0 ? 999 : answer.status)
        let declared = paths[template]?[method.lowercased()]?["responses"]?.objectValue
        if answer.status >= 500, declared?["\(answer.status)"] == nil {
            problems.append("\(name): \(answer.status) \(answer.text.prefix(200))")
        }
        return answer
    }

    private func mint(_ user: String, _ kind: String) throws -> String? {
        let order: JSON = ["api": .string(api), "user": .string(user), "kind": .string(kind)]
        return try control("POST", "/tokens", order.text).json["token"]?.stringValue
    }

    // MARK: The whole of it

    /// Uses every endpoint for each user, in the order: reads, writes, what works in turn, deletions.
    func useEverything() throws {
        state = try control("GET", "/state").json["apis"]?[api] ?? .null
        for user in Self.users[api] ?? [] {
            self.user = user
            token = try mint(user, "access")
            for method in ["get", "post", "put", "patch"] { try useAll(method) }
            try useInTurn(user)
            token = try mint(user, "access")
            try useAll("delete")
            for kind in ["refresh", "apple-identity"] { _ = try mint(user, kind) }
        }
    }

    /// Uses the parts that compute with the numbers that all APIs share: requests, mails, faults, gates, the journal
    /// and the clock.
    func useBriefly() throws {
        state = try control("GET", "/state").json["apis"]?[api] ?? .null
        user = Self.users[api]?.first ?? ""
        token = try mint(user, "access")
        try useInTurn(user)
        try control(
            "POST",
            "/faults",
            #"{"match":{"path":"/none"},"when":{"probability":0.5},"effect":{"status":500}}"#
        )
        try call("GET", "/nowhere")
        try control("POST", "/gates", #"{"match":{"path":"/other"},"phase":"before"}"#)
        try control("POST", "/requests/count", #"{"match":{}}"#)
        try control(scenarios: false)
        try control("POST", "/clock/advance", #"{"by":"P400D"}"#)
        token = try mint(user, "access")
        try useAll("get")
    }

    /// Expires, revokes, and puts every scenario on and off; every read again between them if asked for.
    func control(scenarios: Bool) throws {
        for user in Self.users[api] ?? [] {
            try control("POST", "/users/\(user)/expire?api=\(api)", #"{"tokens":"access"}"#)
            try control("POST", "/users/\(user)/revoke?api=\(api)", #"{"tokens":"all"}"#)
        }
        for path in ["/requests?limit=50", "/requests.har", "/outbox", "/worlds", "/faults", "/clock", "/metrics"] {
            try control("GET", path)
        }
        guard scenarios else { return }
        let names = try control("GET", "/scenarios").json["items"]?.arrayValue ?? []
        for name in names.compactMap({ $0["name"]?.stringValue }) {
            try control("PUT", "/scenarios/\(name)")
            try control("DELETE", "/scenarios/\(name)")
        }
        token = try mint(Self.users[api]?.first ?? "", "access")
        try useAll("get")
    }

    /// Moves the clock far and reads everything there.
    func moveClock() throws {
        for (call, body) in [
            ("/clock/advance", #"{"by":"P400D"}"#), ("/clock", #"{"mode":"frozen","now":"9999-12-31T23:59:59Z"}"#),
            ("/clock/advance", #"{"by":"P400D"}"#), ("/clock", #"{"mode":"frozen","now":"0000-01-01T00:00:00Z"}"#),
            ("/clock", #"{"mode":"frozen","now":"2025-01-02T12:00:00Z"}"#),
        ] {
            try control(call == "/clock" ? "PUT" : "POST", call, body)
            token = try mint(Self.users[api]?.first ?? "", "access")
            try useAll("get")
        }
    }

    private func useAll(_ method: String) throws {
        for path in paths.objectValue?.members ?? [] {
            guard let operation = path.value[method] else { continue }
            let content = operation["requestBody"]?["content"]?["application/json"]
            let body = content?["example"].map { $0.text } ?? ""
            try call(method.uppercased(), target(path.name, operation), body, as: path.name)
            let ends = ["logout", "signout", "revoke", "/sessions"]
            if method != "get", ends.contains(where: path.name.contains) { token = try mint(user, "access") }
        }
    }

    /// The path with the ids of rows that there are, and what the query needs.
    private func target(_ template: String, _ operation: JSON) -> String {
        let segments = template.split(separator: "/").map(String.init)
        var path = ""
        for (place, segment) in segments.enumerated() {
            guard segment.hasPrefix("{") else {
                path += "/" + segment
                continue
            }
            let collection = place > 0 ? segments[place - 1] : ""
            path += "/" + (id(segment, collection).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "x")
        }
        var query: [String] = []
        for parameter in operation["parameters"]?.arrayValue ?? []
        where parameter["in"] == "query" && parameter["required"] == true {
            let name = parameter["name"]?.stringValue ?? ""
            query.append("\(name)=\(Self.queries[name] ?? "x")")
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    private static let queries = [
        "aiSkillId": "aiskill_digital", "domain": "anna.example", "type": "lt_45", "date": "2025-01-03",
        "deviceId": "device-1", "grant_type": "password", "fileName": "a.txt", "fileType": "text/plain",
        "conversationId": "conv_welcome_00000001", "code_challenge_method": "S256", "response_type": "code",
        "redirect_uri": "carbscan%3A%2F%2Fauth-callback", "state": "s", "code_challenge": "c",
    ]

    private func id(_ parameter: String, _ collection: String) -> String {
        let tables = [
            "experience": "experiences", "storage": "files", "event-types": "eventTypes", "event-type": "eventTypes",
            "property-definitions": "propertyDefinitions", "payment": "payments",
        ]
        switch parameter {
        case "{locale}": return "sv"
        case "{deviceId}": return "device-1"
        default: break
        }
        let rows = state[tables[collection] ?? collection]?.arrayValue ?? []
        // The last one: seeds put what is odd first.
        return (rows.last?["uuid"] ?? rows.last?["id"])?.stringValue ?? "none"
    }

    // MARK: What works in turn

    private func useInTurn(_ user: String) throws {
        switch api {
        case "sawaed": try useSawaed(user)
        case "carbscan": try useCarbScan(user)
        case "omnichat": try useOmniChat(user)
        case "trafikskola": try useTrafikskola(user)
        default: try useTrendy(user)
        }
    }

    private func useSawaed(_ user: String) throws {
        for number in 0..<8 {
            let message = number == 0 ? "__start__" : "A"
            let sent = try call(
                "POST",
                "/api/chat/send",
                #"{"skillId":"aiskill_data","message":"\#(message)","locale":"en"}"#
            )
            let session = sent.json["sessionId"]?.stringValue ?? sent.json["data"]?["sessionId"]?.stringValue ?? "x"
            for _ in 0..<2 {
                try call("GET", "/api/chat/status?sessionId=\(session)")
                try control("POST", "/clock/advance", #"{"seconds":0.4}"#)
            }
        }
        // Those of the document before this walk, too.
        for row in (state["chatSessions"]?.arrayValue ?? []).suffix(3) {
            try call("GET", "/api/chat/status?sessionId=\(row["id"]?.stringValue ?? "")")
        }
        let leave = try call("GET", "/api/mobile/v1/profile/picture/upload-url").json
        let link = (leave["uploadUrl"] ?? leave["data"]?["uploadUrl"] ?? leave["url"])?.stringValue ?? "?token=x"
        let query = link.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
        try call("POST", "/api/storage/upload?\(query)", bytes: [1, 2, 3], type: "image/png")
        try call("POST", "/api/mobile/auth/request-otp", #"{"email":"\#(user)"}"#)
        try call("POST", "/api/mobile/auth/verify-otp", #"{"email":"\#(user)","code":"000000"}"#)
        try call("POST", "/api/mobile/auth/verify-otp", #"{"email":"\#(user)","code":"123456"}"#)
        if let refresh = try mint(user, "refresh") {
            try call("POST", "/api/mobile/auth/refresh", #"{"refreshToken":"\#(refresh)"}"#)
        }
        for event in (state["events"]?.arrayValue ?? []).prefix(4) {
            let id = event["id"]?.stringValue ?? ""
            try call("POST", "/api/mobile/v1/events/\(id)/register", #"{"quantity":1}"#)
        }
    }

    private func useCarbScan(_ user: String) throws {
        for number in 0..<3 {
            let meal: JSON = [
                "localId": .string("walk-\(user)-\(statuses[200] ?? 0)-\(number)"), "name": "Soup",
                "carbEstimate": 1_000,
                "confidenceLevel": 1, "createdAt": "2025-01-01T11:00:00.000Z",
            ]
            try call("POST", "/api/mobile/v1/meals/sync", JSON.object(["localMeals": [meal]]).text)
            try call("POST", "/api/mobile/v1/chat", #"{"message":"banana"}"#)
        }
        try call("GET", "/api/mobile/v1/insights")
        try call("POST", "/api/mobile/v1/auth/magic-link/request", #"{"email":"\#(user)"}"#)
        let mail = try control("GET", "/outbox").json["items"]?.arrayValue?.first?["token"]?.stringValue ?? ""
        try call("POST", "/api/mobile/v1/auth/magic-link/verify", #"{"token":"\#(mail)"}"#)
        let page = "/api/mobile/v1/auth/mobile/authorize"
        let asked = "state=s&code_challenge_method=S256&response_type=code&redirect_uri=carbscan%3A%2F%2Fauth-callback"
        // The challenge of the verifier in the document's example (RFC 7636, appendix B).
        let challenge = "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&login_hint=\(user)"
        let place = try call("GET", "\(page)?\(asked)&\(challenge)")["Location"] ?? ""
        let code = place.split(separator: "&").first { $0.contains("code=") }?.split(separator: "=").last ?? "x"
        try call(
            "POST",
            "/api/mobile/v1/auth/mobile/token",
            #"{"code":"\#(code)","grant_type":"authorization_code","code_verifier":"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"}"#
        )
        if let refresh = try mint(user, "refresh") {
            try call("POST", "/api/mobile/v1/auth/refresh", #"{"refreshToken":"\#(refresh)"}"#)
        }
    }

    private func useOmniChat(_ user: String) throws {
        try control("PUT", "/settings", #"{"omnichat":{"stream":{"firstTokenMs":0,"gapMs":0,"pieces":8}}}"#)
        let made = try call("POST", "/api/v1/conversations", #"{"title":"walk"}"#).json
        let id = (made["id"] ?? made["conversation"]?["id"])?.stringValue ?? "none"
        let parts =
            "--b\r\nContent-Disposition: form-data; name=\"conversationId\"\r\n\r\n\(id)\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
            + "Content-Type: text/plain\r\n\r\nhi\r\n--b--\r\n"
        let upload = "multipart/form-data; boundary=b"
        try call("POST", "/api/v1/upload", bytes: Array(parts.utf8), type: upload)
        for _ in 0..<2 {
            try call("POST", "/api/v1/conversations/\(id)/messages", #"{"content":"Hi","stream":true}"#)
        }
        try call("GET", "/api/v1/conversations/\(id)/messages")
        try call("GET", "/api/v1/user/usage?period=all")
        try call("GET", "/api/v1/user/usage?startDate=0001-01-01&endDate=9999-12-31")
        if let refresh = try mint(user, "refresh") {
            try call("POST", "/api/v1/auth/refresh", #"{"refreshToken":"\#(refresh)"}"#)
        }
    }

    private func useTrafikskola(_ user: String) throws {
        // One grey pixel.
        let png =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        let picture = Array(Data(base64Encoded: png) ?? Data())
        let head =
            "--b\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
        let parts = Array(head.utf8) + picture + Array("\r\n--b--\r\n".utf8)
        let upload = "multipart/form-data; boundary=b"
        for _ in 0..<2 { try call("POST", "/api/mobile/student/avatar", bytes: parts, type: upload) }
        for invoice in state["invoices"]?.arrayValue ?? [] {
            let path = "/api/mobile/invoices/\(invoice["id"]?.stringValue ?? "")/payment"
            let payment = try call("POST", "\(path)/initiate", #"{"method":"swish"}"#).json
            let id = (payment["data"]?["paymentId"] ?? payment["data"]?["id"])?.stringValue ?? "x"
            try call("GET", "\(path)/\(id)/status")
        }
        try call("POST", "/api/mobile/auth/request-otp", #"{"email":"\#(user)"}"#)
        for code in ["000000", "123456"] {
            try call("POST", "/api/mobile/auth/verify-otp", #"{"email":"\#(user)","otpCode":"\#(code)"}"#)
        }
        let operation = #"{"operation":"create","entityType":"nothing"}"#
        try call("POST", "/api/mobile/sync", #"{"deviceId":"device-1","operations":[\#(operation)]}"#)
        for quiz in state["quizzes"]?.arrayValue ?? [] {
            let id = quiz["id"]?.stringValue ?? ""
            try call("POST", "/api/mobile/lms/quizzes/\(id)/submit", #"{"quizId":"\#(id)","answers":[]}"#)
        }
        try control("GET", "/qr.json?api=trafikskola&type=quick-login")
        if let refresh = try mint(user, "refresh") {
            try call("POST", "/api/mobile/auth/refresh", #"{"refreshToken":"\#(refresh)"}"#)
        }
    }

    private func useTrendy(_ user: String) throws {
        let mail = "walk-\(statuses[200] ?? 0)@trendy.example"
        let signed = try call("POST", "/auth/v1/signup", #"{"email":"\#(mail)","password":"trendy-pass-9"}"#).json
        if let refresh = signed["refresh_token"]?.stringValue {
            try call("POST", "/auth/v1/token?grant_type=refresh_token", #"{"refresh_token":"\#(refresh)"}"#)
        }
        let name = "walk \(statuses[200] ?? 0)"
        let type = try call("POST", "/api/v1/event-types", #"{"name":"\#(name)","color":"black","icon":"i"}"#).json
        let id = type["id"]?.stringValue ?? "0193e354-b640-7000-8000-000000000001"
        for minute in 10..<13 {
            try call(
                "POST",
                "/api/v1/events",
                #"{"event_type_id":"\#(id)","timestamp":"2025-01-01T11:\#(minute):00Z"}"#
            )
        }
        try call(
            "POST",
            "/api/v1/event-types/\(id)/properties",
            #"{"event_type_id":"\#(id)","key":"k","label":"K","property_type":"text","display_order":2147483647}"#
        )
        try call("GET", "/api/v1/changes?since=0&limit=500")
        for period in ["week", "month", "year"] { try call("GET", "/api/v1/analytics/trends?period=\(period)") }
        try call("GET", "/api/v1/events?limit=1000")
        if let refresh = try mint(user, "refresh") {
            try call("POST", "/auth/v1/token?grant_type=refresh_token", #"{"refresh_token":"\#(refresh)"}"#)
        }
    }
}
