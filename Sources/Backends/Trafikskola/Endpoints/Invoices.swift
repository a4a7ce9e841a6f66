import Backend
import CivilTime
import HTTPMessage
import Imaging
import JSON

extension TrafikskolaAPI {
    static let paymentLife = Interval.minutes(15)
    /// The time from the initiation of a payment to its completion.
    static let paymentDelay = Interval.seconds(6)
    /// The width and height of a payment's QR code in pixels.
    private static let codeSide = 320
    private static let invoiceID = Parameter(
        "id",
        in: .path,
        .described(Schemas.filled, example: "inv_1"),
        "An invoice's id"
    )
    private static let paymentID = Parameter("paymentId", in: .path, Schemas.filled, "A payment's id")
    private static let filters = ["all", "paid", "unpaid", "overdue"]

    /// Endpoints 28 to 30 (contract, section 7.2).
    static let invoiceEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/invoices",
            "The caller's invoices",
            provenance: .beyondTheDocument,
            parameters: [query("status", .string(enumeration: filters), "all if absent")],
            answers: [data(InvoiceList.self, "The invoices, and sums over all of them"), validationError]
                + bearerErrors,
            metadata: EndpointMetadata(),
            handle: listInvoices
        ),
        Endpoint(
            .post,
            "/api/mobile/invoices/{id}/payment/initiate",
            "Starts a payment",
            provenance: .beyondTheDocument,
            parameters: [invoiceID],
            body: .json(PaymentRequest.self, example: ["method": "swish"]),
            answers: [
                data(PaymentStarted.self, "Started"), validationError, missing,
                APIError.invoiceNotPayable.declared("It is paid or cancelled"),
            ] + bodyErrors + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, core, call throws(APIError) in
            let user = try signedIn(&state, &call).user
            let method = try read(PaymentRequest.self, call).method
            state.settlePayments(now: call.now)
            guard let invoice = state.invoices[call.parameters.first ?? ""], invoice.userId == user.id else {
                throw .notFound
            }
            guard invoice.status == .unpaid else { throw .invoiceNotPayable }
            let payment = Payment(
                id: TrafikskolaState.newID("pay", &core) { state.payments.contains($0) },
                invoiceId: invoice.id,
                method: method,
                token: TrafikskolaState.hexDigits(32, "payment", &core),
                initiatedAt: Moment(call.now),
                status: .pending
            )
            core.issued.note(payment.token)
            state.insert(payment)
            // No endpoint is documented for the target of the link; the pictures are served next to the profiles'.
            let link = pictureOrigin(state, core, call) + "/avatars/\(payment.id).png"
            return ok(PaymentStarted(payment: payment, link: link), call)
        },
        Endpoint(
            .get,
            "/api/mobile/invoices/{id}/payment/{paymentId}/status",
            "How a payment stands",
            provenance: .beyondTheDocument,
            parameters: [invoiceID, paymentID],
            answers: [data(PaymentState.self, "Pending, or how it ended"), missing] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user
            state.settlePayments(now: call.now)
            guard call.parameters.count == 2, let invoice = state.invoices[call.parameters[0]],
                invoice.userId == user.id, let payment = state.payments[call.parameters[1]],
                payment.invoiceId == invoice.id
            else { throw .notFound }
            return ok(PaymentState(payment: payment), call)
        },
    ]

    /// The picture behind the link of a payment, `pay_….png`; nil for other names.
    static func paymentPicture(_ name: String, _ state: TrafikskolaState) -> [UInt8]? {
        guard name.hasSuffix(".png"), let payment = state.payments[String(name.dropLast(4))] else { return nil }
        return QRCode(text: payment.codeText)?.png(side: codeSide, border: 4)
    }

    private static func listInvoices(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let user = try signedIn(&state, &call).user
        let filter = call.query.last("status").flatMap { $0.isEmpty ? nil : $0 } ?? "all"
        guard filters.contains(filter) else {
            throw .validation("status", "must be one of \(filters.joined(separator: ", "))")
        }
        state.settlePayments(now: call.now)
        let all = state.invoices.rows(in: user.id).map { invoice in
            let isOverdue =
                invoice.status == .unpaid
                && call.now >= invoice.dueDate.resolved(in: call.epoch).flooredToDay + .days(1)
            return InvoiceResponse(invoice: invoice, status: isOverdue ? "overdue" : invoice.status.rawValue)
        }
        let unpaid = all.filter { $0.status == "unpaid" }
        let next = unpaid.map(\.invoice.dueDate).min { $0.resolved(in: call.epoch) < $1.resolved(in: call.epoch) }
        let summary = InvoiceList.Summary(
            totalUnpaid: unpaid.reduce(0) { $0 + $1.invoice.amount },
            totalOverdue: all.filter { $0.status == "overdue" }.reduce(0) { $0 + $1.invoice.amount },
            nextDueDate: next
        )
        return ok(
            InvoiceList(invoices: all.filter { filter == "all" || $0.status == filter }, summary: summary),
            call
        )
    }
}

extension TrafikskolaState {
    /// Stores a payment, and removes the oldest ones of an invoice that has very many.
    mutating func insert(_ payment: Payment) {
        if payments.count(in: payment.invoiceId) >= 512 {
            for row in payments.rows(in: payment.invoiceId).prefix(256) { payments.remove(row.id) }
        }
        payments.insert(payment)
    }

    /// Ends the payments that are due.
    mutating func settlePayments(now: Instant) {
        for payment in payments.rows where payment.status == .pending {
            let end = payment.initiatedAt.instant + TrafikskolaAPI.paymentDelay
            guard now >= end, settings.payment != .stuck else { continue }
            guard settings.payment == .completes else {
                payments.update(payment.id) { $0.status = .failed }
                continue
            }
            guard invoices[payment.invoiceId]?.status == .unpaid else {
                // Paid by another payment meanwhile.
                payments.update(payment.id) { $0.status = .cancelled }
                continue
            }
            payments.update(payment.id) {
                $0.status = .completed
                $0.paidAt = Moment(end)
            }
            invoices.update(payment.invoiceId) {
                $0.status = .paid
                $0.paidAt = .at(end)
            }
        }
    }
}
