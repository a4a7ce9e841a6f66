/// A request target (RFC 9112 section 3.2), cut into parts but not yet decoded.
package struct RequestTarget: Sendable, Equatable {
    package enum Form: Sendable, Equatable {
        case origin
        /// `http://authority/path`; the authority takes the place of the Host field.
        case absolute(authority: String)
        /// `*`, only with OPTIONS.
        case asterisk
        /// `host:port`, only with CONNECT, which a port takes that is a proxy's.
        case authority(String)
    }

    package var form: Form
    /// Tells that an absolute target has the scheme https.
    package var isSecure: Bool
    /// As sent, percent-encoding included; begins with `/`, or is `*`.
    package var rawPath: String
    /// As sent, without the question mark; nil when there was none.
    package var rawQuery: Optional<String>

    // No member has a value before the initializer gives it one: the whole would be copied at its end.

    package init(form: Form = .origin, rawPath: String, rawQuery: String? = nil, isSecure: Bool = false) {
        self.form = form
        self.isSecure = isSecure
        self.rawPath = rawPath
        self.rawQuery = rawQuery
    }
}
