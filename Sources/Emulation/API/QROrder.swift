package import HTTPMessage
package import JSON

/// A QR code asked of the control API (control contract, section 12).
package struct QROrder: Sendable {
    /// What the call says of the code; the API's own names.
    package var query: QueryItems
    /// Host and port under which the caller sees the API.
    package var authority: String
    package var epoch: Epoch

    package init(query: QueryItems, authority: String, epoch: Epoch) {
        self.query = query
        self.authority = authority
        self.epoch = epoch
    }
}

/// A QR code that an API offers on the page of all codes.
package struct QROffer: Sendable, Equatable {
    /// Whose it is and what it does, for people.
    package var title: String
    /// What the code is ordered with, as a query.
    package var query: String

    package init(title: String, query: String) {
        self.title = title
        self.query = query
    }
}

extension EmulatedAPI {
    /// Most APIs have no QR codes.
    package static func qrPayload(
        _ order: QROrder,
        state: inout State,
        core: inout WorldCore
    ) throws(Problem) -> JSON? { nil }

    package static func qrOffers(state: State) -> [QROffer] { [] }

    /// Most APIs have no secrets in fields of their own.
    package static func journalled(_ fields: Fields) -> Fields { fields }
}
