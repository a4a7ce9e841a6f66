import Basics
import Crypto

/// The profile by which Apple's systems take the root over (transport contract, section 5).
package enum ConfigurationProfile {
    /// Thirty days in seconds.
    private static let removal = 2_592_000

    /// Returns the property list of a root, without a signature.
    package static func text(of root: Certificate) -> String {
        let digits = Hex.encode(root.fingerprint.prefix(8))
        let subject = escaped(root.subject)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>DurationUntilRemoval</key>
            \t<integer>\(removal)</integer>
            \t<key>PayloadContent</key>
            \t<array>
            \t\t<dict>
            \t\t\t<key>PayloadCertificateFileName</key>
            \t\t\t<string>understudy.crt</string>
            \t\t\t<key>PayloadContent</key>
            \t\t\t<data>\(Base64.encode(root.der))</data>
            \t\t\t<key>PayloadDescription</key>
            \t\t\t<string>\(subject)</string>
            \t\t\t<key>PayloadDisplayName</key>
            \t\t\t<string>Understudy CA</string>
            \t\t\t<key>PayloadIdentifier</key>
            \t\t\t<string>dev.understudy.ca.\(digits).root</string>
            \t\t\t<key>PayloadType</key>
            \t\t\t<string>com.apple.security.root</string>
            \t\t\t<key>PayloadUUID</key>
            \t\t\t<string>\(uuid("root", root))</string>
            \t\t\t<key>PayloadVersion</key>
            \t\t\t<integer>1</integer>
            \t\t</dict>
            \t</array>
            \t<key>PayloadDescription</key>
            \t<string>Lets this device verify the test servers of one developer. Remove it when you are done.</string>
            \t<key>PayloadDisplayName</key>
            \t<string>Understudy CA</string>
            \t<key>PayloadIdentifier</key>
            \t<string>dev.understudy.ca.\(digits)</string>
            \t<key>PayloadRemovalDisallowed</key>
            \t<false/>
            \t<key>PayloadType</key>
            \t<string>Configuration</string>
            \t<key>PayloadUUID</key>
            \t<string>\(uuid("profile", root))</string>
            \t<key>PayloadVersion</key>
            \t<integer>1</integer>
            </dict>
            </plist>

            """
    }

    /// Returns a UUID of version 8 (RFC 9562, section 5.8) that follows from the fingerprint, so that a second
    /// installation replaces the first.
    private static func uuid(_ purpose: String, _ root: Certificate) -> String {
        var bytes = Array(SHA256.digest(root.fingerprint + Array(purpose.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(Hex.encode(bytes).uppercased())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
