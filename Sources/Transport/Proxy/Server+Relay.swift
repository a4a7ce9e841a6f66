import CivilTime
import HTTPWire

/// The bytes that pass a tunnel.
extension Server {
    /// The most reads of one end before others have their turn.
    private static let readsPerTurn = 4
    /// The time for which the rest of a refused client's bytes is taken in, so that it reads the response.
    private static let refusingTime = Interval.seconds(2)
    private static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

    /// Begins to pass bytes, with those that came behind CONNECT.
    func startRelay(_ tunnel: Tunnel, _ rest: [UInt8]) {
        tunnel.phase = .greeting
        tunnel.lastByte = now
        tunnel.fromFar.pending = Self.established + tunnel.fromFar.pending
        watch(tunnel)
        tunnel.destination.opened()
        guard drain(tunnel, to: .near) else { return }
        if !rest.isEmpty { greet(tunnel, rest) }
        settle(tunnel)
    }

    /// Ends a tunnel that is silent, by an alarm that is set again while bytes pass.
    private func watch(_ tunnel: Tunnel) {
        if let alarm = tunnel.alarm.take() { cancel(alarm) }
        let most: Interval
        switch tunnel.phase {
        case .greeting: most = tls?.server.handshakeTime ?? .seconds(10)
        case .refusing: most = Self.refusingTime
        case .opening, .asking, .relaying, .over: most = limits.tunnelIdle
        }
        let left = tunnel.lastByte + most - now
        tunnel.alarm = schedule(after: max(left, .milliseconds(1))) { [weak self, weak tunnel] in
            guard let self, let tunnel else { return }
            tunnel.alarm = nil
            if now - tunnel.lastByte >= most { end(tunnel) } else { watch(tunnel) }
        }
    }

    /// Looks at the client's first bytes: they have to be those of TLS.
    private func greet(_ tunnel: Tunnel, _ bytes: [UInt8]) {
        tunnel.greeting += bytes
        switch Tunnel.greetsInTLS(tunnel.greeting) {
        case nil: break
        case true?:
            tunnel.phase = .relaying
            let first = tunnel.greeting
            tunnel.greeting = []
            watch(tunnel)
            pass(first[...], tunnel, from: .near)
        case false?:
            tunnel.phase = .refusing
            tunnel.greeting = []
            tunnel.lastByte = now
            tunnel.fromFar.pending =
                Array(tunnel.fromFar.pending[tunnel.fromFar.start...]) + tunnel.destination.refused()
            tunnel.fromFar.start = 0
            tunnel.fromFar.sawEnd = true
            watch(tunnel)
            _ = drain(tunnel, to: .near)
        }
    }

    /// Handles readiness of an end.
    func relay(_ tunnel: Tunnel, _ side: Tunnel.Side, _ event: PollEvent) {
        if event.writable, !drain(tunnel, to: side) { return }
        if event.readable || event.broken { take(tunnel, from: side, isBroken: event.broken) }
        settle(tunnel)
    }

    /// Reads an end and passes the bytes on.
    private func take(_ tunnel: Tunnel, from side: Tunnel.Side, isBroken: Bool) {
        for _ in 0..<Self.readsPerTurn {
            guard isOpen(tunnel) else { return }
            guard wantsRead(tunnel, side) else {
                // Over in both directions: whatever is on its way there has no reader.
                if isBroken { end(tunnel, withReset: true) }
                return
            }
            let waiting = side == .near ? tunnel.fromNear.waiting : tunnel.fromFar.waiting
            let room = isRefusing(tunnel) ? input.count : min(input.count, Tunnel.window - waiting)
            let reading = input.withUnsafeMutableBytes {
                Socket.read(tunnel.descriptor(side), into: UnsafeMutableRawBufferPointer(rebasing: $0[..<room]))
            }
            switch reading {
            case .bytes(let count):
                tunnel.lastByte = now
                switch tunnel.phase {
                case .greeting where side == .near: greet(tunnel, Array(input[..<count]))
                case .refusing: break
                default: pass(input[..<count], tunnel, from: side)
                }
                guard count == room else { return }
            case .end:
                if side == .near { tunnel.fromNear.sawEnd = true } else { tunnel.fromFar.sawEnd = true }
                if case .refusing = tunnel.phase { return end(tunnel) }
                // A client that leaves before its first bytes has nothing to be passed on.
                if case .greeting = tunnel.phase, side == .near { return end(tunnel) }
                _ = drain(tunnel, to: side.other)
                return
            case .wouldBlock: return
            case .failed: return end(tunnel, withReset: true)
            }
        }
    }

    private func isOpen(_ tunnel: Tunnel) -> Bool { if case .over = tunnel.phase { false } else { true } }

    /// Tells whether an end is read: not while too much of it waits for the other.
    private func wantsRead(_ tunnel: Tunnel, _ side: Tunnel.Side) -> Bool {
        let direction = side == .near ? tunnel.fromNear : tunnel.fromFar
        guard !direction.sawEnd, direction.waiting < Tunnel.window else { return side == .near && isRefusing(tunnel) }
        // The other host speaks second.
        if side == .far, case .greeting = tunnel.phase { return false }
        return side == .near || !isRefusing(tunnel)
    }

    private func isRefusing(_ tunnel: Tunnel) -> Bool { if case .refusing = tunnel.phase { true } else { false } }

    /// Passes bytes on, and keeps what the other end does not take.
    private func pass(_ bytes: ArraySlice<UInt8>, _ tunnel: Tunnel, from side: Tunnel.Side) {
        func add(_ direction: inout Tunnel.Direction) {
            if direction.waiting == 0 {
                direction.pending.removeAll(keepingCapacity: false)
                direction.start = 0
            }
            direction.pending.append(contentsOf: bytes)
        }
        if side == .near { add(&tunnel.fromNear) } else { add(&tunnel.fromFar) }
        _ = drain(tunnel, to: side.other)
    }

    /// Writes what waits for an end, and its end behind it; false if the tunnel is over.
    private func drain(_ tunnel: Tunnel, to side: Tunnel.Side) -> Bool {
        guard isOpen(tunnel) else { return false }
        var direction = side == .near ? tunnel.fromFar : tunnel.fromNear
        // One owner of the bytes: they are not copied.
        if side == .near { tunnel.fromFar = Tunnel.Direction() } else { tunnel.fromNear = Tunnel.Direction() }
        var isLost = false
        if direction.waiting > 0 {
            switch Socket.write(tunnel.descriptor(side), direction.pending, from: direction.start) {
            case .took(let count):
                direction.start += count
                if count > 0 { tunnel.lastByte = now }
            case .failed: isLost = true
            }
            if direction.waiting == 0 {
                direction.pending = []
                direction.start = 0
            } else if direction.start >= Tunnel.window {
                direction.pending.removeSubrange(..<direction.start)
                direction.start = 0
            }
        }
        if direction.waiting == 0, direction.sawEnd, !direction.isShut, !isLost {
            direction.isShut = true
            Socket.endWriting(tunnel.descriptor(side))
        }
        if side == .near { tunnel.fromFar = direction } else { tunnel.fromNear = direction }
        if isLost {
            end(tunnel, withReset: true)
            return false
        }
        if tunnel.fromNear.isShut, tunnel.fromFar.isShut {
            end(tunnel)
            return false
        }
        return true
    }

    /// Adjusts the poller to what the ends wait for.
    private func settle(_ tunnel: Tunnel) {
        guard isOpen(tunnel) else { return }
        func interest(_ side: Tunnel.Side) -> Interest {
            var interest: Interest = wantsRead(tunnel, side) ? .read : []
            if (side == .near ? tunnel.fromFar : tunnel.fromNear).waiting > 0 { interest.insert(.write) }
            return interest
        }
        let (near, far) = (interest(.near), interest(.far))
        if near != tunnel.interests.near {
            tunnel.interests.near = near
            poller.change(tunnel.descriptor(.near), token: tunnel.token(.near), interest: near)
        }
        if far != tunnel.interests.far {
            tunnel.interests.far = far
            poller.change(tunnel.farNumber, token: tunnel.token(.far), interest: far)
        }
    }
}
