import Basics

/// The statements of a browser about its requests (Fetch Metadata).
extension RequestHead {
    /// Tells whether a browser asks for something that it shows or runs as a page, in a frame or as a worker, whatever
    /// its media type.
    ///
    /// A browser that says nothing of it is known by its wish for HTML; apps have none.
    package var asksForPage: Bool {
        guard let destination = fields[.secFetchDest] else {
            return fields.values(.accept).contains { $0.lowercased().contains("html") }
        }
        switch destination.lowercased() {
        case "document", "iframe", "frame", "fencedframe", "embed", "object", "worker", "sharedworker", "serviceworker",
            "xslt":
            return true
        default: return false
        }
    }

    /// Tells whether a browser asks for the script of a service worker (Service Workers, section 4.3).
    package var asksForServiceWorker: Bool {
        contains(.serviceWorker) || value(of: .secFetchDest)?.lowercased() == "serviceworker"
    }
}
