import CivilTime
import HTTPWire
package import Handshakes

/// TLS on the ports of a server.
struct ServerTLS {
    /// The most steps of handshakes in one turn, so that other connections do not wait for them (transport contract,
    /// section 3).
    private static let stepsPerTurn = 64

    let server: TLSServer
    /// Returns the API of a listener, or `hub`.
    let api: (Int) -> String
    private var stepsLeft = stepsPerTurn
    /// The time at which the handshakes leave the rest of the turn to other connections.
    private var stepsEnd = Instant.epoch
    /// The buffer into which every connection is decrypted: a record's content.
    var decrypted = [UInt8](repeating: 0, count: 16 * 1024)

    init(_ server: TLSServer, api: @escaping (Int) -> String) {
        self.server = server
        self.api = api
    }

    /// Gives the handshakes their share of a new turn.
    mutating func beginTurn() { stepsLeft = Self.stepsPerTurn }

    /// Counts a step of a handshake; false if this turn has no room for one.
    ///
    /// A step can take a fifth of a millisecond: the time ends the share before the count does (section 11).
    mutating func mayTakeStep(_ time: TimeSource) -> Bool {
        guard stepsLeft > 0 else { return false }
        let now = time.monotonic()
        if stepsLeft == Self.stepsPerTurn {
            stepsEnd = now + Server.longestRound
        } else if now >= stepsEnd {
            stepsLeft = 0
            return false
        }
        stepsLeft -= 1
        return true
    }
}

extension Server {
    /// Speaks TLS on every port with clients whose first byte is that of a handshake; others have HTTP/1.1 as without.
    ///
    /// - Parameters:
    ///   - server: The certificates and faults.
    ///   - speaks: Whether the ports speak it; else the forward proxy alone does, within CONNECT.
    ///   - api: The API of a listener, or `hub`.
    package func secure(with server: TLSServer, speaks: Bool = true, api: @escaping (Int) -> String) {
        tls = ServerTLS(server, api: api)
        speaksTLS = speaks
    }

    /// Returns the way in which an exchange in progress came; nil for HTTP/1.1 without TLS.
    package func transport(of exchange: ExchangeID) -> TransportFacts? {
        guard let channel = open(exchange) else { return nil }
        return channel.connection.transport(on: channel.number)
    }

    /// Tells whether an exchange in progress came over TLS.
    package func isSecure(_ exchange: ExchangeID) -> Bool { open(exchange)?.connection.isSecure ?? false }

    /// Returns the outcome of the handshake below an exchange in progress; nil without TLS.
    package func tlsFacts(of exchange: ExchangeID) -> TLSFacts? { open(exchange)?.connection.tls?.facts }

    /// Ends the idle connections under TLS of some ports in order, so that their clients shake hands again.
    package func endIdleTLS(where isMeant: (_ api: String) -> Bool) {
        guard let tls else { return }
        for connection in connections.all where connection.isOpen && connection.tls?.facts != nil {
            guard !connection.hasExchange, isMeant(tls.api(connection.peer.listener)) else { continue }
            endInOrder(connection)
        }
    }

    /// Ends a connection with close_notify, as far as the socket takes it.
    func endInOrder(_ connection: Connection) {
        sayEnd(connection)
        lose(connection)
    }

    /// Sends close_notify where the connection has TLS, as far as the socket takes it.
    func sayEnd(_ connection: Connection) {
        guard let engine = connection.tls, !connection.hasOutput else { return }
        var notice: [UInt8] = []
        engine.endWriting()
        engine.takeOutput(into: &notice)
        _ = Socket.write(connection.number, notice, from: 0)
    }

    // MARK: Reading

    /// Reads a connection that is, or may be, under TLS.
    func readSecurely(_ connection: Connection, atMost most: Int) -> Reading {
        // Bytes that are there already come first: while they are not wanted, the socket waits.
        guard connection.tls?.hasInput != true else {
            takeSteps(connection)
            return .exhausted
        }
        let share = min(most, input.count)
        switch input.withUnsafeMutableBytes({
            Socket.read(connection.number, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<share]))
        }) {
        case .bytes(let count):
            decide(connection, first: input[0])
            guard connection.isOpen else { return .exhausted }
            if let engine = connection.tls {
                engine.received(input[..<count], now: now)
                takeSteps(connection)
            } else {
                connection.received(input[..<count], now: now)
                self.count(connection)
                drive(connection)
            }
            return count == share ? .full(count) : .exhausted
        case .end:
            if let engine = connection.tls {
                engine.peerClosed()
                takeSteps(connection)
            } else {
                noteEnd(connection)
            }
        case .wouldBlock: break
        case .failed: lose(connection)
        }
        return .exhausted
    }

    /// Reads what was received before and is not decrypted yet, once it is wanted.
    func readBuffered(_ connection: Connection) {
        guard connection.isOpen, !connection.isInRound, connection.wantsRead, connection.tls?.hasInput == true else {
            return
        }
        takeSteps(connection)
        settle(connection)
    }

    /// Looks at the first byte of a connection, which has been read.
    func decide(_ connection: Connection, first: UInt8) {
        guard case .undecided = connection.security, let tls else { return }
        guard first == ClientHelloReader.firstByte else {
            connection.security = .plain
            return
        }
        guard strangers?.shakes(connection.peer.host, at: now) != false else { return resetConnection(connection) }
        let route = TLSEngine.Route(
            api: tls.api(connection.peer.listener),
            peer: connection.peer.host,
            localAddress: Socket.localHost(connection.number),
            tunnel: connection.proxied?.tunnel
        )
        connection.security = .tls(TLSEngine(tls.server, route))
    }

    /// Takes steps of a connection's TLS and passes on what comes out, as far as it is wanted.
    func takeSteps(_ connection: Connection) {
        while connection.isOpen, let engine = connection.tls {
            if engine.isHandshaking {
                guard tls?.mayTakeStep(time) == true else { return }
            } else if !connection.wantsRead {
                return
            }
            let step = takeStep(engine, connection)
            guard pass(engine, connection) else { return }
            switch step {
            case .idle: return
            case .working, .established: break
            case .bytes(let count):
                if connection.isPaced { connection.only?.intake?.took(count) }
                if let bytes = tls?.decrypted[..<count] { connection.received(bytes, now: now) }
                self.count(connection)
                drive(connection)
            case .end:
                noteEnd(connection)
                return
            case .failed(.reset): return resetConnection(connection)
            case .failed(.close), .broken: return endRefused(connection)
            }
        }
    }

    private func takeStep(_ engine: TLSEngine, _ connection: Connection) -> TLSEngine.Step {
        let most = tls?.decrypted.count ?? 0
        let share =
            connection.isPaced
            ? min(connection.only?.intake?.share ?? most, most) : min(connection.wire.mostWanted(), most)
        let moment = TLSEngine.Moment(monotonic: now, wall: realTime)
        return tls?.decrypted.withUnsafeMutableBytes {
            engine.step(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<share]), at: moment)
        } ?? .idle
    }

    /// Ends a connection after what is left to be sent; its client's further bytes are dropped.
    private func endRefused(_ connection: Connection) {
        connection.forEachChannel { endExchange($0, .interrupted) }
        guard connection.isOpen, !connection.hasOutput, !connection.sawEnd else { return close(connection) }
        connection.security = .plain
        connection.only?.phase = .ended
        connection.phase = .lingering
        Socket.endWriting(connection.number)
        connection.wire.beganLingering(now: now)
    }

    // MARK: Writing

    /// Encrypts the output of a connection in place; false if it can't be any more.
    func encrypt(_ connection: Connection, _ engine: TLSEngine) -> Bool {
        guard !output.isEmpty else { return true }
        guard engine.write(output[...]) else {
            output.removeAll(keepingCapacity: true)
            return false
        }
        connection.only?.bytesSent += output.count
        output.removeAll(keepingCapacity: true)
        engine.takeOutput(into: &output)
        return true
    }

    /// Sends close_notify before our direction ends in order.
    ///
    /// Returns false if the connection is gone, or if the outcome has to wait until the socket takes more.
    func endEncryption(
        _ connection: Connection,
        before outcome: ConnectionMachine.SendOutcome,
        on channel: Channel
    ) -> Bool {
        guard let engine = connection.tls else { return true }
        engine.endWriting()
        guard pass(engine, connection) else { return false }
        guard connection.hasOutput else { return true }
        channel.phase = .flushing(outcome)
        enlistSlow(channel)
        return false
    }

    /// Hands what TLS itself has to send to the system; false if the connection is gone.
    private func pass(_ engine: TLSEngine, _ connection: Connection) -> Bool {
        var bytes: [UInt8] = []
        engine.takeOutput(into: &bytes)
        guard !bytes.isEmpty else { return true }
        return send(bytes, on: connection)
    }
}
