import Secrets

/// E-mail addresses, with what only looks like one.
extension SecretScanner {
    /// Finds an address around an at-sign, which may be percent-escaped.
    mutating func email(at place: Int, markLength: Int) {
        let isEscaped = markLength == 3
        var start = place
        while start > 0, place - start < 256 {
            let byte = bytes[start - 1]
            guard Self.isLocalByte(byte), !isBinary || byte < 0x80 else { break }
            start -= 1
            // The character of an escape before the name does not belong to it.
            if isEscaped, start >= 2, bytes[start - 2] == 0x25 {
                guard Self.isEscapedLocalByte(bytes[start - 1], byte) else { break }
                start -= 2
            }
        }
        if isEscaped, start < place, start >= 2, bytes[start - 1] != 0x25, bytes[start - 2] == 0x25 {
            start = min(start + 1, place)
        }
        while start < place, bytes[start] == 0x2E { start += 1 }
        // People put blanks around the sign.
        if start == place, markLength == 1, place > 1, bytes[place - 1] == 0x20, place + 1 < bytes.count,
            bytes[place + 1] == 0x20
        {
            start = place - 1
            while start > 0, place - start < 256, Self.isLocalByte(bytes[start - 1]), !isBinary { start -= 1 }
            guard start < place - 1 else { return }
            spacedEmail(start, place)
            return
        }
        guard start < place else { return }
        if markLength == 1, place + 1 < bytes.count, bytes[place + 1] == 0x5B {
            emailAtAddress(start, place)
            return
        }
        var end = place + markLength
        while end < bytes.count, end - place < 256, Self.isDomainByte(bytes[end]), !isBinary || bytes[end] < 0x80 {
            end += 1
        }
        while end > place, bytes[end - 1] == 0x2E || bytes[end - 1] == 0x2D { end -= 1 }
        var labels = bytes[min(place + markLength, end)..<end].split(separator: 0x2E, omittingEmptySubsequences: false)
        guard !isVersion(labels) else { return }
        // A file may be named like an address; `icon@2x.png` is none.
        if let last = labels.last, Self.fileEndings.contains(text(last.startIndex..<last.endIndex).lowercased()) {
            labels.removeLast()
            end = max(last.startIndex - 1, place)
            guard !isFileName(labels) else { return }
        }
        guard !isAmount(start..<place, labels), !isService(start..<place) else { return }
        guard isDomain(labels) || labels.count == 1 && isHost(start..<place, labels[0], end) else { return }
        guard !isBinary || isSurelyEmail(start..<place, labels) else { return }
        findings.append(Finding(range: start..<end, kind: .email))
    }

    /// Returns true for a version, as in the name of a package's file: `4.17.21.tgz`, `v2.0-beta.zip`.
    func isVersion(_ labels: [ArraySlice<UInt8>]) -> Bool {
        guard labels.count > 1, var first = labels.first else { return false }
        if first.count > 1, first.first == 0x76 { first = first.dropFirst() }
        return !first.isEmpty && first.allSatisfy { $0 &- 0x30 < 10 } && labels[1].first.map { $0 &- 0x30 < 10 } == true
            && labels[1].prefix(while: { $0 != 0x2D && $0 != 0x2B }).allSatisfy { $0 &- 0x30 < 10 }
    }

    /// Returns true for the parts of a file's name before its last ending: `2x.min`, `18.2.0`.
    private func isFileName(_ labels: [ArraySlice<UInt8>]) -> Bool {
        guard let first = labels.first, let last = labels.last else { return false }
        let isScale = first.count > 1 && first.last == 0x78 && first.dropLast().allSatisfy { $0 &- 0x30 < 10 }
        return isScale || Self.fileParts.contains(text(last.startIndex..<last.endIndex).lowercased())
    }

    private static let fileParts: Set<String> = ["min", "bundle", "slim", "esm", "cjs", "umd", "chunk", "d", "prod"]

    /// Returns true for numbers on both sides of the sign, as in `12@30.se`; providers with numbers as names have longer
    /// users.
    private func isAmount(_ user: Range<Int>, _ labels: [ArraySlice<UInt8>]) -> Bool {
        user.count < 5 && bytes[user].allSatisfy { $0 &- 0x30 < 10 }
            && labels.first?.allSatisfy { $0 &- 0x30 < 10 } == true
    }

    /// Returns true for the user of a service, which is nobody's name: `git@github.com:owner/project.git`.
    func isService(_ user: Range<Int>) -> Bool {
        Self.services.contains(text(user).lowercased())
    }

    private static let services: Set<String> = ["git", "hg", "svn", "gitlab", "gitea", "forgejo"]

    private func isDomain(_ labels: [ArraySlice<UInt8>]) -> Bool {
        guard labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }), let top = labels.last else { return false }
        return top.count >= 2 && top.contains { !(0x30...0x39).contains($0) }
    }

    /// Returns true for `ann@intranet`, a host without a domain.
    ///
    /// Packages and their versions (`kit@latest`) have the same form, and so have shells (`ann@host:~`).
    private func isHost(_ user: Range<Int>, _ host: ArraySlice<UInt8>, _ end: Int) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
        guard !isBinary, user.count >= 2, host.count >= 3, host.allSatisfy({ isLetter($0) || $0 == 0x2D }),
            bytes[user].contains(where: isLetter),
            user.lowerBound == 0 || ![0x2F, 0x40, 0x24].contains(bytes[user.lowerBound - 1]),
            end == bytes.count || ![0x2F, 0x3A, 0x40, 0x28, 0x3D].contains(bytes[end])
        else { return false }
        return !Self.tags.contains(text(host.startIndex..<host.endIndex).lowercased())
    }

    private static let tags: Set<String> = [
        "latest", "next", "beta", "alpha", "canary", "stable", "main", "master", "dev", "nightly", "experimental",
        "lts",
        "rc", "head", "sha", "local", "types", "workspace", "npm", "link", "file", "escaping", "autoclosure", "objc",
    ]

    /// Finds `ann @ x.example`.
    private mutating func spacedEmail(_ start: Int, _ place: Int) {
        var end = place + 2
        while end < bytes.count, end - place < 256, Self.isDomainByte(bytes[end]) { end += 1 }
        while end > place + 2, bytes[end - 1] == 0x2E || bytes[end - 1] == 0x2D { end -= 1 }
        let labels = bytes[(place + 2)..<end].split(separator: 0x2E, omittingEmptySubsequences: false)
        // `We meet @ 5.pm` is a sentence.
        guard isDomain(labels), labels.first?.allSatisfy({ $0 &- 0x30 < 10 }) == false else { return }
        let plain = bytes[start..<place - 1] + [0x40] + bytes[(place + 2)..<end]
        findings.append(Finding(range: start..<end, kind: .email, plain: Array(plain)))
    }

    /// Finds `ann@[192.0.2.1]` and `ann@[IPv6:2001:db8::1]`.
    private mutating func emailAtAddress(_ start: Int, _ place: Int) {
        var end = place + 2
        while end < bytes.count, end - place < 64, bytes[end] != 0x5D {
            let byte = bytes[end]
            guard byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2E || byte == 0x3A else { return }
            end += 1
        }
        guard end < bytes.count, bytes[end] == 0x5D, bytes[(place + 2)..<end].contains(where: { $0 &- 0x30 < 10 })
        else {
            return
        }
        findings.append(Finding(range: start..<end + 1, kind: .email))
    }

    /// Returns true if bytes in binary content are an address: none of its parts is tiny.
    private func isSurelyEmail(_ user: Range<Int>, _ labels: [ArraySlice<UInt8>]) -> Bool {
        user.count >= 3 && labels.allSatisfy { $0.count >= 2 }
            && (labels.last ?? []).allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
    }

    private static let fileEndings: Set<String> = [
        "png", "jpg", "jpeg", "gif", "webp", "svg", "pdf", "js", "css", "json", "html", "heic", "tgz", "gz", "tar",
        "bz2",
        "xz", "7z", "rar", "mjs", "cjs", "jsx", "tsx", "map", "woff", "woff2", "ttf", "otf", "wasm", "txt", "csv",
        "xml",
        "yml", "yaml", "mp3", "mp4", "m4a", "wav", "webm", "avif", "ico", "bmp", "jar", "war", "aar", "apk", "ipa",
        "dmg",
        "exe", "msi", "deb", "rpm", "whl", "gem", "nupkg", "bin",
    ]

    private static func isLocalByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x5F, 0x2B, 0x2D, 0x80...0xFF: true
        default: false
        }
    }

    /// Returns true for `%2B`, `%2E`, `%2D`, `%5F`: plus, dot, hyphen and underscore.
    private static func isEscapedLocalByte(_ high: UInt8, _ low: UInt8) -> Bool {
        let low = low | 0x20
        return high == 0x32 && (low == 0x62 || low == 0x65 || low == 0x64) || high == 0x35 && low == 0x66
    }

    private static func isDomainByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x2D, 0x80...0xFF: true
        default: false
        }
    }
}
