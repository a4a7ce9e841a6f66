package import HTTPMessage
package import JSON

/// A QR code as the control API was called for it (control contract, section 12).
package struct QROrder: Sendable {
    /// The query of the call, with the API's own names.
    package var query: QueryItems
    /// The host and port under which the caller reaches the API.
    package var authority: String
    package var epoch: Epoch

    package init(query: QueryItems, authority: String, epoch: Epoch) {
        self.query = query
        self.authority = authority
        self.epoch = epoch
    }
}

/// The content of a QR code.
package struct QRPayload: Sendable, Equatable {
    package var json: JSON
    /// The id of the user for whom a token was minted, if the code holds one.
    package var mintedFor: String?

    package init(_ json: JSON, mintedFor: String? = nil) {
        self.json = json
        self.mintedFor = mintedFor
    }
}

/// A QR code that an API offers on the page of all codes.
package struct QROffer: Sendable, Equatable {
    /// The title for people: its user and its purpose.
    package var title: String
    /// The query that requests the code.
    package var query: String

    package init(title: String, query: String) {
        self.title = title
        self.query = query
    }
}
