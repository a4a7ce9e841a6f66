package import CivilTime
package import HTTPMessage
package import HTTPWire
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A request for a real backend, in its form on the wire.
package struct UpstreamRequest: Sendable {
    package var method: String
    /// The path and the query, as sent.
    package var target: String
    /// Every field in order, Host and framing included.
    package var fields: Fields
    package var body: [UInt8]

    package init(method: String, target: String, fields: Fields, body: [UInt8]) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    var wire: [UInt8] {
        Array("\(method) \(target) HTTP/1.1\r\n".utf8) + fields.wire + [0x0D, 0x0A] + body
    }
}

/// The ends of the parts of an exchange with a real backend, counted from its start.
package struct UpstreamMarks: Sendable, Equatable {
    package var resolved: Interval?
    package var connected: Interval?
    package var secured: Interval?
    package var sent: Interval?
    package var firstByte: Interval?
    /// The time of the event that has the marks.
    package var now = Interval.zero
    /// The numeric address that was connected to.
    package var address: String?

    package init() {}
}

/// The events of an exchange with a real backend.
package enum UpstreamEvent: Sendable {
    case head(ResponseParser.Head)
    case content([UInt8])
    /// The response is complete.
    case end(Fields)
    /// There is no response, or the rest of it does not come.
    case failed(UpstreamFailure)
}

/// One exchange with a real backend, on a thread of its own.
///
/// Its thread stops reading while more than a window of content waits for the client, so that a response of any length
/// takes limited memory.
package final class UpstreamExchange: Sendable {
    /// The content on its way to the client up to which reading continues.
    package static let window = 256 * 1_024

    private let canceller = UpstreamCanceller()
    private let flow = FlowGate()

    init() {}

    /// Notes that the client has taken a piece of that much content.
    package func consumed(_ bytes: Int) { flow.give(Self.weight(bytes)) }

    /// Lets content of any length through: the caller keeps it all, or takes each piece before the next is read.
    func takeAll() { flow.open() }

    /// Returns the memory of a piece; a tiny one has an overhead of its own.
    private static func weight(_ bytes: Int) -> Int { max(bytes, 1_024) }

    /// Ends it, because nothing more is wanted.
    package func cancel() {
        canceller.cancel()
        flow.open()
    }

    /// Runs to the end; `report` is called on this thread.
    func run(
        _ request: UpstreamRequest,
        to origin: UpstreamOrigin,
        _ client: UpstreamClient.Settings,
        rule: AddressRule? = nil,
        report: (UpstreamEvent, UpstreamMarks) -> Void
    ) {
        var marks = UpstreamMarks()
        let start = TimeSource.system.monotonic()
        func mark() -> Interval { TimeSource.system.monotonic() - start }
        let route = UpstreamRoute(to: origin, by: client.proxies)
        do throws(UpstreamFailure) {
            let usual = client.ownPorts.map { AddressRule(allowsLoopback: origin.namesLoopback, ownPorts: $0) }
            let socket = try connect(route, client, rule: rule ?? usual, &marks, mark)
            var parser = ResponseParser(isHead: request.method == "HEAD")
            var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
            var limit = client.limits.firstByte
            var sending = UpstreamSending(wire: route.request(request).wire)
            while !parser.isComplete {
                try sending.go(on: socket, within: client.limits.idle)
                if sending.isOver, marks.sent == nil { marks.sent = mark() }
                let reading = try sending.read(on: socket, into: &buffer, within: limit)
                guard let reading else { continue }
                if marks.firstByte == nil { marks.firstByte = mark() }
                limit = client.limits.idle
                do throws(ResponseFault) {
                    switch reading {
                    case .bytes(let count): parser.received(buffer[..<count])
                    case .end, .cut:
                        // Content that ends with the connection may be incomplete (RFC 9112, section 9.8).
                        guard case .end = reading else { throw try parser.cut() }
                        if let event = try parser.closed() { try pass(event, &marks, mark, report) }
                        guard parser.isComplete else { continue }
                    }
                    while let event = try parser.next() {
                        if case .head(let head) = event, let refusal = route.refusal(of: head.status.code) {
                            throw ResponseFault(refusal)
                        }
                        // A client that is refused stops sending (RFC 9112, section 9.5).
                        if case .head(let head) = event, head.status.code >= 300 { sending.stop() }
                        try pass(event, &marks, mark, report)
                    }
                } catch {
                    throw UpstreamFailure(.answer, error.detail)
                }
                if canceller.isCancelled { throw UpstreamFailure(.cancelled, "the client went away") }
            }
        } catch {
            marks.now = mark()
            report(.failed(route.concluded(error)), marks)
        }
    }

    private func pass(
        _ event: ResponseParser.Event,
        _ marks: inout UpstreamMarks,
        _ mark: () -> Interval,
        _ report: (UpstreamEvent, UpstreamMarks) -> Void
    ) throws(ResponseFault) {
        marks.now = mark()
        switch event {
        case .head(let head): report(.head(head), marks)
        case .content(let bytes):
            flow.take(Self.weight(bytes.count))
            report(.content(bytes), marks)
        case .end(let trailers): report(.end(trailers), marks)
        }
    }

    private func connect(
        _ route: UpstreamRoute,
        _ client: UpstreamClient.Settings,
        rule: AddressRule?,
        _ marks: inout UpstreamMarks,
        _ mark: () -> Interval
    ) throws(UpstreamFailure) -> UpstreamSocket {
        let origin = route.origin
        let own = rule == nil ? [] : AddressLookup.ownAddresses()
        if let objection = route.objection(by: rule, own: own) { throw objection }
        let addresses: [SocketAddress]
        switch TimedLookup.addresses(of: route.host, port: route.port, within: client.limits.connect, canceller) {
        case .success(let found): addresses = found
        case .failure(let failure): throw route.named(failure)
        }
        marks.resolved = mark()
        var failure = UpstreamFailure(.connect, "\(route.host) has no address")
        for address in addresses {
            if let objection = route.objection(to: address, by: rule, own: own) {
                failure = objection
                continue
            }
            do throws(UpstreamFailure) {
                let socket = try UpstreamSocket.connect(to: address, within: client.limits.connect, canceller)
                if let proxy = route.proxy {
                    if origin.isSecure {
                        try socket.openTunnel(through: proxy, to: route.authority, within: client.limits.connect)
                    }
                } else {
                    marks.address = address.host
                }
                marks.connected = mark()
                if origin.isSecure {
                    guard let context = client.trust else {
                        throw UpstreamFailure(.tls, "there is no trust to verify with")
                    }
                    try socket.secure(context, host: origin.host, within: client.limits.connect)
                    marks.secured = mark()
                }
                return socket
            } catch {
                failure = error
                // Another address would not help against a certificate that does not verify, or a proxy that refuses.
                if [.tls, .cancelled, .answer].contains(error.reason) { break }
            }
        }
        throw route.named(failure)
    }
}

/// Blocks a thread while too much of the content that it has read waits for the client.
///
/// Unchecked: everything mutable is accessed with `mutex` held.
final class FlowGate: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var waiting = 0
    private var isOpen = false

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        changed = .allocate(capacity: 1)
        changed.initialize(to: pthread_cond_t())
        _ = pthread_mutex_init(mutex, nil)
        _ = pthread_cond_init(changed, nil)
    }

    deinit {
        _ = pthread_cond_destroy(changed)
        _ = pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Waits until less than a window is on its way, then adds to it.
    func take(_ bytes: Int) {
        _ = pthread_mutex_lock(mutex)
        while !isOpen, waiting >= UpstreamExchange.window { _ = pthread_cond_wait(changed, mutex) }
        waiting += bytes
        _ = pthread_mutex_unlock(mutex)
    }

    func give(_ bytes: Int) {
        _ = pthread_mutex_lock(mutex)
        waiting -= bytes
        _ = pthread_cond_signal(changed)
        _ = pthread_mutex_unlock(mutex)
    }

    /// Lets everything through from now on.
    func open() {
        _ = pthread_mutex_lock(mutex)
        isOpen = true
        _ = pthread_cond_signal(changed)
        _ = pthread_mutex_unlock(mutex)
    }
}
