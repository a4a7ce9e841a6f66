import Crypto

/// The proxy through which connections leave a company's network (proxy contract, section 6).
package struct CompanyProxy: Hashable, Sendable {
    /// The reason why a text is no address of a proxy; it never quotes the text, which may have a password.
    package struct Refusal: Error, Equatable, Sendable {
        package let reason: String
    }

    package let target: ProxyTarget
    /// The value of `Proxy-Authorization`, for the proxy alone; nil without credentials.
    package let authorization: String?

    /// Reads `http://[USER:PASSWORD@]HOST:PORT`, whose last slash may be absent.
    package init(_ text: String) throws(Refusal) {
        let scheme = "http://"
        let lower = text.lowercased()
        guard lower.hasPrefix(scheme) else {
            throw Refusal(
                reason: lower.hasPrefix("https://")
                    ? "begins with https://, and connections to a proxy have no TLS: http:// is what it speaks"
                    : "does not begin with http://"
            )
        }
        var authority = text.dropFirst(scheme.count)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        var user: Substring?
        if let at = authority.lastIndex(of: "@") {
            user = authority[..<at]
            authority = authority[authority.index(after: at)...]
        }
        guard let target = ProxyTarget(String(authority), standardPort: nil) else {
            throw Refusal(reason: "does not end with a host and its port")
        }
        self.target = target
        authorization = try user.map { (user) throws(Refusal) in try Self.authorization(user) }
    }

    private static func authorization(_ text: Substring) throws(Refusal) -> String {
        guard let colon = text.utf8.firstIndex(of: 0x3A) else {
            throw Refusal(reason: "has a user without a password: USER:PASSWORD stands before the @")
        }
        let parts = [text[..<colon], text[text.index(after: colon)...]].map(decoded)
        guard let name = parts[0], let password = parts[1], !name.contains(0x3A) else {
            throw Refusal(reason: "has a user or a password that can't be sent; %XX stands for a character in them")
        }
        return "Basic " + Base64.encode(name + [0x3A] + password)
    }

    /// Returns the bytes of a part of the credentials; nil for broken escapes and for controls.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.first != 0x2B
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? bytes : nil
    }

    /// The address without the credentials.
    package var text: String { "http://\(target.text)" }

    /// Returns the request for a tunnel to a host and port.
    package func connectRequest(to authority: String) -> [UInt8] {
        let credentials = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        return Array("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\(credentials)\r\n".utf8)
    }
}
