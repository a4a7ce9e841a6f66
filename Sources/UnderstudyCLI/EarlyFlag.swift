/// The value of a flag before the command line is read as a whole, which may be refused.
enum EarlyFlag {
    /// Returns the last value of the flag in the words of the command; nil without one.
    static func value(_ flag: String, in words: [String]) -> String? {
        let flags = words.prefix { $0 != "--" }
        let start = flag + "="
        if let joined = flags.last(where: { $0.hasPrefix(start) }) { return String(joined.dropFirst(start.count)) }
        return flags.lastIndex(of: flag).flatMap { flags[($0 + 1)...].first }
    }
}
