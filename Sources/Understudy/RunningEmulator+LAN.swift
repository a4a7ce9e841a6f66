import Backend
import CivilTime
import Control
import Engine
import JSON
import Serving
package import Transport

/// State of device mode that is printed, as it is now (transport contract, section 8).
package struct LocalNetworkState: Sendable {
    package var choice: NetworkChoice
    /// The address of the device page.
    package var device: String
    /// `https://HOST.local:PORT`; nil where the machine has no name or the ports speak no TLS.
    package var named: String?
    /// The ports of the hub and the APIs.
    package var ports: [Int]
    /// The address for pairing, with its code; nil without.
    package var pairing: String?
    /// The root's fingerprint in upper-case pairs; nil where no authority signs.
    package var fingerprint: String?
}

/// A change of device mode while the process runs.
package enum LocalNetworkChange: Sendable {
    case address(LocalNetworkState)
    /// The listeners beyond loopback have closed; the ports were taken by another program meanwhile.
    case left(lost: [Int])
}

extension RunningEmulator {
    /// Brings device mode into a service whose listeners are open.
    static func bringDevices(
        _ configuration: Configuration,
        to service: EmulatorService,
        _ emulator: Emulator,
        hubPort: Int,
        at hostTime: HostTime
    ) throws(StartError) -> NetworkChoice? {
        guard configuration.tls.mode != .off || configuration.localNetwork != nil else { return nil }
        var device = DeviceMode()
        device.link = configuration.deviceLink
        var choice: NetworkChoice?
        if let network = configuration.localNetwork {
            let chosen = network.only ?? .current()
            device.page = page(chosen, hubPort)
            device.keepsUpstream = !network.sharesUpstream
            choice = chosen
            if let world = network.pairedWorld { try pair(world, service, emulator, at: hostTime) }
        }
        service.device = device
        return choice
    }

    private static func pair(
        _ world: String,
        _ service: EmulatorService,
        _ emulator: Emulator,
        at hostTime: HostTime
    ) throws(StartError) {
        if emulator[world: world] == nil {
            do throws(Problem) {
                var order = Emulator.WorldOrder()
                order.name = world
                _ = try emulator.makeWorld(order, at: hostTime)
            } catch {
                throw .mode("--pair: the world \(world) can't be made: \(error.detail)")
            }
        }
        service.pairing = DevicePairing(world: world, code: RandomToken.make(), now: hostTime.monotonic)
    }

    private static func page(_ choice: NetworkChoice, _ port: Int) -> String {
        "http://\(shown(choice.address.host)):\(port)/__device"
    }

    private static func shown(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// Device mode as it is now; nil without it, or once its time is over.
    package var localNetwork: LocalNetworkState? {
        guard let choice = networkChoice, let port = boundPorts.first else { return nil }
        let name = tlsMode == .off ? nil : localNetworkOptions?.name
        return LocalNetworkState(
            choice: choice,
            device: Self.page(choice, port),
            named: name.map { "https://\($0):\(port)" },
            ports: boundPorts,
            pairing: service.pairing.map {
                "https://\(Self.shown(choice.address.host)):\(port)/__device#pair=\($0.code)"
            },
            fingerprint: secureTransport?.authority.map { authority in
                let digits = Array(authority.fingerprint.uppercased())
                return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<$0 + 2]) }
                    .joined(separator: ":")
            }
        )
    }

    /// Has device mode look at the network again, and end in its time.
    func beginNetwork() {
        guard let network = localNetworkOptions, networkChoice != nil else { return }
        scheduleLook(network)
        server.schedule(after: network.life) { [weak self] in self?.leaveNetwork() }
    }

    /// Looks at the addresses every 5 s.
    private func scheduleLook(_ network: LocalNetwork) {
        server.schedule(after: .seconds(5)) { [weak self] in
            guard let self, let former = networkChoice else { return }
            server.lookAtOwnHosts()
            // A single address that was asked for stays.
            let present = network.only ?? .current()
            if present.address.host != former.address.host {
                networkChoice = present
                service.device?.page = boundPorts.first.map { Self.page(present, $0) }
                if let state = localNetwork { onNetworkChange?(.address(state)) }
            } else {
                networkChoice = present
            }
            scheduleLook(network)
        }
    }

    private func leaveNetwork() {
        networkChoice = nil
        let lost = server.leaveNetwork()
        service.device?.page = nil
        // A token lives as long as the process, and a paired device may still come through a cable.
        service.device?.keepsUpstream = false
        onNetworkChange?(.left(lost: lost))
    }

    /// The ports of the hub and the APIs, in their order.
    private var boundPorts: [Int] { (0...origins.count).compactMap { server.boundPort($0) } }

    /// The member `lan` of the ready line.
    static func readyNetwork(_ state: LocalNetworkState?) -> JSON? {
        guard let state else { return nil }
        return [
            "address": .string(state.choice.address.host), "interface": .string(state.choice.address.interface),
            "device": .string(state.device),
            "others": .array(
                state.choice.others.map { ["address": .string($0.host), "interface": .string($0.interface)] }
            ),
        ]
    }
}
