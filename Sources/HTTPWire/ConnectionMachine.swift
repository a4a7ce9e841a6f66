package import CivilTime
package import HTTPMessage

/// One server-side HTTP/1.1 connection as a value: bytes and time go in, events come out, steps become bytes.
///
/// Use: `received`, then `nextEvent` until nil. After `.head` the owner must call `admit` before it asks for the next
/// event. After `.request` or `.refused` it plays an answer with `send`; the next pipelined request is only handed out
/// when that answer has ended. `now` is a monotonic instant (its origin does not matter).
package struct ConnectionMachine: Sendable {
    /// What the owner has to do next.
    package enum Event: Sendable {
        /// A checked head. Answer with `admit` before anything else.
        case head(RequestHead, announcedLength: AnnouncedLength)
        /// The whole request, body included. Play an answer to it.
        case request(Request)
        /// The request can't be taken. Play an answer with this status; the connection closes after it.
        case refused(WireRefusal, head: RequestHead?)
        /// Close the socket now (peer gone, idle for too long, closed after an answer, lingering over).
        case close
    }

    /// What the head says about the content that follows.
    package enum AnnouncedLength: Sendable, Equatable {
        case none
        case known(Int)
        case chunked
    }

    /// How the owner wants the body.
    package struct Admission: Sendable {
        /// Bytes kept; what comes beyond is counted and thrown away, and marked in `RequestBody.exceedsLimit`.
        package var bodyLimit: Int
        /// Bytes read (and thrown away) at most, in all, before the request is handed over and the connection closes
        /// after its answer. At least `bodyLimit`.
        package var drainLimit: Int

        package init(bodyLimit: Int, drainLimit: Int) {
            self.bodyLimit = bodyLimit
            self.drainLimit = drainLimit
        }
    }

    /// What a played step means for the player.
    package enum SendOutcome: Sendable, Equatable {
        /// Bytes (perhaps none) were added to the output; go on with the next step.
        case proceed
        /// The answer is complete and the connection stays; ask `nextEvent`.
        case finished
        /// The answer is complete; flush, then shut down our direction and linger (`beganLingering`).
        case finishedClosing
        /// Flush, then shut down our direction, and go on with the next step.
        case halfClose
        /// Flush, then close.
        case close
        /// Reset the connection now, without flushing.
        case abort
        /// Send nothing more and keep the connection open.
        case hold
    }
}
