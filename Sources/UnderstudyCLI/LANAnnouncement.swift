import ClientCommands
import Imaging
import JSON
import Transport
import Understudy

/// Lines that tell people about device mode, on standard error (transport contract, section 8).
struct LANAnnouncement {
    let state: LocalNetworkState
    /// Tells that QR codes are drawn although standard error may be no terminal; nil where that was not asked for.
    let inverts: Bool?
    let isStructured: Bool
    let isQuiet: Bool

    /// Prints it.
    func show() {
        tell(lines)
        if let code = drawn(state.device), !isQuiet || inverts != nil { Terminal.error(code) }
        guard let pairing = state.pairing else { return }
        tell(["  pair a device with \(pairing) (once, within 5 minutes)"])
        if Terminal.isErrorTerminal, let code = drawn(pairing) { Terminal.error(code) }
    }

    private func tell(_ lines: [String]) {
        guard isStructured else { return Terminal.error(lines.joined(separator: "\n")) }
        for line in lines {
            let text = String(line.drop { $0 == " " })
            Terminal.tell(text.hasPrefix("EXPOSED") ? "warning" : "notice", ["text": .string(text)])
        }
    }

    private var lines: [String] {
        var lines = ["  EXPOSED: everybody on this network can use the emulated APIs without a password."]
        guard !isQuiet else { return lines }
        lines.append("  device page   \(state.device)  (\(state.choice.address.interface))")
        if let named = state.named { lines.append("  or            \(named)") }
        for other in state.choice.others {
            let shown = other.host.contains(":") ? "[\(other.host)]" : other.host
            lines.append("  or            http://\(shown):\(state.ports[0])/__device  (\(other.interface))")
        }
        if let fingerprint = state.fingerprint { lines.append("  fingerprint   \(fingerprint)") }
        lines.append("  By cable, without any network:")
        lines += state.ports.map { "    adb reverse tcp:\($0) tcp:\($0)" }
        return lines
    }

    /// The QR code of an address, where one is shown.
    private func drawn(_ address: String) -> String? {
        guard !isStructured, inverts != nil || Terminal.isErrorTerminal else { return nil }
        return QRCode(text: address)?.lines(border: 4, isInverted: inverts ?? false).joined(separator: "\n")
    }

    /// Prints a change while the process runs.
    static func show(_ change: LocalNetworkChange) {
        switch change {
        case .address(let state):
            Terminal.error(
                "understudy: the address of this machine is now \(state.choice.address.host) "
                    + "(\(state.choice.address.interface)); the device page is \(state.device)"
            )
        case .left(let lost):
            Terminal.error("understudy: the time of --lan-for is over; only this machine has access now")
            if !lost.isEmpty {
                Terminal.warn(["another program has taken \(lost.map(String.init).joined(separator: ", ")) meanwhile"])
            }
        }
    }
}
