import Backend
import CivilTime
import JSON

/// The subscription of an account, in the four objects of section 7.17.
struct SubscriptionStatus: ResponseModel {
    struct Subscription: ResponseModel {
        var status: SubscriptionStatus

        static let shape = ResponseSchema<Self>(
            "Subscription",
            [
                .choice("tier") { $0.status.quotas.tier },
                .choice("status") { $0.status.standing },
                .nullableTime("renewalDate") { $0.status.renewalDate.map { .at($0) } },
            ]
        )
    }

    struct Scans: ResponseModel {
        var quotas: Quotas

        static let shape = ResponseSchema<Self>(
            "Scans",
            [
                .integer("remaining") { $0.quotas.scansLeft },
                .time("resetDate") { .at($0.quotas.scanReset) },
                .integer("limit") { Quotas.scanLimit($0.quotas.tier) },
                .string("resetPeriod", oneOf: ["daily", "monthly"]) { Quotas.resetPeriod($0.quotas.tier) },
            ]
        )
    }

    struct Chat: ResponseModel {
        var status: SubscriptionStatus

        static let shape = ResponseSchema<Self>(
            "Chat",
            [
                .unlimited("remaining") { ($0.status.quotas.chatsLeft, $0.status.form) },
                .integer("usedToday") { $0.status.quotas.chatsToday },
                .unlimited("dailyLimit") { ($0.status.quotas.chatLimit, $0.status.form) },
            ]
        )
    }

    struct Limits: ResponseModel {
        var status: SubscriptionStatus

        static let shape = ResponseSchema<Self>(
            "Limits",
            [
                .integer("scansPerDay") { Quotas.scansPerDay($0.status.quotas.tier) },
                .integer("scansPerMonth") { Quotas.scansPerMonth($0.status.quotas.tier) },
                .unlimited("chatPerDay") { ($0.status.quotas.chatLimit, $0.status.form) },
                .string("scanResetPeriod", oneOf: ["daily", "monthly"]) {
                    Quotas.resetPeriod($0.status.quotas.tier)
                },
            ]
        )
    }

    var quotas: Quotas
    var standing: User.SubscriptionStatus
    var renewalDate: Instant?
    var form: CarbScanSettings.Unlimited

    init(_ user: User, _ state: CarbScanState, _ call: Call) {
        quotas = state.quotas(of: user, now: call.now, epoch: call.epoch)
        // A free account can't be past due; only a cancellation outlives the paid tier.
        let owesNothing = quotas.tier == .free && user.standing == .pastDue
        standing = owesNothing ? .active : user.standing
        form = state.settings.unlimited
        if quotas.tier != .free {
            let end = user.tierEndsAt?.resolved(in: call.epoch)
            renewalDate = end ?? state.calendar.month(of: call.now).end
        }
    }

    static let shape = ResponseSchema<Self>(
        "SubscriptionStatus",
        [
            .object("subscription") { Subscription(status: $0) },
            .object("scans") { Scans(quotas: $0.quotas) },
            .object("chat") { Chat(status: $0) },
            .object("limits") { Limits(status: $0) },
        ]
    )
}

/// The response to an accepted receipt (section 7.18).
struct ReceiptResponse: ResponseModel {
    struct Transaction: ResponseModel {
        var receipt: Receipt
        var environment: String

        static let shape = ResponseSchema<Self>(
            "Transaction",
            [
                .string("transactionId") { $0.receipt.transactionId },
                .string("originalTransactionId") { $0.receipt.originalTransactionId },
                .string("productId") { $0.receipt.productId },
                .time("purchaseDate") { .at($0.receipt.purchaseDate) },
                .time("expiresDate") { .at($0.receipt.expiresDate) },
                .string("environment") { $0.environment },
            ]
        )
    }

    var status: SubscriptionStatus
    var transaction: Transaction

    static let shape = ResponseSchema<Self>(
        "ReceiptResult",
        [
            .boolean("valid") { _ in true },
            .object("subscription") { SubscriptionStatus.Subscription(status: $0.status) },
            .object("transaction") { $0.transaction },
        ]
    )
}

/// The response to the entitlements that the app sends at its start (section 7.19).
struct EntitlementsResponse: ResponseModel {
    struct Processed: ResponseModel {
        enum Result: String, CaseIterable, Sendable {
            case applied
            case alreadyKnown = "already_known"
            case expired, revoked, rejected
        }

        var transactionId: String?
        var productId: String?
        var result: Result
        var reason: String?

        static let shape = ResponseSchema<Self>(
            "ProcessedTransaction",
            [
                .nullableString("transactionId") { $0.transactionId },
                .nullableString("productId") { $0.productId },
                .choice("result") { $0.result },
                .nullableString("reason") { $0.reason },
            ]
        )
    }

    var processed: [Processed]
    var status: SubscriptionStatus

    static let shape = ResponseSchema<Self>(
        "EntitlementsResult",
        [.array("processed") { $0.processed }] + SubscriptionStatus.shape.members { $0.status }
    )
}
