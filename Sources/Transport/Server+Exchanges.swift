import CivilTime
import HTTPMessage
import HTTPWire

extension Server {
    /// Advances a connection as far as possible without waiting.
    ///
    /// `settle` has to follow.
    func drive(_ connection: Connection) {
        var left = limits.requestsPerTurn
        while connection.isOpen, advance(connection), connection.isOpen {
            guard left > 0 else {
                makeReady(connection)
                return
            }
            // Taken apart where it comes out: an event that is passed on is copied with all that a request holds.
            switch connection.wire.nextEvent(now: now) {
            case nil: return
            case .head(let head, let number):
                left -= 1
                if let proxied = connection.proxied {
                    route(head, proxied, on: connection.openChannel(number), of: connection)
                } else {
                    begin(marked(head, connection), connection.openChannel(number), of: connection)
                }
            case .request(let request, let number):
                connection.endRequest(now: now)
                guard let channel = connection.channel(number) else { continue }
                take(request, on: channel, of: connection)
            case .refused(let refusal, let head, let number):
                let channel = connection.openChannel(number)
                let known = connection.proxied.map { $0.routed(head, isBegun: channel.exchange != nil, connection) }
                refuse(refusal, known ?? head.map { marked($0, connection) }, on: channel, of: connection)
            case .channelCancelled(let number):
                guard let channel = connection.channel(number) else { continue }
                endExchange(channel, .interrupted)
                endChannel(channel)
            case .closeConnection: endInOrder(connection)
            }
        }
    }

    /// Returns a head with the note of its way, where the ports speak TLS.
    private func marked(_ head: RequestHead, _ connection: Connection) -> RequestHead {
        guard speaksTLS else { return head }
        var head = head
        head.isSecure = connection.isSecure
        return head
    }

    /// Takes a head in, or parks it where only urgent calls are taken.
    func begin(_ head: RequestHead, _ channel: Channel, of connection: Connection) {
        guard !connection.isReserve || application.isUrgent(head, from: connection.peer) else {
            channel.phase = .parked
            channel.parkedHead = head
            return
        }
        take(head, on: channel, of: connection)
    }

    private func refuse(_ refusal: WireRefusal, _ head: RequestHead?, on channel: Channel, of connection: Connection) {
        let exchange = channel.exchange ?? beginExchange(channel)
        channel.phase = .responding
        begin(application.refuse(refusal, head: head, on: exchange, from: connection.peer), on: channel)
    }

    /// Resumes the channels of a connection; tells whether the protocol may be asked for its next event.
    private func advance(_ connection: Connection) -> Bool {
        // The requests of HTTP/1.1 are answered one after the other; a multiplexed channel blocks no other.
        if let channel = connection.only { return advance(channel) }
        connection.forEachChannel { _ = advance($0) }
        return true
    }

    /// Advances a channel as far as possible without waiting; returns whether its only work is a request that is coming
    /// in.
    private func advance(_ channel: Channel) -> Bool {
        while true {
            switch channel.phase {
            case .receiving, .ended: return channel.intake == nil || takesIn(channel)
            case .playing:
                guard !isLeft(channel) else {
                    interrupt(channel)
                    return false
                }
                guard play(channel) else { return false }
            case .waiting:
                guard !isLeft(channel) else {
                    interrupt(channel)
                    return false
                }
                guard let answer = channel.completed, !channel.isCancelled else { return false }
                channel.completed = nil
                begin(answer, on: channel)
            case .parked:
                guard !channel.connection.sawEnd else {
                    interrupt(channel)
                    return false
                }
                guard !channel.connection.isReserve, let head = channel.parkedHead.take() else { return false }
                take(head, on: channel, of: channel.connection)
            case .holding:
                // No further write would show whether the peer has half closed or is gone.
                if channel.connection.sawEnd { interrupt(channel) }
                return false
            case .responding, .flushing: return false
            }
        }
    }

    /// Returns whether the peer has ended its direction while its exchange waits for another party.
    ///
    /// A response that is there already is still written: the peer may have half closed.
    private func isLeft(_ channel: Channel) -> Bool {
        channel.endsWithPeer && channel.connection.sawEnd && channel.completed == nil && !channel.isCancelled
    }

    /// Tells the application that the peer has ended its direction, if no part of the response has been sent.
    ///
    /// Later, the next write shows whether it still listens.
    func tellPeerEnded(_ channel: Channel) {
        guard let exchange = channel.exchange, channel.bytesSent == 0 else { return }
        guard channel.phase == .waiting || channel.phase == .playing else { return }
        application.peerEnded(exchange)
    }

    /// Asks the application about a head and does as it says.
    private func take(_ head: RequestHead, on channel: Channel, of connection: Connection) {
        let exchange = beginExchange(channel)
        channel.phase = .responding
        switch application.admit(head, on: exchange, from: connection.peer) {
        case .read(let admission):
            channel.phase = .receiving
            channel.held.isApart = !admission.isCounted
            admit(admission, on: channel, of: connection)
        case .pace(let admission, let intake, let world):
            channel.phase = .receiving
            admit(admission, on: channel, of: connection)
            guard connection.isOpen else { return }
            channel.world = world
            enlistSlow(channel)
            channel.intake = IntakeState(intake, taken: connection.wire.bufferedBytes())
            delayContinue(channel)
        case .answer(let answer):
            connection.wire.answerEarly(on: channel.number)
            begin(answer, on: channel)
        case .refuse(let answer):
            connection.wire.answerEarly(on: channel.number, drain: limits.refusedDrain)
            begin(answer, on: channel)
        }
    }

    private func admit(
        _ admission: ConnectionMachine.Admission,
        on channel: Channel,
        of connection: Connection
    ) {
        connection.wire.admit(admission, on: channel.number, now: now, into: &output)
        // An interim 100 is sent at once: the client waits for it.
        if !output.isEmpty { _ = flush(connection) }
    }

    /// Passes a whole request on for a response.
    private func take(_ request: consuming HTTPRequest, on channel: Channel, of connection: Connection) {
        if let proxied = connection.proxied {
            if let head = proxied.head { request.head = head }
        } else if speaksTLS {
            request.head.isSecure = connection.isSecure
        }
        channel.intake = nil
        dropWaitAlarm(channel)
        let exchange = channel.exchange ?? beginExchange(channel)
        channel.held.whole = request.body.pieces?.capacity ?? request.body.bytes.count
        guard hasRoom(for: channel) else {
            channel.phase = .responding
            let refused = application.refuse(.overload, head: request.head, on: exchange, from: connection.peer)
            begin(refused, on: channel)
            return
        }
        if request.body.pieces == nil {
            ask(request, exchange, on: channel)
        } else {
            join(request, exchange, on: channel)
        }
    }

    /// Passes a whole request to the application.
    func ask(_ request: consuming HTTPRequest, _ exchange: ExchangeID, on channel: Channel) {
        channel.phase = .responding
        switch application.respond(to: request, on: exchange, from: channel.connection.peer) {
        case .now(let answer):
            begin(answer, on: channel)
        case .later(let world):
            channel.world = world
            channel.phase = .waiting
            enlistSlow(channel)
            // The peer had ended its side when an earlier request on the connection was answered.
            if channel.connection.sawEnd { application.peerEnded(exchange) }
        }
    }

    func beginExchange(_ channel: Channel) -> ExchangeID {
        let exchange = ExchangeID(channel: channel.id, serial: nextSerial)
        nextSerial += 1
        if channel.closing != nil { stopClosing(channel) }
        channel.isOnReused = channel.connection.isUsed
        channel.connection.isUsed = true
        // The first bytes of a multiplexed request are not told apart.
        channel.begin(
            exchange,
            now: now,
            firstByte: channel.connection.only == nil ? now : channel.connection.firstByte
        )
        return exchange
    }

    /// Begins to play a response.
    ///
    /// A complete response is written at once, without a timeline.
    func begin(_ answer: PlayableResponse, on channel: Channel) {
        channel.held.whole = 0
        channel.answered = now
        channel.world = answer.world
        guard answer.response.isImmediate else {
            channel.playback = Playback(answer)
            channel.phase = .playing
            enlistSlow(channel)
            return
        }
        let before = output.count
        let connection = channel.connection
        let outcome = connection.wire.send(
            answer.response,
            on: channel.number,
            now: now,
            date: answer.date,
            into: &output
        )
        if connection.wire.isMultiplexed { channel.bytesSent += output.count - before }
        apply(outcome, on: channel, of: connection)
    }
}
