import Backend

struct CodeExchange: RequestModel {
    var code = ""
    var verifier = ""

    static let shape = RequestSchema<Self>(
        "CodeExchange",
        [
            .required("code", .string(.filled)) { $0.code = $1 },
            .required("code_verifier", .string(.filled, .atMost(128, .utf16), .atLeast(43, .utf16))) {
                $0.verifier = $1
            },
            .required("grant_type", .string(.filled, .oneOf(["authorization_code"]))) { _, _ in },
        ]
    )
}

struct WebSession: RequestModel {
    static let shape = RequestSchema<Self>("WebSession", [.optional("deviceId", .string()) { _, _ in }])
}
