import Backend
import CivilTime
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
                .nullableDay("nextDueDate") { $0.nextDueDate },
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
            .choice("method") { $0.payment.method },
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
            .choice("status") { $0.payment.status },
            .optionalTime("paidAt") { $0.payment.paidAt.map { .at($0.instant) } },
        ]
    )
}

extension Payment {
    fileprivate var swishURL: String { "swish://paymentrequest?token=\(token)" }
    /// The content of the QR code behind the answer's link, which also replaces the checkout page.
    var codeText: String { method == .swish ? swishURL : "qliro:checkout:\(token)" }
}
