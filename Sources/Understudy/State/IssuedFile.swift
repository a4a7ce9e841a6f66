import Emulation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The register of issued credentials beside the store of `--state DIR`: hashes alone, one record after another.
///
/// What was issued stays ours after a restart, also where its rows are gone. A record is in the file before the answer
/// leaves that hands its credential out. Unchecked: the system's write at the end of a file needs no lock.
final class IssuedFile: @unchecked Sendable {
    static let name = "credentials.prints"
    private static let mark = Array("understudy prints, version 1\n".utf8)
    /// As long as a record, so that all lie at multiples of it.
    private static let head = mark + [UInt8](repeating: 0x20, count: IssuedSecrets.recordLength - mark.count)

    private let descriptor: Int32
    /// Whether there was a register already.
    let isOld: Bool

    /// Opens the file in a folder, or makes it; `records` are those that are in it.
    init(folder: String, _ records: inout [UInt8]) throws(StateStoreError) {
        let path = folder.hasSuffix("/") ? folder + Self.name : "\(folder)/\(Self.name)"
        func failure(_ what: String) -> StateStoreError {
            StateStoreError(path: path, reason: "\(what): \(String(cString: strerror(errno)))")
        }
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("can't be opened") }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("can't be read") }
            guard count > 0 else { break }
            content += buffer[..<count]
        }
        // A kill can leave the head or the last record in pieces.
        isOld = content.count >= Self.head.count
        guard content.prefix(Self.head.count).elementsEqual(Self.head.prefix(content.count)) else {
            throw StateStoreError(path: path, reason: "is no register of credentials that this version can read")
        }
        let whole = isOld ? content.count / IssuedSecrets.recordLength * IssuedSecrets.recordLength : 0
        if whole < content.count, ftruncate(descriptor, off_t(whole)) != 0 { throw failure("can't be mended") }
        if !isOld { write(Self.head) }
        records = isOld ? Array(content[Self.head.count..<whole]) : []
    }

    deinit { close(descriptor) }

    /// Adds a record.
    func write(_ record: [UInt8]) {
        var written: Int
        repeat { written = platformWrite(descriptor, record, record.count) } while written < 0 && errno == EINTR
    }
}

private func platformWrite(_ descriptor: Int32, _ bytes: [UInt8], _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
