import Backend
import Control
import Engine
package import ForwardProxy
import Journal
import ProxyControl
import Serving
import Transport
import Worlds

/// The forward proxy of a running emulator (proxy contract).
extension RunningEmulator {
    /// The forward proxy; nil without it.
    package var forwardProxy: ForwardProxyState? { service.forwardProxy }

    /// Opens the listener of the forward proxy, behind those of the APIs.
    func open(_ proxy: ForwardProxyState, _ configuration: Configuration) throws(StartError) {
        guard let settings = configuration.forwardProxy else { return }
        let listener = origins.count + 1
        do throws(BindError) {
            try server.listen(on: [ListenAddress(hosts: configuration.hosts, port: UInt16(settings.port))])
        } catch {
            throw .bind(error)
        }
        server.proxyListener = listener
        proxy.port = server.boundPort(listener) ?? 0
        proxy.host = configuration.listensEverywhere ? "127.0.0.1" : configuration.hosts[0]
        if let authority = service.secure?.authority {
            proxy.root = (authority.folder + "/root.pem", authority.fingerprint)
        }
        let map = proxy.map
        secureTransport?.answers(for: { map.entry(for: .name($0.lowercased())) != nil })
        proxy.onChange = { [weak emulator, weak service] item in
            guard let emulator, let hosted = emulator[world: item.key.world] else { return }
            emulator.note(.host, in: hosted, item.members)
            // A verification may wait for none of them, and a listener for what is found.
            service?.settleSoon()
            service?.judgeSoon(hosted.key)
        }
        service.proxyHosts = Set(
            configuration.listensEverywhere ? InterfaceAddress.all().map(\.host) : configuration.hosts
        )
        service.forwardProxy = proxy
    }
}

extension Configuration {
    /// Returns the proxies that connections go through, without those of variables that name a port of this process
    /// (proxy contract, section 6).
    func companyProxies(besides ownPorts: Set<UInt16>) throws(StartError) -> CompanyProxies {
        var proxies = companyProxies
        let name = Socket.machineName()
        let own = Set(InterfaceAddress.all().map(\.host) + [name, name.map { $0 + ".local" }].compactMap(\.self))
        let refused = proxies.leaveOut { target in
            UInt16(exactly: target.port).map(ownPorts.contains) == true
                && (target.isLoopback || own.contains(target.hostText))
        }
        if let refused {
            throw .proxy("\(refused.place): \(refused.proxy.target.text) is a port of this process")
        }
        return proxies
    }
}
