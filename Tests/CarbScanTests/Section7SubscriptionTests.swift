import Backend
import CivilTime
import Conditions
import Crypto
import Engine
import EngineTesting
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// Sections 7.18 and 7.19: the planned subscription endpoints.
struct Section7SubscriptionTests {
    private static func payload(
        _ product: String = "ai.carbscan.app.pro.monthly",
        id: String = "2000000000000001",
        original: String? = nil,
        until end: Int64 = 1_740_000_000_000,
        changes: JSONObject = JSONObject()
    ) -> JSON {
        let payload: JSONObject = [
            "transactionId": .string(id), "originalTransactionId": .string(original ?? id),
            "bundleId": "ai.carbscan.app", "productId": .string(product), "purchaseDate": 1_738_000_000_000,
            "expiresDate": .integer(end), "type": "Auto-Renewable Subscription",
        ]
        return .object(payload.overridden(by: changes))
    }

    private static func jws(_ payload: JSON) -> String {
        "\(Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8))).\(Base64URL.encode(payload.serialized())).AAAA"
    }

    private func validate(_ harness: Harness, _ token: String, _ body: JSON) throws -> Played {
        try harness.post("/subscriptions/validate-receipt", token: token, json: body)
    }

    @Test func `7.18 a signed transaction gives its tier until its end`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        let reply = try validate(harness, token, ["signedTransaction": .string(Self.jws(Self.payload()))])
        expectEqual(
            reply.data.text,
            #"{"valid":true,"subscription":{"tier":"pro","status":"active","renewalDate":"2025-02-19T21:20:00.000Z"},"transaction":{"transactionId":"2000000000000001","originalTransactionId":"2000000000000001","productId":"ai.carbscan.app.pro.monthly","purchaseDate":"2025-01-27T17:46:40.000Z","expiresDate":"2025-02-19T21:20:00.000Z","environment":"Sandbox"}}"#
        )
        try expectEqual(harness.status(token).at("scans.limit"), 300)
        // The same again: the same answer, no effect.
        _ = try harness.analyze(Harness.picture, token)
        try expectEqual(
            validate(harness, token, ["signedTransaction": .string(Self.jws(Self.payload()))]).bytes,
            reply.bytes
        )
        try expectEqual(harness.status(token).at("scans.remaining"), 299)
    }

    @Test func `7.18 the other forms: receiptData and test strings in either field`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        let receipt = Base64.encode(
            Self.payload("ai.carbscan.app.essentials.yearly", changes: ["environment": "Xcode"]).serialized()
        )
        let reply = try validate(harness, token, ["receiptData": .string(receipt), "environment": "Production"])
        expectEqual(reply.at("subscription.tier"), "essentials")
        expectEqual(reply.at("transaction.environment"), "Xcode")
        for field in ["signedTransaction", "receiptData"] {
            let body: JSONObject = [field: "mock_receipt:ai.carbscan.app.pro.yearly", "environment": "Production"]
            let reply = try validate(harness, token, .object(body))
            expectEqual(reply.at("transaction.expiresDate"), "2026-01-31T20:00:00.000Z")
            expectEqual(reply.at("transaction.environment"), "Production")
            let id = reply.at("transaction.transactionId").stringValue ?? ""
            #expect(id.hasPrefix("2000") && id.count == 16 && id.allSatisfy(\.isNumber))
        }
        // The month after January 31 ends on its last day.
        let other = try harness.mint(Harness.new)
        try expectEqual(harness.receipt("pro.monthly", other).at("transaction.expiresDate"), "2025-02-28T20:00:00.000Z")
    }

    @Test func `7.18 the faults of the body`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        let good: JSON = "mock_receipt:ai.carbscan.app.pro.monthly"
        try expectEqual(
            validate(harness, token, [:]).error,
            #"400 VALIDATION_ERROR {"signedTransaction":"required","receiptData":"required"}"#
        )
        try expectEqual(
            validate(harness, token, ["signedTransaction": good, "receiptData": good]).error,
            #"400 VALIDATION_ERROR {"signedTransaction":"unsupported_value","receiptData":"unsupported_value"}"#
        )
        try expectEqual(
            validate(harness, token, ["signedTransaction": 5]).error,
            #"400 VALIDATION_ERROR {"signedTransaction":"wrong_type"}"#
        )
        try expectEqual(
            validate(harness, token, ["receiptData": " "]).error,
            #"400 VALIDATION_ERROR {"receiptData":"empty"}"#
        )
        try expectEqual(
            validate(harness, token, ["signedTransaction": good, "environment": "sandbox", "productId": 1]).error,
            #"400 VALIDATION_ERROR {"productId":"wrong_type","environment":"unsupported_value"}"#
        )
    }

    @Test func `7.18 every reason`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        func reason(_ text: String, _ field: String = "signedTransaction", product: String? = nil) throws -> String {
            var body: JSONObject = [field: .string(text)]
            if let product { body.append("productId", .string(product)) }
            return try validate(harness, token, .object(body)).error
        }
        func invalid(_ reason: String) -> String { #"400 INVALID_RECEIPT {"reason":"\#(reason)"}"# }
        for text in [
            "x", "a.b.c", "mock_receipt:", Self.jws([]), Self.jws(Self.payload(changes: ["transactionId": .null])),
            Self.jws(Self.payload(changes: ["expiresDate": "soon"])),
            Self.jws(Self.payload(changes: ["expiresDate": 1e300])), "mock_receipt:ai.carbscan.app.pro.monthly:odd",
            "mock_receipt:ai.carbscan.app.pro.monthly:",
        ] {
            try expectEqual(reason(text), invalid("malformed"), "\(text)")
        }
        try expectEqual(reason("%%%", "receiptData"), invalid("malformed"))
        try expectEqual(reason(Self.jws(Self.payload(changes: ["bundleId": "other"]))), invalid("bundle_mismatch"))
        try expectEqual(
            reason(Self.jws(Self.payload()), product: "ai.carbscan.app.pro.yearly"),
            invalid("product_mismatch")
        )
        try expectEqual(reason("mock_receipt:ai.carbscan.app.gold"), invalid("unknown_product"))
        try expectEqual(reason(Self.jws(Self.payload(until: 1_738_353_600_000))), invalid("expired"))
        try expectEqual(reason("mock_receipt:ai.carbscan.app.pro.monthly:expired"), invalid("expired"))
        try expectEqual(
            reason(Self.jws(Self.payload(changes: ["revocationDate": 1_738_000_000_000]))),
            invalid("revoked")
        )
        try expectEqual(reason("mock_receipt:ai.carbscan.app.pro.monthly:revoked"), invalid("revoked"))
        try expectEqual(reason("mock_receipt:ai.carbscan.app.pro.monthly:invalid"), invalid("signature"))
        try expectEqual(harness.status(token).at("subscription.tier"), "free")
        #expect(try reason(Self.jws(Self.payload(until: 1_738_353_600_001))).contains("tier"))
    }

    @Test func `7.18 a purchase of another account is 409`() throws {
        let harness = try Harness()
        let body: JSON = ["signedTransaction": .string(Self.jws(Self.payload(id: "1", original: "0")))]
        try expectEqual(validate(harness, try harness.mint(Harness.free), body).status, 200)
        let renewed: JSON = ["signedTransaction": .string(Self.jws(Self.payload(id: "2", original: "0")))]
        let other = try harness.mint(Harness.new)
        try expectEqual(validate(harness, other, renewed).error, "409 RECEIPT_IN_USE")
        try expectEqual(harness.status(other).at("subscription.tier"), "free")
    }

    @Test func `7.18 a lower product does not lower the tier, a higher one raises it`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.pro)
        try expectEqual(harness.receipt("essentials.monthly", token).at("subscription.tier"), "pro")
        let other = try harness.mint(Harness.essentials)
        try expectEqual(harness.receipt("pro.monthly", other).at("subscription.tier"), "pro")
        try expectEqual(harness.status(other).at("scans.remaining"), 300)
    }

    @Test func `7.19 each transaction has its result, and the highest running one wins`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        let list: [String] = [
            "mock_receipt:ai.carbscan.app.essentials.monthly", "mock_receipt:ai.carbscan.app.pro.monthly",
            "mock_receipt:ai.carbscan.app.pro.yearly:expired", "mock_receipt:ai.carbscan.app.pro.yearly:revoked", "x",
            "mock_receipt:ai.carbscan.app.pro.monthly",
        ]
        let reply = try harness.post(
            "/subscriptions/sync",
            token: token,
            json: ["signedTransactions": .array(list.map { .string($0) })]
        )
        expectEqual(reply.data.keys, ["processed", "subscription", "scans", "chat", "limits"])
        let rows = reply.at("processed").arrayValue ?? []
        expectEqual(
            rows.map { $0.string("result") },
            [
                "applied", "applied", "expired", "revoked", "rejected", "already_known",
            ]
        )
        #expect(rows[0].keys == ["transactionId", "productId", "result", "reason"] && rows[0]["reason"] == JSON.null)
        expectEqual(rows[4].text, #"{"transactionId":null,"productId":null,"result":"rejected","reason":"malformed"}"#)
        expectEqual(reply.at("subscription.tier"), "pro")
        // The device now has essentials alone.
        let lower = try harness.post(
            "/subscriptions/sync",
            token: token,
            json: ["signedTransactions": .array([.string(list[0])])]
        )
        expectEqual(lower.at("subscription.tier"), "essentials")
        expectEqual(lower.at("processed.0.result"), "already_known")
        // And then nothing.
        let none = try harness.post("/subscriptions/sync", token: token, json: ["signedTransactions": []])
        expectEqual(none.at("subscription").text, #"{"tier":"free","status":"canceled","renewalDate":null}"#)
    }

    @Test func `7.19 a tier that was bought on the web stays, and limits are 100 items`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.essentials)
        let none = try harness.post("/subscriptions/sync", token: token, json: ["signedTransactions": []])
        expectEqual(none.at("subscription.tier"), "essentials")
        expectEqual(none.at("subscription.status"), "active")
        func error(_ body: JSON) throws -> String {
            try harness.post("/subscriptions/sync", token: token, json: body).error
        }
        try expectEqual(error([:]), #"400 VALIDATION_ERROR {"signedTransactions":"required"}"#)
        try expectEqual(
            error(["signedTransactions": "x"]),
            #"400 VALIDATION_ERROR {"signedTransactions":"wrong_type"}"#
        )
        try expectEqual(
            error(["signedTransactions": ["x", 5]]),
            #"400 VALIDATION_ERROR {"signedTransactions[1]":"wrong_type"}"#
        )
        let many = [JSON](repeating: "x", count: 101)
        try expectEqual(
            error(["signedTransactions": .array(many)]),
            #"400 VALIDATION_ERROR {"signedTransactions":"too_many_items"}"#
        )
        try expectEqual(
            harness.post(
                "/subscriptions/sync",
                token: token,
                json: ["signedTransactions": .array(Array(many.dropLast()))]
            ).at("processed").count,
            100
        )
    }

    @Test func `7.18 with planned-enabled false both answer 501, to those who are signed in`() throws {
        let harness = try Harness()
        try harness.set(["planned": ["enabled": false]])
        let token = try harness.mint(Harness.free)
        for path in ["/subscriptions/validate-receipt", "/subscriptions/sync"] {
            try expectEqual(harness.post(path, token: token, json: [:]).error, "501 NOT_IMPLEMENTED")
            try expectEqual(harness.post(path, json: [:]).error, "401 UNAUTHORIZED")
        }
    }

    @Test func `7.18 strict verifies ES256 with the seed's key`() throws {
        let harness = try Harness()
        try harness.set(["receipts": ["mode": "strict"]])
        let token = try harness.mint(Harness.free)
        func result(_ text: String) throws -> String {
            let reply = try validate(harness, token, ["signedTransaction": .string(text)])
            return reply.status == 200 ? "200" : reply.json.at("error.details.reason").stringValue ?? ""
        }
        try expectEqual(result(Self.signedByTheSeed), "200")
        let parts = Self.signedByTheSeed.split(separator: ".").map(String.init)
        let last = parts[2].hasPrefix("A") ? "B" : "A"
        try expectEqual(result("\(parts[0]).\(parts[1]).\(last)\(parts[2].dropFirst())"), "signature")
        try expectEqual(result(Self.jws(Self.payload())), "signature")
        try expectEqual(result("mock_receipt:ai.carbscan.app.pro.monthly"), "signature")
        try expectEqual(result("x"), "malformed")
    }

    /// Made with the private part of `seeds/carbscan/receipt-keys.json`; it runs until 2035.
    private static let signedByTheSeed =
        "eyJhbGciOiJFUzI1NiIsImtpZCI6ImNhcmJzY2FuLXJlY2VpcHRzLTEifQ.eyJ0cmFuc2FjdGlvbklkIjoiMjAwMDAwMDAwMDAwM"
        + "DA3NyIsIm9yaWdpbmFsVHJhbnNhY3Rpb25JZCI6IjIwMDAwMDAwMDAwMDAwNzciLCJidW5kbGVJZCI6ImFpLmNhcmJzY2FuLmFwc"
        + "CIsInByb2R1Y3RJZCI6ImFpLmNhcmJzY2FuLmFwcC5wcm8ueWVhcmx5IiwicHVyY2hhc2VEYXRlIjoxNzM1NzMyODAwMDAwLCJle"
        + "HBpcmVzRGF0ZSI6MjA1MTIyMjQwMDAwMCwidHlwZSI6IkF1dG8tUmVuZXdhYmxlIFN1YnNjcmlwdGlvbiIsImVudmlyb25tZW50I"
        + "joiU2FuZGJveCJ9.mIks7uLb6eLCaTgrLJ1ShtgVbVEKZSPotJfW4bOaHOU91Xd5XjpbvWms92iw3Vpe5t0lArigNJwXllD5QR2Q"
        + "Ww"
}
