import CZlib

/// Compresses content in one piece.
package enum Deflate {
    /// Returns the bytes in that coding, as raw deflate if `isRaw`; nil if zlib has no memory for it.
    ///
    /// `isShort` uses a window of 4 KiB and little memory, which is faster to set up and as good for short content.
    package static func compress(
        _ bytes: [UInt8],
        _ coding: Inflater.Coding,
        isRaw: Bool = false,
        isShort: Bool = false
    ) -> [UInt8]? {
        var stream = z_stream()
        let window: Int32 = isShort ? 12 : 15
        let windowBits = coding == .gzip ? window + 16 : isRaw ? -window : window
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream,
                Z_DEFAULT_COMPRESSION,
                Z_DEFLATED,
                windowBits,
                isShort ? 5 : 8,
                Z_DEFAULT_STRATEGY,
                ZLIB_VERSION,
                size
            ) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 32)
        var input = bytes
        let isWhole = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(clamping: source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(clamping: target.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        guard isWhole else { return nil }
        output.removeLast(Int(stream.avail_out))
        return output
    }
}
