import APIDocs
import Basics
import Crypto
package import HTTPMessage

/// An HTML page that is one file, with its style in it, as it is sent to a browser (console contract, section 11).
package struct PlainPage {
    let html: String
    /// The sources of its images, as in a policy.
    let images: String

    package init(html: String, images: String = "'self' blob:") {
        self.html = html
        self.images = images
    }

    /// The page under the policy of Understudy's own pages, which takes its one style by its hash.
    package var response: Response {
        var fields = PagePolicy.fields
        let style = html.firstRange(of: "<style>").flatMap { start -> Substring? in
            let rest = html[start.upperBound...]
            return rest.firstRange(of: "</style>").map { rest[..<$0.lowerBound] }
        }
        let hash = style.map { "'sha256-\(Base64.encode(SHA256.digest(Array($0.utf8))))'" } ?? "'none'"
        let policy = PagePolicy.contentSecurity.replacing("style-src 'self'", with: "style-src \(hash)")
            .replacing("img-src 'self' blob:", with: "img-src \(images)")
        fields.set("Content-Security-Policy", policy)
        return Response(status: .ok, fields: fields, body: .bytes(Array(html.utf8)))
    }
}
