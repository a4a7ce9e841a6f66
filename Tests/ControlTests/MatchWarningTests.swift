import TestSupport
import Testing

@testable import Control

/// Patterns of paths that have a path in common (clients contract, section 4).
@Suite struct MatchWarningTests {
    @Test(arguments: [
        ("/api/v1/conversations", "/api/v1/conversations", true),
        ("/api/v1/conversation", "/api/v1/conversations", false),
        ("/api/v1/conversations/conv_1", "/api/v1/conversations/{id}", true), ("/api/*", "/api/v1/models", false),
        ("/api/**", "/api/v1/models", true), ("/api/**", "/api", true), ("**/models", "/api/v1/models", true),
        ("/api/*/models", "/api/v1/models", true), ("/api/v*/models", "/api/v1/models", true),
        ("/api/w*/models", "/api/v1/models", false), ("/files/a/b/c", "/files/{key…}", true),
        ("/files", "/files/{key…}", false),
        ("/files/**", "/files/{key…}", true), ("/{a}/b", "/x/{c}", true), ("/", "/", true), ("/", "/x", false),
        ("/a%20b", "/a b", true), ("/omnichat/api/v1/models", "/api/v1/models", false), ("/x/**/y", "/x/{rest…}", true),
        ("/x/**/y/z", "/x/{id}", false), ("/{rest…}", "/a/b/c", true),
    ])
    func `4 two patterns meet where a path fits both`(left: String, right: String, meet: Bool) {
        expectEqual(PathShape(left).meets(PathShape(right)), meet)
        expectEqual(PathShape(right).meets(PathShape(left)), meet)
    }
}
