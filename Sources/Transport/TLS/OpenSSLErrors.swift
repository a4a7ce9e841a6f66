import COpenSSL

/// The errors that OpenSSL keeps for the calling thread.
enum OpenSSLErrors {
    /// Returns the words of the first error and forgets all; nil without one.
    static func takeText() -> String? {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return nil }
        return String(cString: reason)
    }

    /// Returns the number of the first error's reason and forgets all; 0 without one.
    static func takeReason() -> Int32 {
        let code = ERR_get_error()
        ERR_clear_error()
        return ERR_GET_REASON(code)
    }
}
