import COpenSSL

/// OpenSSL's buffers in memory, through which a connection's bytes pass.
enum MemoryBIO {
    /// The bytes that have passed after which a buffer is replaced: it never shrinks by itself.
    private static let large = 16 * 1024

    /// Gives a connection a buffer for each direction.
    static func attach(to ssl: OpaquePointer) -> Bool {
        guard let input = make(), let output = make() else { return false }
        SSL_set_bio(ssl, input, output)
        return true
    }

    private static func make() -> OpaquePointer? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        // An empty buffer is not the end: more may come.
        BIO_ctrl(bio, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, nil)
        return bio
    }

    /// Adds bytes for OpenSSL to read.
    static func put(_ bytes: ArraySlice<UInt8>, for ssl: OpaquePointer) {
        bytes.withUnsafeBytes { _ = BIO_write(SSL_get_rbio(ssl), $0.baseAddress, Int32(clamping: $0.count)) }
    }

    /// Appends everything that OpenSSL has written.
    static func take(from ssl: OpaquePointer, into output: inout [UInt8]) {
        let count = BIO_ctrl_pending(SSL_get_wbio(ssl))
        guard count > 0 else { return }
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: count))
        output.withUnsafeMutableBytes { buffer in
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
            _ = BIO_read(SSL_get_wbio(ssl), rest.baseAddress, Int32(clamping: count))
        }
        if count > large, SSL_is_init_finished(ssl) == 1, let fresh = make() { SSL_set0_wbio(ssl, fresh) }
    }

    /// Replaces the buffer for reading after a long message, once it is empty.
    static func shrinkInput(of ssl: OpaquePointer, after count: Int) {
        guard count > large, BIO_ctrl_pending(SSL_get_rbio(ssl)) == 0, let fresh = make() else { return }
        SSL_set0_rbio(ssl, fresh)
    }
}
