import Foundation
import JSON
import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A raw connection to the loopback address: what is sent is sent as it stands, what comes is read as it stands.
final class Wire {
    private let descriptor: Int32
    private var isClosed = false
    private(set) var received: [UInt8] = []
    /// The part of `received` that has been taken.
    private var taken = 0
    /// The peer ended or reset the connection.
    private(set) var hasEnded = false
    /// It ended by a reset.
    private(set) var wasReset = false
    /// The start of the last sending, from which a delay is measured.
    private var sentAt = Date()
    /// The beginning of what was sent last.
    private var asked: [UInt8] = []

    init(port: Int) throws {
        #if canImport(Glibc)
        // A process that another test starts meanwhile would keep the connection open.
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw TestError(description: "can't connect to port \(port): \(errno)") }
    }

    deinit { close() }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        #if canImport(Glibc)
        _ = Glibc.close(descriptor)
        #else
        _ = Darwin.close(descriptor)
        #endif
    }

    /// Closes with a reset, so that the peer knows that nobody reads any more.
    func abort() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }

    /// Says that nothing more is sent; answers are still read.
    func endSending() {
        #if canImport(Glibc)
        _ = Glibc.shutdown(descriptor, Int32(SHUT_WR))
        #else
        _ = Darwin.shutdown(descriptor, SHUT_WR)
        #endif
    }

    /// Sends the last bytes and the end of the sending side in one segment: nobody can see the one without the other.
    func sendLast(_ bytes: [UInt8]) throws {
        var on: Int32 = 1
        #if canImport(Glibc)
        _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &on, socklen_t(MemoryLayout.size(ofValue: on)))
        #else
        _ = setsockopt(descriptor, IPPROTO_TCP, TCP_NOPUSH, &on, socklen_t(MemoryLayout.size(ofValue: on)))
        #endif
        try send(bytes)
        endSending()
    }

    // MARK: Sending

    static func request(
        _ method: String,
        _ target: String,
        body: [UInt8] = [],
        token: String? = nil,
        type: String = "application/json",
        fields: [String] = []
    ) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        for field in fields { head += field + "\r\n" }
        if !body.isEmpty { head += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    /// Sends all of it; what the peer no longer takes is left.
    func send(_ bytes: [UInt8]) throws {
        sentAt = Date()
        asked = Array(bytes.prefix(300))
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                #if canImport(Glibc)
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #else
                Darwin.send(descriptor, $0.baseAddress, $0.count, 0)
                #endif
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func ask(_ method: String, _ target: String, body: [UInt8] = [], token: String? = nil) throws -> WireAnswer {
        try send(Self.request(method, target, body: body, token: token))
        return try answer(toHead: method == "HEAD")
    }

    // MARK: Receiving

    /// Reads what comes within that time; false when the peer has ended.
    @discardableResult
    private func receive(until end: Date) throws -> Bool {
        guard !hasEnded else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var ready: Int32 = 0
        repeat {
            ready = poll(&entry, 1, max(0, Int32(end.timeIntervalSinceNow * 1_000)))
        } while ready < 0 && errno == EINTR
        guard ready > 0 else { throw TestError(description: "no answer in time; so far: \(text)") }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        repeat { count = recv(descriptor, &buffer, buffer.count, 0) } while count < 0 && errno == EINTR
        guard count > 0 else {
            hasEnded = true
            wasReset = count < 0 && errno == ECONNRESET
            return false
        }
        received += buffer[..<count]
        return true
    }

    var text: String { String(decoding: received[taken...], as: UTF8.self) }

    /// Waits until the peer ends the connection.
    func waitForEnd(within seconds: Double = Deadline.patience) throws {
        let end = Date().addingTimeInterval(seconds)
        while try receive(until: end) {}
    }

    /// Waits for a text to have come, and answers the seconds since the last sending began.
    ///
    /// That is never less than the server took; how much more it is, is the machine's affair.
    @discardableResult
    func wait(for needle: String, within seconds: Double = Deadline.patience) throws -> Double {
        let end = Date().addingTimeInterval(seconds)
        while !text.contains(needle) {
            guard try receive(until: end) else {
                throw TestError(description: "ended before \(needle): \(text)")
            }
        }
        return Date().timeIntervalSince(sentAt)
    }

    private func line(_ end: Date) throws -> String {
        while true {
            if let place = received[taken...].firstIndex(of: 0x0A) {
                let line = received[taken..<place]
                taken = place + 1
                return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            }
            guard try receive(until: end) else {
                throw TestError(
                    description:
                        "ended inside a line: \(text); before: \(String(decoding: received.prefix(400), as: UTF8.self))"
                )
            }
        }
    }

    private func content(_ count: Int, _ end: Date) throws -> [UInt8] {
        while received.count - taken < count {
            guard try receive(until: end) else {
                throw TestError(description: "ended inside the content: \(text)")
            }
        }
        defer { taken += count }
        return Array(received[taken..<taken + count])
    }

    /// Reads one answer: the head, and the content as it is framed.
    func answer(toHead: Bool = false) throws -> WireAnswer {
        let end = Date().addingTimeInterval(Deadline.patience)
        let start = taken
        let status = try line(end)
        var answer = WireAnswer(status: Int(status.split(separator: " ").dropFirst().first ?? "") ?? 0)
        while true {
            let text = try line(end)
            guard !text.isEmpty else { break }
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            answer.fields.append((parts[0], parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""))
        }
        if !toHead, answer.status >= 200, answer.status != 204, answer.status != 304 {
            if answer["Transfer-Encoding"] == "chunked" {
                while let chunk = try chunk(end) { answer.chunks.append(chunk) }
            } else {
                answer.chunks = [try content(Int(answer["Content-Length"] ?? "0") ?? 0, end)]
            }
        }
        answer.raw = Array(received[start..<taken])
        LastExchange.note(String(decoding: asked, as: UTF8.self), status: answer.status, response: answer.bytes)
        return answer
    }

    /// Reads one chunk; nil for the last one.
    private func chunk(_ end: Date) throws -> [UInt8]? {
        guard let size = Int(try line(end), radix: 16) else {
            throw TestError(description: "no chunk: \(text)")
        }
        let bytes = try content(size, end)
        _ = try line(end)
        return size == 0 ? nil : bytes
    }
}

/// An answer as it came over the wire.
struct WireAnswer {
    var status: Int
    var fields: [(name: String, value: String)] = []
    var chunks: [[UInt8]] = []
    /// Every byte of it, framing included.
    var raw: [UInt8] = []

    init(status: Int) { self.status = status }

    subscript(name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }

    var bytes: [UInt8] { chunks.flatMap { $0 } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var json: JSON { (try? JSONReader.read(bytes)) ?? .null }
    var error: String { "\(status) \(json["error"]?.stringValue ?? text)" }
}
