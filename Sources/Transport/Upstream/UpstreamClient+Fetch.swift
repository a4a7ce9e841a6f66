import Basics
package import CivilTime
package import HTTPMessage
import HTTPWire

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An answer with its whole content.
package struct FetchedAnswer: Sendable {
    package var status: Status
    package var fields: Fields
    package var content: [UInt8]
}

extension UpstreamClient {
    /// Sends a request and waits for the whole answer, with at most that many bytes of content.
    ///
    /// The time limit holds for everything together, the lookup of the name included.
    package func fetch(
        _ request: UpstreamRequest,
        from origin: UpstreamOrigin,
        within limit: Interval,
        atMost most: Int
    ) -> Result<FetchedAnswer, UpstreamFailure> {
        guard case .success(let ends) = Socket.openPipe() else {
            return .failure(UpstreamFailure(.busy, "there are no descriptors left"))
        }
        let reader = OwnedDescriptor(ends.0)
        let fetching = Fetching(most: most, writer: ends.1)
        let exchange = start(request, to: origin, api: 0) { event, _ in fetching.take(event) }
        // The content is bounded by `most`, not by a window.
        exchange.takeAll()
        let clock = TimeSource.system
        let end = clock.monotonic() + limit
        while true {
            if let result = fetching.result { return result }
            let left = end - clock.monotonic()
            guard left > .zero else {
                exchange.cancel()
                guard !fetching.hasBegun else {
                    return .failure(UpstreamFailure(.answer, "the answer did not end in time"))
                }
                return .failure(UpstreamFailure(.time, "\(origin.text) gave no answer in time"))
            }
            var entry = pollfd(fd: reader.number, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, Interval.pollMilliseconds(left))
        }
    }

    /// Performs an exchange on the calling thread, as for an endless response.
    ///
    /// `report` is called with each event until it returns false, which ends the exchange.
    package func follow(
        _ request: UpstreamRequest,
        of origin: UpstreamOrigin,
        report: (UpstreamEvent) -> Bool
    ) {
        let exchange = UpstreamExchange()
        exchange.takeAll()
        var goesOn = true
        exchange.run(request, to: origin, settings) { event, _ in
            guard goesOn else { return }
            goesOn = report(event)
            if !goesOn { exchange.cancel() }
        }
    }
}

/// An answer as the thread of its exchange puts it together, for a caller that waits for it.
private final class Fetching: Sendable {
    private struct State {
        var answer: FetchedAnswer?
        var result: Result<FetchedAnswer, UpstreamFailure>?
        /// The end of the pipe that the caller waits at; closed with the result.
        var writer: Int32?
    }

    private let most: Int
    private let state: Locked<State>

    init(most: Int, writer: Int32) {
        self.most = most
        state = Locked(State(writer: writer))
    }

    deinit {
        state.withLock { state in
            if let writer = state.writer { _ = close(writer) }
        }
    }

    var result: Result<FetchedAnswer, UpstreamFailure>? { state.withLock { $0.result } }

    /// Tells whether the head of an answer has come.
    var hasBegun: Bool { state.withLock { $0.answer != nil } }

    func take(_ event: UpstreamEvent) {
        state.withLock { state in
            guard state.result == nil else { return }
            switch event {
            case .head(let head):
                // Interim answers come before the final one.
                state.answer = FetchedAnswer(status: head.status, fields: head.fields, content: [])
            case .content(let bytes):
                state.answer?.content += bytes
                if let count = state.answer?.content.count, count > most {
                    state.result = .failure(UpstreamFailure(.answer, "the answer is longer than \(most) bytes"))
                }
            case .end:
                guard let answer = state.answer else { break }
                state.result = .success(answer)
            case .failed(let failure): state.result = .failure(failure)
            }
            guard state.result != nil, let writer = state.writer else { return }
            _ = close(writer)
            state.writer = nil
        }
    }
}
