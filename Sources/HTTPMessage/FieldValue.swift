/// Writes texts from outside into field values so that they cannot leave their place.
package enum FieldValue {
    /// A quoted string (RFC 9110 section 5.6.4): quotes and backslashes escaped, control characters made `_`.
    package static func quotedString(_ text: String) -> String {
        var written = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { written.unicodeScalars.append("\\") }
            written.unicodeScalars.append(isControl(scalar) ? "_" : scalar)
        }
        return written + "\""
    }

    /// `inline; filename="…"` with quotes, backslashes and control characters replaced by `_`.
    ///
    /// Other characters stay, as UTF-8 bytes; that is what the emulated servers send.
    package static func contentDispositionInline(filename: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in filename.unicodeScalars {
            kept.append(scalar == "\"" || scalar == "\\" || isControl(scalar) ? "_" : scalar)
        }
        return "inline; filename=\"\(String(kept))\""
    }

    /// C0, DEL and C1.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
