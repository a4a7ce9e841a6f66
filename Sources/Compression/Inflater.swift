import CZlib

/// The reason why compressed content can't be read.
package enum InflateError: Error, Sendable, Equatable {
    /// The bytes are not valid in the coding.
    case damaged
    /// The content would grow over the limit given for it.
    case tooLarge
    /// The content ends before its coding does.
    case incomplete
}

/// Decodes gzip or deflate content piece by piece, never beyond a limit of output.
///
/// Not Sendable: one owner feeds it.
package final class Inflater {
    /// The content codings of RFC 9110 section 8.4.1 that zlib reads.
    package enum Coding: Sendable, Equatable {
        case gzip
        /// zlib's form; raw deflate is taken too, since servers have always sent both.
        case deflate
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let coding: Coding
    /// The number of bytes of output that are still allowed.
    private var room: Int
    private var isReady = false
    private var hasEnded = false
    /// The bytes that came before the form of the coding was known.
    private var head: [UInt8] = []

    /// - Parameters:
    ///   - coding: the coding of the content.
    ///   - limit: the maximum number of decoded bytes.
    package init(_ coding: Coding, limit: Int) {
        self.coding = coding
        room = max(limit, 0)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    /// True once the end of the coding has been read.
    package var isComplete: Bool { hasEnded }

    /// The number of bytes fed last that stand behind the end.
    package private(set) var unread = 0

    /// Decodes more bytes and appends the result to `output`.
    package func feed(_ bytes: [UInt8], into output: inout [UInt8]) throws(InflateError) {
        var input = bytes
        if !isReady {
            head += bytes
            // Two bytes tell zlib's form from raw deflate.
            guard head.count >= 2 else { return }
            input = head
            head = []
            guard begin(input) else { throw .damaged }
        }
        try run(&input, into: &output)
    }

    /// Ends the content: it has to be whole.
    package func finish() throws(InflateError) {
        guard hasEnded else { throw .incomplete }
    }

    /// Decodes content that is there in full.
    package static func inflate(_ bytes: [UInt8], _ coding: Coding, limit: Int) throws(InflateError) -> [UInt8] {
        let inflater = Inflater(coding, limit: limit)
        var output: [UInt8] = []
        try inflater.feed(bytes, into: &output)
        try inflater.finish()
        return output
    }

    private func begin(_ start: [UInt8]) -> Bool {
        let windowBits: Int32
        switch coding {
        case .gzip: windowBits = 15 + 16
        case .deflate:
            let isZlib = start[0] & 0x0F == 8 && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0
            windowBits = isZlib ? 15 : -15
        }
        isReady =
            inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        return isReady
    }

    private func run(_ input: inout [UInt8], into output: inout [UInt8]) throws(InflateError) {
        var buffer = [UInt8](repeating: 0, count: 32 * 1024)
        let outcome: Result<Void, InflateError> = input.withUnsafeMutableBufferPointer { bytes in
            stream.pointee.next_in = bytes.baseAddress
            stream.pointee.avail_in = UInt32(clamping: bytes.count)
            while true {
                if hasEnded {
                    // gzip members may follow one another (RFC 1952 section 2.2); anything else behind the end is ignored.
                    guard coding == .gzip, stream.pointee.avail_in > 1, stream.pointee.next_in.pointee == 0x1F,
                        inflateReset(stream) == Z_OK
                    else { return .success(()) }
                    hasEnded = false
                }
                let produced = buffer.withUnsafeMutableBufferPointer { room -> (status: Int32, count: Int) in
                    stream.pointee.next_out = room.baseAddress
                    stream.pointee.avail_out = UInt32(room.count)
                    let status = CZlib.inflate(stream, Z_NO_FLUSH)
                    return (status, room.count - Int(stream.pointee.avail_out))
                }
                guard produced.count <= room else { return .failure(.tooLarge) }
                room -= produced.count
                output.append(contentsOf: buffer[..<produced.count])
                switch produced.status {
                case Z_STREAM_END: hasEnded = true
                case Z_OK: break
                case Z_BUF_ERROR: return .success(())
                default: return .failure(.damaged)
                }
                if !hasEnded, stream.pointee.avail_in == 0, produced.count < buffer.count { return .success(()) }
            }
        }
        unread = Int(stream.pointee.avail_in)
        if case .failure(let error) = outcome { throw error }
    }
}
