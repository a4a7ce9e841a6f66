import Backend

struct ReceiptRequest: RequestModel {
    var signedTransaction: String?
    var receiptData: String?
    var productId: String?
    var environment = "Sandbox"

    static let shape = RequestSchema<Self>(
        "ReceiptRequest",
        [
            .optional("signedTransaction", .string(.filled)) { $0.signedTransaction = $1 },
            .optional("receiptData", .string(.filled)) { $0.receiptData = $1 },
            .optional("productId", .string()) { $0.productId = $1 },
            .optional("environment", .string(.oneOf(["Production", "Sandbox", "Xcode"]))) { $0.environment = $1 },
        ]
    )
}

struct EntitlementsRequest: RequestModel {
    var transactions: [String] = []

    static let shape = RequestSchema<Self>(
        "EntitlementsRequest",
        [.required("signedTransactions", .array(of: .string(), counts: 0...100)) { $0.transactions = $1 }]
    )
}
