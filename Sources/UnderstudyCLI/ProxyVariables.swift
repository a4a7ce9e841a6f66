/// The variables by which programs find the forward proxy (proxy contract, section 8).
enum ProxyVariables {
    /// Returns the variables of an address of the proxy.
    static func all(url: String) -> [(name: String, value: String)] {
        let usual = [("HTTP_PROXY", url), ("HTTPS_PROXY", url), ("NO_PROXY", "localhost,127.0.0.1,::1")]
        // curl reads some in lower case alone.
        let all = usual + usual.map { ($0.0.lowercased(), $0.1) }
        return all + [("NODE_USE_ENV_PROXY", "1"), ("UNDERSTUDY_PROXY_URL", url)]
    }
}
