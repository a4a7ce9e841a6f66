/// Addresses of proxies with user and password.
enum ProxyURL {
    /// Returns a user or password as an address has it.
    static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        .joined()
    }

    /// Returns an address as it may be shown.
    static func withoutPassword(_ url: String) -> String {
        guard let at = url.lastIndex(of: "@") else { return url }
        let start = url.split(separator: "/", maxSplits: 2).count > 1 ? String(url.prefix { $0 != "/" }) + "//" : ""
        return start + "…@" + url[url.index(after: at)...]
    }
}
