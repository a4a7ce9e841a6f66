import Backend
import CivilTime
import Control
import Engine
import ForwardProxy
import HTTPMessage
import HTTPWire
import JSON
import Proxying
import Transport

/// Hosts that are not mapped (proxy contract, section 5).
extension EmulatorService {
    /// Refuses a host that is not mapped, or passes the request on.
    func pass(
        _ request: ProxyRequest,
        _ answer: HostMap.Answer,
        _ proxy: ForwardProxyState
    ) throws(Problem) -> ProxyRouting {
        let (target, host) = (request.target, request.target.hostText)
        switch answer {
        case .refused(.unmapped):
            throw seen(
                Problem(.unmappedHost, "\(host) is not mapped to an API. \(Self.advice(for: target))"),
                request,
                isOther: true,
                proxy
            )
        case .refused(.port):
            throw seen(
                Problem(
                    .forbiddenPort,
                    "\(host) is not mapped, and connections are made to the ports 80 and 443 only. --tunnel "
                        + "\(target.tunnelEntry) allows this one."
                ),
                request,
                isOther: true,
                proxy
            )
        case .api: throw Problem(.unmappedHost, "\(host) is not mapped to an API.")
        case .passed(let permission) where target.isLoopback && !permission.allowsLoopback:
            throw seen(
                Problem(
                    .forbiddenAddress,
                    "\(host) is not connected to: it is this machine. --tunnel \(target.tunnelEntry) allows this port."
                ),
                request,
                isOther: !permission.isNamed,
                proxy
            )
        case .passed(let permission):
            guard !request.isConnect else { return try tunnel(request, permission, proxy) }
            guard !request.isSecure else {
                throw Problem(
                    .badRequest,
                    "A request to \(host) over TLS comes as CONNECT \(target.text), since the host is not mapped."
                )
            }
            var head = request.head
            head.proxied = ProxiedRequest(origin: target.text, world: request.world, isPassedOn: true)
            return .pass(head, listener: 0)
        }
    }

    /// The ways to have a host answered; only a name can be mapped.
    private static func advice(for target: ProxyTarget) -> String {
        let tunnel = "--tunnel \(target.tunnelEntry) passes it on to the real host."
        guard case .name(let name) = target.host, !target.isLoopback else { return tunnel }
        return "--map \(name)=API has an API answer for it; \(tunnel)"
    }

    private func sight(_ request: ProxyRequest, _ outcome: SeenHosts.Outcome, isOther: Bool) -> SeenHosts.Sight {
        let key = SeenHosts.Key(host: request.target.hostText, port: request.target.port, world: shownWorld(request))
        return SeenHosts.Sight(
            key,
            outcome,
            isTunnel: request.isConnect,
            isOther: isOther,
            method: request.head.method.rawValue
        )
    }

    /// Notes a refusal in the list of hosts, and returns it.
    private func seen(
        _ problem: Problem,
        _ request: ProxyRequest,
        isOther: Bool,
        _ proxy: ForwardProxyState
    ) -> Problem {
        var sight = sight(request, problem.slug == .upstreamUnreachable ? .unreachable : .refused, isOther: isOther)
        sight.reason = problem.slug.rawValue
        proxy.note(sight, at: hostTime.wall)
        return problem
    }

    /// The rule for the addresses of a host.
    private func rule(_ permission: HostMap.PassedHost, _ proxy: ForwardProxyState) -> AddressRule {
        AddressRule(
            allowsLoopback: permission.allowsLoopback,
            ownPorts: Set((origins.ports + [proxy.port]).map { UInt16($0) }),
            reach: .internet(allowsPrivate: permission.allowsPrivate)
        )
    }

    private func tunnel(
        _ request: ProxyRequest,
        _ permission: HostMap.PassedHost,
        _ proxy: ForwardProxyState
    ) throws(Problem) -> ProxyRouting {
        let isOther = !permission.isNamed
        guard let server, server.hasRoomForTunnel() else {
            let most = server?.limits.tunnels ?? 0
            throw seen(
                Problem(
                    .tooManyTunnels,
                    "\(most) tunnels are open or being opened; --limit tunnels=N sets another limit.",
                    fields: [.retryAfter: "1"]
                ),
                request,
                isOther: isOther,
                proxy
            )
        }
        let target = request.target
        return .connect(
            ProxyDestination(
                host: target.hostText,
                port: UInt16(target.port),
                rule: rule(permission, proxy),
                proxy: self.proxy.companyProxies.proxy(for: target.hostText, port: target.port, isSecure: true),
                opened: { [weak self] in
                    guard let self else { return }
                    proxy.note(sight(request, .tunnelled, isOther: isOther), at: hostTime.wall)
                    tellProxy("CONNECT", target.text, status: 200, "tunnelled")
                },
                failed: { [weak self] failure in
                    guard let self else {
                        return PlayableResponse(response: Response(status: .badRequest), date: [], world: 0)
                    }
                    let slug: Problem.Slug = failure.reason == .address ? .forbiddenAddress : .upstreamUnreachable
                    let problem = seen(Problem(slug, Self.sentence(failure.detail)), request, isOther: isOther, proxy)
                    return refusal(problem, request.head, request.peer)
                },
                refused: { [weak self] in
                    guard let self else { return [] }
                    let problem = seen(
                        Problem(
                            .clearText,
                            "A tunnel to \(target.text) carries TLS alone, since \(target.hostText) is not mapped. Send clear text to the "
                                + "proxy with an absolute target, \(target.origin(isSecure: false))/."
                        ),
                        request,
                        isOther: isOther,
                        proxy
                    )
                    return Self.bytes(of: refusal(problem, request.head, request.peer))
                }
            )
        )
    }

    // MARK: Clear text

    /// Passes a request on to the real host (control contract, section 13).
    func passOn(_ request: HTTPRequest, _ id: ExchangeID, _ peer: Peer) -> ResponseDecision {
        guard let proxy = forwardProxy, let asked = request.head.proxied,
            let target = ProxyTarget(asked.origin, standardPort: nil),
            case .passed(let permission) = proxy.map.answer(for: target),
            let origin = UpstreamOrigin("http://\(target.text)")
        else { return .now(own(Problem(.unmappedHost, "The host is not mapped.").response, request.head, hostTime)) }
        let order = ProxyRequest(
            head: request.head,
            target: target,
            isConnect: false,
            isSecure: false,
            world: asked.world,
            peer: peer
        )
        let isOther = !permission.isNamed
        guard !request.body.exceedsLimit else {
            let problem = Problem(
                .payloadTooLarge,
                "The body has \(request.body.length) bytes or more, which is over the limit."
            )
            return .now(refusal(seen(problem, order, isOther: isOther, proxy), request.head, peer))
        }
        let screen = self.proxy.passedScreen(origin)
        let isTaken =
            self.proxy.searches?.submit {
                screen.run(request)
            } then: { [weak self] outcome in
                guard let self, let server, server.isUnderWay(id) else { return }
                switch outcome {
                case .failure(let place):
                    let problem = seen(place.problem, order, isOther: isOther, proxy)
                    server.complete(id, with: refusal(problem, request.head, peer))
                case .success(let wire):
                    let exchange = PassedExchange(
                        id,
                        server,
                        isHead: request.head.method == .head,
                        date: date(hostTime.wall)
                    )
                    exchange.onHead = { [weak self] status in
                        guard let self else { return }
                        proxy.note(sight(order, .forwarded, isOther: isOther), at: hostTime.wall)
                        tellProxy(request.head.method.rawValue, target.text, status: status, "forwarded")
                    }
                    exchange.onFailure = { [weak self] failure in
                        guard let self else { return nil }
                        let slug: Problem.Slug = failure.reason == .address ? .forbiddenAddress : .upstreamUnreachable
                        let problem = seen(Problem(slug, Self.sentence(failure.detail)), order, isOther: isOther, proxy)
                        return refusal(problem, request.head, peer)
                    }
                    passed[id.serial] = exchange
                    server.endWithPeer(id)
                    self.proxy.send(wire, to: origin, rule: rule(permission, proxy), exchange)
                }
            }
        guard isTaken == true else {
            let problem = Problem(.busy, "Too many requests wait to be passed on.", fields: [.retryAfter: "1"])
            return .now(refusal(seen(problem, order, isOther: isOther, proxy), request.head, peer))
        }
        return .later(world: Self.noGroup)
    }

    /// A sentence of ours that may have its full stop already.
    private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

    /// Returns a response as bytes, for a client that no protocol of ours speaks with any more.
    private static func bytes(of answer: PlayableResponse) -> [UInt8] {
        var fields = answer.response.fields
        let content = answer.response.body.content
        fields.set(.contentLength, "\(content.count)")
        fields.set(.connection, "close")
        fields.set(.date, String(decoding: answer.date, as: UTF8.self))
        let status = answer.response.status
        let line = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        return Array(line.utf8) + fields.wire + [0x0D, 0x0A] + content
    }
}
