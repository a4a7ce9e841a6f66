import HTTPMessage
import HTTPWire
import TestSupport
import Testing

@Suite struct ResponseParserTests {
    /// The answer in words, read in pieces of that length.
    private static func read(_ text: String, pieces: Int = .max, isHead: Bool = false) -> String {
        var parser = ResponseParser(isHead: isHead)
        var said = ""
        var content: [UInt8] = []
        let bytes = Array(text.utf8)
        var place = 0
        do throws(ResponseFault) {
            while place < bytes.count {
                let end = place + min(pieces, bytes.count - place)
                parser.received(bytes[place..<end])
                while let event = try parser.next() {
                    switch event {
                    case .head(let head): said += "\(head.status.code) \(head.reason)|\(head.fields.count)|"
                    case .content(let bytes): content += bytes
                    case .end: said += String(decoding: content, as: UTF8.self) + "|end"
                    }
                }
                place = end
            }
            if let event = try parser.closed(), case .end = event {
                said += String(decoding: content, as: UTF8.self) + "|closed"
            }
            return said
        } catch {
            return "fault"
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "200 OK|1|hi|end"),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 201 \r\nContent-Length: 0\r\n\r\n",
            "201 |1||end"
        ),
        ("HTTP/1.1 200\r\n\r\nall of it", "200 |0|all of it|closed"),
        ("HTTP/1.0 200 OK\r\n\r\nold", "200 OK|0|old|closed"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=1\r\nhi\r\n1\r\n!\r\n0\r\nT: 1\r\n\r\n",
            "200 OK|1|hi!|end"
        ),
        ("HTTP/1.1 204 No Content\r\nX: 1\r\nx: 2\r\n\r\n", "204 No Content|2||end"),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", "304 Not Modified|1||end"),
        ("HTTP/1.1 200 OK\r\nContent-Length : 2\r\nX \t : a : b \r\n\r\nhi", "200 OK|2|hi|end"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding\t: chunked\r\n\r\n1\r\n!\r\n0\r\nT : 1\r\n\r\n", "200 OK|1|!|end"),
    ])
    func `13 an answer is read as it is framed, however it is cut`(text: String, said: String) {
        for pieces in [Int.max, 1, 2, 3, 7] { expectEqual(Self.read(text, pieces: pieces), said) }
    }

    @Test func `13 blanks before a colon are taken out of the fields of a response`() throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Old \t :  a : b \r\nY:1\r\n\r\n".utf8)
        for pieces in 1...head.count {
            var parser = ResponseParser(isHead: false)
            var fields: Fields?
            for place in stride(from: 0, to: head.count, by: pieces) {
                parser.received(head[place..<min(place + pieces, head.count)])
                while let event = try parser.next() { if case .head(let head) = event { fields = head.fields } }
            }
            expectEqual(fields?["X-Old"], "a : b")
            expectEqual(fields?.wire, Array("Content-Length: 0\r\nX-Old:  a : b \r\nY:1\r\n".utf8))
        }
    }

    @Test func `13 the answer to a HEAD has no content whatever it announces`() {
        expectEqual(Self.read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", isHead: true), "200 OK|1||end")
        expectEqual(Self.read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", isHead: true), "200 OK|1||end")
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 200 OK\n\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "HTTP/1.1 101 Switching\r\n\r\n",
        "HTTP/1.1 200 OK\r\nbad name: 1\r\n\r\n", "HTTP/1.1 200 OK\r\nX: 1\r\n folded\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX \r\n\r\n", "HTTP/1.1 200 OK\r\nX y : 1\r\n\r\n", "HTTP/1.1 200 OK\r\n : 1\r\n\r\n",
    ])
    func `13 what is no whole answer is a fault, however it is cut`(text: String) {
        for pieces in [Int.max, 1, 3] { expectEqual(Self.read(text, pieces: pieces), "fault") }
    }

    @Test func `13 sixteen interim answers pass and one more does not`() {
        let interim = "HTTP/1.1 102 Processing\r\n\r\n"
        let last = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        expectEqual(Self.read(String(repeating: interim, count: 16) + last), "200 OK|1||end")
        expectEqual(Self.read(String(repeating: interim, count: 17) + last), "fault")
    }
}
