import CivilTime
import Emulation
import HTTPMessage
import Imaging
import JSON

/// An invoice (contract, section 7.2).
struct InvoiceResponse: ResponseModel {
    struct Item: ResponseModel {
        var item: Invoice.Item

        static let shape = ResponseSchema<Self>(
            "InvoiceItem",
            [
                .string("description") { $0.item.description },
                .integer("quantity") { $0.item.quantity },
                .number("unitPrice") { $0.item.unitPrice },
                .number("total") { $0.item.total },
                .number("amount") { $0.item.total },
            ]
        )
    }

    static let states = ["paid", "unpaid", "overdue", "cancelled"]

    var invoice: Invoice
    /// The status, which may be `overdue`; that one is never stored.
    var status: String

    static let shape = ResponseSchema<Self>(
        "Invoice",
        [
            .string("id") { $0.invoice.id },
            .string("invoiceNumber") { $0.invoice.invoiceNumber },
            .day("date") { $0.invoice.date },
            .day("dueDate") { $0.invoice.dueDate },
            .number("amount") { $0.invoice.amount },
            .string("currency") { _ in "SEK" },
            .string("status", oneOf: states) { $0.status },
            .string("description") { $0.invoice.description },
            .array("items") { $0.invoice.items.map { Item(item: $0) } },
            .nullableTime("paidAt") { $0.invoice.paidAt },
            .nullableString("pdfUrl") { $0.invoice.pdfUrl },
            .strings("paymentMethods") { _ in Payment.PaymentMethod.allCases.map(\.rawValue) },
        ]
    )
}

struct InvoiceList: ResponseModel {
    struct Summary: ResponseModel {
        var totalUnpaid: Double
        var totalOverdue: Double
        var nextDueDate: Timestamp?

        static let shape = ResponseSchema<Self>(
            "InvoiceSummary",
            [
                .number("totalUnpaid") { $0.totalUnpaid },
                .number("totalOverdue") { $0.totalOverdue },
                .custom("nextDueDate", .nullable(Schemas.day)) { summary, writer in
                    if let day = summary.nextDueDate { writer.writeDay(day) } else { writer.json.null() }
                },
            ]
        )
    }

    var invoices: [InvoiceResponse]
    var summary: Summary

    static let shape = ResponseSchema<Self>(
        "InvoiceList",
        [.array("invoices") { $0.invoices }, .object("summary") { $0.summary }]
    )
}

struct PaymentStarted: ResponseModel {
    var payment: Payment
    var link: String

    static let shape = ResponseSchema<Self>(
        "PaymentStarted",
        [
            .string("paymentId") { $0.payment.id },
            .string("method", oneOf: Payment.PaymentMethod.allCases.map(\.rawValue)) { $0.payment.method.rawValue },
            .optionalString("swishUrl") { $0.payment.method == .swish ? $0.payment.swishURL : nil },
            .optionalString("qrCode") { $0.payment.method == .swish ? $0.link : nil },
            .optionalString("checkoutUrl") { $0.payment.method == .qliro ? $0.link : nil },
            .time("expiresAt") { .at($0.payment.initiatedAt.instant + TrafikskolaAPI.paymentLife) },
            .string("status") { $0.payment.status.rawValue },
        ]
    )
}

struct PaymentState: ResponseModel {
    var payment: Payment

    static let shape = ResponseSchema<Self>(
        "PaymentState",
        [
            .string("paymentId") { $0.payment.id },
            .string("status", oneOf: Payment.Status.allCases.map(\.rawValue)) { $0.payment.status.rawValue },
            .optionalTime("paidAt") { $0.payment.paidAt.map { .at($0.instant) } },
        ]
    )
}

extension Payment {
    fileprivate var swishURL: String { "swish://paymentrequest?token=\(token)" }
    /// The content of the QR code behind the answer's link, which also replaces the checkout page.
    fileprivate var codeText: String { method == .swish ? swishURL : "qliro:checkout:\(token)" }
}

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
    static let invoiceEndpoints: [Endpoint<TrafikskolaAPI>] = [
        Endpoint(
            .get,
            "/api/mobile/invoices",
            "The caller's invoices",
            standing: .beyondTheDocument,
            parameters: [query("status", .string(enumeration: filters), "all if absent")],
            bodyLimit: jsonLimit,
            answers: [data(InvoiceList.self, "The invoices, and sums over all of them"), validationError]
                + bearerErrors,
            trait: EndpointMetadata(),
            handle: listInvoices
        ),
        Endpoint(
            .post,
            "/api/mobile/invoices/{id}/payment/initiate",
            "Starts a payment",
            standing: .beyondTheDocument,
            parameters: [invoiceID],
            body: .json(PaymentRequest.self, example: ["method": "swish"]),
            bodyLimit: jsonLimit,
            answers: [
                data(PaymentStarted.self, "Started"), validationError, missing,
                APIError.invoiceNotPayable.declared("It is paid or cancelled"),
            ] + bodyErrors + bearerErrors,
            trait: EndpointMetadata()
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
            standing: .beyondTheDocument,
            parameters: [invoiceID, paymentID],
            bodyLimit: jsonLimit,
            answers: [data(PaymentState.self, "Pending, or how it ended"), missing] + bearerErrors,
            trait: EndpointMetadata()
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
