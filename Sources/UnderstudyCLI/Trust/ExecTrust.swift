import ClientCommands
import Transport
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The trust that `exec --tls` gives its program: files in a temporary folder, and the variables that name them (transport
/// contract, section 5).
struct ExecTrust {
    /// The variable that names the root.
    static let rootVariable = "UNDERSTUDY_CA_FILE"
    /// Variables whose file takes the place of the system's roots.
    private static let replacing = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"]
    /// The variable whose file is added to the roots of Node.
    private static let adding = "NODE_EXTRA_CA_CERTS"

    private let folder: ExecFolder
    private(set) var variables: [(name: String, value: String)] = []
    private(set) var warnings: [String] = []

    /// Writes the files; nil without an authority.
    init?(_ emulator: RunningEmulator, in folder: ExecFolder) throws(UsageError) {
        guard let rootFile = emulator.rootFile, let root = emulator.rootPEM else { return nil }
        self.folder = folder
        try fill(rootFile, root)
    }

    private mutating func fill(_ rootFile: String, _ root: [UInt8]) throws(UsageError) {
        variables.append((Self.rootVariable, rootFile))
        var usual: String?
        for name in Self.replacing {
            if let former = former(name) {
                variables.append((name, try write(TrustBundle.joined([former, root]), to: "\(name).pem")))
                continue
            }
            let file =
                if let usual { usual } else {
                    try write(TrustBundle.joined([TrustBundle.systemRoots() ?? [], root]), to: "bundle.pem")
                }
            usual = file
            variables.append((name, file))
        }
        guard let former = former(Self.adding) else {
            variables.append((Self.adding, rootFile))
            return
        }
        variables.append((Self.adding, try write(TrustBundle.joined([former, root]), to: "\(Self.adding).pem")))
    }

    /// The content of the file that a variable named before.
    private mutating func former(_ name: String) -> [UInt8]? {
        guard let path = Environment[name], !path.isEmpty else { return nil }
        guard let bytes = try? FolderReader.contents(ofFile: path) else {
            warnings.append("\(name) names \(path), which can't be read; the program gets the system's roots instead")
            return nil
        }
        return bytes
    }

    private mutating func write(_ bytes: [UInt8], to name: String) throws(UsageError) -> String {
        try folder.write(bytes, to: name)
    }
}
