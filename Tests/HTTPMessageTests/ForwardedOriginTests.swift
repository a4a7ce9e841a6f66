import HTTPMessage
import TestSupport
import Testing

@Suite struct ForwardedOriginTests {
    @Test(
        arguments: [
            ([:], "http://localhost:4680"), (["X-Forwarded-Proto": "https"], "https://localhost:4680"),
            (["X-Forwarded-Proto": " HTTPS , http"], "https://localhost:4680"),
            (["X-Forwarded-Proto": "ftp"], "http://localhost:4680"),
            (["X-Forwarded-Proto": ", https"], "http://localhost:4680"),
            (["X-Forwarded-Host": "example.org"], "http://example.org"),
            (["X-Forwarded-Host": "a.example:8443, b", "X-Forwarded-Proto": "https"], "https://a.example:8443"),
            (["X-Forwarded-Host": "evil/path"], "http://localhost:4680"),
            (["X-Forwarded-Host": ""], "http://localhost:4680"),
            (["X-Forwarded-Host": "a@b"], "http://localhost:4680"),
            (["X-Forwarded-Host": "a\" b"], "http://localhost:4680"),
        ] as [(Fields, String)]
    )
    func `the first forwarded element counts where it is valid`(fields: Fields, origin: String) {
        expectEqual(ForwardedOrigin(scheme: "http", authority: "localhost:4680", fields: fields).text, origin)
    }

    @Test(arguments: [
        "a", "127.0.0.1:80", "[::1]", "[::1]:8080", "a-b.c_d~e:0", "a:65535", "[fe80::1.2.3.4]",
        String(repeating: "a", count: 253),
    ])
    func `hosts with and without a port are valid`(text: String) { #expect(ForwardedOrigin.isAuthority(text)) }

    @Test(arguments: [
        "", ":", ":80", "a:", "a:65536", "a:123456", "a:b", "a:-1", "a b", "a/b", "u@a", "a?b", "a#b", "[", "[]",
        "[::1", "[::1]x",
        "[abc]", "[::g]", "::1", "é", "a%41", "a\\b", String(repeating: "a", count: 254),
    ])
    func `anything else is no host`(text: String) { #expect(!ForwardedOrigin.isAuthority(text)) }
}
