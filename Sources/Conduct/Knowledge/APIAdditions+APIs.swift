/// The facts of section 5 about the five APIs.
extension APIAdditions {
    /// One change of several operations.
    fileprivate static func each(
        _ names: [String],
        _ change: @escaping @Sendable (inout OperationKnowledge) -> Void
    ) -> [(String, @Sendable (inout OperationKnowledge) -> Void)] {
        names.map { ($0, change) }
    }

    fileprivate init(
        baseSegments: Int,
        bucket: (@Sendable (OperationKnowledge) -> String?)? = nil,
        _ lists: [[(String, @Sendable (inout OperationKnowledge) -> Void)]]
    ) {
        self.init(
            baseSegments: baseSegments,
            changes: Dictionary(lists.flatMap { $0 }) { first, second in
                { operation in
                    first(&operation)
                    second(&operation)
                }
            },
            bucket: bucket
        )
    }

    static let sawaed: APIAdditions = {
        let auth = ["/api/mobile/auth", "/api/mobile/v1/auth"]
        let profile = "/api/mobile/v1/profile"
        let lists = ["education", "experience", "projects", "awards"].map { "POST \(profile)/\($0)" }
        let statuses = ["/api/chat/status", "/api/mobile/v1/chat/status"]
        return APIAdditions(
            baseSegments: 3,
            [
                each(auth.map { "POST \($0)/request-otp" }) { $0.role = .requestCode },
                each(auth.map { "POST \($0)/verify-otp" }) {
                    $0.role = .signIn
                    $0.code = .init(["code"], isTyped: true)
                    $0.takesSecret = true
                },
                each(auth.map { "POST \($0)/refresh" }) { $0.role = .refresh },
                each(auth.map { "POST \($0)/signout" }) { $0.role = .signOut },
                each(["POST /api/mobile/auth/signup"]) {
                    $0.role = .signUp
                    $0.takesSecret = true
                },
                each(["POST /api/mobile/auth/signin"]) {
                    $0.role = .signIn
                    $0.takesSecret = true
                },
                each(["POST /api/mobile/auth/apple"]) { $0.role = .signIn },
                each(lists) {
                    $0.creates = true
                    $0.collections = ["\(profile)/me"]
                },
                each(["POST /api/chat/send", "POST /api/mobile/v1/chat/send"]) {
                    $0.creates = true
                    $0.collections = statuses
                    $0.missesCredential = true
                },
                each(statuses.map { "GET \($0)" }) {
                    $0.credential = .optional
                    $0.terminal = .init(["status"], ["done", "error"])
                },
                each(["GET /api/mobile/v1/events"]) { $0.cursor = .init("cursor", next: ["nextCursor"]) },
                each(["POST /api/storage/upload", "GET /api/storage/{storageId}"]) { $0.hasCredentialInURL = true },
            ]
        )
    }()

    static let carbscan: APIAdditions = {
        let base = "/api/mobile/v1"
        return APIAdditions(
            baseSegments: 3,
            [
                each(["POST \(base)/auth/apple", "POST \(base)/auth/replit"]) { $0.role = .signIn },
                each(["POST \(base)/auth/magic-link/request"]) { $0.role = .requestCode },
                each(["POST \(base)/auth/magic-link/verify"]) {
                    $0.role = .signIn
                    $0.code = .init(["token"])
                },
                each(["POST \(base)/auth/mobile/token"]) {
                    $0.role = .signIn
                    $0.code = .init(["code"])
                },
                each(["GET \(base)/auth/mobile/authorize"]) { $0.hasCredentialInURL = true },
                each(["POST \(base)/auth/refresh"]) { $0.role = .refresh },
                each(["POST \(base)/auth/revoke"]) { $0.role = .signOut },
                each(["POST \(base)/analyze"]) {
                    $0.creates = true
                    $0.collections = ["\(base)/meals"]
                },
                each(["POST \(base)/chat"]) {
                    $0.creates = true
                    $0.collections = ["\(base)/chat/history"]
                },
                each(["GET \(base)/meals"]) {
                    $0.offset = .init(items: ["data", "meals"], more: ["data", "pagination", "hasMore"])
                    $0.limitMaximum = 100
                },
                each(["GET \(base)/chat/history"]) { $0.limitMaximum = 200 },
            ]
        )
    }()

    static let omnichat: APIAdditions = {
        let base = "/api/v1"
        return APIAdditions(
            baseSegments: 2,
            bucket: { operation in
                guard operation.template.hasPrefix("/api/v1/"), operation.credential == .bearer else { return nil }
                return operation.name == "POST /api/v1/upload" ? "upload" : "general"
            },
            [
                each(["POST \(base)/auth/apple"]) { $0.role = .signIn },
                each(["POST \(base)/auth/refresh"]) { $0.role = .refresh },
                each([
                    "POST \(base)/conversations", "POST /api/conversations", "POST \(base)/conversations/{id}/messages",
                    "POST \(base)/upload",
                ]) { $0.creates = true },
                each(["GET \(base)/conversations/{id}/messages"]) {
                    $0.offset = .init(items: ["messages"], more: ["hasMore"])
                    $0.limitMaximum = 100
                },
            ]
        )
    }()

    static let trafikskola: APIAdditions = {
        let base = "/api/mobile"
        let payment = "\(base)/invoices/{id}/payment"
        return APIAdditions(
            baseSegments: 2,
            [
                each(["POST \(base)/auth/request-otp"]) { $0.role = .requestCode },
                each(["POST \(base)/auth/verify-otp"]) {
                    $0.role = .signIn
                    $0.code = .init(["otpCode", "otp"], isTyped: true)
                    $0.takesSecret = true
                },
                each(["POST \(base)/auth/login"]) {
                    $0.role = .signIn
                    $0.takesSecret = true
                },
                each(["POST \(base)/auth/quick-login"]) {
                    $0.role = .signIn
                    $0.code = .init(["token", "quickToken"])
                },
                each(["POST \(base)/auth/refresh"]) { $0.role = .refresh },
                each(["POST \(base)/auth/logout"]) { $0.role = .signOut },
                each(["POST \(base)/bookings"]) { $0.creates = true },
                each(["POST \(payment)/initiate"]) {
                    $0.creates = true
                    $0.collections = ["\(base)/invoices"]
                },
                each(["GET \(payment)/{paymentId}/status"]) {
                    $0.terminal = .init(["data", "status"], ["completed", "failed", "cancelled"])
                },
                each(["GET \(base)/notifications"]) { $0.limitMaximum = 100 },
            ]
        )
    }()

    static let trendy: APIAdditions = {
        let base = "/api/v1"
        return APIAdditions(
            baseSegments: 2,
            bucket: { $0.template.hasPrefix("/api/v1/") ? "api" : nil },
            [
                each(["POST /auth/v1/signup", "POST \(base)/auth/signup"]) {
                    $0.role = .signUp
                },
                // Supabase's own clients send their session to all of it.
                each(["POST /auth/v1/signup", "POST /auth/v1/token", "GET /auth/v1/.well-known/jwks.json"]) {
                    $0.credential = .optional
                },
                each(["POST /auth/v1/token"]) {
                    $0.role = .signIn
                    $0.roleByQuery = [
                        ("grant_type=refresh_token", .refresh), ("grant_type=password", .signIn),
                        ("grant_type=id_token", .signIn),
                    ]
                    $0.takesSecret = true
                },
                each(["POST \(base)/auth/login"]) {
                    $0.role = .signIn
                    $0.takesSecret = true
                },
                each(["POST /auth/v1/logout", "POST \(base)/auth/logout"]) { $0.role = .signOut },
                each([
                    "POST \(base)/events", "POST \(base)/events/batch", "POST \(base)/event-types",
                    "POST \(base)/event-types/{id}/properties", "POST \(base)/geofences",
                ]) {
                    $0.creates = true
                    $0.distinct = [["id"]]
                },
                each(["POST \(base)/events/batch"]) { $0.batch = "events" },
                each(["POST \(base)/events", "POST \(base)/events/batch"]) {
                    $0.distinct.append(["event_type_id", "timestamp"])
                },
                each(["POST \(base)/event-types", "POST \(base)/geofences"]) { $0.distinct.append(["name"]) },
                each(["POST \(base)/event-types/{id}/properties"]) { $0.distinct.append(["key"]) },
                each(["GET \(base)/changes"]) {
                    $0.cursor = .init("since", next: ["next_cursor"], isFeed: true)
                    $0.limitMaximum = 500
                },
                each(["GET \(base)/changes/latest-cursor"]) {
                    $0.cursor = .init("", next: ["cursor"], isFeed: true)
                },
                each(["GET \(base)/events"]) { $0.limitMaximum = 1_000 },
            ]
        )
    }()
}
