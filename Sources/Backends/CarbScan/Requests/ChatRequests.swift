import Backend

struct ChatRequest: RequestModel {
    var message = ""

    static let shape = RequestSchema<Self>(
        "ChatRequest",
        [
            .required("message", .string(.filled, .atMost(CarbScanAPI.messageLimit, .utf16))) { $0.message = $1 }
        ]
    )
}
