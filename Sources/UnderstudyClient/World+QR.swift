public import Foundation

/// QR codes (Trafikskola contract) and pages.
extension World {
    /// A QR code to make.
    public struct QRCode: Sendable {
        /// The purpose of a code.
        public enum Kind: String, Sendable {
            case schoolConfig = "school_config"
            case sessionLogin = "session_login"
            case quickLogin = "quick_login"
        }

        /// The purpose.
        public var kind: Kind
        /// The user whom it signs in.
        public var user: String?
        /// The school's domain.
        public var domain: String?
        /// True for the misspelt domain.
        public var typo: Bool
        /// The width and height in pixels.
        public var size: Int?

        /// Creates the order of a QR code.
        ///
        ///     let code = World.QRCode(.quickLogin, user: "anna@example.com", size: 256)
        public init(
            _ kind: Kind,
            user: String? = nil,
            domain: String? = nil,
            typo: Bool = false,
            size: Int? = nil
        ) {
            self.kind = kind
            self.user = user
            self.domain = domain
            self.typo = typo
            self.size = size
        }

        var query: Query {
            ["type": kind.rawValue, "user": user, "domain": domain, "typo": typo ? "1" : nil, "size": size]
        }
    }

    /// Returns a QR code as a PNG picture.
    ///
    ///     let picture = try await world.qrPicture(World.QRCode(.quickLogin, user: "anna@example.com"))
    public func qrPicture(_ code: QRCode) async throws(ControlError) -> Data {
        try await client.send(.getQRCode, query: code.query)
    }

    /// Returns the content of a QR code.
    ///
    ///     let payload = try await world.qrPayload(World.QRCode(.quickLogin, user: "anna@example.com"))
    public func qrPayload(_ code: QRCode) async throws(ControlError) -> JSONValue {
        try await client.ask(.getQRPayload, query: code.query)
    }

    /// A page for people.
    public enum Page: Sendable {
        /// The documentation of the control API.
        case documentation
        /// The console.
        case console
        /// The QR codes.
        case qrCodes
    }

    /// Returns a page as HTML.
    ///
    ///     let html = try await world.page(.documentation)
    public func page(_ page: Page) async throws(ControlError) -> String {
        let operation: ControlEndpoint =
            switch page {
            case .documentation: .getDocumentationPage
            case .console: .getConsole
            case .qrCodes: .getQRPage
            }
        return String(decoding: try await client.send(operation), as: UTF8.self)
    }
}
