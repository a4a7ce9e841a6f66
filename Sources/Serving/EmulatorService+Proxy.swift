import Backend
import CivilTime
import Control
import Engine
import ForwardProxy
package import HTTPMessage
import HTTPWire
package import Handshakes
import JSON
package import Transport
import Worlds

/// The port of the forward proxy (proxy contract, section 2).
extension EmulatorService {
    static let proxyAuthorization: FieldName = "Proxy-Authorization"
    private static let proxyConnection: FieldName = "Proxy-Connection"
    private static let upgrade: FieldName = "Upgrade"

    static let controlUnderMappedHost = Problem(
        .foreignHost,
        "Control calls are not answered under a mapped host. Call the hub by its own address, 127.0.0.1 or localhost."
    )

    /// A request to a target, with its credentials.
    struct ProxyRequest {
        let head: RequestHead
        let target: ProxyTarget
        let isConnect: Bool
        /// Tells that the target has the scheme https.
        let isSecure: Bool
        /// The world that the credentials name.
        let world: String?
        let peer: Peer
    }

    package func route(
        _ head: RequestHead,
        in tunnel: ProxyTunnel?,
        isSecure: Bool,
        from peer: Peer
    ) -> ProxyRouting {
        guard let proxy = forwardProxy else { return .pass(head, listener: 0) }
        do throws(Problem) {
            if let tunnel { return try route(head, inside: tunnel, isSecure: isSecure, proxy) }
            switch head.form {
            case .asterisk: return .answer(own(Self.serverOptions, head, hostTime))
            case .origin: return .answer(own(try ownPage(head, proxy), head, hostTime))
            case .absolute(let authority):
                let standard = head.target.isSecure ? 443 : 80
                guard let target = proxy.target(authority, standardPort: standard) else {
                    throw Self.noTarget(authority)
                }
                return try route(head, to: target, from: peer, proxy)
            case .authority(let authority):
                guard let target = ProxyTarget(authority, standardPort: nil) else { throw Self.noTarget(authority) }
                if head.announcedLength != nil { throw Problem(.badRequest, "CONNECT has no content.") }
                return try route(head, to: target, from: peer, proxy)
            }
        } catch {
            return .answer(refusal(error, head, peer))
        }
    }

    private static func noTarget(_ authority: String) -> Problem {
        Problem(
            .badRequest,
            "\"\(authority.cut)\" is not a host with a port: a DNS name, or an address in its usual spelling."
        )
    }

    /// Returns a refusal as it is sent, with its line in the log.
    func refusal(_ problem: Problem, _ head: RequestHead, _ peer: Peer) -> PlayableResponse {
        let target =
            switch head.form {
            case .authority(let authority), .absolute(let authority): authority
            case .origin, .asterisk: head.rawPath
            }
        tellProxy(head.method.rawValue, target, status: problem.slug.status.code, problem.slug.rawValue)
        var response = problem.response
        response.fields.set(Self.typeOptions, "nosniff")
        return own(response, head, hostTime)
    }

    /// Logs what is refused or passed on.
    func tellProxy(_ method: String, _ target: String, status: Int, _ word: String) {
        log.tellProxy("proxy \(method) \(target.cut) \(status) \(word)", hostTime)
    }

    // MARK: The page for clients

    /// Returns the script for clients, or says what this port is (proxy contract, section 8).
    private func ownPage(_ head: RequestHead, _ proxy: ForwardProxyState) throws(Problem) -> Response {
        guard Path(raw: head.rawPath)?.segments == [Self.script] else {
            throw Problem(
                .notFound,
                "This port is a forward proxy. Set it as the proxy of a device or program; requests to it name a whole "
                    + "address. /__proxy.pac has the script for automatic configuration."
            )
        }
        return try pacFile(head, proxy)
    }

    static let script = "__proxy.pac"

    /// Returns the script, under the Hosts that pages of ours are answered under.
    func pacFile(_ head: RequestHead, _ proxy: ForwardProxyState) throws(Problem) -> Response {
        try control.safety.checkHost(head)
        guard [.get, .head].contains(head.method) else {
            throw Problem(.methodNotAllowed, "This file allows only GET and HEAD.", fields: ["Allow": "GET, HEAD"])
        }
        let query = head.rawQuery ?? ""
        guard ["", "all"].contains(query) else {
            throw Problem(
                .invalidParameter,
                "The only query is all.",
                items: [Problem.Item(path: "?\(query.cut)", reason: "must be all")]
            )
        }
        let host = head.authority.flatMap { ControlSafety.host(of: $0) } ?? proxy.host
        let text = PACFile.text(proxy.map, proxy: proxy.authority(host), takesAll: query == "all")
        return Response(
            status: .ok,
            fields: [
                .contentType: PACFile.mediaType, .cacheControl: "no-store", Self.typeOptions: "nosniff",
            ],
            body: .bytes(Array(text.utf8))
        )
    }

    // MARK: Targets

    private func route(
        _ head: RequestHead,
        to target: ProxyTarget,
        from peer: Peer,
        _ proxy: ForwardProxyState
    ) throws(Problem) -> ProxyRouting {
        let world = try world(head, proxy)
        var isConnect = false
        if case .authority = head.form { isConnect = true }
        let request = ProxyRequest(
            head: Self.withoutProxyFields(head),
            target: target,
            isConnect: isConnect,
            isSecure: head.target.isSecure,
            world: world,
            peer: peer
        )
        switch proxy.map.answer(for: target) {
        case .api(let name):
            guard let index = emulator.apis.firstIndex(where: { $0.identity.name == name }) else {
                throw Problem(.unmappedHost, "\(target.hostText) is mapped to \(name), which is not served.")
            }
            return try route(request, api: index, proxy)
        case let answer:
            if let listener = try ownListener(target, proxy) { return route(request, listener: listener) }
            return try pass(request, answer, proxy)
        }
    }

    /// Reads the credentials: the name of a world, if they have one.
    ///
    /// CONNECT may name it by the header, too: nobody else reads that one's fields.
    private func world(_ head: RequestHead, _ proxy: ForwardProxyState) throws(Problem) -> String? {
        var byHeader: [String] = []
        if case .authority = head.form { byHeader = head.values(of: .world) }
        guard head.contains(Self.proxyAuthorization) || proxy.token != nil || !byHeader.isEmpty else { return nil }
        let sent = head.values(of: Self.proxyAuthorization)
        if let token = proxy.token {
            guard !sent.isEmpty, sent.allSatisfy({ ProxyCredentials($0)?.has(token: token) == true }) else {
                throw Problem.proxyCredentials(
                    sent.isEmpty ? "The forward proxy needs credentials." : "The proxy credentials are wrong."
                )
            }
        }
        let names = sent.compactMap { ProxyCredentials($0)?.world }.filter { !$0.isEmpty } + byHeader
        guard let name = names.first else { return nil }
        guard names.allSatisfy({ $0 == name }) else {
            throw Problem(.conflictingWorlds, "The request names more than one world.")
        }
        guard emulator[world: name] != nil else { throw Emulator.unknownWorld(name) }
        return name
    }

    /// Returns a head with the note of its way.
    private static func marked(_ head: RequestHead, isSecure: Bool) -> RequestHead {
        var head = head
        head.isSecure = isSecure
        return head
    }

    /// Takes out the fields that are for the proxy alone.
    private static func withoutProxyFields(_ head: RequestHead) -> RequestHead {
        guard head.contains(proxyAuthorization) || head.contains(proxyConnection) else { return head }
        var head = head
        var fields = head.fields
        fields.remove(proxyAuthorization)
        fields.remove(proxyConnection)
        head.fields = fields
        return head
    }

    // MARK: Mapped hosts

    private func route(_ request: ProxyRequest, api: Int, _ proxy: ForwardProxyState) throws(Problem) -> ProxyRouting {
        let name = emulator.apis[api].identity.name
        let taker = request.isConnect ? request.world : world(of: request.head, naming: request.world, api: api)
        let shown = taker ?? shownWorld(request)
        let key = SeenHosts.Key(host: request.target.hostText, port: request.target.port, world: shown)
        var sight = SeenHosts.Sight(key, .api, isTunnel: request.isConnect)
        sight.api = name
        if taker == nil, emulator.configuration.isWorldRequired {
            let problem = Problem.unnamedWorld
            sight.outcome = .refused
            sight.reason = problem.slug.rawValue
            proxy.note(sight, at: hostTime.wall)
            throw problem
        }
        guard !request.isConnect else {
            proxy.note(sight, at: hostTime.wall)
            return .enter(
                ProxyTunnel(
                    listener: api + 1,
                    host: request.target.hostText,
                    port: request.target.port,
                    world: request.world,
                    isMapped: true
                )
            )
        }
        proxy.note(sight, at: hostTime.wall)
        let origin = request.target.origin(isSecure: request.isSecure)
        let head = try mapped(request.head, request.target, origin: origin, world: request.world)
        return .pass(Self.marked(head, isSecure: request.isSecure), listener: api + 1)
    }

    /// The world that takes a request to a mapped host, as far as its head tells, for the list of hosts; nil if none does.
    private func world(of head: RequestHead, naming world: String?, api: Int) -> String? {
        if let world { return world }
        guard emulator.hasSeveralWorlds else { return WorldName.main }
        return emulator.world(thatTakes: HTTPRequest(head: head), from: .api(api))
    }

    /// The world that a list of hosts shows for a request: the one that is named.
    func shownWorld(_ request: ProxyRequest) -> String {
        request.world ?? request.head.value(of: .world).flatMap { emulator[world: $0] == nil ? nil : $0 }
            ?? WorldName.main
    }

    /// Returns a head as it would be on the API's port.
    private func mapped(
        _ head: RequestHead,
        _ target: ProxyTarget,
        origin: String,
        world: String?
    ) throws(Problem) -> RequestHead {
        guard !head.contains(Self.upgrade) || !head.fields.listElements(Self.upgrade).contains(where: Self.isWebSocket)
        else { throw Problem(.notImplemented, "WebSocket to a mapped host is not supported.") }
        var head = head
        if case .absolute(let authority) = head.form {
            var asked = head.target
            asked.form = .origin
            head.target = asked
            if head.value(of: .host) != authority {
                var fields = head.fields
                fields.set(.host, authority)
                head.fields = fields
            }
        }
        head.proxied = ProxiedRequest(origin: origin, world: world)
        return head
    }

    /// Tells whether a protocol, with or without its version, is WebSocket.
    private static func isWebSocket(_ text: String) -> Bool { text.prefix { $0 != "/" }.lowercased() == "websocket" }

    private func route(
        _ head: RequestHead,
        inside tunnel: ProxyTunnel,
        isSecure: Bool,
        _ proxy: ForwardProxyState
    ) throws(Problem) -> ProxyRouting {
        guard tunnel.isMapped, let target = ProxyTarget(tunnel) else {
            let own = Self.withoutProxyFields(head)
            let isMarked = secure.map { $0.mode != .off } ?? false
            return .pass(isMarked ? Self.marked(own, isSecure: isSecure) : own, listener: tunnel.listener)
        }
        if let authority = head.authority, !target.isNamed(by: authority) {
            throw Problem(
                .misdirectedRequest,
                "The request has the host \"\(authority.cut)\", and CONNECT named \(target.text). Open a tunnel for each host."
            )
        }
        let api = tunnel.listener - 1
        let shown = world(of: head, naming: tunnel.world, api: api) ?? WorldName.main
        let key = SeenHosts.Key(host: target.hostText, port: target.port, world: shown)
        var sight = SeenHosts.Sight(key, .api, isTunnel: false)
        sight.api = emulator.apis[api].identity.name
        proxy.note(sight, at: hostTime.wall)
        let clean = Self.withoutProxyFields(head)
        let routed = try mapped(clean, target, origin: target.origin(isSecure: isSecure), world: tunnel.world)
        return .pass(Self.marked(routed, isSecure: isSecure), listener: tunnel.listener)
    }

    /// Notes that a client refused our certificate for a mapped host.
    package func note(_ failure: HandshakeFailure, in tunnel: ProxyTunnel) {
        guard let proxy = forwardProxy, tunnel.isMapped else { return }
        let key = SeenHosts.Key(host: tunnel.host, port: tunnel.port, world: tunnel.world ?? WorldName.main)
        var sight = SeenHosts.Sight(key, .tlsRefused, isTunnel: true)
        sight.advice = failure.advice
        proxy.note(sight, at: hostTime.wall)
    }

    // MARK: Own ports

    /// Returns the listener that a target is; nil for a target that is none of ours.
    private func ownListener(_ target: ProxyTarget, _ proxy: ForwardProxyState) throws(Problem) -> Int? {
        guard target.isLoopback || proxyHosts.contains(target.hostText) else { return nil }
        guard target.port != proxy.port else {
            throw Problem(
                .proxyLoop,
                "\(target.text) is the forward proxy itself. Ask for a mapped host, or for the hub's port."
            )
        }
        return origins.ports.firstIndex(of: target.port)
    }

    private func route(_ request: ProxyRequest, listener: Int) -> ProxyRouting {
        guard request.isConnect else {
            return .pass(
                secure.map { $0.mode == .off } ?? true ? request.head : Self.marked(request.head, isSecure: false),
                listener: listener
            )
        }
        return .enter(
            ProxyTunnel(
                listener: listener,
                host: request.target.hostText,
                port: request.target.port,
                world: nil,
                isMapped: false
            )
        )
    }
}

extension ProxyTarget {
    fileprivate init?(_ tunnel: ProxyTunnel) {
        let host = tunnel.host.contains(":") ? "[\(tunnel.host)]" : tunnel.host
        self.init("\(host):\(tunnel.port)", standardPort: nil)
    }
}
