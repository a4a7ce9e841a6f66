import ForwardProxy
import HTTPMessage

/// The way of an exchange to its real backend: directly, or through a company's proxy (proxy contract, section 6).
struct UpstreamRoute {
    let origin: UpstreamOrigin
    /// The origin's host in its usual spelling.
    private let target: String
    /// The proxy that the connection goes through; nil for none.
    let proxy: CompanyProxy?

    init(to origin: UpstreamOrigin, by proxies: CompanyProxies) {
        self.origin = origin
        target = AddressLookup.usualSpelling(of: origin.host)
        proxy = proxies.proxy(for: target, port: Int(origin.port), isSecure: origin.isSecure)
    }

    /// The host that is looked up and connected to.
    var host: String { proxy?.target.hostText ?? origin.host }
    var port: UInt16 { proxy.map { UInt16($0.target.port) } ?? origin.port }

    /// The origin's host, as an address in a URL has it.
    private var shownHost: String { target.contains(":") ? "[\(target)]" : target }
    /// The origin's host and port, as CONNECT names them.
    var authority: String { "\(shownHost):\(origin.port)" }

    /// Returns a request in the form that the route needs.
    ///
    /// A proxy gets an absolute target with its own credentials; inside a tunnel nothing changes.
    func request(_ request: UpstreamRequest) -> UpstreamRequest {
        guard let proxy, !origin.isSecure else { return request }
        var request = request
        // `OPTIONS *` is an absolute target without a path (RFC 9112, section 3.2.4).
        let place = origin.port == 80 ? shownHost : authority
        request.target = "http://" + place + (request.target == "*" ? "" : request.target)
        request.fields.remove(Self.authorization)
        if let authorization = proxy.authorization { request.fields.append(Self.authorization, authorization) }
        return request
    }

    private static let authorization: FieldName = "Proxy-Authorization"

    /// Returns the objection to a numeric address that a proxy would be asked for; nil for names, which it resolves.
    func objection(by rule: AddressRule?, own: Set<[UInt8]>) -> UpstreamFailure? {
        guard proxy != nil, let address = SocketAddress(host: target, port: origin.port) else { return nil }
        return rule?.objection(to: address, of: subject(address), own: own)
    }

    /// The beginning of a sentence about an address of the origin.
    private func subject(_ address: SocketAddress) -> String {
        address.host == origin.host ? origin.host : "\(origin.host) is \(address.host), which"
    }

    /// Returns the objection to an address that would be connected to.
    func objection(to address: SocketAddress, by rule: AddressRule?, own: Set<[UInt8]>) -> UpstreamFailure? {
        guard let rule else { return nil }
        guard proxy != nil else {
            return rule.objection(to: address, of: subject(address), own: own)
        }
        guard AddressLookup.isOwn(address, ports: rule.ownPorts, own: own) else { return nil }
        return UpstreamFailure(.connect, "\(address.host) port \(address.port) is Understudy's own")
    }

    /// Returns the sentence about a status by which a proxy refuses a request in absolute form.
    ///
    /// Its other answers can't be told from those of the real backend.
    func refusal(of status: Int) -> String? {
        guard proxy != nil, !origin.isSecure, status == 407 else { return nil }
        return "it answered with 407, since it wants other credentials"
    }

    /// Returns a failure of the connection, which names the proxy.
    func named(_ failure: UpstreamFailure) -> UpstreamFailure { proxy.map { failure.named($0) } ?? failure }

    /// Returns a failure of an exchange, which names the proxy where that has answered itself.
    func concluded(_ failure: UpstreamFailure) -> UpstreamFailure { origin.isSecure ? failure : named(failure) }
}

extension UpstreamFailure {
    /// Returns the failure with the name of the proxy in front, unless it happened before the proxy was asked.
    func named(_ proxy: CompanyProxy) -> UpstreamFailure {
        let start = "the proxy \(proxy.text): "
        guard ![.cancelled, .address, .busy].contains(reason), !detail.hasPrefix(start) else { return self }
        return UpstreamFailure(reason, start + detail)
    }
}

extension AddressRule {
    /// Returns the objection to an address, which a sentence about its host begins with.
    func objection(to address: SocketAddress, of subject: String, own: Set<[UInt8]>) -> UpstreamFailure? {
        let bytes = AddressLookup.bytes(of: address.host)
        let isOwn = own.contains(bytes) || Self.embedded(bytes).map { own.contains($0) } == true
        guard let objection = objection(to: bytes, port: address.port, isOwn: isOwn) else { return nil }
        return UpstreamFailure(.address, "\(subject) is not connected to: \(objection)")
    }
}
