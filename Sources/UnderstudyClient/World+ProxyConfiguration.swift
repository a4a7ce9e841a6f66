#if canImport(Network)
import Foundation
public import Network

extension World {
    /// The forward proxy with the credentials that name this world, for the `proxyConfigurations` of a session's
    /// configuration; nil where the server has no proxy.
    ///
    /// It has not been tried on a Mac.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    public var proxyConfiguration: ProxyConfiguration? {
        guard let proxyURL, let host = proxyURL.host(percentEncoded: false),
            let port = proxyURL.port.flatMap(UInt16.init(exactly:)).flatMap(NWEndpoint.Port.init(rawValue:))
        else { return nil }
        var configuration = ProxyConfiguration(httpCONNECTProxy: .hostPort(host: NWEndpoint.Host(host), port: port))
        if let user = proxyURL.user(percentEncoded: false), let password = proxyURL.password(percentEncoded: false) {
            configuration.applyCredential(username: user, password: password)
        }
        return configuration
    }
}
#endif
