import APIDocs
import Basics
import Crypto
package import HTTPMessage

/// The page for phones: the root, the settings, checks, addresses (transport contract, section 8).
package struct DevicePage: Sendable {
    /// An emulated API, as the page shows it.
    package struct API: Sendable {
        package var title: String
        package var name: String
        package var origin: String

        package init(title: String, name: String, origin: String) {
            self.title = title
            self.name = name
            self.origin = origin
        }
    }

    /// Facts that the page shows to whoever asks.
    package struct Facts: Sendable {
        package var apis: [API]
        /// The root's fingerprint in lower-case digits; nil where no authority signs.
        package var fingerprint: String?
        package var subject: String?
        /// The hub's address over TLS under the host that was asked; nil without TLS.
        package var secureOrigin: String?
        /// Tells that the page was asked for over TLS.
        package var isSecure: Bool
        /// The link into an app; nil for none.
        package var link: String?
        package var mayPair: Bool

        package init(
            apis: [API],
            fingerprint: String?,
            subject: String?,
            secureOrigin: String?,
            isSecure: Bool,
            link: String?,
            mayPair: Bool
        ) {
            self.apis = apis
            self.fingerprint = fingerprint
            self.subject = subject
            self.secureOrigin = secureOrigin
            self.isSecure = isSecure
            self.link = link
            self.mayPair = mayPair
        }
    }

    private let template: PageTemplate
    private let style: String
    private let script: String

    package init() {
        let files = ConsoleFiles.device.map { ConsoleFile(name: $0.name, gzip: $0.gzip) }
        func text(_ name: String) -> String { files.first { $0.name == name }?.text ?? "" }
        template = PageTemplate(text("page.html"))
        style = text("style.css")
        script = text("script.js")
    }

    package func response(_ facts: Facts) -> Response {
        let page = template.filled([
            "style": .markup(style), "script": .markup(script), "secureOrigin": .text(facts.secureOrigin ?? ""),
            "pairing": .list(facts.mayPair ? [[:]] : []),
            "upgrade": .list(facts.secureOrigin != nil && !facts.isSecure ? [[:]] : []),
            "authority": .list(
                facts.fingerprint.map {
                    [["fingerprint": .text(Self.pairs($0)), "subject": .text(facts.subject ?? "")]]
                } ?? []
            ),
            "apis": .list(
                facts.apis.map { api in
                    let link = facts.link?.replacing("{base}", with: Self.encoded(api.origin))
                    return [
                        "title": .text(api.title), "origin": .text(api.origin),
                        "links": .list(link.map { [["link": .text($0)]] } ?? []),
                    ]
                }
            ),
        ])
        return Response(status: .ok, fields: fields(facts), body: .bytes(Array(page.utf8)))
    }

    private func fields(_ facts: Facts) -> Fields {
        // The check of the certificate asks the same host over TLS.
        let elsewhere = facts.secureOrigin.map { " " + $0 } ?? ""
        let policy =
            "default-src 'none'; script-src '\(Self.hash(script))'; style-src '\(Self.hash(style))'; "
            + "connect-src 'self'\(elsewhere); base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        ]
    }

    /// The source of an inline script or style in a policy.
    private static func hash(_ text: String) -> String { "sha256-" + Base64.encode(SHA256.digest(Array(text.utf8))) }

    /// A fingerprint in upper-case pairs.
    private static func pairs(_ digits: String) -> String {
        let upper = Array(digits.uppercased())
        return stride(from: 0, to: upper.count, by: 2).map { String(upper[$0..<min($0 + 2, upper.count)]) }
            .joined(separator: ":")
    }

    /// Encodes everything but the unreserved characters (RFC 3986 section 2.3).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
