import ClientCommands

/// The log format that a command line or the environment asks for, before either is read as a whole.
enum LogFormatWord {
    private static let flag = "--log-format"

    static func isJSON(_ words: [String]) -> Bool {
        let flags = words.prefix { $0 != "--" }
        if let joined = flags.last(where: { $0.hasPrefix(flag + "=") }) { return joined == "\(flag)=json" }
        if let place = flags.lastIndex(of: flag) { return flags[(place + 1)...].first == "json" }
        return Environment["UNDERSTUDY_LOG_FORMAT"] == "json"
    }
}
