package import HTTPMessage

/// The rules under which a browser shows an HTML page of Understudy's own (console contract, section 11).
package enum PagePolicy {
    /// Scripts, styles and requests of the same origin, and images from responses; nothing inline, nothing evaluated.
    package static let contentSecurity =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        + "trusted-types 'none'"

    /// The freedom of HTML that an emulated API serves below a mount of the hub: such content may come
    /// from a client, and must not act as the console.
    package static let sandbox = "sandbox allow-scripts allow-forms allow-popups"

    /// The header fields of a page.
    package static let fields: Fields = [
        .contentType: "text/html; charset=utf-8",
        "Content-Security-Policy": contentSecurity,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
    ]
}
