import TestSupport
import Testing

@testable import Certificates

/// The reader and writer of PEM.
@Suite struct PEMTests {
    private func read(_ text: String) throws(PEM.Fault) -> [PEM.Block] { try PEM.read(Array(text.utf8)) }

    @Test func `what is written is read again, at every length of the last line`() throws {
        for count in 1...130 {
            let content = (0..<count).map { UInt8($0) }
            let text = PEM.write("CERTIFICATE", content)
            #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 64 })
            try expectEqual(read(text), [PEM.Block(label: "CERTIFICATE", content: content)])
        }
    }

    @Test func `text around the blocks, blanks at the ends of lines and CRLF are skipped`() throws {
        let text = "Bag Attributes: x\r\n-----BEGIN A B-----  \r\nAAEC\r\nAw==\t\r\n-----END A B-----\r\nafter\n"
        try expectEqual(read(text), [PEM.Block(label: "A B", content: [0, 1, 2, 3])])
        try expectEqual(read(text + text).count, 2)
        try expectEqual(read(""), [])
    }

    @Test func `headers say that a key is encrypted`() throws {
        let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n"
        let text = "-----BEGIN RSA PRIVATE KEY-----\n\(headers)\nAAEC\n-----END RSA PRIVATE KEY-----"
        try expectEqual(read(text).map(\.isEncrypted), [true])
        try expectEqual(read(text.replacing("Proc-Type", with: "Comment")).map(\.isEncrypted), [false])
    }

    @Test(arguments: [
        ("-----BEGIN A-----\nAAEC\n", 1, "A has no end"),
        ("x\n-----BEGIN A-----\nAAEC\n-----END B-----\n", 4, "B ends without a beginning"),
        ("-----END A-----\n", 1, "A ends without a beginning"),
        ("-----BEGIN A-----\n-----BEGIN A-----\n", 2, "A from line 1 has no end"),
        ("-----BEGIN A-----\nAAE\n-----END A-----\n", 1, "A is not in base 64"),
        ("-----BEGIN A-----\n-----END A-----\n", 1, "A is not in base 64"),
        ("-----BEGIN A-----\nAA EC\n-----END A-----\n", 1, "A is not in base 64"),
        ("-----BEGIN A-----\nK: v\nAAEC\n-----END A-----\n", 3, "no empty line stands behind the headers"),
    ])
    func `what is not in the form is refused with its line`(text: String, line: Int, reason: String) {
        #expect(throws: PEM.Fault(line: line, reason: reason)) { try read(text) }
    }

    @Test func `a text of 1 MiB is read, a longer one is refused`() throws {
        let text = [UInt8](repeating: 0x78, count: PEM.longest)
        try expectEqual(PEM.read(text), [])
        #expect(throws: PEM.Fault.self) { try PEM.read(text + [0x0A]) }
    }

    @Test func `random texts give blocks or a fault, never a trap`() {
        var random = SeededGenerator.announced()
        let pieces = ["-----BEGIN ", "-----END ", "A", "-----", "\n", "AAEC", "=", ":", " ", "\r", "-"]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &random)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            _ = try? read(text)
        }
    }
}
