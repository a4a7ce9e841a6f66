import ClientCommands
import Transport

/// Files with many roots in PEM form (transport contract, section 5).
enum TrustBundle {
    /// The system's roots, or those of the file that `SSL_CERT_FILE` names; nil where none are found.
    static func roots() -> [UInt8]? {
        if let named = Environment["SSL_CERT_FILE"], !named.isEmpty { return try? FolderReader.contents(ofFile: named) }
        return systemRoots()
    }

    /// The system's roots; nil where none are found.
    static func systemRoots() -> [UInt8]? {
        #if os(macOS)
        let keychain = "/System/Library/Keychains/SystemRootCertificates.keychain"
        let exported = ToolRun(["/usr/bin/security", "find-certificate", "-a", "-p", keychain])
        if exported.status == 0, !exported.output.isEmpty { return exported.output }
        #endif
        return RootFiles.all.lazy.compactMap { try? FolderReader.contents(ofFile: $0) }.first
    }

    /// Returns texts one below the other.
    static func joined(_ texts: [[UInt8]]) -> [UInt8] {
        texts.reduce(into: []) { all, text in
            if let last = all.last, last != 0x0A { all.append(0x0A) }
            all += text
        }
    }
}
