import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking

/// A protocol of `URLSession` without a network, which answers some requests at once, and others never.
///
/// It answers on the session's queue alone: from elsewhere no protocol may.
final class HeldProtocol: URLProtocol {
    /// What becomes of a request.
    enum Kind: String { case answered, silent }

    /// The requests of one test.
    final class RequestGroup: Sendable {
        private struct State {
            var begun = 0
            var ended = 0
        }

        /// The host by which the requests of this test are known.
        let host = "\(UUID().uuidString.lowercased()).invalid"
        private let state = Mutex(State())

        init() { HeldProtocol.groups.withLock { $0[host] = self } }

        /// The number of requests that have reached the protocol.
        var begun: Int { state.withLock(\.begun) }
        /// The number of requests that the session keeps no longer.
        var ended: Int { state.withLock(\.ended) }

        func request(_ kind: Kind) -> URLRequest {
            let url = URL(string: "held://\(host)/\(kind.rawValue)") ?? URL(filePath: "/")
            return URLRequest(url: url, timeoutInterval: 3_600)
        }

        func close() { HeldProtocol.groups.withLock { $0[host] = nil } }

        fileprivate func begin() {
            state.withLock { $0.begun += 1 }
            Watch.move()
        }

        fileprivate func end() { state.withLock { $0.ended += 1 } }
    }

    fileprivate static let groups = Mutex<[String: RequestGroup]>([:])

    /// A session whose requests go to the groups.
    static func session() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [HeldProtocol.self]
        return URLSession(configuration: configuration)
    }

    private var group: RequestGroup? { request.url?.host.flatMap { host in Self.groups.withLock { $0[host] } } }

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "held" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let kind = request.url.flatMap { Kind(rawValue: $0.lastPathComponent) }
        group?.begin()
        if kind != .silent { answer() }
    }

    override func stopLoading() { group?.end() }

    private func answer() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("held".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}
#endif
