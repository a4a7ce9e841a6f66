import Backend
import CivilTime
import HTTPMessage
import JSON

extension CarbScanAPI {
    private static let planned = APIError.notImplemented.declared("With planned.enabled false")

    static let subscriptionEndpoints: [CarbScanEndpoint] = [
        Endpoint(
            .get,
            base + "/subscriptions/status",
            "Tier, quotas and limits",
            provenance: .documented,
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(SubscriptionStatus.self, "What the account has"), APIError.declaredUnauthorized,
                APIError.declaredTooLarge,
            ],
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            json(SubscriptionStatus(try user(state, call), state, call), state, call)
        },
        Endpoint(
            .post,
            base + "/subscriptions/validate-receipt",
            "Takes an App Store transaction or receipt",
            provenance: .planned,
            body: .json(
                ReceiptRequest.self,
                example: ["signedTransaction": "mock_receipt:ai.carbscan.app.pro.monthly"]
            ),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(ReceiptResponse.self, "The tier that it gives"),
                APIError.declaredFields(("signedTransaction", "required"), ("receiptData", "required")),
                APIError.invalidReceipt("expired").declared("The receipt is not accepted"),
                APIError.declaredUnauthorized,
                APIError.receiptInUse.declared("The purchase belongs to another account"),
                planned,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(),
            handle: validateReceipt
        ),
        Endpoint(
            .post,
            base + "/subscriptions/sync",
            "Takes the device's current entitlements",
            provenance: .planned,
            body: .json(EntitlementsRequest.self, example: ["signedTransactions": []]),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(EntitlementsResponse.self, "What became of each, and what the account has now"),
                APIError.declaredFields(("signedTransactions", "too_many_items")), APIError.declaredUnauthorized,
                planned,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(),
            handle: syncEntitlements
        ),
    ]

    private static func validateReceipt(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        var user = try user(state, call)
        guard state.settings.arePlannedEnabled else { throw .notImplemented }
        var (body, issues) = ReceiptRequest.read(try object(call.request))
        func isFaulty(_ name: String) -> Bool { issues.contains { $0.concerns(name) } }
        let hasTransaction = body.signedTransaction != nil || isFaulty("signedTransaction")
        let hasReceipt = body.receiptData != nil || isFaulty("receiptData")
        // Exactly one of the two is required.
        if hasTransaction == hasReceipt {
            let kind: FieldIssue.Kind = hasTransaction ? .unsupported : .missing
            for name in ["signedTransaction", "receiptData"] where !isFaulty(name) { issues.note(name, kind) }
        }
        try issues.check()
        var receipt: Receipt
        let product: Product
        do throws(ReceiptFault) {
            receipt = try Receipt(
                body.signedTransaction ?? body.receiptData ?? "",
                as: body.signedTransaction == nil ? .receiptData : .signedTransaction,
                for: user,
                state,
                now: call.now
            )
            product = try receipt.product(at: call.now, named: body.productId)
        } catch {
            throw .invalidReceipt(error.rawValue)
        }
        guard let isNew = state.take(&receipt, of: user, in: body.environment, call) else { throw .receiptInUse }
        // A repeated request gets the same response, so it also restores a tier that a sync without the purchase has
        // ended.
        if isNew || state.tier(of: user, now: call.now, epoch: call.epoch) < product.tier {
            state.apply(product, until: receipt.expiresDate, to: user, call)
            user = state.users[user.id] ?? user
        }
        let answer = ReceiptResponse(
            status: SubscriptionStatus(user, state, call),
            transaction: ReceiptResponse.Transaction(
                receipt: receipt,
                environment: receipt.environment ?? body.environment
            )
        )
        return json(answer, state, call)
    }

    private static func syncEntitlements(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        var user = try user(state, call)
        guard state.settings.arePlannedEnabled else { throw .notImplemented }
        let body = try read(EntitlementsRequest.self, call)
        var processed: [EntitlementsResponse.Processed] = []
        var best: (tier: Tier, end: Instant)?
        for text in body.transactions {
            var answer = EntitlementsResponse.Processed(result: .rejected)
            do throws(ReceiptFault) {
                var receipt = try Receipt(text, as: .signedTransaction, for: user, state, now: call.now)
                answer.transactionId = receipt.transactionId
                answer.productId = receipt.productId
                let product = try receipt.product(at: call.now, named: nil)
                if let isNew = state.take(&receipt, of: user, in: "Sandbox", call) {
                    answer.result = isNew ? .applied : .alreadyKnown
                    let found = (product.tier, receipt.expiresDate)
                    best = best.map { max($0, found, by: <) } ?? found
                } else {
                    answer.reason = "in_use"
                }
            } catch {
                answer.reason = error.rawValue
                switch error {
                case .expired: answer.result = .expired
                case .revoked: answer.result = .revoked
                default: break
                }
            }
            processed.append(answer)
        }
        let tier = state.tier(of: user, now: call.now, epoch: call.epoch)
        if let best {
            if user.isTierFromStore || best.tier >= tier {
                state.grant(
                    best.tier,
                    to: user.id,
                    standing: .active,
                    until: best.end,
                    fromStore: true,
                    now: call.now,
                    epoch: call.epoch
                )
            }
        } else if user.isTierFromStore, user.tier != .free {
            state.grant(
                .free,
                to: user.id,
                standing: .canceled,
                until: nil,
                fromStore: false,
                now: call.now,
                epoch: call.epoch
            )
        }
        user = state.users[user.id] ?? user
        let answer = EntitlementsResponse(processed: processed, status: SubscriptionStatus(user, state, call))
        return json(answer, state, call)
    }
}

/// The larger of two values by an order; the first if they are equal.
private func max<Value>(_ left: Value, _ right: Value, by isLess: (Value, Value) -> Bool) -> Value {
    isLess(left, right) ? right : left
}

extension CarbScanState {
    /// Notes a running transaction and returns whether it is new; nil if the purchase belongs to another account.
    ///
    /// A known transaction keeps its dates, as long as they have not passed.
    mutating func take(_ receipt: inout Receipt, of user: User, in environment: String, _ call: Call) -> Bool? {
        let owner = purchases[receipt.originalTransactionId]?.userId
        guard !settings.areReceiptsInUse, owner == nil || owner == user.id else { return nil }
        if let known = transactions[receipt.transactionId], call.now < known.expiresDate.resolved(in: call.epoch) {
            receipt.purchaseDate = known.purchaseDate.resolved(in: call.epoch)
            receipt.expiresDate = known.expiresDate.resolved(in: call.epoch)
            receipt.environment = known.environment
            return false
        }
        purchases.insert(Purchase(id: receipt.originalTransactionId, userId: user.id))
        transactions.insert(
            StoredTransaction(
                id: receipt.transactionId,
                purchaseDate: .at(receipt.purchaseDate),
                expiresDate: .at(receipt.expiresDate),
                environment: receipt.environment ?? environment
            )
        )
        return true
    }

    /// Gives an account the tier of a product; a lower product than the current one changes nothing.
    mutating func apply(_ product: Product, until end: Instant, to user: User, _ call: Call) {
        let present = tier(of: user, now: call.now, epoch: call.epoch)
        guard product.tier >= present else { return }
        var end = end
        if product.tier == present, user.isTierFromStore, let former = user.tierEndsAt?.resolved(in: call.epoch) {
            end = Swift.max(end, former)
        }
        grant(
            product.tier,
            to: user.id,
            standing: .active,
            until: end,
            fromStore: true,
            now: call.now,
            epoch: call.epoch
        )
    }
}
