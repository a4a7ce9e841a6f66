package import HTTPMessage

/// The reason of a fault that leaves a request to the refusal of its content.
package enum ContentRefusal: String, CaseIterable, Sendable {
    case overLimit = "body over the limit"
    case unknownCoding = "unknown coding of the request"
    case brokenCoding = "broken coding of the request"

    /// Creates the reason for a request; nil for one whose content can be read.
    package init?(_ request: HTTPRequest) {
        guard !request.body.exceedsLimit else {
            self = .overLimit
            return
        }
        switch request.coded?.outcome {
        case nil, .decoded?: return nil
        case .unknown?: self = .unknownCoding
        case .broken?, .incomplete?: self = .brokenCoding
        case .tooLong?: self = .overLimit
        }
    }
}
