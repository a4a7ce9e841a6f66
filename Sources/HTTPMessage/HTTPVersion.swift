/// The two versions that the wire speaks.
package enum HTTPVersion: Sendable, Equatable {
    case http10
    case http11
}
