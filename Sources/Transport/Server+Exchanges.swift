import CivilTime
import HTTPMessage
import HTTPWire

extension Server {
    /// Goes on with a connection as far as it can without waiting.
    ///
    /// `settle` has to follow.
    func drive(_ connection: Connection) {
        var left = limits.requestsPerTurn
        while true {
            switch connection.phase {
            case .receiving, .lingering:
                guard left > 0 else {
                    makeReady(connection)
                    return
                }
                guard connection.intake == nil || takesIn(connection) else { return }
                guard let event = connection.machine.nextEvent(now: now) else { return }
                if case .head = event { left -= 1 }
                handle(event, of: connection)
            case .playing:
                guard !isLeft(connection) else {
                    lose(connection)
                    return
                }
                guard play(connection) else { return }
            case .awaiting:
                guard !isLeft(connection) else {
                    lose(connection)
                    return
                }
                guard let answer = connection.completed, !connection.isCut else { return }
                connection.completed = nil
                begin(answer, on: connection)
            case .parked:
                guard !connection.sawEnd else {
                    lose(connection)
                    return
                }
                guard !connection.isReserve, let head = connection.parkedHead.take() else { return }
                take(head, of: connection)
            case .holding:
                // Nothing will ever be written that could tell a half-closed peer from one that is gone.
                if connection.sawEnd { lose(connection) }
                return
            case .asking, .flushing, .closed:
                return
            }
        }
    }

    /// Tells whether the peer has ended its direction while its exchange waits for somebody else.
    ///
    /// An answer that is there already is still written: the peer may have half closed.
    private func isLeft(_ connection: Connection) -> Bool {
        connection.endsWithPeer && connection.sawEnd && connection.completed == nil && !connection.isCut
    }

    /// Ends the exchange under way, if there is one, and tells the application.
    func endExchange(_ connection: Connection, _ outcome: Outcome) {
        guard let exchange = connection.exchange else { return }
        let record = ExchangeRecord(
            outcome: outcome,
            began: connection.began,
            answered: connection.answered,
            ended: now,
            bytesSent: connection.bytesSent,
            waited: connection.waited,
            contentPlayed: connection.contentPlayed
        )
        connection.exchange = nil
        connection.heldWhole = 0
        connection.isApart = false
        if connection.wasLarge {
            connection.wasLarge = false
            trimSoon()
        }
        connection.isCut = false
        connection.endsWithPeer = false
        connection.isLeft = false
        connection.intake = nil
        if connection.slowPlace >= 0 { forgetSlow(connection) }
        application.finished(exchange, record)
        // It may make room for another one of the reserve.
        if connection.isReserve, !isAccepting { startAccepting() }
    }

    private func handle(_ event: consuming ConnectionMachine.Event, of connection: Connection) {
        switch consume event {
        case .head(let head, _):
            guard !connection.isReserve || application.isUrgent(head, from: connection.peer) else {
                connection.phase = .parked
                connection.parkedHead = head
                return
            }
            take(head, of: connection)
        case .request(let request):
            connection.intake = nil
            dropWaitAlarm(connection)
            let exchange = connection.exchange ?? beginExchange(connection)
            connection.heldWhole = request.body.pieces?.capacity ?? request.body.bytes.count
            guard hasRoom(for: connection) else {
                connection.phase = .asking
                begin(
                    application.refuse(.overload, head: request.head, on: exchange, from: connection.peer),
                    on: connection
                )
                return
            }
            if request.body.pieces == nil {
                ask(request, exchange, of: connection)
            } else {
                join(request, exchange, of: connection)
            }
        case .refused(let refusal, let head):
            let exchange = connection.exchange ?? beginExchange(connection)
            connection.phase = .asking
            begin(
                application.refuse(refusal, head: head, on: exchange, from: connection.peer),
                on: connection
            )
        case .close:
            lose(connection)
        }
    }

    /// Asks the application about a head and goes on as it says.
    private func take(_ head: RequestHead, of connection: Connection) {
        let exchange = beginExchange(connection)
        connection.phase = .asking
        switch application.admit(head, on: exchange, from: connection.peer) {
        case .read(let admission):
            connection.phase = .receiving
            connection.isApart = !admission.isCounted
            connection.machine.admit(admission, now: now, into: &output)
            // An interim 100 goes out at once: the client waits for it.
            if !output.isEmpty { _ = flush(connection) }
        case .pace(let admission, let intake, let world):
            connection.phase = .receiving
            connection.machine.admit(admission, now: now, into: &output)
            if !output.isEmpty { _ = flush(connection) }
            guard connection.isOpen else { return }
            connection.world = world
            enlistSlow(connection)
            connection.intake = IntakeState(intake, taken: connection.machine.bufferedBytes)
        case .answer(let answer):
            connection.machine.answerEarly()
            begin(answer, on: connection)
        case .refuse(let answer):
            connection.machine.answerEarly(drain: limits.refusedDrain)
            begin(answer, on: connection)
        }
    }

    /// Asks the application to answer a whole request.
    func ask(_ request: HTTPRequest, _ exchange: ExchangeID, of connection: Connection) {
        connection.phase = .asking
        switch application.respond(to: request, on: exchange, from: connection.peer) {
        case .now(let answer):
            begin(answer, on: connection)
        case .later(let world):
            connection.world = world
            connection.phase = .awaiting
            enlistSlow(connection)
            // It had ended its side already when an earlier request on the connection was answered.
            if connection.sawEnd { application.peerEnded(exchange) }
        }
    }

    func beginExchange(_ connection: Connection) -> ExchangeID {
        let exchange = ExchangeID(connection: connection.id, serial: nextSerial)
        nextSerial += 1
        connection.exchange = exchange
        connection.began = now
        connection.answered = nil
        connection.bytesSent = 0
        connection.contentPlayed = 0
        connection.waited = .zero
        return exchange
    }

    /// Begins to play an answer.
    ///
    /// One that is known in full is written at once, without a timeline.
    func begin(_ answer: Answer, on connection: Connection) {
        connection.heldWhole = 0
        connection.answered = now
        connection.world = answer.world
        guard answer.response.isImmediate else {
            connection.playback = Playback(answer)
            connection.phase = .playing
            enlistSlow(connection)
            return
        }
        let outcome = connection.machine.send(
            response: answer.response,
            now: now,
            date: answer.date,
            into: &output
        )
        conclude(outcome, on: connection)
    }
}
