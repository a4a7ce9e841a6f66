import TestSupport
import Testing
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite struct SocketTests {
    @Test(arguments: [0, 1, 5])
    func `an interrupted call is made again until it succeeds`(_ interruptions: Int) {
        var calls = 0
        let result: Result<Int, Errno> = retryingInterruptions {
            calls += 1
            guard calls > interruptions else {
                errno = EINTR
                return -1
            }
            return 7
        }
        expectEqual(result, .success(7))
        expectEqual(calls, interruptions + 1)
    }

    @Test func `any other error is handed on at once`() {
        var calls = 0
        let result: Result<Int32, Errno> = retryingInterruptions {
            calls += 1
            errno = EBADF
            return -1
        }
        expectEqual(result, .failure(Errno(code: EBADF)))
        expectEqual(calls, 1)
    }

    @Test(arguments: [
        ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH, EPERM,
    ])
    func `an accept survives errors of the one connection`(_ code: Int32) {
        #expect(Errno(code: code).isSurvivableInAccept)
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM, EBADF, EINVAL])
    func `an accept does not go on at once after errors of the process or the listener`(_ code: Int32) {
        #expect(!Errno(code: code).isSurvivableInAccept)
    }

    @Test func `a full socket takes a part, then nothing, and more when it was read`() throws {
        let (one, other) = try Socket.openPair().get()
        let writer = OwnedDescriptor(one)
        let reader = Client(OwnedDescriptor(other))
        let bytes = [UInt8](repeating: 1, count: 4 * 1024 * 1024)
        guard case .took(let first) = Socket.write(writer.number, bytes, from: 0) else {
            Issue.record("the write failed")
            return
        }
        #expect(first > 0 && first < bytes.count)
        expectEqual(Socket.write(writer.number, bytes, from: first), .took(0))
        reader.receive()
        expectEqual(reader.received.count, first)
        guard case .took(let second) = Socket.write(writer.number, bytes, from: first) else {
            Issue.record("the write failed")
            return
        }
        #expect(second > 0)
    }

    @Test func `writing to a peer that is gone is an error and no signal`() throws {
        let (one, other) = try Socket.openPair().get()
        let writer = OwnedDescriptor(one)
        Client(OwnedDescriptor(other)).close()
        expectEqual(Socket.write(writer.number, [1], from: 0), .failed(Errno(code: EPIPE)))
    }

    @Test func `a descriptor closes when its owner lets go`() throws {
        let (one, other) = try Socket.openPair().get()
        let client = Client(OwnedDescriptor(other))
        do {
            let owned = OwnedDescriptor(one)
            expectEqual(owned.number, one)
            #expect(client.isOpen)
        }
        #expect(client.sawEnd)
    }

    @Test func `a released descriptor stays open`() throws {
        let (one, other) = try Socket.openPair().get()
        let client = Client(OwnedDescriptor(other))
        let number = OwnedDescriptor(one).release()
        #expect(client.isOpen)
        let again = OwnedDescriptor(number)
        expectEqual(client.send("x"), 1)
        expectEqual(again.number, one)
    }

    @Test func `numeric addresses of both families keep their text and port`() throws {
        let four = try #require(SocketAddress(host: "127.0.0.1", port: 4_680))
        expectEqual(four.host, "127.0.0.1")
        expectEqual(four.port, 4_680)
        let six = try #require(SocketAddress(host: "::1", port: 65_535))
        expectEqual(six.host, "::1")
        expectEqual(six.port, 65_535)
        expectEqual(six.family, AF_INET6)
    }

    @Test(arguments: ["", "localhost", "127.0.0.1:80", "127.0.0", "[::1]", "example.com", "1.2.3.4.5", "::g"])
    func `names and malformed addresses are refused`(_ host: String) {
        expectNil(SocketAddress(host: host, port: 1))
    }
}
